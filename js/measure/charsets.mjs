// How many texts in twenty charsets come out right: ten that browsers have too, ten that they do not. Each is the body of a message
// in base64, labelled as senders do; its octets are made by iconv of glibc. PEERS=FOLDER node measure/charsets.mjs
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import * as full from "../dist/full/node.js";

const require = createRequire(`${process.env.PEERS}/`);
const { default: PostalMime } = await import(require.resolve("postal-mime"));
const { simpleParser } = require("mailparser");
const letterparser = require("letterparser");

// The label, its name in iconv, the text.
const BODIES = [
  ["iso-8859-15", "ISO-8859-15", "Grüße, 20 € für Œuvres"],
  ["windows-1250", "CP1250", "Příliš žluťoučký kůň"],
  ["windows-1255", "CP1255", "שלום עולם"],
  ["koi8-u", "KOI8-U", "Щоб їжак ґречно їв"],
  ["gb18030", "GB18030", "你好，世界。邮件的字符编码"],
  ["big5-hkscs", "BIG5-HKSCS", "您好，世界。郵件的字元編碼"],
  ["shift_jis", "SHIFT_JIS", "こんにちは、世界。"],
  ["iso-2022-jp", "ISO-2022-JP", "メールの文字コードを変換します。"],
  ["ks_c_5601-1987", "EUC-KR", "안녕하세요, 세계."],
  ["utf-16", "UTF-16", "Grüße, Привет, 你好"],
  ["utf-7", "UTF-7", "Grüße, Привет, 你好"],
  ["iso-2022-kr", "ISO-2022-KR", "안녕하세요, 세계."],
  ["iso-2022-cn", "ISO-2022-CN", "你好，世界。邮件的字符编码"],
  ["euc-tw", "EUC-TW", "您好，世界。郵件的字元編碼"],
  ["johab", "JOHAB", "안녕하세요, 세계."],
  ["cp437", "CP437", "Grüße aus München, ½ naïve"],
  ["cp850", "CP850", "Ação, coração, Ñandú"],
  ["x-mac-ce", "MAC-CENTRALEUROPE", "Příliš žluťoučký kůň"],
  ["viscii", "VISCII", "Xin chào thế giới, người Việt"],
  ["utf-32", "UTF-32", "Grüße, Привет, 你好"],
];

const READERS = {
  sevenbit: (mail) => full.parse(mail).text,
  mailparser: async (mail) => (await simpleParser(Buffer.from(mail))).text,
  "postal-mime": async (mail) => (await PostalMime.parse(mail)).text,
  letterparser: (mail) => letterparser.extract(Buffer.from(mail).toString("latin1")).text, // takes no octets
};

const wrong = Object.fromEntries(Object.keys(READERS).map((name) => [name, []]));
for (const [label, name, text] of BODIES) {
  const octets = execFileSync("iconv", ["-f", "UTF-8", "-t", name], { input: text });
  const head = `From: a@example.org\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=${label}\r\n`;
  const mail = new TextEncoder().encode(`${head}Content-Transfer-Encoding: base64\r\n\r\n${octets.toString("base64")}\r\n`);
  for (const [reader, read] of Object.entries(READERS)) {
    const found = await Promise.resolve(mail).then(read).catch(() => undefined); // some fail
    if (found?.trim() !== text) wrong[reader].push(label);
  }
}
console.log(`| ${BODIES.length} texts | right | wrong |\n|---|---:|---|`);
for (const [reader, labels] of Object.entries(wrong)) {
  console.log(`| ${reader} | ${BODIES.length - labels.length} | ${labels.join(", ")} |`);
}

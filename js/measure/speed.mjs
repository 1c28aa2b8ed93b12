// Messages and octets per second compared with the packages that others use, in turns; the median of the rounds counts for each.
// Time is processor time, so that the machine's other work counts little: node --expose-gc measure/speed.mjs [ROUNDS [EVERY_NTH]].
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import * as full from "../dist/full/node.js";
import * as view from "../dist/view/node.js";

const require = createRequire(`${process.env.PEERS}/`);
const { default: PostalMime } = await import(require.resolve("postal-mime"));
const { simpleParser } = require("mailparser");
const iconv = require("iconv-lite");
const [rounds, nth] = [Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 1)];

/** Real mail, if it is there: the messages of a tar file, and those of a folder. */
function corpora() {
  const shared = new URL("../../../shared/corpora/", import.meta.url);
  const tar = new URL("bulk/spamassassin-corpus.tar", shared);
  if (!existsSync(tar)) return { "corpus/mail": below(new URL("../../corpus/mail/", import.meta.url)) };
  return { SpamAssassin: [...filesOf(readFileSync(tar))], dev: below(new URL("dev/", shared)) };
}

function below(folder) {
  const names = readdirSync(fileURLToPath(folder), { recursive: true }).filter((name) => name.endsWith(".eml"));
  return names.sort().map((name) => new Uint8Array(readFileSync(`${fileURLToPath(folder)}${name}`)));
}

/** The files of a tar file: a block of 512 octets with their length, then the octets. */
function* filesOf(tar) {
  for (let at = 0; tar[at]; ) {
    const length = parseInt(tar.toString("latin1", at + 124, at + 136), 8);
    if (tar[at + 156] === 0x30 && length > 0) yield new Uint8Array(tar.subarray(at + 512, at + 512 + length));
    at += 512 + Math.ceil(length / 512) * 512;
  }
}

/** The median time of each contestant for all items. */
async function middle(contestants, each) {
  const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, work] of Object.entries(contestants)) {
      globalThis.gc?.(); // what one leaves behind is not charged to the next
      const start = process.cpuUsage();
      for (const item of each) {
        try {
          await work(item);
        } catch {
          // Some fail on some mail.
        }
      }
      const { user, system } = process.cpuUsage(start);
      times[name].push((user + system) / 1e6);
    }
  }
  const sorted = Object.entries(times).map(([name, all]) => [name, all.sort((a, b) => a - b)]);
  return Object.fromEntries(sorted.map(([name, all]) => [name, all[Math.floor(rounds / 2)]]));
}

for (const [name, mails] of Object.entries(corpora())) {
  const all = mails.filter((_, at) => at % nth === 0);
  const octets = all.reduce((sum, mail) => sum + mail.length, 0);
  console.log(`\n${name}: ${all.length} messages, ${(octets / 1e6).toFixed(1)} MB, the median of ${rounds}\n`);
  const times = await middle(
    {
      "sevenbit parse": (mail) => full.parse(mail),
      "postal-mime": (mail) => PostalMime.parse(mail),
      mailparser: (mail) => simpleParser(Buffer.from(mail)),
      "sevenbit/view parse": (mail) => view.parse(mail),
      "sevenbit/view parse, details": (mail) => view.parse(mail, { details: true }),
      "sevenbit/view parse, text and files": (mail) => view.parse(mail, { details: ["text", "files"] }),
      "sevenbit/view parse, thread and list": (mail) => view.parse(mail, { details: ["thread", "list"] }),
      "sevenbit normalize, transport": (mail) => full.normalize(mail, { profile: "transport" }),
      "sevenbit normalize, archive": (mail) => full.normalize(mail),
    },
    all,
  );
  const faster = Math.min(times["postal-mime"], times.mailparser);
  console.log("| | messages/s | MB/s | times the faster of both | time, of parse |\n|---|---:|---:|---:|---:|");
  for (const [name, time] of Object.entries(times)) {
    const rates = `${Math.round(all.length / time)} | ${(octets / 1e6 / time).toFixed(1)}`;
    console.log(`| ${name} | ${rates} | ${(faster / time).toFixed(2)} | ${(time / times["sevenbit parse"]).toFixed(2)} |`);
  }
}

const TEXTS = {
  "windows-1252": "Grüße aus München: naïve Œuvres, 20 € für «alles».\n",
  "koi8-r": "Привет, как дела? Всё хорошо, спасибо за письмо.\n",
  "shift_jis": "こんにちは、世界。メールの文字コードを変換します。\n",
  "euc-jp": "こんにちは、世界。メールの文字コードを変換します。\n",
  "gb18030": "你好，世界。邮件的字符编码需要转换。\n",
  "big5": "您好，世界。郵件的字元編碼需要轉換。\n",
  "euc-kr": "안녕하세요, 세계. 메일의 문자 코드를 변환합니다.\n",
  "iso-2022-jp": "こんにちは、世界。メールの文字コードを変換します。\n",
  "utf-7": "Grüße, Привет, 你好 and plain words.\n",
  "utf-8": "Grüße, Привет, 你好 and plain words.\n",
  "utf-16le": "Grüße, Привет, 你好 and plain words.\n",
  "utf-16be": "Grüße, Привет, 你好 and plain words.\n",
};
console.log("\n| charset | decode, MB/s | iconv-lite | times | encode, MB/s | iconv-lite | times |\n|---|---:|---:|---:|---:|---:|---:|");
for (const [label, line] of Object.entries(TEXTS)) {
  const text = line.repeat(Math.ceil(1e5 / line.length));
  const encoded = full.charset.encode(text, label);
  const has = iconv.encodingExists(label);
  const times = Array.from({ length: 100 }, () => 0);
  const decode = await middle({ ours: () => full.charset.decode(encoded, label), ...(has && { theirs: () => iconv.decode(Buffer.from(encoded), label) }) }, times);
  const encode = await middle({ ours: () => full.charset.encode(text, label), ...(has && { theirs: () => iconv.encode(text, label) }) }, times);
  const rate = (time) => (time === undefined ? "-" : ((encoded.length * times.length) / 1e6 / time).toFixed(0));
  const ratio = ({ ours, theirs }) => (theirs === undefined ? "-" : (theirs / ours).toFixed(1));
  console.log(`| ${label} | ${rate(decode.ours)} | ${rate(decode.theirs)} | ${ratio(decode)} | ${rate(encode.ours)} | ${rate(encode.theirs)} | ${ratio(encode)} |`);
}

console.log("\n| 20 characters in | decode, \u00b5s | iconv-lite | encode, \u00b5s | iconv-lite |\n|---|---:|---:|---:|---:|");
for (const [label, line] of Object.entries(TEXTS)) {
  const text = line.slice(0, 20);
  const encoded = full.charset.encode(text, label);
  const has = iconv.encodingExists(label);
  const buffer = Buffer.from(encoded);
  const times = Array.from({ length: 20_000 }, () => 0);
  const decode = await middleOfShort({ ours: () => full.charset.decode(encoded, label), ...(has && { theirs: () => iconv.decode(buffer, label) }) }, times);
  const encode = await middleOfShort({ ours: () => full.charset.encode(text, label), ...(has && { theirs: () => iconv.encode(text, label) }) }, times);
  const each = (time) => (time === undefined ? "-" : ((time / times.length) * 1e6).toFixed(2));
  console.log(`| ${label} | ${each(decode.ours)} | ${each(decode.theirs)} | ${each(encode.ours)} | ${each(encode.theirs)} |`);
}

/** As `middle`, for work that is too short to be awaited. */
async function middleOfShort(contestants, each) {
  const many = Object.fromEntries(Object.entries(contestants).map(([name, work]) => [name, () => each.forEach(work)]));
  return middle(many, [0]);
}

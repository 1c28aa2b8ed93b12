// The interface for JavaScript programs.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { digest } from "./digest.mjs";
import { full } from "./packages.mjs";

const { charset, decodeHeader, detect, encodeHeader, explain, isMbox, mailboxName, normalize, NormalizeStream, parse, splitMbox } = full;
const octets = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const text = (octets) => new TextDecoder("latin1").decode(octets);

test("a clean message comes back as it is: the same array", () => {
  const clean = octets("From: ada@example.org\r\nSubject: hi\r\n\r\nhello\r\n");
  const result = normalize(clean, { profile: "transport" });
  assert.equal(result.octets, clean);
  assert.deepEqual([result.changed, result.refused, result.issues], [false, false, []]);
});

test("what is not 7-bit safe is made so, and reported", () => {
  const { octets: made, issues } = normalize(octets("Subject: caf\xe9\r\n\r\nhi\r\n"));
  assert.match(text(made), /^Subject: =\?utf-8\?B\?Y2Fmw6k=\?=\r\n/);
  const [issue] = issues;
  assert.deepEqual([issue.code, issue.severity, issue.rule, issue.part], ["raw-header-text", "repair", "H3", "0"]);
  assert.ok(issue.span[0] < issue.span[1] && issue.summary && issue.effect);
});

test("what is no Uint8Array is refused, not read as zeros", () => {
  const text = "Subject: hi\r\n\r\nhello\r\n";
  const calls = [normalize, parse, detect, isMbox, (file) => [...splitMbox(file)], (octets) => charset.decode(octets, "utf-8")];
  for (const value of [text, octets(text).buffer, [...octets(text)], undefined, null, 7]) {
    for (const call of calls) assert.throws(() => call(value), { name: "TypeError", message: /a Uint8Array is needed, not / });
  }
  assert.throws(() => decodeHeader(octets(text).buffer), TypeError);
  assert.equal(normalize(Buffer.from(text)).changed, false);
});

test("options are words; others are refused", () => {
  const signed = readFileSync(new URL("../../corpus/mail/g12-smime-signed.eml", import.meta.url));
  assert.equal(normalize(octets("\xe9"), { profile: "transport", signed: "refuse" }).refused, false);
  assert.ok(normalize(signed, { signed: "refuse" }).octets.length > 0);
  const umlauts = octets("From: a@example.de\r\nSubject: Sch\xf6ne Gr\xfc\xdfe\r\n\r\n");
  const labelled = (unlabelled) => text(normalize(umlauts, { profile: "transport", unlabelled }).octets);
  assert.match(labelled("keep"), /=\?unknown-8bit\?/);
  assert.match(labelled("guess"), /=\?windows-1252\?/);
  assert.match(labelled(undefined), /=\?windows-1252\?/);
  assert.throws(() => normalize(signed, { profile: "archives" }), RangeError);
  assert.throws(() => normalize(signed, { profil: "archive" }), RangeError);
  assert.throws(() => normalize(signed, { limits: { depths: 1 } }), RangeError);
  assert.throws(() => new NormalizeStream({ profile: "?" }), RangeError);
  const deep = octets("Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n\r\none\r\n--a\r\n\r\ntwo\r\n--a--\r\n");
  assert.equal(parse(deep).parts.length, 3);
  assert.ok(normalize(deep, { limits: { parts: 1 } }).issues.some((issue) => issue.code === "part-opaque"));
});

test("text is read in the charset that a person has chosen", () => {
  const mail = octets("Content-Type: text/plain; charset=iso-8859-1\r\n\r\n\xf0\xd2\xc9\xd7\xc5\xd4\r\n");
  assert.equal(parse(normalize(mail, { readAs: "koi8r" }).octets).text, "\u041f\u0440\u0438\u0432\u0435\u0442\n");
  // The last options are kept, but not for other ones.
  assert.equal(parse(normalize(mail).octets).text, "\xf0\xd2\xc9\xd7\xc5\xd4\n");
  assert.throws(() => normalize(mail, { readAs: "nobody" }), { name: "RangeError", message: "charset not known: nobody" });
  assert.throws(() => normalize(mail, { readAs: 7 }), TypeError);
  assert.throws(() => normalize(mail, { doubtful: "mend" }), RangeError);
  // What no other module finds is no option of theirs.
  assert.throws(() => normalize(mail, { doubtful: "repair" }), { name: "RangeError", message: /import sevenbit\/view/ });
});

test("any octets give an answer", () => {
  const random = new Uint8Array(4096).map((_, at) => (at * 2654435761) >>> 13);
  for (let from = 0; from < 4096; from += 64) {
    const { octets: made } = normalize(random.subarray(from));
    assert.ok(made.every((octet) => octet > 0 && octet < 128));
    assert.deepEqual(normalize(made).octets, made);
  }
  assert.equal(parse(new Uint8Array()).parts.length, 1);
});

test("a message is read into plain data", () => {
  const message = parse(
    octets(
      "From: =?utf-8?Q?Zo=C3=AB?= <zoe@example.org>\r\nTo: a@example.org, b@example.org\r\nSubject: hi\r\n" +
        "Date: Fri, 21 Nov 97 09:55:06 -0600\r\nMessage-ID: <1@example.org>\r\nMIME-Version: 1.0\r\n" +
        "Content-Type: multipart/mixed; boundary=b\r\n\r\n" +
        "--b\r\nContent-Type: multipart/alternative; boundary=c\r\n\r\n--c\r\n\r\nplain\r\n--c\r\nContent-Type: text/html; charset=iso-8859-1\r\n\r\n<p>\xe9</p>\r\n--c--\r\n" +
        "--b\r\nContent-Type: text/csv; name=a.csv\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\nYSxiDQo=\r\n--b--\r\n",
    ),
  );
  assert.deepEqual(message.from, [{ name: "Zoë", address: "zoe@example.org" }]);
  assert.equal(message.to.length, 2);
  assert.equal(message.date.toISOString(), "1997-11-21T15:55:06.000Z");
  assert.equal(message.dateOffset, -360);
  assert.equal(message.messageId, "1@example.org");
  assert.equal(message.text, "plain");
  assert.equal(message.html, "<p>é</p>");
  assert.deepEqual(message.parts.map((part) => part.path), ["", "1", "1.1", "1.2", "2"]);
  assert.equal(message.root.children[0].children[1], message.htmlBody[0]);
  const [file] = message.attachments;
  assert.deepEqual([file.filename, file.text, text(file.octets)], ["a.csv", "a,b\n", "a,b\r\n"]);
  assert.deepEqual(structuredClone(message), message);
  assert.deepEqual(message.issues, []);
});

const written = (name) => parse(readFileSync(new URL(`../../corpus/view/${name}.eml`, import.meta.url)));

test("text is never the source of HTML, and HTML leaves no text out", () => {
  const only = parse(octets("Content-Type: text/html\r\n\r\n<p>one"));
  assert.deepEqual([only.text, only.html], ["", "<p>one"]);
  const footer = written("html-with-footer-of-a-list");
  assert.ok(footer.text.endsWith("pets mailing list <pets@lists.example>\n") && !footer.text.includes("<b>"));
  assert.ok(footer.html.endsWith("pets mailing list &lt;pets@lists.example&gt;\n</pre>\n"));
});

test("attached messages have octets", () => {
  const inner = written("attachments-with-bad-names").attachments[6];
  assert.ok(text(inner.octets).startsWith("Subject: Re: lunch") && inner.children.length === 1);
});

test("issues of a message are found when they are asked for", () => {
  const mail = octets("Subject: caf\xe9\r\n\r\n");
  assert.ok(parse(mail, { issues: true }).issues.length > 0);
});

test("header text, mailbox names, charsets", () => {
  assert.equal(decodeHeader("=?koi8-r?Q?=F0=D2=C9=D7=C5=D4?=").text, "Привет");
  assert.deepEqual([decodeHeader("plain").lossless, decodeHeader("plain").issues], [true, []]);
  assert.equal(decodeHeader(encodeHeader("naïve ☃ 日本")).text, "naïve ☃ 日本");
  assert.equal(mailboxName.encode("Entwürfe & mehr"), "Entw&APw-rfe &- mehr");
  assert.equal(mailboxName.decode("Entw&APw-rfe &- mehr").text, "Entwürfe & mehr");
  assert.equal(mailboxName.decode("&").lossless, false);
  assert.equal(charset.name("uft8"), "UTF-8");
  assert.equal(charset.name("nobody"), undefined);
  assert.equal(charset.decode(octets("\x82\xa0"), "shift_jis"), "あ");
  assert.equal(charset.decodeNoting(octets("\x82"), "shift_jis").lossless, false);
  assert.throws(() => charset.decode(octets("a"), "nobody"), RangeError);
  assert.throws(() => charset.encode("☃", "iso-8859-1"), RangeError);
  assert.throws(() => charset.encode("☃", "nobody"), RangeError);
  const samples = "Grüße, Привет, 日本語, ελληνικά";
  for (const { name, readable } of charset.all().filter(({ name }) => /^(UTF-|GB18030|gb18030)/.test(name))) {
    if (readable) assert.equal(charset.decode(charset.encode(samples, name), name), samples, name);
  }
  assert.equal(detect(octets("\xcf\xf0\xe8\xe2\xe5\xf2, \xea\xe0\xea \xe4\xe5\xeb\xe0?")), "windows-1251");
});

test("long text is decoded as short text is", () => {
  for (const { name } of charset.all().filter(({ readable }) => readable)) {
    for (const line of ["plain words, and more of them\n", "Grüße, Привет, 你好, こんにちは, 안녕\n", "\u{1F600}\u{20000}"]) {
      const written = [...line].filter((letter) => encodes(letter, name)).join("");
      const octets = charset.encode(written.repeat(40), name);
      const more = [[0xff, 0xfe], [0xfe, 0xff]].flatMap((signature) => [Uint8Array.of(...octets, ...signature), Uint8Array.of(...signature, ...octets)]);
      for (const some of [octets, octets.slice(1), octets.subarray(1), octets.slice(0, -1), ...more]) {
        assert.equal(charset.decode(some, name), charset.decodeNoting(some, name).text, name);
        assert.equal(withoutBuffer(() => charset.decode(some, name)), charset.decodeNoting(some, name).text, name);
      }
    }
  }
});

test("long text is encoded as short text is, with and without Node's buffers", () => {
  for (const { name } of charset.all().filter(({ readable }) => readable)) {
    const line = [..."Grüße, Привет, 你好, こんにちは, 안녕 \u{1F600}\u{20000}\n"].filter((letter) => encodes(letter, name)).join("");
    const once = charset.encode(line, name);
    const repeated = (times) => Uint8Array.from({ length: times * once.length }, (_, at) => once[at % once.length]);
    // Text that begins with a signature, or keeps shifts from line to line, is not simply repeated.
    if (Buffer.compare(charset.encode(line + line, name), repeated(2)) !== 0) continue;
    assert.deepEqual(charset.encode(line.repeat(60), name), repeated(60), name);
    assert.deepEqual(withoutBuffer(() => charset.encode(line.repeat(60), name)), repeated(60), name);
  }
});

test("of long text, too, what a charset lacks is named, and half a surrogate pair is U+FFFD", () => {
  for (const missing of ["\u2603", "\ud83d"]) {
    const inShort = reasonOf(() => charset.encode(`x${missing}`, "koi8-r"));
    const inLong = reasonOf(() => charset.encode(`${"x".repeat(1000)}${missing}`, "koi8-r"));
    assert.equal(inLong, inShort.replace(/\b1\b/, "1000"));
  }
  for (const name of ["utf-8", "utf-16le", "utf-16be", "utf-7", "gb18030"]) {
    assert.deepEqual(charset.encode("\ud83d語".repeat(500), name), charset.encode("\ufffd語".repeat(500), name), name);
  }
});

function withoutBuffer(work) {
  const { Buffer } = globalThis;
  globalThis.Buffer = undefined;
  try {
    return work();
  } finally {
    globalThis.Buffer = Buffer;
  }
}

function reasonOf(work) {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof RangeError);
    return error.message;
  }
  throw new Error("it was written");
}

function encodes(letter, name) {
  try {
    return charset.encode(letter, name).length > 0;
  } catch {
    return false;
  }
}

test("mailboxes are cut into their messages", () => {
  for (const name of readdirSync(new URL("../../corpus/mailboxes/", import.meta.url)).filter((name) => /^(mboxrd|crlf|mboxcl2)\.mbox$/.test(name))) {
    const file = readFileSync(new URL(`../../corpus/mailboxes/${name}`, import.meta.url));
    assert.ok(isMbox(file), name);
    const mails = [...splitMbox(file)];
    assert.ok(mails.length > 1 && mails.every((mail) => !text(mail).startsWith("From ")), name);
  }
  assert.equal(isMbox(octets("Subject: x\r\n\r\n")), false);
  const [first] = splitMbox(octets("From a Thu Nov 19 10:00:00 2026\nSubject: 1\n\n>From x\n\nFrom a Thu Nov 19 10:00:00 2026\nSubject: 2\n\n"));
  assert.equal(text(first), "Subject: 1\n\nFrom x\n");
});

test("a stream takes a message in any chunks", async () => {
  const mail = octets("Subject: caf\xe9\r\n\r\nhi\r\n");
  for (const length of [1, 7, 100]) {
    const chunks = Array.from({ length: Math.ceil(mail.length / length) }, (_, at) => mail.slice(at * length, (at + 1) * length));
    const stream = new NormalizeStream({ profile: "transport" });
    const out = await new Response(ReadableStream.from(chunks).pipeThrough(stream)).arrayBuffer();
    assert.deepEqual(new Uint8Array(out), normalize(mail, { profile: "transport" }).octets);
  }
  const stream = new NormalizeStream();
  const [result] = await Promise.all([stream.result, new Response(ReadableStream.from([mail]).pipeThrough(stream)).arrayBuffer()]);
  assert.equal(result.changed, true);
  assert.equal(result.issues[0].code, "raw-header-text");
});

test("a stream that fails or is aborted has no result", async () => {
  const broken = new NormalizeStream();
  const writer = broken.writable.getWriter();
  void broken.readable.getReader().read().catch(() => {});
  await assert.rejects(writer.write("text"), TypeError);
  await assert.rejects(broken.result, TypeError);
});

test("functions of `charset` need no object", () => {
  const { decode } = charset;
  assert.equal(decode(octets("a\xff"), "utf-8"), "a\ufffd");
  assert.throws(() => decode(octets("a"), "nobody"), RangeError);
});

test("everything there is to show of a message", () => {
  const mail = octets("Subject: caf\xe9\r\n\r\none\r\ntwo \r\n");
  const facts = explain(mail);
  assert.equal(facts.subject, "café");
  const [part] = facts.parts;
  assert.deepEqual(part.fields[0], { name: "Subject", text: "café", octets: [0, 13] });
  assert.deepEqual(part.text, { shown: "one\ntwo \n", whole: true, lines: [[0, 5], [5, 11]] });
  const changed = facts.changes.reduceRight((octets, { span, with: made }) => octets.slice(0, span[0]) + made + octets.slice(span[1]), text(mail));
  assert.equal(changed, text(normalize(mail).octets));
  assert.equal(facts.becomes, changed.length);
});

test("in a worker", async () => {
  const worker = new Worker(
    `import("${new URL("../dist/full/node.js", import.meta.url)}").then(({ encodeHeader }) => require("node:worker_threads").parentPort.postMessage(encodeHeader("é")))`,
    { eval: true },
  );
  const said = await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  assert.equal(said, "=?utf-8?B?w6k=?=");
  await worker.terminate();
});

const plain = new URL("../dist/full/sevenbit.wasm", import.meta.url);

test("both modules of a package do the same", { skip: !existsSync(plain) && "only the one with vectors is built" }, () => {
  const { hash, mails } = digest(full.normalize);
  const script = `
    import { readFileSync } from "node:fs";
    import * as manual from "${new URL("../dist/full/manual.js", import.meta.url)}";
    import { digest } from "${new URL("./digest.mjs", import.meta.url)}";
    await manual.load(readFileSync(new URL("${plain}")));
    console.log(digest(manual.normalize).hash);`;
  assert.equal(execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" }).trim(), hash);
  assert.ok(mails > 200);
});

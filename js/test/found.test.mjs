// What the page knows of the header and of files, without a browser: the way of a message, who vouches for the sender, mailing lists,
// contents, sentences for people.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { full } from "./packages.mjs";
import { module } from "./view.mjs";

const octets = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const fieldsOf = (header) => full.explain(octets(`${header}\r\n\r\n`)).parts[0].fields;

test("each rule has one plain sentence, without words of the code", async () => {
  const [{ PLAIN }, { rulesOf }] = await Promise.all([module("plain"), module("rules")]);
  const rules = rulesOf(readFileSync(new URL("../../docs/normal-form.md", import.meta.url), "utf8"));
  assert.deepEqual(Object.keys(PLAIN).sort(), [...rules.keys()].sort());
  for (const [name, sentence] of Object.entries(PLAIN)) {
    assert.match(sentence, /^[A-Z][^`]*\.$/, name);
    assert.doesNotMatch(sentence, /::|\/|corpus|src|RFC|[A-Z][a-z]+[A-Z]/, name);
    assert.ok(sentence.length <= 130, name);
  }
});

test("what an issue says and does has no words of the code", () => {
  const table = readFileSync(new URL("../../crates/charset/src/report/issue.rs", import.meta.url), "utf8");
  const sentences = [...table.matchAll(/^\s+"((?:[^"\\]|\\.)*)"/gm)].map(([, text]) => text);
  for (const text of sentences) assert.doesNotMatch(text, /corpus\/|src\/|\w::\w/, text);
});

test("Received fields are the way of a message, from the first server to the last", async () => {
  const { stepsOf, slowestOf, duration } = await module("way");
  const steps = stepsOf(
    fieldsOf(
      "Received: from relay.example.net (by the way [192.0.2.7])\r\n\tby mx.example.org (Postfix) with ESMTPS id 4F\r\n\tfor <anna@example.org>; Wed, 25 Nov 2026 09:31:44 +0100 (CET)\r\n" +
        "Received: from mail.example.com by relay.example.net with ESMTP; Wed, 25 Nov 2026 08:31:41 +0000\r\n" +
        "Received: by mail.example.com; nonsense\r\n" +
        "Received: from desk (unknown [203.0.113.5]) by mail.example.com with ESMTPSA; Wed, 25 Nov 2026 08:12:02 +0000\r\nSubject: x",
    ),
  );
  assert.deepEqual(steps.map((step) => step.from), ["desk (unknown [203.0.113.5])", "", "mail.example.com", "relay.example.net (by the way [192.0.2.7])"]);
  assert.deepEqual(steps.map((step) => step.by), ["mail.example.com", "mail.example.com", "relay.example.net", "mx.example.org (Postfix)"]);
  assert.deepEqual(steps.map((step) => step.delay), [undefined, undefined, 1179, 3]);
  assert.deepEqual([steps[3].with, steps[3].for], ["ESMTPS", "anna@example.org"]);
  assert.equal(slowestOf(steps), steps[2]);
  assert.equal(slowestOf(stepsOf(fieldsOf("Subject: x"))), undefined);
  assert.deepEqual([3, 1179, 7200, 200_000, -300].map(duration), ["3 s", "20 min", "2 h 0 min", "2 days", "-5 min"]);
  for (const odd of ["", "(((", ";;;", "from", "from by with", `from ${"(".repeat(5000)}`]) assert.equal(stepsOf([{ name: "Received", text: odd, octets: [0, 0] }]).length, 1);
});

test("Authentication-Results are put into words", async () => {
  const { proofsOf, inWords, signersOf } = await module("proofs");
  const fields = fieldsOf(
    "Authentication-Results: mx.example.org 1;\r\n spf=pass (a; b) smtp.mailfrom=bounce@example.com;\r\n dkim=fail header.d=example.com header.s=k; dmarc=pass header.from=example.com; arc=none\r\n" +
      "ARC-Authentication-Results: i=1; relay.example.net; dkim=pass header.d=example.net\r\n" +
      "Received-SPF: softfail (x) receiver=mx.example.org; envelope-from=\"a@example.com\"\r\n" +
      "DKIM-Signature: v=1; d=example.com; s=k; b=x\r\nDKIM-Signature: d=example.com\r\nDKIM-Signature: d=example.net;",
  );
  const proofs = proofsOf(fields);
  assert.deepEqual(proofs.map(({ method, result, about, said, sealed }) => [method, result, about, said, sealed]), [
    ["spf", "pass", "bounce@example.com", "mx.example.org", ""],
    ["dkim", "fail", "example.com", "mx.example.org", ""],
    ["dmarc", "pass", "example.com", "mx.example.org", ""],
    ["arc", "none", "", "mx.example.org", ""],
    ["dkim", "pass", "example.net", "relay.example.net", "1"],
    ["spf", "softfail", "a@example.com", "mx.example.org", ""],
  ]);
  assert.equal(inWords(proofs[0]), "the server that sent it may send for bounce@example.com");
  assert.equal(inWords(proofs[1]), "not proven: this fails for example.com");
  assert.equal(inWords(proofs[3]), "nothing to check");
  assert.deepEqual(signersOf(fields), ["example.com", "example.net"]);
});

test("mailing lists say how to leave them", async () => {
  const { listEntries } = await module("lists");
  const fields = fieldsOf("List-Id: News <news.example.org>\r\nList-Unsubscribe: <mailto:off@example.org>,\r\n <https://example.org/off>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click");
  assert.deepEqual(listEntries(fields).map(({ says, links }) => [says, links]), [
    ["The list", ["News <news.example.org>"]],
    ["Unsubscribe, in one click", ["mailto:off@example.org", "https://example.org/off"]],
  ]);
});

test("the content of a file is what the library decodes", async () => {
  const { contentOf } = await module("decoded");
  const all = Uint8Array.from({ length: 256 }, (_, at) => at);
  for (let length = 0; length < 8; length++) {
    const some = all.subarray(250 - length, 250);
    assert.deepEqual(contentOf(octets(Buffer.from(some).toString("base64")), "base64"), some.slice());
  }
  const bodies = { base64: Buffer.from(all).toString("base64").replace(/.{9}/g, "$&\r\n"), "quoted-printable": "caf=C3=A9 =\r\n=3d x= \r\ny =ZZ", "8bit": "caf\xe9", "7bit": "x" };
  for (const [encoding, body] of Object.entries(bodies)) {
    const mail = octets(`Content-Type: application/x-thing\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`);
    const part = full.explain(mail).parts[0];
    assert.deepEqual(contentOf(mail.subarray(...part.body), part.encoding), full.parse(mail).root.octets, encoding);
  }
  assert.equal(contentOf(octets("x"), "x-uuencode"), undefined);
});

test("a name to save under is no path, and hides nothing", async () => {
  const { fileName } = await module("files");
  const named = (filename, mediaType = "image/png") => fileName({ filename, mediaType });
  assert.equal(named("../../etc/passwd"), "passwd");
  assert.equal(named("C:\\temp\\a.txt"), "a.txt");
  assert.equal(named("\u202egnp.exe"), "gnp.exe");
  assert.equal(named("invoice\u202efdp.exe"), "invoicefdp.exe");
  assert.equal(named(".bashrc"), "bashrc");
  assert.equal(named(null, "message/rfc822"), "message.eml");
  assert.equal(named("..."), "attachment.bin");
});

test("a part has the name of its file, also if the message is nothing else", async () => {
  const { nameOf } = await module("names");
  const named = (header, body = "x\r\n") => full.explain(octets(`${header}\r\n\r\n${body}`)).parts.map(nameOf);
  assert.deepEqual(named("Content-Type: application/pdf; name=scan.pdf"), ["scan.pdf"]);
  assert.deepEqual(named("Content-Type: text/plain"), ["Message"]);
  assert.deepEqual(named("Content-Type: multipart/mixed; boundary=b; name=x", "--b\r\n\r\nx\r\n--b--\r\n"), ["Message: Several parts", "Text"]);
});

test("places have line numbers, whatever ends the lines", async () => {
  const { Source } = await module("octets");
  for (const end of ["\r\n", "\n", "\r"]) {
    const source = new Source(octets(["a", "bb", "", "c"].map((line) => line + end).join("")));
    const place = 2 * end.length + 3;
    assert.equal(source.lines, 4);
    assert.deepEqual([source.lineOf(0), source.lineOf(1 + end.length), source.lineOf(place), source.lineOf(1e9)], [0, 1, 2, 3]);
    assert.match(source.where([1 + end.length, 2 + end.length]), /^line 2, octets \d+ to \d+$/);
  }
  assert.equal(new Source(octets("")).lines, 1);
});

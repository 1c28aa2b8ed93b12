// The page's hints about other readers: each on a message that calls for it, and none on plain mail.
import assert from "node:assert/strict";
import { test } from "node:test";
import { full } from "./packages.mjs";
import { module } from "./view.mjs";

const { FIELD_RULES, hintsOf, ISSUE_RULES, PART_RULES } = await module("hints");
const { Source } = await module("octets");

const HEAD = "From: a@example.org\nTo: b@example.org\n";
const field = (line) => `${HEAD.replace(new RegExp(`^${line.split(":")[0]}:.*\n`, "m"), "")}${line}\nSubject: x\n\nx\n`;
const body = (fields, text) => `${HEAD}MIME-Version: 1.0\n${fields}\n\n${text}\n`;

/** By the beginning of what a hint says: messages that call for it. */
const CALLS = {
  "An address with the name in parentheses": [field("From: a@example.org (Ada L)"), field("To: b@example.org, c@example.org (Cid)")],
  "An address without a domain in angle brackets": [field("From: Mail Delivery <MAILER-DAEMON>")],
  "A name that is the address itself": [field('From: "a@example.org" <a@example.org>'), field("To: b@example.org <b@example.org>")],
  "An empty group": [field("To: undisclosed-recipients:;"), field("Cc: list: ;")],
  "An address without a domain is": [field("To: root")],
  "Two dots": [field("To: s..palmer@example.org"), field("From: Sam <s..palmer@example.org>")],
  "A date in the zone": [field("Date: Fri, 21 Nov 1997 09:55:06 Z")],
  "A file name in the form of RFC 2231": [body("Content-Type: text/plain; name*=utf-8''caf%C3%A9.txt", "x"), body("Content-Disposition: attachment; filename*0=a; filename*1=b", "x")],
  "Text in format=flowed": [body("Content-Type: text/plain; format=flowed", "x"), body("Content-Type: text/plain; Format=Flowed", "x")],
  "text/rfc822-headers": [body("Content-Type: text/rfc822-headers", "Subject: y")],
  "iso-8859-1 over octets 80-9F": [
    body("Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit", "\x93x\x94"),
    body("Content-Type: text/plain; charset=ISO-8859-1\nContent-Transfer-Encoding: quoted-printable", "=93x=94"),
  ],
  "White space at the end of a line": [body("Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable", "one \ntwo")],
  "Text where a field should be": [`${HEAD}This is no field\nSubject: x\n\nx\n`],
  "No empty line before the text": [`${HEAD}Subject: x\nHello, this is the text of it.\nAnd more.\n`],
  "A fold that was lost": [`${HEAD}Subject: x\nContent-Type: multipart/mixed;\nboundary="b"\n\n--b\n\nx\n--b--\n`],
  "A multipart whose boundary never occurs": [body("Content-Type: multipart/mixed; boundary=b", "just text")],
  "Octets above 7E without a label": [body("Content-Type: text/plain", "Gr\xfc\xdfe aus M\xfcnchen, sch\xf6n")],
  "Raw UTF-8 in an address: not every": [field("To: b@caf\xc3\xa9.example")],
  "Raw UTF-8 in an address: 7 bits": [field("To: caf\xc3\xa9@example.org")],
  "The message is stored with CR alone": [field("X: y").replaceAll("\n", "\r")],
};

function hints(mail, lineEnd = "\r\n") {
  const octets = Uint8Array.from(mail.replaceAll("\n", lineEnd), (character) => character.charCodeAt(0));
  return hintsOf(full.explain(octets, { profile: "archive" }), new Source(octets)).map(({ says }) => says);
}

for (const [says, mails] of Object.entries(CALLS)) {
  test(`hint: ${says}`, () => {
    for (const mail of mails) assert.ok(hints(mail).some((hint) => hint.startsWith(says)), `${mail}\n${hints(mail).join("\n")}`);
  });
}

test("every hint is called for by one of these messages", () => {
  const all = [...FIELD_RULES, ...PART_RULES, ...Object.values(ISSUE_RULES)].map(({ says }) => says);
  for (const says of all) assert.equal(Object.keys(CALLS).filter((begin) => says.startsWith(begin)).length, 1, says);
  assert.equal(Object.keys(CALLS).length, new Set(all).size);
});

test("plain mail has no hint", () => {
  const plain = [field("Subject: hello"), body("Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit", "caf\xc3\xa9"), field('From: "Ada (the first)" <ada@example.org>')];
  for (const mail of plain) assert.deepEqual(hints(mail), []);
});

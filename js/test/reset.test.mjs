// The module started again: its memory is small again, and everything works as before.
import assert from "node:assert/strict";
import { test } from "node:test";
import { full } from "./packages.mjs";

const { charset, encodeHeader, normalize, parse, reset, splitMbox } = full;
const octets = (text) => new TextEncoder().encode(text);

test("reset gives memory back, and nothing else changes", () => {
  const mail = octets("Subject: caf\u00e9\r\n\r\nhello\r\n");
  const options = { profile: "transport" };
  const [before, message] = [normalize(mail, options), parse(mail)];
  const room = () => process.memoryUsage().external + process.memoryUsage().arrayBuffers;
  const small = room();
  normalize(octets(`Subject: caf\u00e9\r\n\r\n${"na\u00efve\r\n".repeat(4_000_000)}`));
  const large = room();
  assert.ok(large > small + 30_000_000, "the module has taken memory");
  reset();
  globalThis.gc?.();
  assert.deepEqual(normalize(mail, options), before);
  assert.deepEqual(parse(mail), message);
  assert.equal(charset.decode(charset.encode("\u041f\u0440\u0438\u0432\u0435\u0442", "koi8-r"), "koi8-r"), "\u041f\u0440\u0438\u0432\u0435\u0442");
  assert.equal(encodeHeader("\u00e9"), "=?utf-8?B?w6k=?=");
});

test("a mailbox that is being cut ends with an error", () => {
  const mails = splitMbox(octets("From a Thu Nov 19 10:00:00 2026\nSubject: 1\n\n\nFrom a Thu Nov 19 10:00:00 2026\nSubject: 2\n\n"));
  mails.next();
  reset();
  assert.throws(() => mails.next());
  assert.equal(parse(octets("Subject: x\r\n\r\n")).subject, "x");
});

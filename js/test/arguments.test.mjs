// Every public function checks every argument: a wrong type is a TypeError, a wrong value a RangeError, and nothing reaches the module.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { full, view } from "./packages.mjs";
import { load } from "../dist/full/manual.js";

const { charset, decodeHeader, detect, encodeHeader, explain, isMbox, mailboxName, normalize, NormalizeStream, parse, splitMbox } = full;
const mail = new TextEncoder().encode("Subject: hi\r\n\r\nhello\r\n");

/** What is neither octets nor text, nor an object with options. */
const OTHERS = [5, NaN, true, null, undefined, Symbol("x"), 7n, () => {}];
const NO_OCTETS = [...OTHERS, "text", {}, [1, 2], mail.buffer, new Uint16Array(2), new DataView(mail.buffer)];
const NO_TEXT = [...OTHERS, {}, [], new String("utf-8"), mail];
const NO_OPTIONS = [5, "x", true, null, Symbol("x")];

const TYPES = [
  ["normalize", normalize, NO_OCTETS],
  ["parse", parse, NO_OCTETS],
  ["explain", explain, NO_OCTETS],
  ["detect", detect, NO_OCTETS],
  ["isMbox", isMbox, NO_OCTETS],
  ["splitMbox", splitMbox, NO_OCTETS],
  ["charset.decode", (value) => charset.decode(value, "utf-8"), NO_OCTETS],
  ["charset.decode in KOI8-R", (value) => charset.decode(value, "koi8-r"), NO_OCTETS],
  ["charset.decodeNoting", (value) => charset.decodeNoting(value, "utf-8"), NO_OCTETS],
  ["decodeHeader", decodeHeader, NO_OCTETS.filter((value) => typeof value !== "string")],
  ["mailboxName.decode", mailboxName.decode, NO_OCTETS.filter((value) => typeof value !== "string")],
  ["charset.name", charset.name, NO_TEXT],
  ["label of charset.decode", (value) => charset.decode(mail, value), NO_TEXT],
  ["label of charset.decodeNoting", (value) => charset.decodeNoting(mail, value), NO_TEXT],
  ["label of charset.encode", (value) => charset.encode("x", value), NO_TEXT],
  ["charset.encode", (value) => charset.encode(value, "koi8-r"), NO_TEXT],
  ["charset.encode in UTF-8", (value) => charset.encode(value, "utf-8"), NO_TEXT],
  ["encodeHeader", encodeHeader, NO_TEXT],
  ["mailboxName.encode", mailboxName.encode, NO_TEXT],
  ["options of normalize", (value) => normalize(mail, value), NO_OPTIONS],
  ["options of NormalizeStream", (value) => new NormalizeStream(value), NO_OPTIONS],
  ["options of parse", (value) => parse(mail, value), NO_OPTIONS],
  ["options of explain", (value) => explain(mail, value), NO_OPTIONS],
  ["profile", (profile) => normalize(mail, { profile }), [5, null, {}, true]],
  ["limits", (limits) => normalize(mail, { limits }), NO_OPTIONS],
  ["limits of parse", (limits) => parse(mail, { limits }), NO_OPTIONS],
  ["depth", (depth) => normalize(mail, { limits: { depth } }), ["9", null, {}, true, 9n]],
  ["issues", (issues) => parse(mail, { issues }), [1, "yes", null, {}]],
  ["rawHeaders", (rawHeaders) => parse(mail, { rawHeaders }), [1, "yes", null, {}]],
  ["whole", (whole) => explain(mail, { whole }), [1, "yes", null, {}]],
];

/** Those of the module that is not always built. */
const TYPES_OF_VIEW = [
  ["passages", (value) => view.passages(value), NO_TEXT],
  ["safeFileName", (value) => view.safeFileName(value), NO_TEXT],
  ["baseSubject", (value) => view.baseSubject(value), NO_TEXT],
  ["unpackTnef", (value) => view.unpackTnef(value), NO_OCTETS],
];

describe("a wrong type is a TypeError that names the argument", () => {
  for (const [name, call, values] of view === undefined ? TYPES : [...TYPES, ...TYPES_OF_VIEW]) {
    test(name, () => {
      for (const value of values) assert.throws(() => call(value), { name: "TypeError", message: /^\w[\w.]*: .* needed, not / }, String(value));
    });
  }
});

const VALUES = [
  ["a profile", () => normalize(mail, { profile: "archives" })],
  ["a profile of explain", () => explain(mail, { profile: "other" })],
  ["an option", () => normalize(mail, { profil: "archive" })],
  ["an option of parse", () => parse(mail, { issue: true })],
  ["an option of explain", () => explain(mail, { all: true })],
  ["an option with the name of a method", () => normalize(mail, { toString: "x" })],
  ["a limit", () => normalize(mail, { limits: { depths: 1 } })],
  ...[-1, 1.5, NaN, Infinity, 2 ** 32].map((depth) => [`a depth of ${depth}`, () => parse(mail, { limits: { depth } })]),
  ["a charset", () => charset.decode(mail, "nobody")],
  ["a charset to encode", () => charset.encode("x", "nobody")],
  ["a character", () => charset.encode("\u2603", "koi8-r")],
];

describe("a wrong value is a RangeError", () => {
  for (const [name, call] of VALUES) test(name, () => assert.throws(call, RangeError));
});

test("octets that the module has no memory for are a RangeError that says the limit", () => {
  const many = new Uint8Array(250_000_001); // never touched, so that it takes no memory
  const calls = [normalize, parse, detect, isMbox, explain, decodeHeader, (octets) => charset.decode(octets, "utf-8")];
  for (const call of view === undefined ? calls : [...calls, view.unpackTnef]) {
    assert.throws(() => call(many), { name: "RangeError", message: /octets are more than the (250|10),000,000 that one call takes/ });
  }
});

test("options that are undefined are the defaults", () => {
  assert.deepEqual(normalize(mail, { profile: undefined, limits: { depth: undefined } }), normalize(mail));
  assert.deepEqual(parse(mail, { issues: undefined, limits: undefined }), parse(mail));
  assert.deepEqual(explain(mail, undefined), explain(mail, { profile: undefined }));
});

test("what only says that it is octets is none", () => {
  assert.throws(() => normalize({ [Symbol.toStringTag]: "Uint8Array", length: 3 }), TypeError);
});

test("load refuses what is no module", async () => {
  for (const value of [undefined, null, 5, "module.wasm", {}]) await assert.rejects(load(value), TypeError);
});

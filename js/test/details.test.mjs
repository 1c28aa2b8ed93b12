// What a message says beyond its structure.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { full, view } from "./packages.mjs";

const octets = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const corpus = new URL("../../corpus/view/", import.meta.url);
const written = (name) => readFileSync(new URL(name, corpus));

test("pictures get the addresses of the caller", () => {
  const mail = (html) => full.parse(octets(`Content-Type: text/html\r\n\r\n${html}`));
  const resolve = (id) => (id.includes("@") ? `https://x.example/?a&id=${id}` : undefined);
  for (const [html, expected] of [
    ['<img src="cid:a@b">', '<img src="https://x.example/?a&amp;id=a@b">'],
    ["<img src='CID:a%40b&amp;c'>", "<img src='https://x.example/?a&amp;id=a@b&amp;c'>"],
    ['<p style="background: url(cid:a@b)">', '<p style="background: url(https://x.example/?a&amp;id=a@b)">'],
    ['<img src="cid:none">cid:a@b acid:a@b', '<img src="cid:none">cid:a@b acid:a@b'],
    ['<img src="cid:a@%E9">', '<img src="https://x.example/?a&amp;id=a@%E9">'],
  ]) {
    assert.equal(full.resolvedHtml(mail(html), resolve), expected);
  }
  assert.equal(full.resolvedHtml(full.parse(octets("\r\nx")), resolve), undefined);
});

test("U+0000 is replaced on request", () => {
  const mail = octets("\r\na\0b\r\n");
  assert.equal(full.parse(mail).text, "a\0b\n");
  assert.equal(full.parse(mail, { nul: "replace" }).text, "a\ufffdb\n");
  assert.throws(() => full.parse(mail, { nul: "drop" }), RangeError);
});

test("header fields are octets on request, those of every part", () => {
  const mail = octets(
    "Subject:\tcaf\xe9\r\n au lait \r\nno field\r\nX-A:\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nx-a: 1\r\n\r\nx\r\n--b--\r\n",
  );
  const fields = ({ headers }) => headers.map(({ name, octets }) => [name, String.fromCharCode(...octets)]);
  const { root, parts } = full.parse(mail, { rawHeaders: true });
  assert.deepEqual(fields(root), [["Subject", "\tcaf\xe9\r\n au lait "], ["X-A", ""], ["Content-Type", " multipart/mixed; boundary=b"]]);
  assert.deepEqual(fields(parts[1]), [["x-a", " 1"]]);
  const texts = ({ headers }) => headers.map(({ name, text }) => ({ name, text }));
  for (const options of [undefined, { rawHeaders: false }, { rawHeaders: undefined }]) {
    const without = full.parse(mail, options);
    assert.deepEqual(without.parts.map((part) => part.headers), parts.map(texts));
    assert.equal(without.text, "x");
  }
});

test("what only sevenbit/view answers is no export of the others", () => {
  for (const name of ["passages", "safeFileName", "baseSubject", "unpackTnef"]) {
    assert.equal(name in full, false, name);
    if (view !== undefined) assert.equal(typeof view[name], "function", name);
  }
});

test("a calendar has a method", () => {
  const calendar = octets("Content-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\nMETHOD:Reply\r\n");
  assert.equal(full.parse(calendar).root.calendarMethod, "REPLY");
  assert.equal("calendarMethod" in full.parse(octets("\r\n")).root, false);
});

test("texts that follow each other are on lines of their own", () => {
  const part = (text) => `--b\r\nContent-Type: text/plain\r\n\r\n${text}\r\n`;
  const mail = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${part("Hello")}${part("World")}--b--\r\n`;
  assert.equal(full.parse(octets(mail)).text, "Hello\nWorld");
});

test("HTML is never passed off as text", () => {
  assert.equal(full.parse(octets("Content-Type: text/html\r\n\r\n<p>x")).text, "");
});

test("details are found by their names", { skip: view === undefined }, () => {
  for (const name of readdirSync(corpus).filter((name) => name.endsWith(".eml"))) {
    const mail = written(name);
    const all = view.parse(mail, { details: true }).details;
    for (const detail of Object.keys(all)) {
      assert.deepEqual(view.parse(mail, { details: [detail] }).details, { [detail]: all[detail] }, `${name}: ${detail}`);
    }
    const { text, files } = all;
    assert.deepEqual(view.parse(mail, { details: ["text", "files"] }).details, { text, files }, name);
    assert.deepEqual(view.parse(mail, { details: [] }).details, {});
  }
  assert.throws(() => view.parse(octets("\r\n"), { details: ["texts"] }), { name: "RangeError", message: /details\[0\]/ });
});

test("the module that most programs load says where the details are", () => {
  assert.throws(() => full.parse(octets("\r\n"), { details: true }), { name: "RangeError", message: /sevenbit\/view/ });
  assert.throws(() => full.parse(octets("\r\n"), { details: 1 }), TypeError);
});

describe("sevenbit/view", { skip: view === undefined && "dist/view is not built" }, () => {
  const details = (name) => view.parse(written(name), { details: true }).details;

  test("lists, ways and what servers found out", () => {
    const { list, hops, thread, authenticationResults } = details("list-hops-and-authentication.eml");
    assert.equal(thread, "<1@example.org>");
    assert.ok(list.post.length > 0 && "oneClick" in list);
    assert.deepEqual([hops[1].delay, hops[1].date], [7, "2025-03-03T10:00:12+00:00"]);
    assert.deepEqual(authenticationResults[0].results[0].properties[0], { name: "header.d", value: "lists.example" });
  });

  test("groups, guessed dates, bounces", () => {
    const guessed = details("groups-and-a-guessed-date.eml");
    assert.deepEqual(guessed.groups[0], { field: "to", name: "undisclosed-recipients", members: [] });
    assert.equal(guessed.dateIsGuess, true);
    assert.equal("list" in guessed, false);
    const { report } = details("bounce-of-postfix.eml");
    assert.deepEqual([report.kind, report.recipients[0].status], ["delivery", "5.1.1"]);
    assert.deepEqual([report.reporter, report.errors, report.fields, "isAutomatic" in report], ["mx.example.org", [], [], false]);
    const read = details("receipt-for-a-bounce.eml").report;
    assert.deepEqual([read.disposition, read.isAutomatic, read.recipients[0].originalAddress], ["displayed", false, "team@example.org"]);
  });

  test("charsets that were guessed, with how sure that is and what else it may be", () => {
    const raw = Uint8Array.from("\r\nd\u00e9j\u00e0 vu, na\u00efve\r\n", (character) => character.charCodeAt(0));
    const [guess, ...others] = view.parse(raw, { details: true }).details.charsetGuesses;
    assert.deepEqual([guess.part, guess.charset, others], ["1", "windows-1252", []]);
    assert.ok(guess.sureness > 0 && guess.alternatives.every(({ charset, sureness }) => charset !== guess.charset && sureness <= guess.sureness));
    assert.deepEqual(details("flowed.eml").charsetGuesses, []);
  });

  test("what an unreadable text may read as, and a message with the reading that is chosen", () => {
    const twice = new TextEncoder().encode("Content-Type: text/plain; charset=utf-8\r\n\r\nsch\u00c3\u00b6ne Gr\u00c3\u00bc\u00c3\u009fe\r\n");
    const [{ part, label, readings: found }] = view.readings(twice);
    assert.deepEqual([part, label], ["1", "utf-8"]);
    assert.deepEqual(found.map(({ by, charset, text }) => [by, charset, text]), [
      ["repair", "UTF-8", "sch\u00f6ne Gr\u00fc\u00dfe\n"],
      ["label", "UTF-8", "sch\u00c3\u00b6ne Gr\u00c3\u00bc\u00c3\u009fe\n"],
    ]);
    assert.deepEqual(found[0].undone, ["UTF-8 that was read as windows-1252"]);
    assert.ok(found[0].sureness > 0.9 && found[1].sureness < 0.1);
    const written = (doubtful) => view.parse(view.normalize(twice, { doubtful }).octets).text;
    assert.deepEqual(["repair", "keep"].map(written), [found[0].text, found[1].text]);
    assert.ok(view.normalize(twice).issues.some(({ code }) => code === "label-doubtful"));
    assert.deepEqual(view.readings(octets("Content-Type: image/png\r\n\r\nx")), []);
    assert.throws(() => view.readings("text"), TypeError);
  });

  test("a winmail.dat by itself", () => {
    const head = octets("Content-Type: application/ms-tnef\r\n\r\n");
    const tnef = readFileSync(new URL("../../corpus/vectors/tnef/winmail.dat", import.meta.url));
    const { files } = view.parse(new Uint8Array([...head, ...tnef]), { details: true }).details;
    assert.deepEqual(files.map(({ name, origin }) => [name, origin]), [["Gr\u00fc\u00dfe.txt", "tnef"], ["pixel.png", "tnef"]]);
  });

  test("HTML that only a winmail.dat has", () => {
    const message = view.parse(written("winmail-alone.eml"), { details: true });
    assert.equal(message.html, undefined);
    assert.match(message.details.html, /<p>/);
    assert.equal(view.resolvedHtml(message, () => undefined), message.details.html);
    assert.equal("html" in details("flowed.eml"), false);
  });

  test("HTML as text, files with their octets", () => {
    const mail = octets("Content-Type: text/html\r\n\r\n<p>See <a href=https://example.org/x>this</a>.</p>");
    assert.equal(view.parse(mail, { details: true }).details.text, "See this <https://example.org/x>.\n");
    const file = octets("\r\nhi\r\nbegin 644 ../a.gif\r\n#9VEF\r\n`\r\nend\r\n");
    const { text, files } = view.parse(file, { details: true }).details;
    assert.equal(text.trim(), "hi");
    assert.deepEqual([files[0].name, files[0].safeName, files[0].origin, files[0].typeByName], ["../a.gif", "a.gif", "text", "image/gif"]);
    assert.equal(new TextDecoder().decode(files[0].octets), "gif");
    assert.equal("details" in view.parse(file), false);
  });

  for (const [text, expected] of [
    ["", []],
    ["> Shall we meet?\nYes.\n-- \nAda\n", [["> Shall we meet?\n", 1, false], ["Yes.\n", 0, false], ["-- \nAda\n", 0, true]]],
    [">> two\r\n> > two\r\n> one\r\nme", [[">> two\r\n> > two\r\n", 2, false], ["> one\r\n", 1, false], ["me", 0, false]]],
    ["> \u{1f600}\ud83d\nna\u00efve\n--\n", [["> \u{1f600}\ud83d\n", 1, false], ["na\u00efve\n", 0, false], ["--\n", 0, true]]],
  ]) {
    test(`the passages of ${JSON.stringify(text)}`, () => {
      const found = view.passages(text);
      assert.deepEqual(found.map(({ text, quoteDepth, isSignature }) => [text, quoteDepth, isSignature]), expected);
      assert.equal(found.map((passage) => passage.text).join(""), text);
    });
  }

  test("names that are safe, subjects without Re:", () => {
    for (const [given, safe] of [["../../etc/passwd", "passwd"], ["C:\\TEMP\\cat.gif", "cat.gif"], ["gr\u00fc\u00dfe.txt", "gr\u00fc\u00dfe.txt"]]) {
      assert.equal(view.safeFileName(given), safe);
    }
    for (const given of ["", "..", "CON", "\0\u202e"]) assert.match(view.safeFileName(given), /^[\w-][\w.-]*$/, given);
    for (const [given, base] of [["Re: AW: Cats (fwd)", "Cats"], ["Cats", "Cats"], ["Re:", ""], ["", ""]]) assert.equal(view.baseSubject(given), base);
  });

  test("a winmail.dat is written as its parts", () => {
    const packed = written("winmail.eml");
    const unpacked = view.unpackTnef(packed);
    const filesOf = (mail) => view.parse(mail, { details: true }).details.files;
    const { octets: done } = view.normalize(unpacked);
    assert.deepEqual(filesOf(done).slice(1).map(({ name, origin }) => [name, origin]), [["Gr\u00fc\u00dfe.txt", "part"], ["pixel.png", "part"]]);
    assert.deepEqual(filesOf(done).slice(1).map(({ octets }) => octets), filesOf(packed).map(({ octets }) => octets));
    for (const none of [unpacked, octets("Content-Type: application/ms-tnef\r\n\r\nno\r\n"), new Uint8Array()]) {
      assert.equal(view.unpackTnef(none), undefined);
    }
  });

  const command = process.env.SEVENBIT ?? new URL("../../target/debug/sevenbit", import.meta.url).pathname;
  test("the answers are the command's", { skip: !existsSync(command) && "the command is not built" }, () => {
    for (const name of readdirSync(corpus).filter((name) => name.endsWith(".eml"))) {
      const own = details(name);
      const json = JSON.parse(execFileSync(command, ["inspect", "--json", new URL(name, corpus).pathname], { encoding: "utf8" }));
      assert.equal(own.thread ?? null, json.thread, name);
      assert.equal(own.hops.length, json.hops.length, name);
      assert.equal(own.report?.kind, json.report?.kind, name);
      assert.deepEqual(own.charsetGuesses.map(({ part }) => part), json.parts.filter((part) => part.charset_guess).map(({ path }) => path), name);
      assert.deepEqual(own.groups, json.groups, name);
      assert.deepEqual(own.files.map((file) => file.safeName), json.attachments.map((file) => file.safe_name), name);
      assert.deepEqual(own.files.map((file) => file.octets.length), json.attachments.map((file) => file.octets), name);
    }
  });
});

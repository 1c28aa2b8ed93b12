// Where the page cuts content at first: how the rest is shown. And that the report reveals nothing of a message.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { drop, executablePath, launch, opener, serve } from "./browser.mjs";
import { hostile } from "./hostile.mjs";
import { full } from "./packages.mjs";
import { module } from "./view.mjs";

const HEAD = "From: a@example.org\r\nSubject: x\r\n";
const latin1 = (text) => Buffer.from(text, "latin1");
const lines = (number, line) => Array.from({ length: number }, (_, at) => line(at)).join("");
const text = (body, charset = "utf-8") => latin1(`${HEAD}MIME-Version: 1.0\r\nContent-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${body}`);

describe("the page shows the rest of what is long", { skip: executablePath ? false : "no chromium (apt-get install chromium)" }, () => {
  let browser, server;
  before(async () => ([browser, server] = await Promise.all([launch(), serve()])));
  after(async () => (await browser.close(), server.close()));
  const on = (...what) => opener(browser, server)(...what);
  const tab = (page, name) => page.getByRole("tab", { name }).click();
  const button = (page, name) => page.getByRole("button", { name, exact: true });

  test("lines of a text are walked by keys, each with the octets behind it", async () => {
    await on(async (page) => {
      await drop(page, text("one\r\ntwo \r\ncaf\xe9\r\n", "iso-8859-1"));
      const behind = page.getByRole("tooltip");
      const focused = () => page.evaluate(() => document.activeElement.textContent);
      await page.locator(".line").first().focus();
      for (const [key, line, octets] of [["ArrowDown", "two ", /two·\s*↵/], ["ArrowDown", "café", /caf\s*E9/], ["ArrowDown", "café", /caf/], ["Home", "one", /one/], ["End", "café", /E9/], ["ArrowUp", "two ", /two·/]]) {
        await page.keyboard.press(key);
        assert.equal(await focused(), line, key);
        assert.match(await behind.innerText(), octets);
      }
      await page.keyboard.press("Escape");
      assert.equal(await behind.isVisible(), false);
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Tab");
      assert.equal(await focused(), "two ", "the tabulator comes back to the line");
    });
  });

  test("more lines than 300, and a text of more than 128 KiB", async () => {
    await on(async (page) => {
      await drop(page, text(lines(12_000, (at) => `line ${at}\r\n`)));
      await page.locator(".line").first().waitFor();
      assert.equal(await page.locator(".line").count(), 300);
      await page.locator(".line").first().focus();
      await page.keyboard.press("End");
      assert.match(await page.evaluate(() => document.activeElement.textContent), /^Show 3,000 of 11,700 more lines$/);
      await page.keyboard.press("Enter");
      assert.equal(await page.evaluate(() => document.activeElement.textContent), "line 300");
      await button(page, "Show 8,700 more lines").click();
      assert.equal(await page.locator(".line").last().innerText(), "line 11999");

      await drop(page, text(lines(20_000, (at) => `line ${at}\r\n`)));
      await button(page, "Load the rest of this text").click();
      assert.equal(await button(page, "Load the rest of this text").count(), 0);
      await button(page, "Show 3,000 of 19,700 more lines").click();
      await button(page, "Show 16,700 more lines").click();
      await page.locator(".line").last().hover();
      assert.match(await page.getByRole("tooltip").innerText(), /line 19999\s*↵/);
    });
  });

  test("more places of a kind than 20, more changes than 100", async () => {
    await on(async (page) => {
      await drop(page, latin1(`${HEAD}${lines(250, (at) => `X-${at}: caf\xc3\xa9\r\n`)}\r\nx\r\n`));
      await tab(page, "Form");
      const places = page.locator("#panel-issues .issue", { hasText: "Raw 8-bit text" }).locator(".place");
      assert.equal(await places.count(), 20);
      const more = page.locator("#panel-issues").getByRole("button", { name: /^Show [\d,]+( of [\d,]+)? more places$/ });
      for (let times = 0; (await more.count()) > 0; times++) await more.first().click();
      // Of one field at most 100 issues are listed, of a message 1,000; here each field has one.
      assert.ok((await places.count()) > 200);
      await tab(page, "Changes");
      assert.equal(await page.locator(".change").count(), 100);
      await button(page, "Show 150 more changes").click();
      assert.equal(await page.locator(".change").count(), 250);
    });
  });

  test("a change of more than 24,000 octets, and of more than 128 KiB", async () => {
    await on(async (page) => {
      for (const [number, length] of [[2000, "caf\xe9 and more\r\n"], [8000, "caf\xe9 and more\r\n"]]) {
        await drop(page, text(lines(number, (at) => `${at} ${length}`), "iso-8859-1"));
        await tab(page, "Changes");
        const diff = page.locator(".diff").last();
        assert.match(await diff.innerText(), /More than 400 lines: first all that go, then all that come\./);
        assert.equal((await diff.innerText()).includes(`${number - 1} caf`), false);
        await diff.getByRole("button", { name: /^Show [\d,]+( of [\d,]+)? more octets$/ }).click();
        const rows = page.locator(".diff").last();
        assert.equal(await rows.locator(".row.gone").count(), number);
        assert.match(await rows.locator(".row.gone").last().innerText(), new RegExp(`${number - 1} caf`));
        // The end of it in base64.
        const made = Buffer.from(full.normalize(text(lines(number, (at) => `${at} ${length}`), "iso-8859-1")).octets).toString("latin1");
        assert.ok((await rows.locator(".row.new").last().innerText()).includes(made.trimEnd().slice(-20)));
        assert.equal(await rows.getByRole("button").count(), 0);
      }
    });
  });

  test("octets of a field, a file, an issue, and a line", async () => {
    await on(async (page) => {
      const file = lines(200, (at) => `${"iVBORw0K".repeat(9)}${at % 10}AAA\r\n`);
      const issue = `${"caf\xe9 ".repeat(1000)}`;
      const mail = latin1(`${HEAD}X-Long: ${issue}\r\nMIME-Version: 1.0\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n${file}`);
      await drop(page, mail);
      await tab(page, "Parts");
      const value = page.locator(".field .value", { hasText: "caf" });
      await value.focus();
      assert.match(await page.getByRole("tooltip").innerText(), /… 3,8\d\d more octets: all with Enter, or a double click/);
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog");
      const ask = (place) => place.getByRole("button", { name: /more octets$/ });
      await ask(dialog).click();
      assert.equal((await dialog.locator("pre").innerText()).match(/E9/g).length, 1000);
      await dialog.getByRole("button", { name: "Close" }).click();
      assert.equal(await value.evaluate((value) => value === document.activeElement), true);
      await value.dblclick();
      await page.keyboard.press("Escape");
      assert.equal(await dialog.count(), 0);

      await ask(page.locator(".body pre")).click();
      assert.match(await page.locator(".body pre").innerText(), /9AAA↵\s*$/);
      await tab(page, "Form");
      const card = page.locator("#panel-issues .issue pre", { hasText: "caf" }).first();
      await ask(card).click();
      assert.equal((await card.innerText()).match(/E9/g).length, 1000);
      await tab(page, "Changes");
      const row = page.locator(".row.gone", { hasText: "caf" }).first();
      await ask(row).click();
      assert.equal((await row.innerText()).match(/E9/g).length, 1000);
    });
  });

  test("more than 1,000 messages of a mailbox", async () => {
    await on(async (page) => {
      const mailbox = lines(2345, (at) => `From a Thu Nov 19 10:00:00 2026\nSubject: number ${at}\n\nx\n\n`);
      await drop(page, latin1(mailbox), "many.mbox");
      const items = page.locator(".mailbox li");
      await items.last().waitFor();
      assert.equal(await items.count(), 1000);
      await button(page, "Show 1,000 of 1,345 more messages").click();
      assert.equal(await items.count(), 2000);
      assert.match(await page.evaluate(() => document.activeElement.textContent), /number 1000/);
      await button(page, "Show 345 more messages").click();
      assert.equal(await items.count(), 2345);
      await items.last().getByRole("button").click();
      await page.getByRole("heading", { name: "number 2344" }).waitFor();
      await page.getByText("transport", { exact: true }).click();
      await button(page, "Back").click();
      assert.equal(await items.count(), 2345);
    });
  });

  test("a report has nothing of what is everywhere in a message", async () => {
    await on(async (page) => {
      await drop(page, latin1(secrets()), "sekret.eml");
      await page.getByRole("button", { name: "Report without content" }).click();
      const report = await page.getByLabel("The report").inputValue();
      assert.doesNotMatch(report, /sekret/i);
      assert.ok(secrets().match(/sekret/gi).length > 15);
      assert.ok(JSON.parse(report).issues.length > 5);
    });
  });
});

test("a report has no word that is not ours", async () => {
  const [{ report }, ours] = [await module("report"), vocabulary()];
  const corpus = new URL("../../corpus/mail/", import.meta.url);
  const details = new Set();
  for (const octets of [latin1(secrets()), ...hostile, ...readdirSync(corpus).map((name) => readFileSync(new URL(name, corpus)))]) {
    for (const profile of ["archive", "transport"]) {
      const words = [];
      const said = JSON.parse(report(full.explain(octets, { profile })), (_, value) => (typeof value === "string" && words.push(value), value));
      assert.deepEqual(words.filter((word) => !ours(word)), []);
      for (const { code, detail, charset } of said.issues) if ((detail ?? charset) !== undefined) details.add(code);
    }
  }
  assert.deepEqual([...details].sort(), ["charset-guessed", "reencoded"]);
});

/** Every place of a message where someone could have written a word. */
function secrets() {
  const leaf = (type, more = "") => `--sekret\r\nContent-Type: ${type}\r\n${more}\r\nsekret \xe9\r\n`;
  return (
    `From: sekret\xe9 <sekret@sekret.example>\r\nTo: sekret\r\nSubject: =?x-sekret?Q?sekret?= =?sekret?Q\r\nX-Sekret: =?x-sekret?B?c2VrcmV0?=\r\nSekret \xe9: sekret\r\n` +
    `Message-ID: <sekret@sekret>\r\nContent-ID: sekret\r\nMIME-Version: sekret\r\nContent-Type: multipart/x-sekret; boundary=sekret; x-sekret="sekret\xe9"\r\nContent-Transfer-Encoding: sekret\r\n\r\nsekret\r\n` +
    leaf("text/x-sekret; charset=x-sekret", "Content-Disposition: sekret; filename=sekret\r\n") +
    leaf("text/plain; charset=sekret", "Content-Transfer-Encoding: x-sekret\r\n") +
    leaf("sekret/sekret; name=sekret\xe9.sekret") +
    leaf("application/vnd.sekret", "Content-Transfer-Encoding: base64\r\n") +
    leaf('text/plain; charset="iso-8859-1 sekret"') +
    "--sekret--\r\nsekret\r\n"
  );
}

/** Whether a word is one of the library's: codes, rules, reasons, charsets; or a place in the tree, or a common type. */
function vocabulary() {
  const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  const charsets = new Set(full.charset.all().flatMap(({ name, aliases }) => [name, ...aliases]).map((name) => name.toLowerCase()));
  // In quotes in the sources: summaries, codes, reasons of changes.
  const said = new Set([...sources().matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map((found) => found[1]));
  const types = new Set([...read("js/page/view/report.ts").matchAll(/"([a-z]+\/)((?: [a-z0-9.+-]+)+)"/g)].flatMap(([, top, names]) => [`${top}other`, ...names.trim().split(" ").map((name) => top + name)]));
  const fixed = new Set(["report without content", "archive", "transport", "loss", "repair", "note", "7bit", "8bit", "binary", "base64", "quoted-printable", "x-uuencode", "other", "unknown"]);
  const isPlace = (word) => /^(\d+(\.\d+)*)?$/.test(word);
  const isRule = (word) => /^[GHB]\d{1,2}$/.test(word);
  const isCharset = (word) => charsets.has(word.toLowerCase());
  return (word) => fixed.has(word) || isPlace(word) || isRule(word) || isCharset(word) || types.has(word) || said.has(word);
}

/** The sources of what makes reports: the library, and the crates below it. */
function sources() {
  const folders = ["src/", "crates/mail/src/", "crates/charset/src/"].map((folder) => new URL(`../../${folder}`, import.meta.url));
  const kept = (folder) => readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".rs") && !/test/.test(name));
  const files = folders.flatMap((folder) => kept(folder).map((name) => new URL(name, folder)));
  return files.map((file) => readFileSync(file, "utf8")).join("\n");
}

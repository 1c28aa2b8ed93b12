// The page in a browser, served by this machine; every request is counted.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const TYPES = { html: "text/html", js: "text/javascript", css: "text/css", wasm: "application/wasm" };
const ROOT = new URL("../dist/page/", import.meta.url);

export const executablePath = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => path && existsSync(path));

/** A server of a folder, dist/page at first; `url` is where, `asked` what it was asked for. */
export async function serve(root = ROOT) {
  const asked = [];
  const server = createServer(async (request, response) => {
    asked.push(request.url);
    const name = new URL(request.url, "http://x").pathname.slice(1) || "index.html";
    try {
      const octets = await readFile(new URL(name, root));
      response.writeHead(200, { "content-type": TYPES[name.split(".").at(-1)] ?? "application/octet-stream" }).end(octets);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}/`, asked, close: () => server.close() };
}

export async function launch() {
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/** A new page at `url`, with a record of what it must not do: `requests`, `errors`, `dialogs`. */
export async function visit(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, acceptDownloads: true, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]).catch(() => {});
  const page = await context.newPage();
  const did = { requests: [], errors: [], dialogs: [] };
  context.on("request", (request) => did.requests.push(request.url()));
  page.on("pageerror", (error) => did.errors.push(error.message));
  page.on("dialog", (dialog) => (did.dialogs.push(dialog.message()), dialog.dismiss()));
  await page.goto(url);
  return { page, did, close: () => context.close() };
}

/** A function that opens the page for `work`, and checks at the end that nothing has left it and nothing has failed. */
export function opener(browser, server) {
  return async (work, options) => {
    const { page, did, close } = await visit(browser, server.url, options);
    await page.waitForSelector("sevenbit-page main");
    const [loaded, asked] = [did.requests.length, server.asked.length];
    await work(page, did);
    const after = did.requests.slice(loaded).filter((url) => !/^(blob|data|about):/.test(url) && !url.endsWith("?refused"));
    assert.deepEqual(after, [], "requests that were tried after loading");
    assert.equal(server.asked.length, asked, "requests that arrived after loading");
    assert.deepEqual(did.errors, []);
    assert.deepEqual(did.dialogs, []);
    await close();
  };
}

/** Drops octets on the page as a file of that name; or several, each with its name. */
export async function drop(page, octets, name = "message.eml") {
  const files = Array.isArray(name) ? name.map((name, at) => ({ name, text: base64(octets[at]) })) : [{ name, text: base64(octets) }];
  await page.evaluate((files) => {
    const transfer = new DataTransfer();
    for (const { text, name } of files) transfer.items.add(new File([Uint8Array.from(atob(text), (character) => character.charCodeAt(0))], name));
    document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: transfer }));
  }, files);
}

const base64 = (octets) => Buffer.from(octets).toString("base64");

// The package as installed from its tarball by a web site: node test/installed.mjs FOLDER. Chromium opens a page
// that finds it by an import map, a bundle made by esbuild, and a worker of each kind.
import assert from "node:assert/strict";
import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { executablePath, launch, serve, visit } from "./browser.mjs";

if (!executablePath) {
  console.log("no chromium (apt-get install chromium): the installed package is not tried in a browser");
  process.exit();
}

const folder = process.argv[2];
const dist = "node_modules/sevenbit/dist";
const packages = ["full", "small", "view"].filter((name) => existsSync(join(folder, dist, name)));

/** The work of each of them: one message, and its result. */
const WORK = `
  const mail = new TextEncoder().encode("From: Zo\u00eb <zoe@example.org>\\r\\nSubject: caf\u00e9\\r\\n\\r\\nna\u00efve\\r\\n");
  const { octets, issues } = normalize(mail, { profile: "transport" });
  const streamed = await new Response(new Blob([mail]).stream().pipeThrough(new NormalizeStream({ profile: "transport" }))).text();
  const is7bit = octets.every((octet) => octet < 128);
  const said = [parse(mail).subject, is7bit, issues.length > 0, streamed === new TextDecoder().decode(octets)];`;
const HERE = "globalThis.said = said;";
const BACK = "postMessage(said);";
const NAMES = "normalize, NormalizeStream, parse";

/** `import` of a package by a name, as a page would write it, or by its file where there is no import map. */
const script = (from, end) => `import { ${NAMES} } from "${from}";${WORK}${end}`;
const manual = (from, wasm, end) => `import { load, ${NAMES} } from "${from}"; await load(fetch(new URL("${wasm}", import.meta.url)));${WORK}${end}`;
const html = (body) => `<!doctype html><meta charset="utf-8"><title>tried</title>${body}`;
const inWorker = (file) => html(`<script type="module">new Worker("./${file}", { type: "module" }).onmessage = ({ data }) => (globalThis.said = data);</script>`);

/** A worker that answers each message; the page posts one at once. */
const ANSWERS = "onmessage = async ({ source, data }) => { if (data !== 'go') return; const said = await tried(); (source ?? globalThis).postMessage(said); };";
const inline = (from) => `import { ${NAMES} } from "${from}"; async function tried() {${WORK}return said;} ${ANSWERS}`;
const postedAtOnce = (file) =>
  html(`<script type="module">const worker = new Worker("./${file}", { type: "module" }); worker.onmessage = ({ data }) => (globalThis.said = data); worker.postMessage("go");</script>`);
const inServiceWorker = (file) =>
  html(`<script type="module">
    navigator.serviceWorker.onmessage = ({ data }) => (globalThis.said = data);
    const { installing, active } = await navigator.serviceWorker.register("./${file}", { type: "module" });
    const worker = active ?? installing;
    if (worker.state !== "activated") await new Promise((done) => (worker.onstatechange = () => worker.state === "activated" && done()));
    worker.postMessage("go");
  </script>`);

const tries = [];
function write(name, text) {
  writeFileSync(join(folder, name), text);
  return name;
}

for (const name of packages) {
  const entry = name === "full" ? "sevenbit" : `sevenbit/${name}`;
  const [web, byHand] = [`./${dist}/${name}/web.js`, `./${dist}/${name}/manual.js`];
  const map = JSON.stringify({ imports: { [entry]: web } });
  tries.push(
    write(`${name}.html`, html(`<script type="importmap">${map}</script><script type="module">${script(entry, HERE)}</script>`)),
    (write(`${name}-worker.js`, script(web, BACK)), write(`${name}-worker.html`, inWorker(`${name}-worker.js`))),
    (write(`${name}-manual.js`, manual(byHand, `./${dist}/${name}/sevenbit-simd.wasm`, BACK)), write(`${name}-manual.html`, inWorker(`${name}-manual.js`))),
  );
  const byInline = `./${dist}/${name}/inline.js`;
  tries.push(
    (write(`${name}-inline-worker.js`, inline(byInline)), write(`${name}-inline-worker.html`, postedAtOnce(`${name}-inline-worker.js`))),
    (write(`${name}-service-worker.js`, inline(byInline)), write(`${name}-service-worker.html`, inServiceWorker(`${name}-service-worker.js`))),
  );
  await bundle(name, entry);
}

/** As esbuild's users do: the bundle, and the module beside it. */
async function bundle(name, entry) {
  for (const [kind, end] of [["page", HERE], ["work", BACK]]) {
    write(`${name}-${kind}.source.js`, script(entry, end));
    await build({
      entryPoints: [join(folder, `${name}-${kind}.source.js`)],
      outfile: join(folder, `bundle-${name}/${kind}.js`),
      bundle: true,
      minify: true,
      format: "esm",
      platform: "browser",
      target: "es2022",
      logLevel: "error",
    });
  }
  copyFileSync(join(folder, dist, name, "sevenbit-simd.wasm"), join(folder, `bundle-${name}/sevenbit-simd.wasm`));
  tries.push(
    write(`${name}-bundle.html`, html(`<script type="module" src="./bundle-${name}/page.js"></script>`)),
    write(`${name}-bundle-worker.html`, inWorker(`bundle-${name}/work.js`)),
  );
}

const [browser, server] = await Promise.all([launch(), serve(new URL(`file://${folder}/`))]);
for (const file of tries) {
  const { page, did, close } = await visit(browser, server.url + file);
  await page.waitForFunction(() => globalThis.said !== undefined, null, { timeout: 20_000 }).catch(() => {});
  assert.deepEqual(await page.evaluate(() => globalThis.said), ["caf\u00e9", true, true, true], file);
  assert.deepEqual(did.errors, [], file);
  const fetched = /inline|service/.test(file) ? 0 : 1;
  assert.equal(did.requests.filter((url) => url.endsWith(".wasm")).length, fetched, file);
  await close();
}
await browser.close();
server.close();
console.log(`in Chromium: ${tries.length} ways to load it work`);

// Builds the page into dist/page/, once more as one file (sevenbit.html), and the script of `sevenbit explain` into the place where the command includes it from:
// node page/build.mjs [--check]. With --check it only says whether that script is up to date.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const here = new URL("./", import.meta.url);
const file = (path) => new URL(path, here).pathname;
const command = file("../../cli/src/explain/");

/** The module that the page is built with, and what drives it: `js/build.sh page-module`. */
const built = file("../dist/page-module/");
const withItsGlue = {
  name: "glue",
  setup(build) {
    build.onResolve({ filter: /\/glue\.js$/ }, () => ({ path: file("../lib/glue.js") }));
    build.onLoad({ filter: /\/lib\/glue\.js$/ }, async () => ({ contents: await readFile(`${built}glue.js`, "utf8"), resolveDir: file("../lib") }));
  },
};

/** Readable, since it is kept where people read it. */
const { outputFiles } = await build({
  entryPoints: [file("explained.ts")],
  bundle: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  write: false,
});
const script = `// Made of js/page/ by js/page/build.mjs; do not edit.\n${outputFiles[0].text}`;
if (process.argv.includes("--check")) {
  if ((await readFile(`${command}page.js`, "utf8")) !== script) {
    console.error("cli/src/explain/page.js is not what js/page makes: node page/build.mjs");
    process.exit(1);
  }
} else {
  await writeFile(`${command}page.js`, script);
}

const to = file("../dist/page/");
await rm(to, { recursive: true, force: true });
await mkdir(to, { recursive: true });
await build({
  entryPoints: [file("main.ts")],
  outfile: `${to}page.js`,
  bundle: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  minify: true,
  legalComments: "none",
  loader: { ".md": "text", ".eml": "binary" },
  plugins: [withItsGlue],
});
await build({ entryPoints: [`${command}page.css`], outfile: `${to}page.css`, minify: true, target: "chrome123" });
await copyFile(file("index.html"), `${to}index.html`);
for (const name of ["sevenbit.wasm", "sevenbit-simd.wasm"]) {
  await copyFile(`${built}${name}`, `${to}${name}`).catch(() => {});
}

/** The digits of base 85: none of them ends a script or begins a comment in HTML. */
const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%()*+,-./:;=>?@[]^_{";

/** Octets as text, five characters for four of them: 6 % shorter than base64. `module` in main.ts reads it. */
function base85(octets) {
  const padded = Buffer.alloc(Math.ceil(octets.length / 4) * 4);
  octets.copy(padded);
  const digits = [];
  for (let at = 0; at < padded.length; at += 4) {
    let number = padded.readUInt32BE(at);
    const five = [];
    for (let digit = 0; digit < 5; digit++) {
      five.unshift(DIGITS[number % 85]);
      number = Math.floor(number / 85);
    }
    digits.push(...five);
  }
  return digits.join("");
}

/**
 * The page as one file, for a folder or an attachment of a ticket: style, script and module are in it. Its policy names the
 * script and the style by their hashes, and lets nothing be requested from the start.
 */
async function oneFile() {
  const octets = await readFile(`${to}sevenbit-simd.wasm`).catch(() => undefined);
  if (!octets) return console.error("no sevenbit.html: there is no module (js/build.sh page-module)");
  const [style, script, page] = await Promise.all(["page.css", "page.js", "index.html"].map((name) => readFile(`${to}${name}`, "utf8")));
  const packed = gzipSync(octets, { level: 9 });
  const inScript = script.replaceAll("</script", "<\\/script");
  const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = `default-src 'none'; script-src ${hash(inScript)} 'wasm-unsafe-eval'; style-src ${hash(style)}; style-src-attr 'unsafe-inline'; img-src blob: data:; base-uri 'none'; form-action 'none'`;
  const made = page
    .replace(/(http-equiv="Content-Security-Policy"\s+content=")[^"]*/, (_, head) => head + policy)
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`)
    .replace(/<script type="module"[^>]*><\/script>/, "")
    .replace(/<sevenbit-page>[\s\S]*?<\/sevenbit-page>/, '<sevenbit-page><p class="nothing">Loading.</p></sevenbit-page>')
    .replace("</body>", () => `<script type="text/plain" id="module" data-digits="${DIGITS}" data-octets="${packed.length}">${base85(packed)}</script>\n<script type="module">${inScript}</script>\n</body>`);
  await writeFile(`${to}sevenbit.html`, made);
  if (!process.env.FAST && made.length > 1.2e6) throw new Error(`sevenbit.html has ${made.length} octets: it is to stay below 1.2 MB`);
}
await oneFile();

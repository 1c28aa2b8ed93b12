// Builds the page into dist/page/, and the script of `sevenbit explain` into the place where the command includes it from:
// node page/build.mjs [--check]. With --check it only says whether that script is up to date.
import { build } from "esbuild";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";

const here = new URL("./", import.meta.url);
const file = (path) => new URL(path, here).pathname;
const command = file("../../src/bin/sevenbit/explain/");

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
    console.error("src/bin/sevenbit/explain/page.js is not what js/page makes: node page/build.mjs");
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
});
await build({ entryPoints: [`${command}page.css`], outfile: `${to}page.css`, minify: true, target: "chrome123" });
await copyFile(file("index.html"), `${to}index.html`);
for (const name of ["sevenbit.wasm", "sevenbit-simd.wasm"]) {
  await copyFile(file(`../dist/full/${name}`), `${to}${name}`).catch(() => {});
}

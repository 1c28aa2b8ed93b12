// A module of the page, for tests that need no browser.
import { build } from "esbuild";

export async function module(name) {
  const { outputFiles } = await build({ entryPoints: [new URL(`../page/view/${name}.ts`, import.meta.url).pathname], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

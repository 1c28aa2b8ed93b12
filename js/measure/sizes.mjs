// How large the modules are, as they are and as they travel.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const kB = (octets) => (octets / 1000).toFixed(0);
console.log("| module | kB | kB, gzip -9 |\n|---|---:|---:|");
for (const name of ["full/sevenbit-simd", "full/sevenbit", "small/sevenbit-simd", "small/sevenbit"]) {
  const octets = readFileSync(new URL(`../dist/${name}.wasm`, import.meta.url));
  console.log(`| ${name} | ${kB(octets.length)} | ${kB(gzipSync(octets, { level: 9 }).length)} |`);
}

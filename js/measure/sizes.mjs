// The sizes of the modules, as they are and compressed.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";

const [CODE, DATA] = [10, 11];

const kB = (octets) => (octets / 1000).toFixed(0);
// By the program: Node's own zlib trades size for speed at every level.
const packed = (octets) => kB(execFileSync("gzip", ["-9"], { input: octets, maxBuffer: octets.length }).length);
console.log("| module | kB | kB, gzip -9 | of it code, tables | kB, brotli |\n|---|---:|---:|---|---:|");
for (const name of ["full/sevenbit-simd", "full/sevenbit", "small/sevenbit-simd", "small/sevenbit", "view/sevenbit-simd"]) {
  const octets = readFileSync(new URL(`../dist/${name}.wasm`, import.meta.url));
  const parts = `${packed(section(octets, CODE))}, ${packed(section(octets, DATA))}`;
  console.log(`| ${name} | ${kB(octets.length)} | ${packed(octets)} | ${parts} | ${kB(brotliCompressSync(octets).length)} |`);
}

function section(octets, wanted) {
  for (let at = 8; at < octets.length; ) {
    const id = octets[at++];
    let [length, shift, octet] = [0, 0, 0];
    do {
      octet = octets[at++];
      length += (octet & 127) * 2 ** shift;
      shift += 7;
    } while (octet >= 128);
    if (id === wanted) return octets.subarray(at, at + length);
    at += length;
  }
  throw new Error(`no section ${wanted}`);
}

import { readFileSync } from "node:fs";
import { initSync } from "./glue.js";
import { hasSimd } from "./simd.js";

const file = hasSimd() ? "sevenbit-simd.wasm" : "sevenbit.wasm";
initSync({ module: readFileSync(new URL(file, import.meta.url)) });

export * from "./index.js";

import init from "./glue.js";
import { hasSimd } from "./simd.js";

// Both are written out: bundlers find files by these exact words.
const url = hasSimd() ? new URL("./sevenbit-simd.wasm", import.meta.url) : new URL("./sevenbit.wasm", import.meta.url);
await init({ module_or_path: url });

export * from "./index.js";

import init from "./glue.js";
import { hasSimd } from "./simd.js";

// Written out, both of them: bundlers find files by these very words.
const url = hasSimd() ? new URL("./sevenbit-simd.wasm", import.meta.url) : new URL("./sevenbit.wasm", import.meta.url);
await init({ module_or_path: url });

export * from "./index.js";

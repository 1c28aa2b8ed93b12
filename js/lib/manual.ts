import init, { initSync } from "./glue.js";

/** Loads the module: from its octets, a compiled module, a response, or a URL. Everything else needs this first. */
export async function load(wasm: BufferSource | WebAssembly.Module | Response | URL | Promise<Response>): Promise<void> {
  if (wasm instanceof WebAssembly.Module || wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) {
    initSync({ module: wasm });
  } else {
    await init({ module_or_path: wasm });
  }
}

export { hasSimd } from "./simd.js";
export * from "./index.js";

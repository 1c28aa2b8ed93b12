import init, { initSync } from "./glue.js";

/** Loads the module: from its octets, a compiled module, a response, or a URL. Everything else needs this first. */
export async function load(wasm: BufferSource | WebAssembly.Module | Response | URL | Promise<Response>): Promise<void> {
  if (typeof wasm !== "object" || wasm === null) throw new TypeError("wasm: octets, a module, a response or a URL is needed");
  if (wasm instanceof WebAssembly.Module || wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) {
    initSync({ module: wasm });
  } else {
    await init({ module_or_path: wasm });
  }
}

export { hasSimd } from "./simd.js";
export * from "./index.js";

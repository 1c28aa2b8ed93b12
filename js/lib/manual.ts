import init, { initSync } from "./glue.js";

/** Loads the module: from its octets, a compiled module, a response, or a URL. Everything else needs this first. */
export async function load(wasm: BufferSource | WebAssembly.Module | Response | URL | Promise<Response>): Promise<void> {
  if (wasm instanceof WebAssembly.Module || wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) {
    initSync({ module: wasm });
  } else if (wasm instanceof URL || wasm instanceof Response || wasm instanceof Promise) {
    await init({ module_or_path: wasm });
  } else {
    throw new TypeError("wasm: octets, a module, a response or a URL is needed");
  }
}

export { hasSimd } from "./simd.js";
export * from "./index.js";

// The packages as they were built; those but the full one may be missing.
import { existsSync } from "node:fs";

export const full = await import("../dist/full/node.js");
export const small = existsSync(new URL("../dist/small/node.js", import.meta.url)) ? await import("../dist/small/node.js") : undefined;
export const view = existsSync(new URL("../dist/view/node.js", import.meta.url)) ? await import("../dist/view/node.js") : undefined;

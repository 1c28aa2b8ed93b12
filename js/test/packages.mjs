// The packages as they were built; the small one may be missing.
import { existsSync } from "node:fs";

export const full = await import("../dist/full/node.js");
export const small = existsSync(new URL("../dist/small/node.js", import.meta.url)) ? await import("../dist/small/node.js") : undefined;

/**
 * The module inside the script: nothing is fetched, and everything is there as soon as the import is done. For service
 * workers, for workers that are sent messages at once, for Deno without `--allow-read`. It needs an engine with vectors of 128 bits,
 * which those since 2023 have.
 */
import { initSync } from "./glue.js";
import { octets } from "./inline-octets.js";

initSync({ module: octets() });

export * from "./index.js";

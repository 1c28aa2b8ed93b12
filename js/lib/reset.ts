import { __wbg_reset_state } from "./glue.js";
import { forgetOptions } from "./options.js";
import { forgetRoom } from "./short.js";

/**
 * Starts the module again with the memory it began with. Memory of WebAssembly never shrinks: after a message of 200 MB the module
 * keeps 850 MB. Loops over `splitMbox` that are still running end with an error; everything else that was returned before is data
 * of yours, and stays.
 */
export function reset(): void {
  forgetOptions();
  forgetRoom();
  __wbg_reset_state();
}

import * as wasm from "./glue.js";
import { needOctets } from "./octets.js";

/** Whether a file contains several messages of an mbox. */
export function isMbox(file: Uint8Array): boolean {
  needOctets(file, "file");
  return wasm.isMbox(file);
}

/** The messages of an mbox file in any dialect, one after the other, without the quoting. */
export function* splitMbox(file: Uint8Array): Generator<Uint8Array, void, undefined> {
  needOctets(file, "file");
  const mails = new wasm.Mails(file);
  try {
    for (let mail = mails.next(); mail !== undefined; mail = mails.next()) yield mail;
  } finally {
    mails.free();
  }
}

import * as wasm from "./glue.js";
import { needOctets, type OwnOctets } from "./arguments.js";

/** Whether a file contains several messages of an mbox. */
export function isMbox(file: Uint8Array): boolean {
  needOctets(file, "file");
  return wasm.isMbox(file);
}

/** The messages of an mbox file in any dialect, one after the other, without the quoting. */
export function splitMbox(file: Uint8Array): Generator<OwnOctets, void, undefined> {
  needOctets(file, "file"); // here, not when the first message is asked for
  return mailsOf(file);
}

function* mailsOf(file: Uint8Array): Generator<OwnOctets, void, undefined> {
  const mails = new wasm.Mails(file);
  try {
    for (let mail = mails.next(); mail !== undefined; mail = mails.next()) yield mail as OwnOctets;
  } finally {
    mails.free();
  }
}

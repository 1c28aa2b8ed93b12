import * as wasm from "./glue.js";
import { type Issue, issuesOf } from "./issue.js";
import { MOST_OF_FIELD, needOctets, needText } from "./arguments.js";

/** Text, with the issues of decoding it. */
export interface Decoded {
  text: string;
  issues: Issue[];
  /** Whether nothing was lost. */
  lossless: boolean;
}

/** Octets, or text whose characters are octets already. */
export type Octets = Uint8Array | string;

const utf8 = new TextEncoder();

function octetsOf(octets: Octets): Uint8Array {
  if (typeof octets === "string") {
    needText(octets, "octets", MOST_OF_FIELD);
    return utf8.encode(octets);
  }
  needOctets(octets, "octets", MOST_OF_FIELD);
  return octets;
}

export function decodedOf(decoded: wasm.Decoded): Decoded {
  try {
    return { text: decoded.text(), issues: issuesOf(decoded.issues()), lossless: decoded.lossless() };
  } finally {
    decoded.free();
  }
}

/** The text of a field's value: encoded-words, and raw octets as far as they can be read. */
export function decodeHeader(value: Octets): Decoded {
  return decodedOf(wasm.decodeHeader(octetsOf(value)));
}

/** Text as the value of an unstructured field: plain if possible, otherwise in encoded-words; folded with CRLF. */
export function encodeHeader(text: string): string {
  needText(text, "text", MOST_OF_FIELD);
  return wasm.encodeHeader(text);
}

/** Names of IMAP mailboxes (RFC 3501, 5.1.3). */
export const mailboxName = {
  decode(name: Octets): Decoded {
    return decodedOf(wasm.decodeMailboxName(octetsOf(name)));
  },
  encode(name: string): string {
    needText(name, "name", MOST_OF_FIELD);
    return wasm.encodeMailboxName(name);
  },
};

import * as wasm from "./glue.js";
import { type Decoded, decodedOf } from "./header.js";
import { needOctets } from "./octets.js";

/** A charset that mail may be labelled with. */
export interface Charset {
  /** The preferred MIME name. */
  name: string;
  aliases: string[];
  /** Whether this build reads and writes it. */
  readable: boolean;
}

/** The name of the charset that text without a label seems to be in. A guess; never UTF-7. */
export function detect(octets: Uint8Array): string {
  needOctets(octets, "octets");
  return wasm.detect(octets);
}

/** Charsets by their labels, in any case and even if they are misspelt. */
export const charset = {
  /** The name of the charset that a label means. */
  name(label: string): string | undefined {
    return wasm.charsetName(label);
  },

  /** Octets as text, U+FFFD for what is ill-formed. A label that is not known, or not read, is a RangeError. */
  decode(octets: Uint8Array, label: string): string {
    needOctets(octets, "octets");
    return wasm.decodeLossless(octets, label) ?? this.decodeNoting(octets, label).text;
  },

  /** The same, with what was ill-formed. */
  decodeNoting(octets: Uint8Array, label: string): Decoded {
    needOctets(octets, "octets");
    const decoded = wasm.decode(octets, label);
    if (decoded === undefined) throw new RangeError(`charset not known: ${label}`);
    return decodedOf(decoded);
  },

  /** Text as octets. A character that the charset does not have, or a label that is not known, is a RangeError. */
  encode(text: string, label: string): Uint8Array {
    try {
      return wasm.encode(text, label);
    } catch (reason) {
      throw typeof reason === "string" ? new RangeError(reason) : reason;
    }
  },

  /** Every charset that is known. */
  all(): Charset[] {
    return JSON.parse(wasm.charsets()) as Charset[];
  },
};

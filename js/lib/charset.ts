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

/** Less is not worth the way through code units. */
const SHORT = 256;

/** Code units are what strings are made of: engines read them several times as fast as UTF-8, and Node by its own means. */
const CODE_UNITS = new TextDecoder("utf-16le", { ignoreBOM: true, fatal: true });
/** UTF-16 without a signature, in the order of strings or the other one. */
const UTF_16 = /^utf-?16-?([lb])e$/i;
const IS_LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** The text of many octets, if they are well-formed; nothing also where another way is faster. */
function decodeLong(octets: Uint8Array, label: string): string | undefined {
  if (octets.length < SHORT || !IS_LITTLE_ENDIAN) return undefined;
  const order = UTF_16.exec(label)?.[1]?.toLowerCase();
  if (order !== undefined) return decodeUtf16(octets, order === "b");
  const units = wasm.decodeUnits(octets, label);
  if (units === undefined) return undefined;
  const { Buffer } = globalThis;
  return Buffer === undefined ? CODE_UNITS.decode(units) : Buffer.from(units.buffer).toString("utf16le");
}

/** The text of octets that are well-formed UTF-16, and do not begin with a signature of the other order. */
function decodeUtf16(octets: Uint8Array, isBig: boolean): string | undefined {
  if (octets.length % 2 !== 0 || (octets[0] === (isBig ? 0xff : 0xfe) && octets[1] === (isBig ? 0xfe : 0xff))) return undefined;
  const ordered = isBig ? swapped(new Uint16Array(octets.slice().buffer)) : octets;
  const { Buffer } = globalThis;
  if (Buffer !== undefined) {
    const text = Buffer.from(ordered.buffer, ordered.byteOffset, ordered.byteLength).toString("utf16le");
    return isWellFormed(text) ? text : undefined;
  }
  try {
    return CODE_UNITS.decode(ordered);
  } catch {
    return undefined;
  }
}

/** The units with their octets the other way round, in place. */
function swapped(units: Uint16Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
  const { Buffer } = globalThis;
  if (Buffer !== undefined) Buffer.from(units.buffer).swap16();
  else for (let at = 0; at < units.length; at++) units[at] = (units[at]! << 8) | (units[at]! >> 8);
  return units;
}

/** The octets of much text; nothing where the charset lacks a character, a surrogate is alone, or another way is faster. */
function encodeLong(text: string, label: string): Uint8Array | undefined {
  if (!(text.length >= SHORT) || !IS_LITTLE_ENDIAN) return undefined;
  const order = UTF_16.exec(label)?.[1]?.toLowerCase();
  if (order === undefined) return wasm.encodeUnits(unitsOf(text), label);
  if (!isWellFormed(text)) return undefined;
  const units = unitsOf(text);
  return new Uint8Array((order === "b" ? swapped(units) : units).buffer);
}

/** What the string is made of: taken as it is, several times as fast as its UTF-8. */
function unitsOf(text: string): Uint16Array<ArrayBuffer> {
  const units = new Uint16Array(text.length);
  const { Buffer } = globalThis;
  if (Buffer !== undefined) Buffer.from(units.buffer).write(text, "utf16le");
  else for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return units;
}

/** Whether no surrogate is alone; false also where the engine is too old to say. */
function isWellFormed(text: string & { isWellFormed?(): boolean }): boolean {
  return text.isWellFormed?.() ?? false;
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
    return decodeLong(octets, label) ?? wasm.decodeLossless(octets, label) ?? this.decodeNoting(octets, label).text;
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
      return encodeLong(text, label) ?? wasm.encode(text, label);
    } catch (reason) {
      throw typeof reason === "string" ? new RangeError(reason) : reason;
    }
  },

  /** Every charset that is known. */
  all(): Charset[] {
    return JSON.parse(wasm.charsets()) as Charset[];
  },
};

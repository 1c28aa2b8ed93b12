import * as wasm from "./glue.js";
import { type Decoded, decodedOf } from "./header.js";
import { needOctets, needText, type OwnOctets } from "./arguments.js";
import { decodeShort, encodeShort } from "./short.js";

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

/** Shorter input is not worth the detour through an array of code units. */
const SHORT = 256;

/** The engine's own UTF-8 is three times as fast as any that passes octets to a module. It takes well-formed text only. */
const UTF_8 = /^utf-?8$/i;
const READS_UTF_8 = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
const WRITES_UTF_8 = new TextEncoder();

function decodeUtf8(octets: Uint8Array): string | undefined {
  try {
    return READS_UTF_8.decode(octets as OwnOctets);
  } catch {
    return undefined;
  }
}

/** Strings consist of code units: engines read them several times as fast as UTF-8, and Node with a function of its own. */
const CODE_UNITS = new TextDecoder("utf-16le", { ignoreBOM: true, fatal: true });
/** UTF-16 without a signature, in the order of strings or the other one. */
const UTF_16 = /^utf-?16-?([lb])e$/i;
const IS_LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** The text of many octets, or of UTF-16, if they are well-formed; nothing if they are not, or if another way is faster. */
function decodeLong(octets: Uint8Array, label: string): string | undefined {
  if (!IS_LITTLE_ENDIAN) return undefined;
  const order = UTF_16.exec(label)?.[1]?.toLowerCase();
  if (order !== undefined) return decodeUtf16(octets, order === "b");
  if (octets.length < SHORT) return undefined;
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

/** The units with their octets swapped, in place. */
function swapped(units: Uint16Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
  const { Buffer } = globalThis;
  if (Buffer !== undefined) Buffer.from(units.buffer).swap16();
  else for (let at = 0; at < units.length; at++) units[at] = (units[at]! << 8) | (units[at]! >> 8);
  return units;
}

/** The octets of a long text, or of any in UTF-16; nothing if the charset lacks a character, a surrogate is alone, or another way is faster. */
function encodeLong(text: string, label: string): OwnOctets | undefined {
  if (!IS_LITTLE_ENDIAN) return undefined;
  const order = UTF_16.exec(label)?.[1]?.toLowerCase();
  if (order === undefined && text.length < SHORT) return undefined;
  if (order === undefined) return wasm.encodeUnits(unitsOf(text), label) as OwnOctets | undefined;
  if (!isWellFormed(text)) return undefined;
  const units = unitsOf(text);
  return new Uint8Array((order === "b" ? swapped(units) : units).buffer);
}

/** The code units of the string: copied as they are, several times as fast as its UTF-8. */
function unitsOf(text: string): Uint16Array<ArrayBuffer> {
  const units = new Uint16Array(text.length);
  const { Buffer } = globalThis;
  if (Buffer !== undefined) Buffer.from(units.buffer).write(text, "utf16le");
  else for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return units;
}

/** Whether no surrogate is alone; false also if the engine is too old to say. */
function isWellFormed(text: string & { isWellFormed?(): boolean }): boolean {
  return text.isWellFormed?.() ?? false;
}

/** Charsets by their labels, in any case and even if they are misspelt. */
export const charset = {
  /** The name of the charset that a label means. */
  name(label: string): string | undefined {
    needText(label, "label");
    return wasm.charsetName(label);
  },

  /** Octets as text, with U+FFFD for ill-formed ones. A label that is unknown, or cannot be read, is a RangeError. */
  decode(octets: Uint8Array, label: string): string {
    needOctets(octets, "octets");
    needText(label, "label");
    const text = UTF_8.test(label) ? decodeUtf8(octets) : (decodeLong(octets, label) ?? decodeShort(octets, label));
    return text ?? wasm.decodeLossless(octets, label) ?? charset.decodeNoting(octets, label).text;
  },

  /** Decodes, and also returns the issues. */
  decodeNoting(octets: Uint8Array, label: string): Decoded {
    needOctets(octets, "octets");
    needText(label, "label");
    const decoded = wasm.decode(octets, label);
    if (decoded === undefined) throw new RangeError(`charset not known: ${label}`);
    return decodedOf(decoded);
  },

  /** Text as octets. A character that the charset lacks, or an unknown label, is a RangeError. */
  encode(text: string, label: string): OwnOctets {
    needText(text, "text");
    needText(label, "label");
    if (UTF_8.test(label)) return WRITES_UTF_8.encode(text);
    try {
      return encodeLong(text, label) ?? encodeShort(text, label) ?? (wasm.encode(text, label) as OwnOctets);
    } catch (reason) {
      throw typeof reason === "string" ? new RangeError(reason) : reason;
    }
  },

  /** Every known charset. */
  all(): Charset[] {
    return JSON.parse(wasm.charsets()) as Charset[];
  },
};

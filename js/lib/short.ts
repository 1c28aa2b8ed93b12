/**
 * Short texts: octets and code units are put into memory of the module, and one call with two numbers does the work. `iconv-lite`
 * needs 0.7 to 1.0 µs for 20 characters; passing an array, a label and a text through the glue takes three times that.
 */
import * as wasm from "./glue.js";

/** Longer texts are not worth it: `src/short.rs` has room for 256 code units, and four octets for each. */
const LONGEST = 256;

/** The memory that short texts are passed in. */
interface Room {
  octets: Uint8Array<ArrayBuffer>;
  units: Uint16Array<ArrayBuffer>;
}

let memory: WebAssembly.Memory | undefined;
let room: Room | undefined;

/** The room, with new views whenever the memory has grown. */
function roomOf(): Room {
  memory ??= wasm.shortMemory() as WebAssembly.Memory;
  if (room === undefined || room.octets.length === 0) {
    const buffer = memory.buffer as ArrayBuffer;
    room = {
      octets: new Uint8Array(buffer, wasm.shortOctets(), 4 * LONGEST),
      units: new Uint16Array(buffer, wasm.shortUnits(), LONGEST),
    };
  }
  return room;
}

/** Forgets the memory, which belongs to a module that is gone. */
export function forgetRoom(): void {
  memory = undefined;
  room = undefined;
}

/** The numbers of charsets by the labels that were used last. */
const numbers = new Map<string, number>();
const LABELS = 500;

/** The number of the charset that a label means; -1 if it means none. */
function numberOf(label: string): number {
  let number = numbers.get(label);
  if (number === undefined) {
    if (numbers.size >= LABELS) numbers.clear();
    number = wasm.charsetNumber(label) ?? -1;
    numbers.set(label, number);
  }
  return number;
}

/** The text of a few octets; nothing if there are many, if they are not well-formed, or if there is another way for the charset. */
export function decodeShort(octets: Uint8Array, label: string): string | undefined {
  const { length } = octets;
  if (length > LONGEST) return undefined;
  const number = numberOf(label);
  if (number < 0) return undefined;
  const { octets: to } = roomOf();
  for (let at = 0; at < length; at++) to[at] = octets[at]!;
  const count = wasm.decodeShort(number, length);
  // Decoding may have taken more memory: the views are then empty.
  return count < 0 ? undefined : textOf(roomOf().units, count);
}

/** A text of code units. */
function textOf(units: Uint16Array, count: number): string {
  let text = "";
  let at = 0;
  for (; at + 8 <= count; at += 8) {
    text += String.fromCharCode(units[at]!, units[at + 1]!, units[at + 2]!, units[at + 3]!, units[at + 4]!, units[at + 5]!, units[at + 6]!, units[at + 7]!);
  }
  for (; at < count; at++) text += String.fromCharCode(units[at]!);
  return text;
}

/** The octets of a few characters; nothing if there are many, or as `encodeUnits` returns nothing. */
export function encodeShort(text: string, label: string): Uint8Array<ArrayBuffer> | undefined {
  const { length } = text;
  if (length > LONGEST) return undefined;
  const number = numberOf(label);
  if (number < 0) return undefined;
  const { units } = roomOf();
  for (let at = 0; at < length; at++) units[at] = text.charCodeAt(at);
  const count = wasm.encodeShort(number, length);
  return count < 0 ? undefined : roomOf().octets.slice(0, count);
}

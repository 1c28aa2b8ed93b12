// Makes a module compress better, in place: node filter.mjs FILE TABLES. A section of its own says what is done to each block
// of its data; TABLES, which is lib/tables.ts, undoes it when the module is loaded. The blocks keep their places.
import { readFileSync, writeFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";

const { restore } = await import(process.argv[3]);

const BLOCK = 1024;
const DATA = 11;
const PLAIN = 12; // octets that a filter must save
const BEFORE = 8192; // filtered octets before a block, which `gzip` refers to
// The same as in lib/tables.ts.
const KINDS = [[1, false], [2, true], [2, false], [4, true], [4, false], [3, false], [1, true]];

const file = process.argv[2];
const wasm = readFileSync(file);
const stretches = [];
const before = [];
for (const { address, octets } of segments()) {
  before.push({ address, octets: new Uint8Array(octets) });
  const kinds = filter(octets);
  const head = Buffer.alloc(6);
  head.writeUInt32LE(address);
  head.writeUInt16LE(kinds.length, 4);
  stretches.push(head, Buffer.from(kinds));
}
const filtered = Buffer.concat([wasm, custom("filtered", Buffer.concat(stretches))]);
check();
writeFileSync(file, filtered);

/** The segments of data that are worth it: where they are loaded, and their octets. */
function* segments() {
  let at = 8;
  while (at < wasm.length) {
    const id = wasm[at];
    const [length, body] = leb(at + 1);
    if (id === DATA) yield* active(body);
    at = body + length;
  }
}

function* active(body) {
  let [count, at] = leb(body);
  for (; count > 0; count--) {
    // Active, of the first memory: a constant says where it is loaded.
    if (wasm[at] !== 0 || wasm[at + 1] !== 0x41) throw new Error("a segment of data of an unknown kind");
    const [address, end] = leb(at + 2);
    const [length, start] = leb(end + 1);
    if (length >= BLOCK) yield { address, octets: wasm.subarray(start, start + length) };
    at = start + length;
  }
}

/** Filters whole blocks, each in the way that compresses best, and returns the choices. */
function filter(octets) {
  const kinds = [];
  for (let at = 0; at + BLOCK <= octets.length; at += BLOCK) {
    const block = octets.subarray(at, at + BLOCK);
    const choices = KINDS.map(([width, differences]) => planes(block, width, differences));
    const options = at > 0 ? { level: 9, dictionary: octets.subarray(Math.max(0, at - BEFORE), at) } : { level: 9 };
    const sizes = choices.map((choice, kind) => deflateRawSync(choice, options).length + (kind > 0 ? PLAIN : 0));
    const kind = sizes.indexOf(Math.min(...sizes));
    kinds.push(kind);
    block.set(choices[kind]);
  }
  return kinds;
}

/** Numbers of `width` octets, or their differences from the one before: all low octets, then the next ones. */
function planes(block, width, differences) {
  const count = Math.floor(block.length / width);
  const filtered = Buffer.from(block);
  let before = 0;
  for (let at = 0; at < count; at++) {
    const number = block.readUIntLE(at * width, width);
    const written = differences ? number - before : number;
    for (let octet = 0; octet < width; octet++) filtered[octet * count + at] = written >> (8 * octet);
    before = number;
  }
  return filtered;
}

/** Undoes it, as the module's loader will: everything must be as before. */
function check() {
  const memory = Buffer.alloc(Math.max(...before.map(({ address, octets }) => address + octets.length)));
  for (const { address, octets } of segments()) memory.set(octets, address);
  restore(new WebAssembly.Module(filtered), memory);
  for (const { address, octets } of before) {
    if (memory.compare(octets, 0, octets.length, address, address + octets.length) !== 0) throw new Error("the data do not come back");
  }
}

function custom(name, content) {
  const body = Buffer.concat([Buffer.from([name.length]), Buffer.from(name), content]);
  return Buffer.concat([Buffer.from([0, ...uleb(body.length)]), body]);
}

function uleb(number) {
  return number < 128 ? [number] : [(number % 128) + 128, ...uleb(Math.floor(number / 128))];
}

function leb(at) {
  let [number, shift] = [0, 0];
  for (;;) {
    const octet = wasm[at++];
    number += (octet & 127) * 2 ** shift;
    if (octet < 128) return [number, at];
    shift += 7;
  }
}

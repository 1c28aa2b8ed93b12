/** A module of one function that does nothing but `i8x16.popcnt` of a vector. */
const PROBE = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
];

/** Whether the engine has vectors of 128 bits. */
export function hasSimd(): boolean {
  return WebAssembly.validate(new Uint8Array(PROBE));
}

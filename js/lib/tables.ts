/**
 * The data of the module, as it was before `filter.mjs` made it compress better: most of it is tables of two octets per
 * character, which `gzip` packs a fifth smaller as differences, low octets before high ones.
 */

/** How many octets are filtered alike. */
const BLOCK = 1024;

/** How a block is filtered, by its kind: octets of a number, and whether it is a difference. */
const KINDS: readonly (readonly [width: number, differences: boolean])[] = [
  [1, false], // as it is
  [2, true],
  [2, false],
  [4, true],
  [4, false],
  [3, false],
  [1, true],
];

/** Undoes what `filter.mjs` has changed: to be done once, before anything is called. */
export function restore(module: WebAssembly.Module, memory: WebAssembly.Memory): void {
  for (const section of WebAssembly.Module.customSections(module, "filtered")) {
    // Runs of blocks: where in memory, how many, and how each is filtered.
    const view = new DataView(section);
    for (let at = 0; at < section.byteLength; ) {
      const [start, count] = [view.getUint32(at, true), view.getUint16(at + 4, true)];
      const kinds = new Uint8Array(section, at + 6, count);
      kinds.forEach((kind, block) => unfilter(new Uint8Array(memory.buffer, start + block * BLOCK, BLOCK), ...KINDS[kind]!));
      at += 6 + count;
    }
  }
}

function unfilter(block: Uint8Array, width: number, differences: boolean): void {
  if (width === 1 && !differences) return;
  const planes = block.slice();
  const count = Math.floor(block.length / width);
  let number = 0;
  for (let at = 0; at < count; at++) {
    let next = 0;
    for (let octet = 0; octet < width; octet++) next |= planes[octet * count + at]! << (8 * octet);
    number = differences ? number + next : next;
    for (let octet = 0; octet < width; octet++) block[at * width + octet] = number >> (8 * octet);
  }
}

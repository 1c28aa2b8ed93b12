/**
 * A caller's arguments, checked before the module sees them: the module would read anything else as zeros, as empty, or as
 * addresses, and mail would be lost silently. A wrong type is a TypeError, a wrong value a RangeError.
 */

/** Octets in memory of their own: they may be given to a `Blob`, or transferred. (`Uint8Array<ArrayBuffer>` since TypeScript 5.7.) */
export type OwnOctets = ReturnType<Uint8Array["slice"]>;

/** How many octets one call takes: a module has 4 GiB of memory, and 8-bit text takes eleven times its length. */
export const MOST = 250_000_000;

/** How many octets of a field's value or of a name: each octet may have an issue of its own. */
export const MOST_OF_FIELD = 10_000_000;

export function needOctets(value: unknown, name: string, most: number = MOST): asserts value is Uint8Array {
  // Not instanceof: an array may come from another realm.
  const isOctets = ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint8Array]";
  if (!isOctets) throw wrong(name, "a Uint8Array", value);
  needRoom(value.byteLength, name, "octets", most);
}

export function needText(value: unknown, name: string, most: number = MOST): asserts value is string {
  if (typeof value !== "string") throw wrong(name, "a string", value);
  needRoom(value.length, name, "code units", most);
}

export function needTruth(value: unknown, name: string): asserts value is boolean {
  if (typeof value !== "boolean") throw wrong(name, "true or false", value);
}

/** A whole number from 0 that 32 bits can hold. */
export function needNumber(value: unknown, name: string): asserts value is number {
  if (typeof value !== "number") throw wrong(name, "a number", value);
  if (!Number.isInteger(value) || value < 0 || value > 0xffff_ffff) {
    throw new RangeError(`${name}: a whole number from 0 to 4294967295 is needed, not ${value}`);
  }
}

/** One of some words. */
export function needWord(value: unknown, name: string, words: readonly string[]): asserts value is string {
  if (typeof value !== "string") throw wrong(name, "a string", value);
  if (!words.includes(value)) throw new RangeError(`${name}: ${words.join(" or ")} is needed, not ${value}`);
}

/** How each of some options is checked. */
export type Checks = Record<string, (value: unknown, name: string) => void>;

/** An object with no other members than these, each of them as it has to be, or left out. */
export function needOptions(value: unknown, name: string, checks: Checks): asserts value is object {
  if (typeof value !== "object" || value === null) throw wrong(name, "an object", value);
  for (const [member, given] of Object.entries(value)) {
    const check = Object.hasOwn(checks, member) ? checks[member] : undefined;
    if (check === undefined) throw new RangeError(`${name}: no such option: ${member}`);
    if (given !== undefined) check(given, `${name}.${member}`);
  }
}

export function needRoom(length: number, name: string, what: string, most: number = MOST): void {
  if (length > most) {
    throw new RangeError(`${name}: ${length.toLocaleString("en")} ${what} are more than the ${most.toLocaleString("en")} that one call takes`);
  }
}

function wrong(name: string, needed: string, value: unknown): TypeError {
  return new TypeError(`${name}: ${needed} is needed, not ${describe(value)}`);
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === "object" ? (value.constructor?.name ?? "an object") : `a ${typeof value}`;
}

/** Anything but a `Uint8Array` would be read as zeros, or as empty: mail would be lost silently. */
export function needOctets(value: unknown, name: string): asserts value is Uint8Array {
  // Not instanceof: an array may come from another realm.
  if (Object.prototype.toString.call(value) !== "[object Uint8Array]") {
    throw new TypeError(`${name}: a Uint8Array is needed, not ${describe(value)}`);
  }
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === "object" ? (value.constructor?.name ?? "an object") : `a ${typeof value}`;
}

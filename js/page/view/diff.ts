/** A line that stays, is removed, or is added. */
export interface Line {
  kind: "same" | "gone" | "new";
  octets: Uint8Array;
  /** The octets that differ from the line that it is paired with. */
  marked?: [number, number];
}

/** Beyond this many lines no two are compared one by one. */
export const MANY = 400;

/** Compares lines: the longest common subsequence of both stays. */
export function diff(before: Uint8Array[], after: Uint8Array[]): Line[] {
  if (before.length > MANY || after.length > MANY) return [...before.map(gone), ...after.map(fresh)];
  const lengths = common(before, after);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && equal(before[i]!, after[j]!)) {
      lines.push({ kind: "same", octets: before[i++]! });
      j++;
    } else if (j >= after.length || (i < before.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) lines.push(gone(before[i++]!));
    else lines.push(fresh(after[j++]!));
  }
  return inPairs(lines);
}

function gone(octets: Uint8Array): Line {
  return { kind: "gone", octets };
}

function fresh(octets: Uint8Array): Line {
  return { kind: "new", octets };
}

/** For each pair of tails, how many lines they have in common. */
function common(before: Uint8Array[], after: Uint8Array[]): Uint16Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i]![j] = equal(before[i]!, after[j]!) ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
    }
  }
  return lengths;
}

/** Marks the differences between a run of removed lines and as many added ones. */
function inPairs(lines: Line[]): Line[] {
  for (let at = 0; at < lines.length; at++) {
    const start = at;
    while (lines[at]?.kind === "gone") at++;
    const middle = at;
    while (lines[at]?.kind === "new") at++;
    const pairs = Math.min(middle - start, at - middle);
    for (let pair = 0; pair < pairs; pair++) mark(lines[start + pair]!, lines[middle + pair]!);
  }
  return lines;
}

function mark(one: Line, other: Line): void {
  const [a, b] = [one.octets, other.octets];
  const max = Math.min(a.length, b.length);
  let begin = 0;
  while (begin < max && a[begin] === b[begin]) begin++;
  let end = 0;
  while (end < max - begin && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  one.marked = [begin, a.length - end];
  other.marked = [begin, b.length - end];
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((octet, at) => octet === b[at]);
}

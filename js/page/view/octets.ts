import type { Octets } from "../../lib/explain.js";
import { h, more, next } from "./dom.js";

/** The octets of the message that is shown. */
export class Source {
  /** Where each line begins; made when it is first asked for. */
  #starts: number[] | undefined;

  constructor(readonly message: Uint8Array) {}

  /** The lines of the message, which end with LF, or with CR alone. */
  get #lines(): number[] {
    if (this.#starts) return this.#starts;
    const { message } = this;
    const starts = [0];
    for (let at = 0; at < message.length; at++) {
      if (message[at] === 0x0a || (message[at] === 0x0d && message[at + 1] !== 0x0a)) starts.push(at + 1);
    }
    if (starts.length > 1 && starts.at(-1) === message.length) starts.pop();
    return (this.#starts = starts);
  }

  /** How many lines there are. */
  get lines(): number {
    return this.#lines.length;
  }

  /** The octets of a line, from 0. */
  line(number: number): [number, number] {
    return [this.#lines[number] ?? this.message.length, this.#lines[number + 1] ?? this.message.length];
  }

  /** The line that an octet is on, from 0. */
  lineOf(at: number): number {
    const starts = this.#lines;
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= at) low = middle;
      else high = middle;
    }
    return low;
  }

  /** A place for people: `line 3, octets 40 to 44`. */
  where([from, to]: [number, number]): string {
    const line = (at: number) => (this.lineOf(at) + 1).toLocaleString("en");
    const number = (at: number) => at.toLocaleString("en");
    const last = to > from ? to - 1 : from;
    const lines = line(from) === line(last) ? `line ${line(from)}` : `lines ${line(from)} to ${line(last)}`;
    return to > from ? `${lines}, octets ${number(from)} to ${number(to)}` : `${lines}, before octet ${number(from)}`;
  }

  /** Octets by where they are, or as they are. */
  get(octets: Octets): Uint8Array {
    return typeof octets === "string" ? octetsOf(octets) : this.message.subarray(...octets);
  }
}

/** A character for each octet. */
export function octetsOf(characters: string): Uint8Array {
  return Uint8Array.from(characters, (character) => character.charCodeAt(0));
}

/** A character for each octet. `latin1` is another charset to engines: windows-1252. */
export function charactersOf(octets: Uint8Array): string {
  const pieces = [];
  for (let at = 0; at < octets.length; at += NEXT) pieces.push(String.fromCharCode(...octets.subarray(at, at + NEXT)));
  return pieces.join("");
}

/** How many octets are shown when more are requested, or are taken at a time. */
const NEXT = 1 << 14;

const NAMES: Record<number, string> = { 0x00: "NUL", 0x09: "TAB", 0x0a: "LF", 0x0d: "CR", 0x1b: "ESC", 0x7f: "DEL" };

/** The sign for an octet that cannot be seen: letters that every font has. */
function sign(octet: number): string {
  return NAMES[octet] ?? hex(octet);
}

function hex(octet: number): string {
  return octet.toString(16).toUpperCase().padStart(2, "0");
}

function isPlain(octet: number): boolean {
  return octet >= 0x20 && octet < 0x7f;
}

/** Represents octets that are not shown. */
export type Rest = (octets: Uint8Array) => HTMLElement;

/** A button that shows at most `max` of them; the next one shows ten times as many. */
function ask(max: number): Rest {
  return (octets) => more(next(max, octets.length, "octets"), () => [h("span", { tabindex: -1 }, visible(octets, max, ask(10 * max)))]);
}

/** Makes octets visible: controls by name, those above 7E as numbers, spaces at the end of a line as dots. */
export function visible(octets: Uint8Array, limit = 4096, rest = ask(NEXT)): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const end = Math.min(octets.length, limit);
  let at = 0;
  while (at < end) {
    const from = at;
    while (at < end && isPlain(octets[at]!)) at++;
    if (at > from) fragment.append(...plain(octets, from, at));
    if (at < end) at = special(fragment, octets, at, end);
  }
  if (octets.length > limit) fragment.append(rest(octets.subarray(end)));
  return fragment;
}

/** Printable octets; spaces before a line end as dots. */
function plain(octets: Uint8Array, from: number, to: number): (Node | string)[] {
  const text = String.fromCharCode(...octets.subarray(from, to));
  const next = octets[to];
  if (next !== 0x0d && next !== 0x0a) return [text];
  const kept = text.trimEnd();
  if (kept === text) return [text];
  const dots = "·".repeat(text.length - kept.length);
  return [kept, h("span", { class: "octet space", title: "20, space at the end of a line" }, dots)];
}

/** Octets of one kind that cannot be seen, from `at` on; returns where they end. */
function special(to: DocumentFragment, octets: Uint8Array, at: number, end: number): number {
  const octet = octets[at]!;
  if (octet === 0x0d || octet === 0x0a) {
    const both = octet === 0x0d && octets[at + 1] === 0x0a && at + 1 < end;
    const title = both ? "0D 0A, CRLF" : `${hex(octet)}, ${sign(octet)} alone`;
    to.append(h("span", { class: both ? "octet end" : "octet alone", title }, both ? "↵" : sign(octet)), "\n");
    return at + (both ? 2 : 1);
  }
  if (octet < 0x80) {
    to.append(h("span", { class: "octet control", title: `${hex(octet)}, control` }, sign(octet)));
    return at + 1;
  }
  let after = at;
  while (after < end && octets[after]! >= 0x80) after++;
  const codes = Array.from(octets.subarray(at, after), hex);
  const text = new TextDecoder().decode(octets.subarray(at, after));
  const title = text.includes("\uFFFD") ? "8-bit octets" : `8-bit octets; as UTF-8: ${text}`;
  to.append(h("span", { class: "octet high", title }, codes.join(" ")));
  return after;
}

/** One line of octets to look at, wherever lines end. */
export function linesOf(octets: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let start = 0;
  for (let at = 0; at < octets.length; at++) {
    const ends = octets[at] === 0x0a || (octets[at] === 0x0d && octets[at + 1] !== 0x0a);
    if (ends) {
      lines.push(octets.subarray(start, at + 1));
      start = at + 1;
    }
  }
  if (start < octets.length) lines.push(octets.subarray(start));
  return lines;
}

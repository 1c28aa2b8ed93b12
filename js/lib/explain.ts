import * as wasm from "./glue.js";
import type { Issue } from "./issue.js";
import type { Mailbox } from "./message.js";

/** Octets of the message, from the one to the other; or others, a character U+0000 to U+00FF for each. */
export type Octets = [number, number] | string;

/** All that there is to show of a message: what the page and `sevenbit explain` show. */
export interface Facts {
  profile: "archive" | "transport";
  octets: number;
  /** How many octets the normal form has. */
  becomes: number;
  changed: boolean;
  refused: boolean;
  subject: string | null;
  from: Mailbox[];
  to: Mailbox[];
  /** RFC 3339. */
  date: string | null;
  parts: PartFacts[];
  issues: Issue[];
  changes: Change[];
}

/** A part. Its children are those that follow and are deeper. */
export interface PartFacts {
  path: string;
  depth: number;
  mediaType: string;
  charsetLabel: string | null;
  charset: string | null;
  encoding: string;
  disposition: string | null;
  filename: string | null;
  /** `flowed`, if it is. */
  format: string | null;
  isLeaf: boolean;
  header: Octets;
  body: Octets;
  fields: { name: string; text: string; octets: Octets }[];
  text: { shown: string; whole: boolean; lines?: [number, number][] } | null;
  /** How many octets the content of a leaf has. */
  length: number;
}

/** A change: what goes, and what takes its place. */
export interface Change {
  part: string;
  rule: string;
  reason: string;
  /** The octets of the message that go. */
  span: [number, number];
  /** The beginning of the octets that take their place, a character for each. */
  with: string;
  /** How many those are. */
  length: number;
}

/** What there is to know of a message. Texts over 128 KiB are cut, unless they are wanted `whole`. */
export function explain(
  message: Uint8Array,
  options: { profile?: "archive" | "transport"; whole?: boolean } = {},
): Facts {
  return JSON.parse(wasm.explain(message, options.profile === "transport", options.whole === true)) as Facts;
}

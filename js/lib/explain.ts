import * as wasm from "./glue.js";
import type { Issue } from "./issue.js";
import { type Checks, needOctets, needOptions, needTruth, needWord } from "./arguments.js";
import type { Mailbox } from "./message.js";

/** Octets of the message, from the first offset to the second; or others, a character U+0000 to U+00FF for each. */
export type Octets = [number, number] | string;

/** The facts about a message that the page and `sevenbit explain` show. */
export interface Facts {
  profile: "archive" | "transport";
  octets: number;
  /** How many octets the normal form has. */
  becomes: number;
  changed: boolean;
  refused: boolean;
  subject: string | null;
  from: Person[];
  sender: Person[];
  replyTo: Person[];
  /** Where a delivery failure goes. */
  returnPath: string | null;
  to: Person[];
  cc: Person[];
  /** RFC 3339. */
  date: string | null;
  /** The answers that are one word of a header field, of those that the message has. */
  words: { name: string; summary: string; word: string }[];
  parts: PartFacts[];
  /** The parts to show where plain text is preferred, by number. This and the next two are as in JMAP. */
  plain: number[];
  /** The parts to show where HTML is preferred. */
  html: number[];
  /** The parts to offer as files. */
  attachments: number[];
  issues: Issue[];
  changes: Change[];
}

/** A mailbox. */
export interface Person extends Mailbox {
  /** An address in the name that is another one. */
  addressInName?: string;
}

/** A part. Its children are the deeper parts that follow it. */
export interface PartFacts {
  path: string;
  depth: number;
  mediaType: string;
  charsetLabel: string | null;
  charset: string | null;
  encoding: string;
  disposition: string | null;
  filename: string | null;
  /** The media type of its octets, if its name says that it is another kind of file; only `sevenbit/view` knows it. */
  disguisedType: string | null;
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

/** A change: what is removed, and what replaces it. */
export interface Change {
  part: string;
  rule: string;
  reason: string;
  /** The octets of the message that are removed. */
  span: [number, number];
  /** The beginning of the octets that replace them, a character for each. */
  with: string;
  /** How many octets replace them. */
  length: number;
}

const OPTIONS: Checks = {
  profile: (value, name) => needWord(value, name, ["archive", "transport"]),
  whole: needTruth,
};

/** The facts about a message. Texts over 128 KiB are cut, unless `whole` is set. */
export function explain(
  message: Uint8Array,
  options: { profile?: "archive" | "transport"; whole?: boolean } = {},
): Facts {
  needOctets(message, "message");
  needOptions(options, "options", OPTIONS);
  return JSON.parse(wasm.explain(message, options.profile === "transport", options.whole === true)) as Facts;
}

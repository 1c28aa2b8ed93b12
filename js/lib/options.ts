import { type Checks, needNumber, needOptions, needText, needWord } from "./arguments.js";
import { Options } from "./glue.js";

/** The options by which messages are treated. The first word of each is the default. */
export interface NormalizeOptions {
  /** How much is rewritten: `archive` every header and inline text, `transport` only what is not 7-bit safe or is ambiguous. */
  profile?: "archive" | "transport";
  /** The treatment of signed content that is not 7-bit safe. */
  signed?: "break" | "refuse";
  /** The treatment of text that does not decode under its label: its octets stay, or it is written with U+FFFD. */
  undecodable?: "keep" | "replace";
  /**
   * The treatment of text that reads as mojibake, in an archive: it is reported, stays without a word, or is written as what it was.
   * Only `sevenbit/view` finds such text; the other modules refuse the option.
   */
  doubtful?: "note" | "keep" | "repair";
  /**
   * A charset that a person has chosen, by its label: an archive reads text in it, whatever its own label, wherever the octets are text
   * in it. What is labelled UTF-8, and is, stays.
   */
  readAs?: string;
  /** How 8-bit text without a label is labelled in transport: by the charset it seems to be in, if that is sure (`guess`, the default), or `unknown-8bit`. */
  unlabelled?: "keep" | "guess";
  /** Whether charset declarations in markup are rewritten to agree. */
  markup?: "rewrite" | "keep";
  /** How text may be encoded: `utf-7` allows UTF-7 as well, if it is shorter. */
  textEncoding?: "mime" | "utf-7";
  limits?: Limits;
}

/** Bounds on what is parsed of a message. Anything beyond is carried as an opaque part, and reported. */
export interface Limits {
  /** How deep multiparts and messages may nest (100). */
  depth?: number;
  /** How many entities a message may have (10,000). */
  parts?: number;
  /** How many octets of one header section are parsed (1,048,576). */
  headerOctets?: number;
}

const LIMITS: Checks = { depth: needNumber, parts: needNumber, headerOctets: needNumber };

export function needLimits(value: unknown, name: string): asserts value is Limits {
  needOptions(value, name, LIMITS);
}

const word = (...words: string[]) => (value: unknown, name: string) => needWord(value, name, words);

const OPTIONS: Checks = {
  profile: word("archive", "transport"),
  signed: word("break", "refuse"),
  undecodable: word("keep", "replace"),
  doubtful: word("note", "keep", "repair"),
  readAs: needText,
  unlabelled: word("keep", "guess"),
  markup: word("rewrite", "keep"),
  textEncoding: word("mime", "utf-7"),
  limits: needLimits,
};

let last: { key: string; options: Options } | undefined;

/** The options of the module. The last ones used are kept: most callers have one set. */
export function optionsOf(given: NormalizeOptions): Options {
  needOptions(given, "options", OPTIONS);
  const key = JSON.stringify(given);
  if (last?.key !== key) {
    const options = new Options();
    for (const [name, value] of Object.entries(given)) {
      if (value === undefined) continue;
      if (name === "limits") limit(options, value as Limits);
      else if (name === "readAs") readAs(options, value as string);
      else choose(options, name, value as string);
    }
    last?.options.free();
    last = { key, options };
  }
  return last.options;
}

/** Forgets the options of a module that is gone. */
export function forgetOptions(): void {
  last = undefined;
}

function choose(options: Options, name: string, word: string): void {
  if (!options.choose(name, word)) throw new RangeError(`options.${name}: this module does not know it: import sevenbit/view instead`);
}

function readAs(options: Options, label: string): void {
  if (!options.readAs(label)) throw new RangeError(`charset not known: ${label}`);
}

function limit(options: Options, limits: Limits): void {
  for (const [name, value] of Object.entries(limits)) {
    if (value !== undefined && !options.limit(name, value)) throw new Error(`the module has no limit ${name}`);
  }
}

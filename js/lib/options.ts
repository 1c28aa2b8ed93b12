import { type Checks, needNumber, needOptions, needText, needWord } from "./arguments.js";
import { Options } from "./glue.js";

// options: made from src/message/options.rs
/** The options that are a word; the first one is the default. */
interface Words {
  /**
   * How much is rewritten.
   *
   * - `archive`: Also every header and inline text body, to UTF-8: for archives, webmail stores and indexing.
   * - `transport`: Only what is not 7-bit safe or is ambiguous: for MTAs and filters.
   */
  profile?: "archive" | "transport";
  /**
   * The treatment of signed or encrypted content that is not 7-bit safe (rule G12).
   *
   * - `break`: The content is made safe by changing only its transfer encoding, and `signature-broken` is reported.
   * - `refuse`: The whole message is returned as it was, and `refused` is reported.
   */
  signed?: "break" | "refuse";
  /**
   * Which encodings a text body may be written in (rule B3).
   *
   * - `mime`: 7bit, quoted-printable or base64, whichever is right and shortest.
   * - `utf-7`: UTF-7 in 7bit as well, if that is shorter.
   */
  textEncoding?: "mime" | "utf-7";
  /**
   * The treatment of text that does not decode under its label (rule B7).
   *
   * - `keep`: Octets and label stay; only the transfer encoding changes.
   * - `replace`: U+FFFD is written for each ill-formed sequence, reported as loss.
   */
  undecodable?: "keep" | "replace";
  /**
   * The treatment of text that reads as mojibake, which its label, or who wrote it, is to blame for (rule B7, archive).
   *
   * - `note`: It stays, and `label-doubtful` is reported.
   * - `keep`: It stays, and nothing is said of it.
   * - `repair`: What it was before it was misread is written, and `text-repaired` is reported.
   */
  doubtful?: "note" | "keep" | "repair";
  /**
   * How 8-bit text without a charset label is labelled in transport (rules H3 and B7). An archive always reads what it can.
   *
   * - `guess`: The charset that it is guessed to be in if that is sure, otherwise `unknown-8bit`. The octets are the same.
   * - `keep`: `unknown-8bit`, as its charset was not stated. Programs show such text undecoded.
   */
  unlabelled?: "guess" | "keep";
  /**
   * Whether charset declarations inside HTML and XML are adjusted to the new charset (rule B5, archive).
   *
   * - `rewrite`: The declarations are rewritten to agree.
   * - `keep`: The declarations stay as they are.
   */
  markup?: "rewrite" | "keep";
  /**
   * The place of a name that a comment after an address gives, `ada@example.org (Ada)` (rule H6, archive).
   *
   * - `keep`: The name stays in the comment, which half of all readers show as a name.
   * - `rewrite`: The name is written before the address, where all readers show it: `Ada <ada@example.org>`.
   */
  commentNames?: "keep" | "rewrite";
}

const WORDS = {
  profile: ["archive", "transport"],
  signed: ["break", "refuse"],
  textEncoding: ["mime", "utf-7"],
  undecodable: ["keep", "replace"],
  doubtful: ["note", "keep", "repair"],
  unlabelled: ["guess", "keep"],
  markup: ["rewrite", "keep"],
  commentNames: ["keep", "rewrite"],
};
// end of options

/** The options by which messages are treated. `doubtful` is known to `sevenbit/view` alone: the other modules do not find such text. */
export interface NormalizeOptions extends Words {
  /**
   * A charset that a person has chosen, by its label: an archive reads text in it, whatever its own label, wherever the octets are text
   * in it. What is labelled UTF-8, and is, stays.
   */
  readAs?: string;
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

const OPTIONS: Checks = { readAs: needText, limits: needLimits };
for (const [option, words] of Object.entries(WORDS)) OPTIONS[option] = (value, name) => needWord(value, name, words);

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

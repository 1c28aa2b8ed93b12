import { needTruth, needWord, type OwnOctets } from "./arguments.js";
import type { Mailbox } from "./message.js";

// words: made from crates/mail/src/view/words.rs
/** The answers that are one word of a header field. */
interface Words {
  /** Whether a program sent it, by Auto-Submitted: `auto-replied`, `auto-generated`, `no`. */
  autoSubmitted?: string;
  /** What kind of mass mail it is, by Precedence: `bulk`, `list`, `junk`. */
  precedence?: string;
  /** How much it matters, as its sender says: `high`, `normal`, `low`. */
  importance?: string;
}

/** The keys of `inspect --json` for them. */
const WORDS = {
  autoSubmitted: "auto_submitted",
  precedence: "precedence",
  importance: "importance",
} as const;
// end of words

/** The details of a message beyond its structure, in `sevenbit/view`. docs/view.md says what the answers mean. */
export interface Details extends Words {
  /**
   * The text as a person reads it, or else the HTML as text: lines of `format=flowed` joined, files that were uuencoded or
   * written in yEnc left out.
   */
  text: string;
  /** The HTML, with the plain parts beside it, or else that in a `winmail.dat`. `resolvedHtml` takes this one if it is there. */
  html?: string;
  /** Whether the day, the year or the zone of the date is a guess (docs/view.md says which are). */
  dateIsGuess: boolean;
  /** The groups of address fields, `undisclosed-recipients` too. */
  groups: { field: string; name: string; members: Mailbox[] }[];
  /** The key that the messages of a thread have in common. */
  thread?: string;
  /** The mailing list that it came by. */
  list?: MailingList;
  /** The stations on its way, the first one first. */
  hops: Hop[];
  /** The servers' results about the message's origin, the newest first. */
  authenticationResults: AuthenticationResults[];
  /** The report of the message about another one. */
  report?: Report;
  /** The charsets that were guessed for the text of parts. */
  charsetGuesses: CharsetGuess[];
  /** Every file: parts, pictures between texts, files inside of text, the contents of a `winmail.dat`. */
  files: MessageFile[];
}

export interface MailingList {
  id?: string;
  name?: string;
  post: string[];
  unsubscribe: string[];
  /** Where `List-Unsubscribe=One-Click` is posted. */
  oneClick?: string;
  subscribe: string[];
  help: string[];
  owner: string[];
  archive: string[];
}

export interface Hop {
  from?: string;
  fromInfo?: string;
  by?: string;
  /** The network, if that is said: `TCP`. */
  via?: string;
  with?: string;
  id?: string;
  for?: string;
  /** RFC 3339. */
  date?: string;
  /** In seconds. */
  delay?: number;
}

export interface AuthenticationResults {
  server: string;
  results: { method: string; result: string; comment: string; properties: { name: string; value: string }[] }[];
}

export interface Report {
  kind: "delivery" | "disposition" | "feedback";
  /** The id of the message that it is about. */
  originalId?: string;
  /** The server or program that reports. */
  reporter?: string;
  /**
   * Of a delivery report; of a notification who got the message, with what was done as the action; of a complaint the recipients of
   * the envelope, with its kind as the action.
   */
  recipients: { address: string; originalAddress?: string; action: string; status?: string; diagnostic?: string; remote?: string }[];
  /** Of a delivery report: the number that the sender gave the delivery. */
  envelopeId?: string;
  /** Of a delivery report: when the message came to the server that reports, in RFC 3339. */
  arrival?: string;
  /** Of a notification: `displayed`, `deleted`. */
  disposition?: string;
  /** Of a notification: whether a program did that, not a person. */
  isAutomatic?: boolean;
  /** Of a notification: errors, failures and warnings. */
  errors: string[];
  /** Of a complaint: `abuse`, `fraud`. */
  feedbackType?: string;
  /** Of a complaint: the address that the message came from. */
  sourceIp?: string;
  /** Of a complaint: the sender of the envelope. */
  sender?: string;
  /** Of a complaint: all its fields. */
  fields: { name: string; value: string }[];
}

export interface CharsetGuess {
  /** The IMAP section of the part. */
  part: string;
  charset: string;
  /** How probable it is that the text reads as it was meant: from 0, nothing is known, to 1. */
  sureness: number;
  /** The other charsets that it may be in, the most probable first. */
  alternatives: { charset: string; sureness: number }[];
}

export interface MessageFile {
  /** As the message gives it. Never use it as a path. */
  name?: string;
  /** A name to store it under; no two files of a message have the same one. */
  safeName: string;
  /** As labelled. */
  type: string;
  /** As the extension of its name says. */
  typeByName?: string;
  /** As its octets begin. */
  typeByOctets?: string;
  contentId?: string;
  /** Whether it is shown in the message, not only offered. */
  inline: boolean;
  /** How it was put there: as a part, into its text, into a `winmail.dat`. */
  origin: "part" | "text" | "tnef";
  /** The IMAP section of the part that it is, or is in. */
  part: string;
  octets: OwnOctets;
}

interface Answers extends Omit<Details, "text" | "html" | "files" | "charsetGuesses"> {
  sentIsGuess: boolean;
  parts: { path: string; charsetGuess?: Omit<CharsetGuess, "part"> }[];
  attachments: (Omit<MessageFile, "octets"> & { octets: number })[];
}

/** The keys that the module has for each detail: its own for text and HTML, the others those of `inspect --json`. */
const KEYS: Record<keyof Details, string> = {
  text: "text",
  html: "html",
  dateIsGuess: "sent_is_guess",
  groups: "groups",
  thread: "thread",
  list: "list",
  ...WORDS,
  hops: "hops",
  authenticationResults: "authentication_results",
  report: "report",
  charsetGuesses: "parts",
  files: "attachments",
};

/** Checks whether an option is true, false, or a list of details. */
export function needDetails(value: unknown, name: string): asserts value is boolean | (keyof Details)[] {
  if (Array.isArray(value)) value.forEach((detail, at) => needWord(detail, `${name}[${at}]`, Object.keys(KEYS)));
  else needTruth(value, name);
}

/** The details that are asked for, and the module's keys for them. */
export function askedFor(details: true | readonly (keyof Details)[]): [details: readonly (keyof Details)[], keys: string] {
  const names = details === true ? (Object.keys(KEYS) as (keyof Details)[]) : details;
  return [names, names.map((name) => KEYS[name]).join(",")];
}

/** The list that the module gives: the text, the HTML, and the answers with the keys of `inspect --json`; of those the ones asked for. */
export function detailsOf(found: unknown, contents: Uint8Array, asked: readonly (keyof Details)[]): Details {
  const [text, html, answers] = found as [string, string | null, object];
  const { sentIsGuess, attachments = [], parts = [], ...others } = named(answers) as Answers;
  const charsetGuesses = parts.flatMap(({ path, charsetGuess }) => (charsetGuess ? [{ part: path, ...charsetGuess }] : []));
  let start = 0;
  const files = attachments.map(({ octets, ...file }): MessageFile => {
    start += octets;
    return { ...file, octets: contents.slice(start - octets, start) };
  });
  const all: Details = { ...others, text, dateIsGuess: sentIsGuess, charsetGuesses, files };
  if (html !== null) all.html = html;
  const given = asked.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]);
  return Object.fromEntries(given) as Details;
}

/** The same with names as JavaScript has them, and without members that are null. */
function named(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(named);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name.replace(/_./g, (found) => found[1]!.toUpperCase()), named(member)]));
}

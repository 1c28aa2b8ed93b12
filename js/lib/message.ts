import * as wasm from "./glue.js";
import { type Details, askedFor, detailsOf, needDetails } from "./details.js";
import type { Issue } from "./issue.js";
import { type Checks, needOctets, needOptions, needTruth, needWord, type OwnOctets } from "./arguments.js";
import { type Limits, needLimits, optionsOf } from "./options.js";

/** A mailbox of an address field. */
export interface Mailbox {
  /** The display name; empty if there is none. */
  name: string;
  /** The addr-spec, never decoded. */
  address: string;
}

/** A header field. */
export interface Header {
  name: string;
  /** Its value as text. */
  text: string;
  /** The octets after the colon, white space and folds included, without the last line end, if `rawHeaders` were requested. */
  octets?: OwnOctets;
}

/** One entity of a message: a leaf, a multipart, or a message in a message. */
export interface Part {
  /** The IMAP section, `1.2`; empty for a message that is a multipart. */
  path: string;
  depth: number;
  /** In lower case, `text/plain` if none can be read. */
  mediaType: string;
  /** The charset label as given. */
  charsetLabel?: string;
  /** The charset that the label names. */
  charset?: string;
  transferEncoding: string;
  disposition?: string;
  /** From Content-Disposition or Content-Type. Never use it as a path. */
  filename?: string;
  /** The id by which `cid:` in HTML names it. */
  contentId?: string;
  /** The method of a calendar in upper case: `REQUEST`, `REPLY`, `CANCEL`. */
  calendarMethod?: string;
  /** Its octets in the message: the first, and the one after the last. */
  span: [number, number];
  headers: Header[];
  /** The content of a text leaf, line ends as LF. */
  text?: string;
  /** The content of other leaves and of attachments, transfer encoding removed. */
  octets?: OwnOctets;
  children: Part[];
}

/** A parsed message. It is plain data: it can be sent to a worker, or stored. */
export interface Message {
  subject?: string;
  date?: Date;
  /** How many minutes the sender's clock was ahead of UTC. */
  dateOffset?: number;
  messageId?: string;
  inReplyTo: string[];
  references: string[];
  from: Mailbox[];
  sender: Mailbox[];
  replyTo: Mailbox[];
  to: Mailbox[];
  cc: Mailbox[];
  bcc: Mailbox[];
  /** The message itself as a part. */
  root: Part;
  /** Every part in the order of the message, the message itself first. */
  parts: Part[];
  /** The parts to show where plain text is preferred. This and the next two are those of JMAP (RFC 8621, 4.1.4). */
  plainBody: Part[];
  /** The parts to show where HTML is preferred. */
  htmlBody: Part[];
  /** The parts to offer as files. */
  attachments: Part[];
  /**
   * The plain text of the body as it was sent, part after part; empty if there is only HTML. Lines of `format=flowed` are not
   * joined, uuencoded files stay in it: `details.text` of `sevenbit/view` is what a person reads.
   */
  text: string;
  /** The HTML of the body with the plain parts beside it, escaped, if any part is HTML. Show it in a sandbox. */
  html?: string;
  /** The issues that an archive would report, if they were requested. */
  issues: Issue[];
  /** Threads, lists, reports, files and the rest, if they were requested, from `sevenbit/view`. */
  details?: Details;
}

export interface ParseOptions {
  /** Whether `issues` are found as well, which takes as long again. */
  issues?: boolean;
  /** Whether `details` are found as well, or those of these names, which takes less; only `sevenbit/view` has them. */
  details?: boolean | readonly (keyof Details)[];
  /** Whether header fields have `octets` as well as text. */
  rawHeaders?: boolean;
  /** The treatment of U+0000 in text, which databases refuse: it stays, or it is U+FFFD. */
  nul?: "keep" | "replace";
  limits?: Limits;
}

type Field = Omit<Header, "octets">;

interface Row extends Omit<Part, "children" | "headers" | "text" | "octets"> {
  headers: (Field | (Field & { octets: [number, number] }))[];
  text?: [number, number];
  octets?: [number, number];
}

type Lists = "plainBody" | "htmlBody" | "attachments";

interface Structure extends Omit<Message, Lists | "date" | "dateOffset" | "root" | "parts" | "text" | "html" | "details"> {
  date?: { timestamp: number; offset?: number };
  parts: Row[];
  plainBody: number[];
  htmlBody: number[];
  attachments: number[];
}

const OPTIONS: Checks = {
  issues: needTruth,
  details: needDetails,
  rawHeaders: needTruth,
  nul: (value, name) => needWord(value, name, ["keep", "replace"]),
  limits: needLimits,
};

/** Parses a message; any octets are one. */
export function parse<K extends keyof Details>(
  message: Uint8Array,
  options: ParseOptions & { details: readonly K[] },
): Omit<Message, "details"> & { details: Pick<Details, K> };
export function parse(message: Uint8Array, options?: ParseOptions): Message;
export function parse(message: Uint8Array, options: ParseOptions = {}): Omit<Message, "details"> & { details?: Partial<Details> } {
  needOctets(message, "message");
  needOptions(options, "options", OPTIONS);
  const limits = options.limits === undefined ? {} : { limits: options.limits };
  const nul = options.nul !== "replace";
  const [structure, contents] = taken(wasm.parse(message, optionsOf(limits), options.issues === true, nul, options.rawHeaders === true));
  const made = messageOf(structure as Structure, contents);
  if (options.details !== undefined && options.details !== false) {
    const [asked, keys] = askedFor(options.details);
    const details = wasm.details(message, optionsOf(limits), nul, keys);
    if (details === undefined) throw new RangeError("options.details: this module has none: import sevenbit/view instead");
    made.details = detailsOf(...taken(details), asked);
  }
  return made;
}

/** The structure and the contents. */
function taken(parsed: wasm.Parsed): [structure: unknown, contents: Uint8Array] {
  try {
    return [JSON.parse(parsed.structure()), parsed.contents()];
  } finally {
    parsed.free();
  }
}

function messageOf(structure: Structure, contents: Uint8Array): Message {
  const { date, parts: rows, ...rest } = structure;
  const parts = partsOf(rows, contents);
  const those = (numbers: number[]) => numbers.map((number) => parts[number]!);
  const [plainBody, htmlBody] = [those(structure.plainBody), those(structure.htmlBody)];
  const message: Message = {
    ...rest,
    root: parts[0]!,
    parts,
    plainBody,
    htmlBody,
    attachments: those(structure.attachments),
    text: plainBody.map((part) => (isHtml(part) ? "" : (part.text ?? ""))).reduce(below, ""),
  };
  if (date) {
    message.date = new Date(date.timestamp * 1000);
    if (date.offset !== undefined) message.dateOffset = date.offset;
  }
  if (htmlBody.some(isHtml)) message.html = htmlBody.map(htmlOf).join("");
  return message;
}

/** Two texts, the second one on a line of its own. */
function below(first: string, second: string): string {
  return first + (first === "" || first.endsWith("\n") || second === "" ? "" : "\n") + second;
}

function isHtml(part: Part): boolean {
  return part.mediaType === "text/html";
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/**
 * The HTML of a message, with the address that `resolve` returns for each part that it names by its Content-ID (`cid:`, RFC
 * 2392); without an answer the reference stays. Nothing if the message has no HTML. Sanitise it before it is shown.
 */
export function resolvedHtml(message: Message, resolve: (contentId: string) => string | undefined): string | undefined {
  return (message.details?.html ?? message.html)?.replace(/(?<=["'=( \t\n\r])cid:([^"'()<> \t\r\n]*)/gi, (written: string, id: string) => {
    const address = resolve(idOf(id));
    return address === undefined ? written : escaped(address);
  });
}

/** The id in an address: percent-encoded, and `&amp;` for `&`, as any attribute has it. */
function idOf(written: string): string {
  const id = written.replaceAll("&amp;", "&");
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}

/** The HTML of a part: text that is not HTML is shown with its lines. */
function htmlOf(part: Part): string {
  if (isHtml(part) || part.text === undefined) return part.text ?? "";
  // A line end after the tag would not be shown.
  const start = part.text.startsWith("\n") ? "\n" : "";
  return `<pre style="white-space: pre-wrap">${start}${escaped(part.text)}</pre>\n`;
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** The parts with their contents; each is a child of the last less deep part before it. */
function partsOf(rows: Row[], contents: Uint8Array): Part[] {
  const around: Part[] = [];
  return rows.map((row) => {
    const { headers, text, octets, ...rest } = row;
    const part: Part = { ...rest, headers: headers.map((field) => headerOf(field, contents)), children: [] };
    if (text) part.text = utf8.decode(contents.subarray(...text));
    if (octets) part.octets = contents.slice(...octets);
    around.length = part.depth;
    around.at(-1)?.children.push(part);
    around[part.depth] = part;
    return part;
  });
}

/** Without octets it is the row itself: most callers want none, and a copy of each field would take as long as reading it. */
function headerOf(row: Row["headers"][number], contents: Uint8Array): Header {
  return "octets" in row ? { ...row, octets: contents.slice(...row.octets) } : row;
}

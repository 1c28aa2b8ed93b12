import * as wasm from "./glue.js";
import { MOST_OF_FIELD, needOctets, needText, type OwnOctets } from "./arguments.js";

/** Lines of a text that belong together. Words that introduce a quotation (`Ada wrote:`) count as the sender's own. */
export interface Passage {
  /** The lines as they are, with their quote marks and line ends. */
  text: string;
  /** How many quote marks (`>`) each of its lines begins with; 0 for the sender's own. */
  quoteDepth: number;
  /** Whether it is the signature: from a line `-- ` to the end. */
  isSignature: boolean;
}

/**
 * Cuts a text, as `details.text` has it, into passages: lines that are quoted equally deep, and the signature. Joined, their texts
 * are the whole text.
 *
 * @example
 * const [question, answer, signature] = passages("> Shall we meet?\nYes.\n-- \nAda\n");
 * question.quoteDepth; // 1
 * answer.text; // "Yes.\n"
 * signature.isSignature; // true
 */
export function passages(text: string): Passage[] {
  needText(text, "text");
  const numbers = wasm.passages(text);
  const found: Passage[] = [];
  let start = 0;
  for (let at = 0; at < numbers.length; at += 3) {
    const end = start + numbers[at]!;
    found.push({ text: text.slice(start, end), quoteDepth: numbers[at + 1]!, isSignature: numbers[at + 2] === 1 });
    start = end;
  }
  return found;
}

/**
 * A name that is safe to store a file under, on any usual system: no path, no control, no device of Windows, never empty.
 *
 * @example
 * safeFileName("../../etc/passwd"); // "passwd"
 */
export function safeFileName(name: string): string {
  needText(name, "name", MOST_OF_FIELD);
  return wasm.safeFileName(name);
}

/**
 * A subject without `Re:`, `Fwd:`, `Aw:` and the like, by which messages of one thread are found.
 *
 * @example
 * baseSubject("Re: AW: Cats (fwd)"); // "Cats"
 */
export function baseSubject(subject: string): string {
  needText(subject, "subject", MOST_OF_FIELD);
  return wasm.baseSubject(subject);
}

/**
 * The message with its parts in TNEF (`winmail.dat`) replaced by the parts that are in them; `undefined` if there is none. File names
 * stand in it as UTF-8: normalise it. Signed and encrypted content stays as it is.
 *
 * @example
 * const { octets } = normalize(unpackTnef(mail) ?? mail);
 */
export function unpackTnef(message: Uint8Array): OwnOctets | undefined {
  needOctets(message, "message");
  return wasm.unpackTnef(message) as OwnOctets | undefined;
}

/** What a file is. */
export interface FileKind {
  /** `outlook` for files of Outlook, `wrapping` for what has to be unpacked first, `other` for what is no mail. */
  class: "message" | "mailbox" | "wrapping" | "outlook" | "other";
  /** The kind in words: "a PDF document". */
  words: string;
}

/**
 * What a file is, by its first 8 KiB; its name is asked only where they leave two answers open. The command says the same.
 *
 * @example
 * recognise(new TextEncoder().encode("%PDF-1.7"), "a.pdf").words; // "a PDF document"
 */
export function recognise(file: Uint8Array, name = ""): FileKind {
  needOctets(file, "file");
  needText(name, "name", MOST_OF_FIELD);
  const [kind, words] = wasm.recognise(file.subarray(0, 8192), name).split("\t") as [FileKind["class"], string];
  return { class: kind, words };
}

/**
 * A message of Outlook (`.msg`, `.oft`) as mail: normalise it, since its header is in UTF-8. Nothing if the octets are no such file, or
 * one that cannot be read.
 */
export function outlookMessage(file: Uint8Array): OwnOctets | undefined {
  needOctets(file, "file");
  return wasm.outlookMessage(file) as OwnOctets | undefined;
}

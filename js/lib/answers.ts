import * as wasm from "./glue.js";
import { MOST_OF_FIELD, needText } from "./arguments.js";

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

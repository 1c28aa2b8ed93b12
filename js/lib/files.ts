import * as wasm from "./glue.js";
import { MOST_OF_FIELD, needOctets, needText, type OwnOctets } from "./arguments.js";

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

/**
 * The messages in a file that is not packed, one after the other: a message, also of Apple Mail or Outlook, or a mailbox (mbox, MMDF,
 * mbx). Throws what the file is, in words, if it is none of these; a text without a header is taken for a message.
 *
 * @example
 * for (const mail of messagesIn(file, "Inbox")) console.log(parse(mail).subject);
 */
export function* messagesIn(file: Uint8Array, name = ""): Generator<OwnOctets, void, undefined> {
  needOctets(file, "file");
  needText(name, "name", MOST_OF_FIELD);
  const mails = opened(() => new wasm.MailFile(file, name));
  try {
    for (let mail = opened(() => mails.next()); mail !== undefined; mail = opened(() => mails.next())) yield mail as OwnOctets;
  } finally {
    mails.free();
  }
}

/** What the module gives, or an error with its words. */
function opened<Given>(work: () => Given): Given {
  try {
    return work();
  } catch (reason) {
    throw typeof reason === "string" ? new Error(reason) : reason;
  }
}

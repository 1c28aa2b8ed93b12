/** What a file is that someone opens: messages, packed or not; or something else, with what to do about it. */
import { messagesIn, recognise } from "../lib/files.js";
import { entriesOf } from "./zip.js";

/** A message that was found, and where. */
export interface Found {
  name: string;
  octets: Uint8Array;
}

/** How many octets are unpacked at most: a small file may become any size. */
const UNPACKED = 300_000_000;

/** The messages of a file. An error says what the file is instead. */
export async function messagesOf(file: File): Promise<Found[]> {
  return messages(new Uint8Array(await file.arrayBuffer()), file.name);
}

async function messages(octets: Uint8Array<ArrayBuffer>, name: string): Promise<Found[]> {
  const head = String.fromCharCode(...octets.subarray(0, 4));
  const { class: kind, words } = recognise(octets, name);
  if (kind === "wrapping" && head.startsWith("\x1f\x8b")) return messages(await unpacked(octets, "gzip", name), name.replace(/\.gz$/i, ""));
  if (kind === "wrapping" && head.startsWith("PK\x03\x04")) return zipped(octets, name);
  if (kind === "wrapping") throw new Error(`${name} is ${words}, which this page cannot unpack: \`sevenbit normalize\` reads it.`);

  let mails: Uint8Array[];
  try {
    mails = [...messagesIn(octets, name)];
  } catch (reason) {
    if (!(reason instanceof Error)) throw reason;
    throw new Error(kind === "outlook" ? `${name} is ${reason.message}, which this page cannot open.` : kind === "other" ? `${name} is no mail: it is ${reason.message}.` : `${name} cannot be read: ${reason.message}.`);
  }
  if (mails.length === 1) return [{ name, octets: mails[0]! }];
  return mails.map((octets, at) => ({ name: `${name}, message ${at + 1}`, octets }));
}

/** The messages in a zip file: all files in it that are some. */
async function zipped(octets: Uint8Array<ArrayBuffer>, name: string): Promise<Found[]> {
  const found: Found[] = [];
  for (const entry of entriesOf(octets)) {
    const content = entry.isPacked ? await unpacked(entry.octets, "deflate-raw", entry.name) : entry.octets.slice();
    try {
      if (isMail(content, entry.name)) found.push(...(await messages(content, entry.name)));
    } catch {
      // A picture among the messages is passed over.
    }
  }
  if (found.length === 0) throw new Error(`${name} is a zip file in which there is no message.`);
  return found;
}

/** Whether a file of an archive is mail, or may hold some. */
function isMail(octets: Uint8Array, name: string): boolean {
  return !/(^|\/)(__MACOSX\/|\._)/.test(name) && recognise(octets, name).class !== "other";
}

/** Whether the first line is a field, or the separator of an mbox. */
export function beginsWithField(octets: Uint8Array): boolean {
  return /^(\xef\xbb\xbf)?\s*(>?From |[!-9;-~]+[ \t]*:)/.test(String.fromCharCode(...octets.subarray(0, 200)));
}

async function unpacked(octets: Uint8Array<ArrayBuffer>, format: "gzip" | "deflate-raw", name: string): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = new Blob([octets]).stream().pipeThrough(new DecompressionStream(format)).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.length;
      if (length > UNPACKED) throw new RangeError();
      pieces.push(next.value as Uint8Array<ArrayBuffer>);
    }
  } catch (reason) {
    void reader.cancel().catch(() => {});
    throw new Error(reason instanceof RangeError ? `${name} is larger than 300 MB unpacked.` : `${name} is packed, and damaged.`);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

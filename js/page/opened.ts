/** What a file is that someone opens: messages, packed or not; or something else, with what to do about it. */
import { isMbox, splitMbox } from "../lib/manual.js";
import { entriesOf } from "./zip.js";

/** A message that was found, and where. */
export interface Found {
  name: string;
  octets: Uint8Array;
}

/** How many octets are unpacked at most: a small file may become any size. */
const UNPACKED = 300_000_000;

/** Files that are no mail, by their first octets, and what to do. */
const OTHERS: [RegExp, string][] = [
  [/^\x89PNG\r\n/, "a PNG picture"],
  [/^\xff\xd8\xff/, "a JPEG picture"],
  [/^GIF8[79]a/, "a GIF picture"],
  [/^RIFF....WEBP/s, "a WebP picture"],
  [/^%PDF-/, "a PDF document"],
  [/^\x7fELF|^MZ/, "a program"],
  [/^Rar!|^7z\xbc\xaf|^\xfd7zXZ|^BZh/, "an archive that this page cannot unpack"],
  [/^OggS|^ID3|^fLaC|^....ftyp/s, "a recording"],
  [/^SQLite format 3/, "a database"],
  [/^!BDN/, "an Outlook data file (.pst). `readpst -e` (package pst-utils) writes its messages as .eml"],
];

const OUTLOOK =
  "an Outlook message (.msg), which is not internet mail. In Outlook, \u201cSave as\u201d gives it as .eml in the new version; `msgconvert` (package libemail-outlook-message-perl) converts it";

/** The messages of a file. An error says what the file is instead. */
export async function messagesOf(file: File): Promise<Found[]> {
  return messages(new Uint8Array(await file.arrayBuffer()), file.name);
}

async function messages(octets: Uint8Array<ArrayBuffer>, name: string): Promise<Found[]> {
  const head = String.fromCharCode(...octets.subarray(0, 64));
  if (head.startsWith("\x1f\x8b")) return messages(await unpacked(octets, "gzip", name), name.replace(/\.gz$/i, ""));
  if (head.startsWith("PK\x03\x04")) return zipped(octets, name);
  if (head.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) throw new Error(`${name} is ${OUTLOOK}.`);
  const other = OTHERS.find(([form]) => form.test(head));
  if (other) throw new Error(`${name} is no mail: it is ${other[1]}.`);
  if (!isMbox(octets)) return [{ name, octets }];
  return Array.from(splitMbox(octets), (octets, at) => ({ name: `${name}, message ${at + 1}`, octets }));
}

/** The messages in a zip file: all files in it that are some. */
async function zipped(octets: Uint8Array<ArrayBuffer>, name: string): Promise<Found[]> {
  const found: Found[] = [];
  for (const entry of entriesOf(octets)) {
    const content = entry.isPacked ? await unpacked(entry.octets, "deflate-raw", entry.name) : entry.octets.slice();
    try {
      if (looksLikeMail(content, entry.name)) found.push(...(await messages(content, entry.name)));
    } catch {
      // A picture among the messages is passed over.
    }
  }
  if (found.length === 0) throw new Error(`${name} is a zip file in which there is no message.`);
  return found;
}

/** Whether a file of an archive is mail: by its name, or since it begins with a field. */
function looksLikeMail(octets: Uint8Array, name: string): boolean {
  if (/(^|\/)(__MACOSX\/|\._)/.test(name)) return false;
  if (/\.(eml|mbox|mbx|mai|mime|gz|zip)$/i.test(name)) return true;
  return beginsWithField(octets);
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

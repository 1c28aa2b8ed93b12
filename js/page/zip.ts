/** The files in a zip file (APPNOTE 6.3.10, 4.3): by its central directory, as far as that is whole. */

export interface Entry {
  name: string;
  /** As they are in the archive. */
  octets: Uint8Array<ArrayBuffer>;
  /** Whether they are packed by deflate; other methods are left out. */
  isPacked: boolean;
}

/** Folders of an archive are not followed without end. */
const MOST = 10_000;

export function* entriesOf(file: Uint8Array<ArrayBuffer>): Generator<Entry, void, undefined> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let at = directoryOf(view);
  for (let count = 0; count < MOST && at + 46 <= file.length && view.getUint32(at, true) === 0x02014b50; count++) {
    const [flags, method, packed] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true), view.getUint32(at + 20, true)];
    const [nameLength, extra, comment, place] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true), view.getUint16(at + 32, true), view.getUint32(at + 42, true)];
    const name = new TextDecoder(flags & 0x800 ? "utf-8" : "windows-1252").decode(file.subarray(at + 46, at + 46 + nameLength));
    at += 46 + nameLength + extra + comment;
    const isEncrypted = (flags & 1) !== 0;
    if (isEncrypted || name.endsWith("/") || (method !== 0 && method !== 8) || place + 30 > file.length) continue;
    const start = place + 30 + view.getUint16(place + 26, true) + view.getUint16(place + 28, true);
    yield { name, octets: file.subarray(start, start + packed), isPacked: method === 8 };
  }
}

/** Where the central directory begins: its end is among the last 64 KiB. */
function directoryOf(view: DataView): number {
  for (let at = view.byteLength - 22; at >= 0 && at > view.byteLength - 22 - 0x10000; at--) {
    if (view.getUint32(at, true) === 0x06054b50) return view.getUint32(at + 16, true);
  }
  return view.byteLength;
}

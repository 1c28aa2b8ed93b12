/** The pictures in a message. */
import type { PartFacts } from "../../lib/explain.js";
import { contentOf } from "./decoded.js";
import type { Pictures } from "./frame.js";
import type { Around } from "./part.js";

/** Pictures that engines draw without running anything; SVG is a document, and is not among them. */
export const PICTURES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/avif"]);

/** How many octets of pictures are drawn without being asked for: of one, and of all that an HTML part draws. */
export const LARGE = 8_000_000;

/** The pictures that HTML names by Content-ID (RFC 2392) or by Content-Location (RFC 2557). */
export function picturesOf({ facts, source, isCut }: Around): Pictures {
  const pictures = facts.parts.filter((part) => PICTURES.has(part.mediaType) && !isCut(part));
  const drawn = new Map<string, string | undefined>();
  let left = LARGE;
  const draw = (part: PartFacts | undefined) => {
    if (part === undefined || part.length > left) return undefined;
    const octets = contentOf(source.get(part.body), part.encoding);
    left -= part.length;
    return octets && `data:${part.mediaType};base64,${base64(octets)}`;
  };
  return (address) => {
    if (!drawn.has(address)) drawn.set(address, draw(pictures.find((part) => names(part, address))));
    return drawn.get(address);
  };
}

/** Whether an address names a part. */
function names({ fields }: PartFacts, address: string): boolean {
  const field = (wanted: string) => fields.find(({ name }) => name.toLowerCase() === wanted)?.text.trim() ?? "";
  if (/^cid:/i.test(address)) return field("content-id").replace(/^<|>$/g, "") === unescaped(address.slice(4));
  return address !== "" && field("content-location") === address;
}

function unescaped(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

function base64(octets: Uint8Array): string {
  const pieces = [];
  for (let at = 0; at < octets.length; at += 0x8000) pieces.push(String.fromCharCode(...octets.subarray(at, at + 0x8000)));
  return btoa(pieces.join(""));
}

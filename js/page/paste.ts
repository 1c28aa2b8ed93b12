/**
 * Pasted mail is characters, not octets: whatever charset its labels name, the characters are what it says. So they are written
 * in UTF-8, and labels of text that contains others than US-ASCII are made to say so.
 */
import { explain, type PartFacts } from "../lib/manual.js";
import { charactersOf, octetsOf } from "./view/octets.js";

/** The octets of pasted characters; `labels` are those that were passed over. */
export interface Pasted {
  octets: Uint8Array;
  labels: string[];
}

export function pasted(characters: string): Pasted {
  const octets = new TextEncoder().encode(characters);
  if (octets.length === characters.length) return { octets, labels: [] };
  const false_ = explain(octets).parts.filter((part) => isFalse(part, octets));
  const labels = [...new Set(false_.map((part) => part.charsetLabel!))];
  // From the last to the first, so that the places of those before stay true.
  const relabelled = false_.reverse().reduce(relabel, octets);
  return { octets: relabelled, labels };
}

/** Whether a part is text as it stands, with other characters than US-ASCII, under a label that is not UTF-8. */
function isFalse(part: PartFacts, octets: Uint8Array): boolean {
  const isText = part.isLeaf && /^(7bit|8bit|binary)$/.test(part.encoding) && part.charsetLabel !== null && part.charset !== "UTF-8";
  return isText && typeof part.body !== "string" && typeof part.header !== "string" && octets.subarray(...part.body).some((octet) => octet >= 0x80);
}

function relabel(octets: Uint8Array, part: PartFacts): Uint8Array {
  const [start, end] = part.header as [number, number];
  const header = charactersOf(octets.subarray(start, end));
  const found = /charset\s*\*?\s*=\s*("[^"]*"|[^\s;]+)/i.exec(header);
  if (!found) return octets;
  const [from, to] = [start + found.index, start + found.index + found[0].length];
  const label = octetsOf("charset=utf-8");
  const made = new Uint8Array(octets.length - (to - from) + label.length);
  made.set(octets.subarray(0, from));
  made.set(label, from);
  made.set(octets.subarray(to), from + label.length);
  return made;
}

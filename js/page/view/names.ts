import type { PartFacts } from "../../lib/explain.js";
import type { Issue } from "../../lib/issue.js";
import type { Shape } from "./dom.js";

const COMPOSITES: Record<string, string> = {
  "multipart/mixed": "Several parts",
  "multipart/alternative": "One text in several forms",
  "multipart/related": "A page and what belongs to it",
  "multipart/signed": "Signed",
  "multipart/encrypted": "Encrypted",
  "multipart/report": "Report",
  "multipart/digest": "Collection of messages",
};

const LEAVES: Record<string, string> = {
  "text/plain": "Text",
  "text/html": "HTML",
  "text/calendar": "Calendar",
  "message/delivery-status": "Delivery status",
  "application/pgp-signature": "Signature",
  "application/pkcs7-signature": "Signature",
};

/** The name of a part for people: its file name, or its kind. */
export function nameOf(part: PartFacts): string {
  if (part.depth === 0 && !part.isLeaf) return `Message: ${COMPOSITES[part.mediaType] ?? "several parts"}`;
  if (part.filename) return part.filename;
  if (part.depth === 0) return "Message";
  if (part.mediaType === "message/rfc822") return "Message in the message";
  return (part.isLeaf ? LEAVES[part.mediaType] : COMPOSITES[part.mediaType]) ?? part.mediaType;
}

export function shapeOf(part: PartFacts): Shape {
  const [kind] = part.mediaType.split("/");
  if (/^multipart\/(signed|encrypted)$/.test(part.mediaType)) return "sealed";
  if (part.mediaType === "message/rfc822" || (part.depth === 0 && !part.isLeaf)) return "message";
  if (!part.isLeaf) return "several";
  if (part.mediaType === "text/html") return "markup";
  if (kind === "text" && part.disposition !== "attachment") return "text";
  return kind === "image" ? "picture" : "file";
}

/** Octets as people count them. */
export function size(octets: number): string {
  if (octets < 1000) return `${octets} octets`;
  const [value, unit] = octets < 1e6 ? [octets / 1e3, "kB"] : [octets / 1e6, "MB"];
  return `${value.toLocaleString("en", { maximumSignificantDigits: 3 })} ${unit}`;
}

/** The name of a part of the tree in issues and changes: `Header`, `Part 1.2`. */
export function placeOf(section: string): string {
  if (section === "0") return "Header";
  return section.endsWith(".0") ? `Header of part ${section.slice(0, -2)}` : `Part ${section || "0"}`;
}

/** The place of an issue; faults of delimiters, preambles and the like are in no part. */
export function placeOfIssue({ part, rule, code }: Issue): string {
  const isBetween = part === "0" && ["B8", "B11", "G6"].includes(rule) && code !== "type-made-explicit";
  return isBetween ? "Between the parts" : placeOf(part);
}

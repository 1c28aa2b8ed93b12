import type { Facts } from "../../lib/explain.js";

/** Types that say only what kind of thing it is; of others, which may have been made up, only the beginning is shown. */
const TYPES = new Set(
  [
    "text/ plain html enriched richtext calendar vcard csv xml markdown css javascript rtf x-amp-html rfc822-headers",
    "multipart/ mixed alternative related report signed encrypted digest parallel form-data",
    "message/ rfc822 global partial external-body delivery-status global-delivery-status disposition-notification feedback-report news",
    "image/ png jpeg gif webp svg+xml bmp tiff heic",
    "audio/ mpeg ogg wav mp4",
    "video/ mp4 mpeg quicktime webm",
    "font/ woff woff2",
    "application/ octet-stream pdf zip gzip x-tar json xml rtf msword vnd.ms-excel vnd.ms-powerpoint ms-tnef applefile mac-binhex40",
    "application/ vnd.openxmlformats-officedocument.wordprocessingml.document vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/ vnd.openxmlformats-officedocument.presentationml.presentation vnd.oasis.opendocument.text vnd.oasis.opendocument.spreadsheet",
    "application/ pkcs7-mime pkcs7-signature x-pkcs7-mime x-pkcs7-signature pgp-encrypted pgp-signature pgp-keys ics postscript",
  ].flatMap((line) => {
    const [top, ...names] = line.split(" ");
    return names.map((name) => top + name);
  }),
);
const TOPS = new Set([...TYPES].map((type) => type.split("/")[0]));

/** The details of a `reencoded` that are words of ours. */
const ENCODINGS = new Set(["7bit", "8bit", "binary", "base64", "quoted-printable"]);

/** What was found and done, without any content of the message: for a ticket, or a question to someone else. */
export function report(facts: Facts): string {
  const content = {
    sevenbit: "report without content",
    profile: facts.profile,
    octets: facts.octets,
    becomes: facts.becomes,
    changed: facts.changed,
    parts: facts.parts.map((part) => ({
      path: part.path,
      depth: part.depth,
      type: typeOf(part.mediaType),
      charset: part.charset,
      encoding: part.encoding,
      octets: part.length,
    })),
    issues: facts.issues.map(({ code, severity, rule, part, span, detail, charset }) => ({
      code,
      severity,
      rule,
      part,
      span,
      ...(code === "reencoded" && ENCODINGS.has(detail) ? { detail } : {}),
      ...(charset === null ? {} : { charset }),
    })),
    changes: facts.changes.map(({ part, rule, reason, span, length }) => ({ part, rule, reason, span, length })),
  };
  return JSON.stringify(content, null, 1);
}

function typeOf(type: string): string {
  if (TYPES.has(type)) return type;
  const [top] = type.split("/");
  return TOPS.has(top!) ? `${top}/other` : "other";
}

import type { Facts, PartFacts } from "../../lib/explain.js";
import type { Source } from "./octets.js";

/** What readers are known to make of something in this message. */
export interface Hint {
  /** How many of ten read it otherwise than the rest, or do not read it; none where that was not counted. */
  readers: number | undefined;
  says: string;
  /** Who they are; empty where it is about many. */
  who: string[];
  /** The part, and the field or nothing for its body. */
  part: number;
  field?: string;
}

type Field = PartFacts["fields"][number];

/** What is looked for in one field: its name, and its octets as characters. */
interface FieldRule {
  name: RegExp;
  holds: (raw: string, text: string) => boolean;
  readers: number | undefined;
  who: string[];
  says: string;
}

const ADDRESS = /^(from|sender|reply-to|to|cc|bcc)$/i;

/** docs/readers.md, as far as it can be seen in a field. A test holds names and numbers to that document. */
export const FIELD_RULES: FieldRule[] = [
  {
    name: ADDRESS,
    holds: (raw) => /^[^<"]*[^\s<>,;"()]+@[^\s<>,;()]+\s*\([^()]+\)/.test(raw),
    readers: 5,
    who: ["Python", "Ruby mail", "Email::MIME", "MIME::Tools", "mime4j"],
    says: "An address with the name in parentheses: they do not take the comment for a name, the other five do.",
  },
  {
    name: ADDRESS,
    holds: (raw) => /<[^<>@\s"]+>/.test(raw),
    readers: 4,
    who: ["Ruby mail", "Email::MIME", "mime4j", "go-message"],
    says: "An address without a domain in angle brackets: they want a domain, and find no address.",
  },
  {
    name: ADDRESS,
    holds: (_, text) => /"?([^\s"<>,]+@[^\s"<>,]+)"?\s*<\1>/i.test(text),
    readers: 2,
    who: ["postal-mime", "nodemailer"],
    says: "A name that is the address itself: they drop the name.",
  },
  {
    name: /^(to|cc|bcc)$/i,
    holds: (raw) => /^[^<>@"]*:\s*;/.test(raw),
    readers: 1,
    who: ["MIME::Tools"],
    says: "An empty group: its name is shown as an address.",
  },
  {
    name: /^(to|cc|bcc)$/i,
    holds: (raw) => /^\s*[a-z0-9._-]+\s*$/i.test(raw),
    readers: undefined,
    who: [],
    says: "An address without a domain is a name for some readers, and an address for others.",
  },
  {
    name: /^content-(type|disposition)$/i,
    holds: (raw) => /\b(file)?name\*(\d+\*?)?\s*=/i.test(raw),
    readers: 1,
    who: ["mime4j"],
    says: "A file name in the form of RFC 2231, which it does not read.",
  },
];

/** What is known of readers for this message. */
export function hintsOf(facts: Facts, source: Source): Hint[] {
  const hints = facts.parts.flatMap((part, index) => [
    ...part.fields.flatMap((field) => ofField(field, index, source)),
    ...ofPart(part, index, source),
  ]);
  return [...hints, ...ofIssues(facts)].sort((a, b) => (b.readers ?? 0) - (a.readers ?? 0));
}

function ofField(field: Field, part: number, source: Source): Hint[] {
  const raw = characters(source.get(field.octets).subarray(field.name.length + 1)).trim();
  const rules = FIELD_RULES.filter((rule) => rule.name.test(field.name) && rule.holds(raw, field.text));
  return rules.map(({ readers, who, says }) => ({ readers, who, says, part, field: field.name }));
}

function ofPart(part: PartFacts, index: number, source: Source): Hint[] {
  const hints: Hint[] = [];
  const add = (readers: number | undefined, who: string[], says: string) => hints.push({ readers, who, says, part: index });
  if (part.format?.toLowerCase() === "flowed") {
    add(2, ["postal-mime", "nodemailer"], "Text in format=flowed: they undo it, the others show the lines as they stand.");
  }
  if (part.mediaType === "text/rfc822-headers") {
    add(1, ["Python"], "text/rfc822-headers is parsed as a message.");
  }
  if (/^iso-8859-1$/i.test(part.charsetLabel ?? "") && hasC1(part, source)) {
    add(8, [], "iso-8859-1 over octets 80-9F: two of the ten read them as windows-1252, as browsers do; the others show control characters.");
  }
  return hints;
}

function hasC1(part: PartFacts, source: Source): boolean {
  const body = source.get(part.body).subarray(0, 1 << 20);
  if (part.encoding === "quoted-printable") return /=[89][0-9a-f]/i.test(characters(body));
  return part.encoding !== "base64" && body.some((octet) => octet >= 0x80 && octet < 0xa0);
}

/** By code of an issue. */
export const ISSUE_RULES: Record<string, Pick<Hint, "readers" | "who" | "says">> = {
  "unparsed-line": { readers: 7, who: [], says: "Text where a field should be: seven readers drop such a line as a broken field." },
  "header-not-ended": { readers: 7, who: [], says: "No empty line before the text: seven readers drop such lines as broken fields." },
  "fold-restored": { readers: undefined, who: [], says: "A fold that was lost: many readers miss what stands on such a line, a boundary perhaps." },
  "boundary-missing": { readers: 10, who: [], says: "A multipart whose boundary never occurs: readers show nothing of it." },
  "charset-guessed": {
    readers: undefined,
    who: [],
    says: "Octets above 7E without a label that could be true: readers guess, each in its own way. After archiving, nine of ten such messages read alike.",
  },
  "domain-to-ascii": { readers: undefined, who: [], says: "Raw UTF-8 in an address: not every program carries it." },
  "address-not-ascii": { readers: undefined, who: [], says: "Raw UTF-8 in an address: 7 bits cannot carry the local part." },
};

function ofIssues(facts: Facts): Hint[] {
  const seen = new Set<string>();
  return facts.issues.flatMap((issue) => {
    const known = issue.code === "line-ends-normalized" && /CR/.test(issue.detail) && !/LF/.test(issue.detail)
      ? { readers: 8, who: [], says: "The message is stored with CR alone: eight readers do not know that as a line end, and see one long field." }
      : ISSUE_RULES[issue.code];
    if (!known || seen.has(issue.code)) return [];
    seen.add(issue.code);
    const part = facts.parts.findIndex(({ path }) => path === issue.part);
    return [{ ...known, part: Math.max(part, 0) }];
  });
}

function characters(octets: Uint8Array): string {
  return new TextDecoder("latin1").decode(octets);
}

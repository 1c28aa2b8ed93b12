import type { Facts, PartFacts } from "../../lib/explain.js";
import { charactersOf, type Source } from "./octets.js";

/** How readers are known to treat something in this message. */
export interface Hint {
  /** How many of ten read it differently from the rest, or do not read it; none if that was not counted. */
  readers: number | undefined;
  says: string;
  /** Who they are; empty if it is about many. */
  who: string[];
  /** The part, and the field or nothing for its body. */
  part: number;
  field?: string;
}

type Field = PartFacts["fields"][number];

/** What is searched in one field: its name, and its octets as characters. */
interface FieldRule extends Pick<Hint, "readers" | "who" | "says"> {
  name: RegExp;
  holds: (raw: string, text: string) => boolean;
}

const ADDRESS = /^(from|sender|reply-to|to|cc|bcc)$/i;

/** docs/readers.md, as far as it can be seen in a field. A test compares names and numbers with that document. */
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
    name: ADDRESS,
    holds: (raw) => /[^\s"<>,;()@]\.\.[^\s"<>,;()]*@/.test(raw),
    readers: 2,
    who: ["GMime", "go-message"],
    says: "Two dots side by side in an address: the one drops it, the other gives up the whole list.",
  },
  {
    name: /^date$/i,
    holds: (raw) => /\bZ$/.test(raw),
    readers: 1,
    who: ["mail-parser"],
    says: "A date in the zone `Z`: it reads it otherwise.",
  },
  {
    name: /^content-(type|disposition)$/i,
    holds: (raw) => /\b(file)?name\*(\d+\*?)?\s*=/i.test(raw),
    readers: 1,
    who: ["mime4j"],
    says: "A file name in the form of RFC 2231, which it does not read.",
  },
];

/** What is searched in a part, and the octets of its body as characters. */
interface PartRule extends Pick<Hint, "readers" | "who" | "says"> {
  holds: (part: PartFacts, body: () => string) => boolean;
}

export const PART_RULES: PartRule[] = [
  {
    holds: (part) => part.format?.toLowerCase() === "flowed",
    readers: 2,
    who: ["postal-mime", "nodemailer"],
    says: "Text in format=flowed: they undo it, the others show the lines as they stand.",
  },
  {
    holds: (part) => part.mediaType === "text/rfc822-headers",
    readers: 1,
    who: ["Python"],
    says: "text/rfc822-headers is parsed as a message.",
  },
  {
    holds: (part, body) => /^iso-8859-1$/i.test(part.charsetLabel ?? "") && hasC1(part.encoding, body),
    readers: 8,
    who: [],
    says: "iso-8859-1 over octets 80-9F: two of the ten read them as windows-1252, as browsers do; the others show control characters.",
  },
  {
    holds: (part, body) => part.encoding === "quoted-printable" && part.text !== null && /[^=\r\n \t][ \t]+\r?\n/.test(body()),
    readers: 4,
    who: ["Python", "GMime", "postal-mime", "Ruby mail"],
    says: "White space at the end of a line of quoted-printable, which means nothing: they keep it, the others do not.",
  },
];

function hasC1(encoding: string, body: () => string): boolean {
  if (encoding === "quoted-printable") return /=[89][0-9a-f]/i.test(body());
  return encoding !== "base64" && /[\x80-\x9f]/.test(body());
}

/** What is known of readers for this message. */
export function hintsOf(facts: Facts, source: Source): Hint[] {
  const hints = facts.parts.flatMap((part, index) => [
    ...part.fields.flatMap((field) => ofField(field, index, source)),
    ...ofPart(part, index, source),
  ]);
  return [...hints, ...ofIssues(facts, source)].sort((a, b) => (b.readers ?? 0) - (a.readers ?? 0));
}

function ofField(field: Field, part: number, source: Source): Hint[] {
  const raw = charactersOf(source.get(field.octets).subarray(field.name.length + 1)).trim();
  const rules = FIELD_RULES.filter((rule) => rule.name.test(field.name) && rule.holds(raw, field.text));
  return rules.map(({ readers, who, says }) => ({ readers, who, says, part, field: field.name }));
}

function ofPart(part: PartFacts, index: number, source: Source): Hint[] {
  if (!part.isLeaf) return [];
  const body = () => charactersOf(source.get(part.body).subarray(0, 1 << 20));
  return PART_RULES.filter(({ holds }) => holds(part, body)).map(({ readers, who, says }) => ({ readers, who, says, part: index }));
}

/** What is known of an issue, by its code, and by the octets that it is about if they matter. */
interface IssueRule extends Pick<Hint, "readers" | "who" | "says"> {
  code: string;
  octets?: (octets: Uint8Array) => boolean;
}

export const ISSUE_RULES: IssueRule[] = [
  { code: "unparsed-line", readers: 7, who: [], says: "Text where a field should be: seven readers drop such a line as a broken field." },
  { code: "header-not-ended", readers: 7, who: [], says: "No empty line before the text: seven readers drop such lines as broken fields." },
  { code: "fold-restored", readers: undefined, who: [], says: "A fold that was lost: many readers miss what stands on such a line, a boundary perhaps." },
  { code: "boundary-missing", readers: 10, who: [], says: "A multipart whose boundary never occurs: readers show nothing of it." },
  {
    code: "charset-guessed",
    readers: undefined,
    who: [],
    says: "Octets above 7E without a label that could be true: readers guess, each in its own way. After archiving, nine of ten such messages read alike.",
  },
  { code: "domain-to-ascii", readers: undefined, who: [], says: "Raw UTF-8 in an address: not every program carries it." },
  { code: "address-not-ascii", readers: undefined, who: [], says: "Raw UTF-8 in an address: 7 bits cannot carry the local part." },
  {
    code: "line-ends-normalized",
    octets: ([first]) => first === 0x0d,
    readers: 8,
    who: [],
    says: "The message is stored with CR alone: eight readers do not know that as a line end, and see one long field.",
  },
];

function ofIssues(facts: Facts, source: Source): Hint[] {
  return ISSUE_RULES.flatMap(({ code, octets, readers, who, says }) => {
    const issue = facts.issues.find((issue) => issue.code === code && (octets?.(source.get(issue.span)) ?? true));
    if (!issue) return [];
    const part = facts.parts.findIndex(({ path }) => path === issue.part);
    return [{ readers, who, says, part: Math.max(part, 0) }];
  });
}

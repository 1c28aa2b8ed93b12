import type { Facts, Octets, PartFacts } from "../../lib/explain.js";
import type { Issue } from "../../lib/issue.js";

export type Severity = Issue["severity"];

export const SEVERITIES: Severity[] = ["loss", "repair", "note"];

/** Which issues belong to which part, field and body. */
export class Placed {
  readonly #byPart: Issue[][];

  constructor(readonly facts: Facts) {
    this.#byPart = facts.parts.map(() => []);
    for (const issue of facts.issues) this.#byPart[this.part(issue.part, issue.span)]!.push(issue);
  }

  /** The issues of a part. */
  of(part: number): Issue[] {
    return this.#byPart[part]!;
  }

  worst(part: number): Severity | undefined {
    return SEVERITIES.find((severity) => this.of(part).some((issue) => issue.severity === severity));
  }

  /** The part that a section names; of several with one section, the one whose header or body contains the octets. */
  part(section: string, span: [number, number]): number {
    const isHeader = section === "0" || section.endsWith(".0");
    const path = section === "0" ? undefined : isHeader ? section.slice(0, -2) : section;
    const { parts } = this.facts;
    const named = parts.flatMap((part, index) => (path === undefined || part.path === path ? [index] : []));
    const holding = named.filter((index) => {
      const part = parts[index]!;
      return holds(part.header, span) || holds(part.body, span);
    });
    if (path === undefined) return 0;
    const found = isHeader ? holding.find((index) => holds(parts[index]!.header, span)) : holding.at(-1);
    return found ?? named.at(isHeader ? -1 : 0) ?? 0;
  }

  /** The issues of one field. */
  ofField(part: number, field: number): Issue[] {
    const { octets } = this.facts.parts[part]!.fields[field]!;
    return this.of(part).filter((issue) => issue.span[0] < issue.span[1] && overlaps(octets, issue.span) && !this.isOfAll(part, issue));
  }

  /** The issues of a header that belong to no field. */
  ofHeader(part: number): Issue[] {
    const { fields } = this.facts.parts[part]!;
    const ofFields = new Set(fields.flatMap((_, field) => this.ofField(part, field)));
    return this.of(part).filter((issue) => !ofFields.has(issue) && !this.isOfBody(part, issue));
  }

  ofBody(part: number): Issue[] {
    return this.of(part).filter((issue) => this.isOfBody(part, issue));
  }

  private isOfBody(part: number, issue: Issue): boolean {
    const facts = this.facts.parts[part]!;
    return !issue.part.endsWith("0") && overlaps(facts.body, issue.span) && !overlaps(facts.header, issue.span);
  }

  /** Whether it is about more than one field. */
  private isOfAll(part: number, issue: Issue): boolean {
    const fields = this.facts.parts[part]!.fields.filter(({ octets }) => overlaps(octets, issue.span));
    return fields.length > 1;
  }
}

function holds(octets: Octets, [start, end]: [number, number]): boolean {
  return typeof octets !== "string" && octets[0] <= start && end <= octets[1];
}

function overlaps(octets: Octets, [start, end]: [number, number]): boolean {
  return typeof octets !== "string" && octets[0] < Math.max(end, start + 1) && start < octets[1];
}

/** The octets of a part in the message, as far as they are in it. */
export function spanOf(part: PartFacts): [number, number] | undefined {
  return typeof part.header === "string" || typeof part.body === "string" ? undefined : [part.header[0], part.body[1]];
}

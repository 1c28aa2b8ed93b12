import type { Facts } from "../../lib/explain.js";

/** Details that say nothing of what is in the message: names of ours, numbers. */
const OPEN = new Set(["charset-guessed", "reencoded"]);

/** A type that any program could have written. */
const TYPE = /^(text|image|audio|video|font|model|application|multipart|message)\/[a-z0-9.+-]{1,40}$/;

/** What was found and done, without anything that the message says: for a ticket, or a question to somebody else. */
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
      type: TYPE.test(part.mediaType) ? part.mediaType : "other",
      charset: part.charset,
      encoding: part.encoding,
      octets: part.length,
    })),
    issues: facts.issues.map(({ code, severity, rule, part, span, detail }) => ({
      code,
      severity,
      rule,
      part,
      span,
      ...(OPEN.has(code) && /^[A-Za-z0-9_:.-]{1,40}$/.test(detail) ? { detail } : {}),
    })),
    changes: facts.changes.map(({ part, rule, reason, span, length }) => ({ part, rule, reason, span, length })),
  };
  return JSON.stringify(content, null, 1);
}

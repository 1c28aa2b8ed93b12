/** A rule of the normal form, as in its document. */
export interface Rule {
  name: string;
  title: string;
  /** Its first sentence, and all of it. */
  sentence: string;
  whole: string;
}

/** The rules that docs/normal-form.md lists: `- **H4 writing text**: text that is...` */
export function rulesOf(document: string): Map<string, Rule> {
  const rules = new Map<string, Rule>();
  for (const line of document.split("\n")) {
    const found = /^- \*\*([GHB]\d+)(?: ([^*]+))?\*\*:? (.*)$/.exec(line);
    if (!found) continue;
    const [, name, title, whole] = found as unknown as [string, string, string | undefined, string];
    rules.set(name, { name, title: title ?? "", sentence: firstSentence(whole), whole });
  }
  return rules;
}

/** The text up to the first full stop or semicolon outside of backticks and parentheses, at least some words. */
function firstSentence(text: string): string {
  for (const found of text.matchAll(/[.;](?=\s|$)/g)) {
    const sentence = text.slice(0, found.index);
    const open = (sentence.match(/`/g) ?? []).length % 2 === 1 || count(sentence, "(") > count(sentence, ")");
    if (!open && sentence.length >= 40) return `${sentence}.`;
  }
  return text;
}

function count(text: string, mark: string): number {
  return text.split(mark).length - 1;
}

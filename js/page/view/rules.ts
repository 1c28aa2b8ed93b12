/** A rule of the normal form, as in its document. */
export interface Rule {
  name: string;
  title: string;
  /** All of it but the example: a paragraph, an item of a list or a row of a table each. */
  whole: string[];
}

/** The rules that docs/normal-form.md lists, each below a heading: `### H4 writing text`. */
export function rulesOf(document: string): Map<string, Rule> {
  const rules = new Map<string, Rule>();
  for (const section of document.split(/^##+ /m)) {
    const found = /^([GHB]\d+)(?: (.+))?\n([^]*)/.exec(section);
    if (!found) continue;
    const [, name, title, text] = found as unknown as [string, string, string | undefined, string];
    rules.set(name, { name, title: title ?? "", whole: piecesOf(text.split(/^Example, /m)[0]!) });
  }
  return rules;
}

/** The pieces of a text in Markdown, without links and the lines below the heads of tables. */
function piecesOf(text: string): string[] {
  const pieces = text.split(/\n\n|\n(?=- |\d+\. |\|)/).map((piece) => piece.trim().replace(/\s*\n\s*/g, " "));
  return pieces
    .filter((piece) => piece !== "" && !piece.startsWith("|---"))
    .map((piece) => (piece.startsWith("|") ? piece.slice(1, -1).split("|").map((cell) => cell.trim()).join(": ") : piece))
    .map((piece) => piece.replace(/^- /, "• ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("\\*", "*"));
}

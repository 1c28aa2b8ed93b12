import type { Facts, PartFacts } from "../../lib/explain.js";
import type { Issue } from "../../lib/issue.js";
import { count, h } from "./dom.js";
import { frame } from "./frame.js";
import type { Hover } from "./hover.js";
import { issueCard } from "./issues.js";
import { nameOf, size } from "./names.js";
import { type Source, visible } from "./octets.js";
import { type Placed, SEVERITIES } from "./place.js";
import type { Rule } from "./rules.js";
import { textView } from "./text.js";

/** The context in which a part is shown. */
export interface Around {
  facts: Facts;
  source: Source;
  placed: Placed;
  rules: Map<string, Rule>;
  hover: Hover;
  /** The facts with texts of any length, if those are available. */
  whole: (() => Facts) | undefined;
}

/** One part: its fields and its body as they are read, each issue where it is. */
export function partView(index: number, around: Around): HTMLElement {
  const part = around.facts.parts[index]!;
  return h(
    "article",
    { class: "part", "aria-label": nameOf(part) },
    h("header", {}, h("h3", {}, h("bdi", {}, nameOf(part))), chips(part)),
    header(index, part, around),
    body(index, part, around),
  );
}

function chips(part: PartFacts): HTMLElement {
  const charset = part.charset ?? part.charsetLabel;
  const labels: [string, string | null][] = [
    ["Section", part.path],
    ["Type", part.mediaType],
    ["Charset", part.isLeaf && charset ? charset : null],
    ["Encoding", part.isLeaf ? part.encoding : null],
    ["Content", part.isLeaf ? size(part.length) : null],
    ["Disposition", part.disposition],
  ];
  const shown = labels.filter(([, value]) => value);
  return h("dl", { class: "chips" }, shown.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, h("bdi", {}, value)))));
}

/** Fields that people know from their mail program; the others are shown after them. */
const KNOWN = /^(from|sender|reply-to|to|cc|bcc|subject|date)$/i;

function header(index: number, part: PartFacts, around: Around): HTMLElement | null {
  const cards = around.placed.ofHeader(index).map((issue) => issueCard(issue, around.rules));
  if (part.fields.length === 0 && cards.length === 0) return null;
  const rows = part.fields.map((field, at) => row(field, around.placed.ofField(index, at), around));
  const isKnown = (at: number) => part.depth > 0 || KNOWN.test(part.fields[at]!.name) || around.placed.ofField(index, at).length > 0;
  const rest = rows.filter((_, at) => !isKnown(at));
  return h(
    "section",
    { class: "fields", "aria-label": "Header" },
    table(rows.filter((_, at) => isKnown(at))),
    rest.length > 0 && h("details", {}, h("summary", {}, count(rest.length, "more field")), table(rest)),
    cards,
  );
}

function table(rows: HTMLElement[]): HTMLElement {
  return h("div", { class: "table", role: "table", "aria-label": "Fields" }, rows);
}

function row(field: PartFacts["fields"][number], issues: Issue[], around: Around): HTMLElement {
  const value = h("div", { class: "value", role: "cell", tabindex: 0 }, h("bdi", {}, field.text || "\u00a0"));
  around.hover.behind(value, () => around.source.get(field.octets));
  return h(
    "div",
    { class: `field ${SEVERITIES.find((severity) => issues.some((issue) => issue.severity === severity)) ?? ""}`, role: "row" },
    h("div", { class: "field-name", role: "rowheader" }, h("bdi", {}, field.name)),
    h("div", { class: "read" }, value, issues.map((issue) => issueCard(issue, around.rules))),
  );
}

function body(index: number, part: PartFacts, around: Around): HTMLElement {
  const cards = around.placed.ofBody(index).map((issue) => issueCard(issue, around.rules));
  return h("section", { class: "body", "aria-label": "Body" }, cards, content(index, part, around));
}

function content(index: number, part: PartFacts, around: Around): HTMLElement | null {
  if (!part.isLeaf) return null;
  if (part.text === null) return octets(part, around);
  const text = textView(index, around);
  const markup = () => (part.text!.whole ? part : (around.whole?.().parts[index] ?? part)).text!.shown;
  return part.mediaType === "text/html" ? htmlView(markup, text) : text;
}

/** HTML as its source, or drawn in a place where nothing of it can run or load. */
function htmlView(markup: () => string, source: HTMLElement): HTMLElement {
  const place = h("div", {}, source);
  const choose = (event: Event) => {
    const drawn = (event.target as HTMLInputElement).value === "drawn";
    place.replaceChildren(drawn ? frame(markup()) : source);
  };
  const choice = (value: string, label: string, checked: boolean) =>
    h("label", {}, h("input", { type: "radio", name: "html", value, checked, onchange: choose }), h("span", {}, label));
  return h(
    "div",
    {},
    h("fieldset", { class: "choice" }, h("legend", {}, "HTML"), choice("source", "Source", true), choice("drawn", "Drawn, without pictures and links", false)),
    place,
  );
}

function octets(part: PartFacts, around: Around): HTMLElement {
  const body = around.source.get(part.body);
  return h(
    "div",
    {},
    h("p", { class: "means" }, `A file of ${size(part.length)}. This is how it stands in the message:`),
    h("pre", { class: "octets", tabindex: 0 }, visible(body, 2000)),
  );
}

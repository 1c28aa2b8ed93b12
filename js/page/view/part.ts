import type { Facts, PartFacts } from "../../lib/explain.js";
import type { Issue } from "../../lib/issue.js";
import { count, h, inPieces } from "./dom.js";
import { draw, type Pictures } from "./frame.js";
import type { Hover } from "./hover.js";
import { kindCard, kindsOf, mark } from "./kinds.js";
import { targetList } from "./links.js";
import { nameOf, size } from "./names.js";
import { picturesOf } from "./pictures.js";
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
  /** Goes to the source of an issue. */
  show: (issue: Issue) => void;
  /** The facts with texts of any length, if those are available. */
  whole: (() => Facts) | undefined;
  /** Whether octets of a part are left out of the page. */
  isCut: (part: PartFacts) => boolean;
}

/** One part: its fields and its body as they are read; what is odd about each is named beside it, and said once below. */
export function partView(index: number, around: Around): HTMLElement {
  const part = around.facts.parts[index]!;
  return h(
    "article",
    { class: "part", "aria-label": nameOf(part) },
    h("header", {}, h("h2", {}, h("bdi", {}, nameOf(part))), chips(part)),
    header(index, part, around),
    body(index, part, around),
    odd(index, around),
  );
}

/** What is odd about a part, a card a kind. */
function odd(index: number, around: Around): HTMLElement | null {
  const kinds = kindsOf(around.placed.of(index));
  if (kinds.length === 0) return null;
  return h("section", { class: "odd", "aria-label": "The form of this part" }, h("h3", {}, "Its form"), inPieces(kinds, 20, (kind) => kindCard(kind, around), "kinds"));
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
  if (part.fields.length === 0) return null;
  const rows = part.fields.map((field, at) => row(field, around.placed.ofField(index, at), around));
  const isKnown = (at: number) => part.depth > 0 || KNOWN.test(part.fields[at]!.name) || around.placed.ofField(index, at).length > 0;
  const rest = rows.filter((_, at) => !isKnown(at));
  const known = rows.filter((_, at) => isKnown(at));
  return h(
    "section",
    { class: "fields", "aria-label": "Header" },
    known.length > 0 && table(known, "Fields"),
    rest.length > 0 && h("details", {}, h("summary", {}, count(rest.length, "more field")), table(rest, "More fields")),
  );
}

function table(rows: HTMLElement[], label: string): HTMLElement {
  return h("div", { class: "table", role: "table", "aria-label": label }, rows);
}

function row(field: PartFacts["fields"][number], issues: Issue[], around: Around): HTMLElement {
  const value = h("div", { class: "value", tabindex: 0 }, h("bdi", {}, field.text || "\u00a0"));
  around.hover.behind(value, () => around.source.get(field.octets));
  return h(
    "div",
    { class: `field ${SEVERITIES.find((severity) => issues.some((issue) => issue.severity === severity)) ?? ""}`, role: "row" },
    h("div", { class: "field-name", role: "rowheader" }, h("bdi", {}, field.name)),
    h("div", { class: "read", role: "cell" }, value, kindsOf(issues).map(({ first }) => mark(first))),
  );
}

function body(index: number, part: PartFacts, around: Around): HTMLElement {
  const kinds = kindsOf(around.placed.ofBody(index));
  return h("section", { class: "body", "aria-label": "Body" }, kinds.map(({ first }) => mark(first)), content(index, part, around));
}

/** What a leaf contains; HTML at first as its source, or drawn. */
export function content(index: number, part: PartFacts, around: Around, isDrawn = false): HTMLElement | null {
  if (!part.isLeaf) return null;
  if (part.text === null) return octets(part, around);
  const text = textView(index, around);
  const markup = () => (part.text!.whole ? part : (around.whole?.().parts[index] ?? part)).text!.shown;
  return part.mediaType === "text/html" ? htmlView(markup, text, picturesOf(around), isDrawn) : text;
}

/** Choices on the page so far: the buttons of each have a name of their own. */
let choices = 0;

/** HTML as its source, or drawn in a place where nothing of it can run or load. */
function htmlView(markup: () => string, source: HTMLElement, pictures: Pictures, isDrawn: boolean): HTMLElement {
  const place = h("div", { class: "html" }, isDrawn ? drawnView(markup(), pictures) : source);
  const choose = (event: Event) => {
    const drawn = (event.target as HTMLInputElement).value === "drawn";
    place.replaceChildren(...(drawn ? drawnView(markup(), pictures) : [source]));
  };
  const number = ++choices;
  const choice = (value: string, label: string, checked: boolean) =>
    h("label", {}, h("input", { type: "radio", name: `html-${number}`, value, checked, onchange: choose }), h("span", {}, label));
  return h(
    "div",
    {},
    h("fieldset", { class: "choice" }, h("legend", {}, "HTML"), choice("source", "Source", !isDrawn), choice("drawn", "Drawn", isDrawn)),
    place,
  );
}

/** The frame, what is missing in it, and where its links would lead. */
function drawnView(markup: string, pictures: Pictures): HTMLElement[] {
  const { frame, elsewhere } = draw(markup, pictures);
  const servers = inPieces(elsewhere, 6, (host) => h("bdi", { class: "host" }, host), "servers");
  const missing = elsewhere.length > 0 && h("p", { class: "means" }, "Pictures that it wants from elsewhere are not fetched: ", servers);
  return [frame, missing, targetList(markup)].filter((element) => element instanceof HTMLElement);
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

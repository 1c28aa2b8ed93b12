import type { Facts, PartFacts } from "../../lib/explain.js";
import type { Issue } from "../../lib/issue.js";
import { changeList } from "./changes.js";
import { inPlainText } from "./controls.js";
import { type Child, count, h } from "./dom.js";
import { fileList } from "./files.js";
import { hintsOf } from "./hints.js";
import { Hover } from "./hover.js";
import { brief, kindList, plural } from "./kinds.js";
import { listView } from "./lists.js";
import { nameOf } from "./names.js";
import { Source } from "./octets.js";
import { type Around, content, partView } from "./part.js";
import { Placed, SEVERITIES } from "./place.js";
import { proofsView } from "./proofs.js";
import { rawView } from "./raw.js";
import { readerList } from "./readers.js";
import { rulesOf } from "./rules.js";
import { people, senderCard } from "./sender.js";
import { tabs } from "./tabs.js";
import { tree } from "./tree.js";
import { type Repairer, unreadableView } from "./unreadable.js";
import { wayView } from "./way.js";

/** Everything a message is shown with. */
export interface Shown {
  facts: Facts;
  message: Uint8Array;
  /** docs/normal-form.md. */
  rules: string;
  /** The facts with texts of any length, if those are available. */
  whole?: () => Facts;
  /** Actions offered for it. */
  actions?: HTMLElement[];
  /** What has to be said before anything else. */
  said?: string;
  /** Octets of the message that the page does not have. */
  leftOut?: [number, number][];
  /** Opens an attached message in place of this one. */
  open?: (message: Uint8Array<ArrayBuffer>, name: string) => void;
  /** Reads text in other charsets. */
  repairer?: Repairer;
}

/** A message: who, when, what about; who sent it and whether that can be trusted; its text, attachments, form; and the facts in further tabs. */
export class SevenbitMessage extends HTMLElement {
  #hover: Hover | undefined;
  readonly #title = h("h1", { tabindex: -1 });

  show({ facts, message, rules: document, whole, actions = [], said, leftOut = [], open, repairer }: Shown): void {
    const [source, placed, rules] = [new Source(message), new Placed(facts), rulesOf(document)];
    const hints = hintsOf(facts, source);
    const hover = (this.#hover ??= new Hover());
    hover.hide();
    const view = h("div", { class: "view" });
    const { fields } = facts.parts[0]!;
    const raw = rawView(source);
    const show = (issue: Issue) => {
      bar.choose("source");
      raw.go(issue.span);
    };
    const isCut = (part: PartFacts) => typeof part.body !== "string" && leftOut.some(([from, to]) => from < Number(part.body[1]) && Number(part.body[0]) < to);
    const around: Around = { facts, source, placed, rules, hover, whole, show, isCut };
    const parts = tree(facts, placed, (index) => {
      hover.hide();
      view.replaceChildren(partView(index, around));
    });
    const showPart = (index: number) => {
      bar.choose("parts");
      parts.dispatchEvent(new CustomEvent("choose", { detail: index }));
      view.scrollIntoView({ block: "nearest" });
    };
    const bar = tabs([
      { id: "message", label: "Message", panel: () => h("div", { class: "message" }, text(around), unreadableView(facts, repairer), fileList({ facts, source, show: showPart, isCut, open }), brief(facts, around)) },
      { id: "parts", label: "Parts", number: facts.parts.length, panel: () => h("div", { class: "parts" }, parts, view) },
      { id: "issues", label: "Form", number: facts.issues.length, panel: () => kindList(facts.issues, around) },
      { id: "changes", label: "Changes", number: facts.changes.length, panel: () => changeList(facts, { source, rules, whole }) },
      { id: "way", label: "Way", panel: () => way(fields) },
      { id: "readers", label: "Readers", number: hints.length, panel: () => readerList(hints, facts, showPart) },
      { id: "source", label: "Source", panel: () => raw.element },
    ]);
    this.replaceChildren(this.#head(facts, said, actions), senderCard(facts), bar.element, hover.element);
  }

  /** Where the focus goes when a message opens. */
  focusTitle(): void {
    this.#title.focus({ preventScroll: true });
  }

  #head(facts: Facts, said: string | undefined, actions: HTMLElement[]): HTMLElement {
    const subject = facts.subject?.trim() || "No subject";
    this.#title.replaceChildren(h("bdi", {}, subject));
    this.#title.title = inPlainText(subject);
    const rows: [string, Child][] = [
      ["From", people(facts.from)],
      ["To", people(facts.to)],
      ["Cc", people(facts.cc)],
      ["Date", facts.date !== null && h("time", { datetime: facts.date }, facts.date.replace("T", " "))],
      ...facts.words.map(({ name, summary, word }): [string, Child] => [labelOf(name), h("bdi", { title: summary }, word)]),
    ];
    return h(
      "header",
      { class: "head" },
      h(
        "div",
        { class: "title" },
        this.#title,
        h("dl", { class: "who" }, rows.filter(([, value]) => value).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
        said !== undefined && h("p", { class: "notice" }, said),
        verdict(facts),
      ),
      actions.length > 0 && h("div", { class: "actions" }, actions),
    );
  }
}

/** The text as it reads: the parts that a mail program shows, one after the other. */
function text(around: Around): HTMLElement {
  const { facts } = around;
  const shown = facts.plain.length > 0 ? facts.plain : facts.html;
  const html = facts.html.filter((index) => !shown.includes(index) && facts.parts[index]!.mediaType === "text/html");
  const part = (index: number) => h("div", { class: "part-text" }, content(index, facts.parts[index]!, around, true));
  const isText = (index: number) => facts.parts[index]!.text !== null;
  const texts = shown.filter(isText);
  return h(
    "section",
    { class: "reading", "aria-label": "Text" },
    texts.length === 0 ? h("p", { class: "nothing" }, "This message has no text.") : texts.map(part),
    html.map((index) => h("details", {}, h("summary", {}, `The same as ${nameOf(facts.parts[index]!)}`), part(index))),
  );
}

function way(fields: PartFacts["fields"]): HTMLElement {
  return h(
    "div",
    { class: "cards" },
    h("section", { class: "card" }, h("h2", {}, "From server to server"), wayView(fields)),
    h("section", { class: "card" }, h("h2", {}, "Who vouches for the sender"), proofsView(fields)),
    listView(fields),
  );
}

function verdict(facts: Facts): HTMLElement {
  const octets = (number: number) => number.toLocaleString("en");
  const says = facts.refused
    ? "Its form is refused: a signature would break."
    : facts.changed
      ? `Its form: ${count(facts.changes.length, "change")}, ${octets(facts.octets)} octets become ${octets(facts.becomes)}.`
      : `Its form is the normal form already: ${octets(facts.octets)} octets stay as they are.`;
  const kinds = SEVERITIES.map((severity) => [severity, facts.issues.filter((issue) => issue.severity === severity).length] as const);
  return h(
    "p",
    { class: "verdict" },
    h("span", {}, says),
    h("span", { class: "profile" }, `For the ${facts.profile} profile.`),
    kinds.filter(([, number]) => number > 0).map(([severity, number]) => h("span", { class: `badge ${severity}` }, count(number, severity, plural(severity === "loss" ? "Loss" : severity)))),
  );
}

customElements.define("sevenbit-message", SevenbitMessage);

/** The name of an answer as a label: `auto_submitted` as `Auto submitted`. */
function labelOf(name: string): string {
  return name[0]!.toUpperCase() + name.slice(1).replaceAll("_", " ");
}

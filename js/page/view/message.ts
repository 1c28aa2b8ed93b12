import type { Facts } from "../../lib/explain.js";
import type { Issue } from "../../lib/issue.js";
import { changeList } from "./changes.js";
import { count, h } from "./dom.js";
import { hintsOf } from "./hints.js";
import { Hover } from "./hover.js";
import { issueList, plural } from "./issues.js";
import { Source } from "./octets.js";
import { Placed, SEVERITIES } from "./place.js";
import { partView } from "./part.js";
import { readerList } from "./readers.js";
import { type Rule, rulesOf } from "./rules.js";
import { tabs } from "./tabs.js";
import { tree } from "./tree.js";

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
}

/** A message: its head, and the facts about it in four tabs. */
export class SevenbitMessage extends HTMLElement {
  #hover: Hover | undefined;

  show({ facts, message, rules: document, whole, actions = [] }: Shown): void {
    const [source, placed, rules] = [new Source(message), new Placed(facts), rulesOf(document)];
    const hints = hintsOf(facts, source);
    const hover = (this.#hover ??= new Hover());
    const view = h("div", { class: "view" });
    const parts = tree(facts, placed, (index) => {
      hover.hide();
      view.replaceChildren(partView(index, { facts, source, placed, rules, hover, whole }));
    });
    const showPart = (index: number) => {
      bar.choose("message");
      parts.dispatchEvent(new CustomEvent("choose", { detail: index }));
      view.scrollIntoView({ block: "nearest" });
    };
    const showIssue = (issue: Issue) => showPart(placed.part(issue.part, issue.span));
    const bar = tabs([
      { id: "message", label: "Message", panel: () => h("div", { class: "parts" }, parts, view) },
      { id: "issues", label: "Issues", number: facts.issues.length, panel: () => issueList(facts.issues, source, rules, showIssue) },
      { id: "changes", label: "Changes", number: facts.changes.length, panel: () => changeList(facts, { source, rules, whole }) },
      { id: "readers", label: "Readers", number: hints.length, panel: () => readerList(hints, facts, showPart) },
    ]);
    this.replaceChildren(head(facts, actions), bar.element, hover.element);
  }
}

function head(facts: Facts, actions: HTMLElement[]): HTMLElement {
  const people = (list: Facts["from"]) =>
    list.slice(0, 4).map(({ name, address }) => name || address).join(", ") + (list.length > 4 ? `, and ${list.length - 4} more` : "");
  return h(
    "header",
    { class: "head" },
    h(
      "div",
      { class: "title" },
      h("h2", {}, h("bdi", {}, facts.subject?.trim() || "No subject")),
      h(
        "p",
        { class: "who" },
        facts.from.length > 0 && h("bdi", {}, people(facts.from)),
        facts.to.length > 0 && [" to ", h("bdi", {}, people(facts.to))] as never,
        facts.date !== null && h("time", { datetime: facts.date }, facts.date.replace("T", " ")),
      ),
      verdict(facts),
    ),
    actions.length > 0 && h("div", { class: "actions" }, actions),
  );
}

function verdict(facts: Facts): HTMLElement {
  const octets = (number: number) => number.toLocaleString("en");
  const says = facts.refused
    ? "Refused: a signature would break."
    : facts.changed
      ? `${count(facts.changes.length, "change")}: ${octets(facts.octets)} octets become ${octets(facts.becomes)}.`
      : `In its normal form already: ${octets(facts.octets)} octets stay as they are.`;
  const kinds = SEVERITIES.map((severity) => [severity, facts.issues.filter((issue) => issue.severity === severity).length] as const);
  return h(
    "p",
    { class: "verdict" },
    h("span", { class: facts.changed ? "will" : "clean" }, says),
    h("span", { class: "profile" }, `For the ${facts.profile} profile.`),
    kinds.filter(([, number]) => number > 0).map(([severity, number]) => h("span", { class: `badge ${severity}` }, count(number, severity, plural(severity === "loss" ? "Loss" : severity)))),
  );
}

export type { Rule };

customElements.define("sevenbit-message", SevenbitMessage);

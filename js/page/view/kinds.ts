import type { Facts } from "../../lib/explain.js";
import type { Issue } from "../../lib/issue.js";
import { type Child, count, h, inPieces, marked, more } from "./dom.js";
import { placeOfIssue } from "./names.js";
import { linesOf, type Source, visible } from "./octets.js";
import { PLAIN } from "./plain.js";
import type { Rule } from "./rules.js";
import { SEVERITIES, type Severity } from "./place.js";

const MEANS: Record<Severity, [string, string]> = {
  loss: ["Loss", "something could not be kept"],
  repair: ["Repair", "something was wrong and is mended or guessed; the meaning is kept"],
  note: ["Note", "remarkable; nothing has to be done"],
};

export function severityName(severity: Severity): string {
  return MEANS[severity][0];
}

/** The issues of one code and effect: what is odd is said once, and then where. */
export interface Kind {
  first: Issue;
  issues: Issue[];
}

/** Issues by kind, losses before repairs before notes. */
export function kindsOf(issues: Issue[]): Kind[] {
  const kinds = new Map<string, Kind>();
  for (const issue of issues) {
    const key = `${issue.code} ${issue.severity} ${issue.effect}`;
    const kind = kinds.get(key);
    if (kind) kind.issues.push(issue);
    else kinds.set(key, { first: issue, issues: [issue] });
  }
  return [...kinds.values()].sort((a, b) => SEVERITIES.indexOf(a.first.severity) - SEVERITIES.indexOf(b.first.severity));
}

/** The context in which kinds are shown. */
interface Around {
  source: Source;
  rules: Map<string, Rule>;
  /** Goes to the place of an issue. */
  show: (issue: Issue) => void;
}

/** How many places of a kind are shown at first. */
const PLACES = 3;

/** A kind: what is odd, what is done about it, by which rule, and where it is. */
export function kindCard({ first, issues }: Kind, around: Around, places = PLACES): HTMLElement {
  const rule = around.rules.get(first.rule);
  return h(
    "section",
    { class: `issue ${first.severity}` },
    h(
      "p",
      { class: "says" },
      h("span", { class: "severity" }, severityName(first.severity)),
      h("strong", {}, marked(capital(first.summary))),
      issues.length > 1 && h("span", { class: "times" }, count(issues.length, "place")),
    ),
    h("p", { class: "done" }, marked(first.effect)),
    rule && ruleLine(rule, first.code),
    h("div", { class: "places" }, inPieces(issues, places, (issue) => place(issue, around), "places")),
  );
}

function place(issue: Issue, { source, show }: Around): HTMLElement {
  const [from, to] = issue.span;
  return h(
    "div",
    { class: "place" },
    h("button", { class: "where", type: "button", onclick: () => show(issue) }, placeOfIssue(issue), ", ", source.where(issue.span)),
    issue.detail !== "" && h("bdi", { class: "detail" }, issue.detail),
    to > from && context(source.message, issue.span),
  );
}

/** The rule in a plain sentence; its name opens the whole of it. */
export function ruleLine(rule: Rule, code: string): HTMLElement {
  return h("p", { class: "law" }, ruleLink(rule), " ", PLAIN[rule.name] ?? "", code !== "" && h("code", { class: "code" }, code));
}

function ruleLink(rule: Rule): HTMLElement {
  const open = () => {
    const dialog = h("dialog", { "aria-label": `Rule ${rule.name}` });
    dialog.append(
      h("h2", {}, `${rule.name}${rule.title && ` ${rule.title}`}`),
      h("p", {}, PLAIN[rule.name] ?? ""),
      h("h3", {}, "The rule in full"),
      h("div", { class: "whole" }, rule.whole.map((piece) => h("p", {}, marked(piece)))),
      h("div", { class: "actions" }, h("button", { type: "button", class: "main", onclick: () => dialog.close() }, "Close")),
    );
    dialog.addEventListener("close", () => (dialog.remove(), link.focus()));
    link.after(dialog);
    dialog.showModal();
  };
  const link: HTMLElement = h("button", { type: "button", class: "rule", title: "The rule in full", onclick: open }, `Rule ${rule.name}`);
  return link;
}

/** How many kinds of one severity are shown at first. */
const MANY = 40;

/** All that is odd, a card a kind: losses, repairs, notes. */
export function kindList(issues: Issue[], around: Around): HTMLElement {
  if (issues.length === 0) return h("p", { class: "nothing" }, "Its form is the normal form: nothing is to be said of it.");
  const kinds = kindsOf(issues);
  const groups = SEVERITIES.map((severity) => kinds.filter(({ first }) => first.severity === severity)).filter((group) => group.length > 0);
  return h("div", { class: "issues" }, groups.map((group) => section(group, around)));
}

function section(group: Kind[], around: Around): HTMLElement {
  const { severity } = group[0]!.first;
  const [name, means] = MEANS[severity];
  const number = group.reduce((sum, { issues }) => sum + issues.length, 0);
  return h(
    "section",
    { class: "severity-group" },
    h("h2", {}, h("span", { class: `dot ${severity}` }), count(number, name.toLowerCase(), plural(name))),
    h("p", { class: "means" }, capital(means), "."),
    inPieces(group, MANY, (kind) => kindCard(kind, around, 20), `kinds of ${plural(name)}`),
  );
}

/** How many kinds are listed below a message. */
const BRIEF = 6;

/** What is to be said of the form of a message, briefly, below its text. */
export function brief(facts: Facts, around: Around): HTMLElement | null {
  const kinds = kindsOf(facts.issues);
  if (kinds.length === 0) return null;
  const cards = (some: Kind[]) => some.map((kind) => kindCard(kind, around, 1));
  const rest = kinds.slice(BRIEF);
  return h(
    "section",
    { class: "odd", "aria-label": "Its form" },
    h("h2", {}, "Its form"),
    cards(kinds.slice(0, BRIEF)),
    rest.length > 0 && more(`Show ${count(rest.length, "more kind")}`, () => cards(rest)),
  );
}

/** The name of a kind beside a field: the card has the rest. */
export function mark(issue: Issue): Child {
  return h("span", { class: `mark-of ${issue.severity}` }, h("span", { class: "severity" }, severityName(issue.severity)), " ", marked(capital(issue.summary)), issue.detail !== "" && h("bdi", { class: "detail" }, ` ${issue.detail}`));
}

/** How many octets of an issue are shown at first. */
const OCTETS = 240;

/** The line that the octets are on, with those marked. */
function context(message: Uint8Array, [from, to]: [number, number]): HTMLElement {
  const before = message.subarray(Math.max(lineStart(message, from), from - 60), from);
  const after = linesOf(message.subarray(to, to + 60))[0] ?? new Uint8Array();
  const marks = h("mark", {}, visible(message.subarray(from, to), OCTETS));
  const isWhole = to - from <= OCTETS && !endsLine(message, to);
  return h("pre", { class: "octets", tabindex: 0 }, visible(before), marks, isWhole && visible(after));
}

function lineStart(message: Uint8Array, at: number): number {
  return message.lastIndexOf(0x0a, at - 1) + 1;
}

function endsLine(message: Uint8Array, at: number): boolean {
  return message[at - 1] === 0x0a;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function plural(name: string): string {
  return name === "Loss" ? "losses" : `${name.toLowerCase()}s`;
}

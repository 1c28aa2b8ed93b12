import type { Issue } from "../../lib/issue.js";
import { type Child, count, h, inPieces, marked } from "./dom.js";
import { linesOf, type Source, visible } from "./octets.js";
import { placeOfIssue } from "./names.js";
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

/** The text of an issue, what is done, and the sentence of its rule. */
export function issueCard(issue: Issue, rules: Map<string, Rule>): HTMLElement {
  const rule = rules.get(issue.rule);
  return h(
    "div",
    { class: `issue ${issue.severity}` },
    h(
      "p",
      { class: "says" },
      h("span", { class: "severity" }, severityName(issue.severity)),
      h("strong", {}, marked(capital(issue.summary))),
      issue.detail && h("bdi", { class: "detail" }, issue.detail),
    ),
    h("p", { class: "done" }, marked(issue.effect)),
    rule && ruleNote(rule, issue.code),
  );
}

/** A rule: its first sentence, and all of it on demand. */
function ruleNote(rule: Rule, code: string): HTMLElement {
  const head = ruleHead(rule);
  const source = h("code", { class: "code" }, code);
  if (rule.sentence === rule.whole) return h("p", { class: "law" }, head, " ", source);
  return h("details", { class: "law" }, h("summary", {}, head, " ", source), h("p", {}, marked(rule.whole)));
}

/** `H4 writing text: ` and its first sentence. */
export function ruleHead(rule: Rule): Child[] {
  return [h("span", { class: "rule" }, rule.name), rule.title ? ` ${rule.title}${rule.sentence.startsWith("(") ? "" : ":"} ` : " ", ...marked(rule.sentence)];
}

/** All issues, the worst first, each with its octets. */
export function issueList(
  issues: Issue[],
  source: Source,
  rules: Map<string, Rule>,
  show: (issue: Issue) => void,
): HTMLElement {
  if (issues.length === 0) return h("p", { class: "nothing" }, "Nothing is odd about this message.");
  const groups = SEVERITIES.map((severity) => issues.filter((issue) => issue.severity === severity));
  return h(
    "div",
    { class: "issues" },
    groups.filter((group) => group.length > 0).map((group) => section(group, source, rules, show)),
  );
}

/** How many are listed at first. */
const MANY = 200;

function section(group: Issue[], source: Source, rules: Map<string, Rule>, show: (issue: Issue) => void): HTMLElement {
  const [name, means] = MEANS[group[0]!.severity];
  const title = h("h3", {}, h("span", { class: `dot ${group[0]!.severity}` }), count(group.length, name.toLowerCase(), plural(name)));
  return h(
    "section",
    {},
    title,
    h("p", { class: "means" }, capital(means), "."),
    inPieces(group, MANY, (issue) => placedCard(issue, source, rules, show), plural(name)),
  );
}

function placedCard(issue: Issue, source: Source, rules: Map<string, Rule>, show: (issue: Issue) => void): HTMLElement {
  const [from, to] = issue.span;
  const octets = to > from ? `octets ${from.toLocaleString("en")} to ${to.toLocaleString("en")}` : `before octet ${from.toLocaleString("en")}`;
  const where = h("button", { class: "where", type: "button", onclick: () => show(issue) }, placeOfIssue(issue), h("span", {}, octets));
  const card = issueCard(issue, rules);
  card.prepend(where);
  if (to > from) card.append(context(source.message, issue.span));
  return card;
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

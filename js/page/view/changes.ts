import type { Change, Facts } from "../../lib/explain.js";
import { count, h } from "./dom.js";
import { diff, type Line } from "./diff.js";
import { capital, ruleHead } from "./issues.js";
import { placeOf } from "./names.js";
import { linesOf, octetsOf, type Source, visible } from "./octets.js";
import type { Rule } from "./rules.js";

/** How many changes, and how many octets of one, are shown at once. */
const MANY = 100;
const OCTETS = 24_000;

/** Before and after, place by place. */
export function changeList(facts: Facts, source: Source, rules: Map<string, Rule>): HTMLElement {
  if (facts.refused) return h("p", { class: "nothing" }, "Refused: a signature would break, so nothing is changed.");
  if (!facts.changed) return h("p", { class: "nothing" }, "Nothing changes. The message is in its normal form, and comes back octet for octet.");
  if (facts.changes.length === 0) return h("p", { class: "nothing" }, "Only line ends change: every line comes to end with CRLF.");
  const shown = facts.changes.slice(0, MANY).map((change) => changeView(change, source, rules));
  const rest = facts.changes.length - MANY;
  const list = h("div", { class: "changes" }, shown);
  if (rest > 0) {
    const more = h("button", { type: "button", class: "quiet" }, `Show ${count(rest, "more change")}`);
    more.addEventListener("click", () => more.replaceWith(...facts.changes.slice(MANY).map((change) => changeView(change, source, rules))));
    list.append(more);
  }
  return list;
}

function changeView(change: Change, source: Source, rules: Map<string, Rule>): HTMLElement {
  const [from, to] = change.span;
  const rule = rules.get(change.rule);
  const before = source.message.subarray(from, Math.min(to, from + OCTETS));
  const after = octetsOf(change.with.slice(0, OCTETS));
  const left = Math.max(to - from, change.length) - OCTETS;
  return h(
    "section",
    { class: "change" },
    h(
      "header",
      {},
      h("h3", {}, capital(change.reason)),
      h("span", { class: "where" }, `${placeOf(change.part)}, ${sizes(to - from, change.length)}`),
    ),
    rule && h("p", { class: "law" }, ruleHead(rule)),
    h(
      "div",
      { class: "diff", role: "group", "aria-label": "Before and after", tabindex: 0 },
      context(source.message, from, -1),
      diff(linesOf(before), linesOf(after)).map(line),
      left > 0 ? h("p", { class: "more" }, `and ${left.toLocaleString("en")} more octets`) : context(source.message, to, 1),
    ),
  );
}

function sizes(before: number, after: number): string {
  if (before === 0) return `${after.toLocaleString("en")} octets put in`;
  if (after === 0) return `${before.toLocaleString("en")} octets taken out`;
  return `${before.toLocaleString("en")} octets become ${after.toLocaleString("en")}`;
}

const SIGNS = { same: [" ", "stays"], gone: ["−", "before"], new: ["+", "after"] } as const;

function line({ kind, octets, marked }: Line): HTMLElement {
  const [sign, said] = SIGNS[kind];
  const [begin, end] = marked ?? [0, 0];
  const inside = marked && end > begin && h("mark", {}, visible(octets.subarray(begin, end)));
  return h(
    "div",
    { class: `row ${kind}` },
    h("span", { class: "sign", role: "img", "aria-label": said }, sign),
    h("span", { class: "content" }, inside ? [visible(octets.subarray(0, begin)), inside, visible(octets.subarray(end))] as never : visible(octets)),
  );
}

/** The line before or after a change, so that it is seen where it is. */
function context(message: Uint8Array, at: number, side: -1 | 1): HTMLElement | null {
  const start = side < 0 ? message.lastIndexOf(0x0a, Math.max(at - 2, 0)) + 1 : at;
  const octets = side < 0 ? message.subarray(at < 2 ? 0 : start, at) : (linesOf(message.subarray(at, at + 200))[0] ?? message.subarray(at, at));
  return octets.length > 0 ? line({ kind: "same", octets: octets.subarray(0, 200) }) : null;
}

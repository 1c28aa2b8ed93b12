import type { Change, Facts } from "../../lib/explain.js";
import { count, h, inPieces, more, next } from "./dom.js";
import { diff, type Line, MANY as LINES } from "./diff.js";
import { capital, ruleLine } from "./kinds.js";
import { placeOf } from "./names.js";
import { linesOf, octetsOf, type Source, visible } from "./octets.js";
import type { Rule } from "./rules.js";

/** How many changes, and how many octets of one, are shown at first. */
const MANY = 100;
const OCTETS = 24_000;

/** The context in which changes are shown. */
interface Around {
  source: Source;
  rules: Map<string, Rule>;
  /** The whole replacement of octets, if that is available. */
  whole: (() => Facts) | undefined;
}

/** Before and after, place by place. */
export function changeList(facts: Facts, around: Around): HTMLElement {
  if (facts.refused) return h("p", { class: "nothing" }, "Refused: a signature would break, so nothing is changed.");
  if (!facts.changed) return h("p", { class: "nothing" }, "Nothing changes. The message is in its normal form, and comes back octet for octet.");
  if (facts.changes.length === 0) return h("p", { class: "nothing" }, "Only line ends change: every line comes to end with CRLF.");
  const view = (change: Change) => changeView(change, facts.changes.indexOf(change), around);
  return h("div", { class: "changes" }, inPieces(facts.changes, MANY, view, "changes"));
}

function changeView(change: Change, number: number, around: Around): HTMLElement {
  const [from, to] = change.span;
  const rule = around.rules.get(change.rule);
  return h(
    "section",
    { class: "change" },
    h(
      "header",
      {},
      h("h2", {}, capital(change.reason)),
      h("span", { class: "where" }, `${placeOf(change.part)}, line ${(around.source.lineOf(from) + 1).toLocaleString("en")}, ${sizes(to - from, change.length)}`),
    ),
    rule && ruleLine(rule, ""),
    diffView(change, number, around, OCTETS),
  );
}

/** Before and after, at most `max` octets of each. */
function diffView(change: Change, number: number, around: Around, max: number): HTMLElement {
  const { message } = around.source;
  const [from, to] = change.span;
  const [before, after] = [linesOf(message.subarray(from, Math.min(to, from + max))), linesOf(octetsOf(change.with.slice(0, max)))];
  const left = Math.max(to - from - max, 0) + change.length - Math.min(max, change.with.length);
  const isLast = max >= to - from && max >= change.with.length && (!around.whole || change.with.length === change.length);
  const isLong = before.length > LINES || after.length > LINES;
  const view = h(
    "div",
    { class: "diff", role: "group", "aria-label": "Before and after", tabindex: 0 },
    isLong && h("p", { class: "more" }, `More than ${LINES} lines: first all that go, then all that come.`),
    context(message, from, -1),
    diff(before, after).map(line),
  );
  const rest = () => {
    const isCut = change.with.length < Math.min(change.length, 10 * max);
    const shown = diffView((isCut && around.whole?.().changes[number]) || change, number, around, 10 * max);
    view.replaceWith(shown);
    shown.focus();
    return [];
  };
  const foot = () => {
    if (left <= 0) return context(message, to, 1);
    if (!isLast) return more(next(9 * max, left, "octets"), rest);
    return h("p", { class: "more" }, `${count(left, "more octet")}: not in this file, but sevenbit normalize writes them all.`);
  };
  view.append(foot() ?? "");
  return view;
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

/** The line before or after a change, to show where it is. */
function context(message: Uint8Array, at: number, side: -1 | 1): HTMLElement | null {
  const start = side < 0 ? message.lastIndexOf(0x0a, Math.max(at - 2, 0)) + 1 : at;
  const octets = side < 0 ? message.subarray(at < 2 ? 0 : start, at) : (linesOf(message.subarray(at, at + 200))[0] ?? message.subarray(at, at));
  return octets.length > 0 ? line({ kind: "same", octets: octets.subarray(0, 200) }) : null;
}

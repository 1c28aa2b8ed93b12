/** The way of a message: its Received fields, from the sender to the reader, with the time that each step took. */
import type { PartFacts } from "../../lib/explain.js";
import { h } from "./dom.js";

/** A step: one Received field. */
export interface Step {
  from: string;
  by: string;
  with: string;
  for: string;
  /** In milliseconds since 1970; nothing if it cannot be read. */
  time: number | undefined;
  /** Seconds since the step before; nothing if one of the times is missing. */
  delay: number | undefined;
}

/** The steps in the order of travel: the last Received field is the first step. */
export function stepsOf(fields: PartFacts["fields"]): Step[] {
  const steps = fields.filter(({ name }) => /^received$/i.test(name)).map(({ text }) => stepOf(text)).reverse();
  let before: number | undefined;
  for (const step of steps) {
    if (step.time !== undefined && before !== undefined) step.delay = Math.round((step.time - before) / 1000);
    before = step.time ?? before;
  }
  return steps;
}

/** `from A (B) by C with D id E for <F>; date` (RFC 5321, 4.4): the clauses that people ask for. */
function stepOf(text: string): Step {
  const [, clauses, date] = /^([\s\S]*?)(?:;([^;]*))?$/.exec(text) as unknown as [string, string, string | undefined];
  // A comment belongs to the clause before it; the words inside it begin no clause.
  const words = clauses.match(/\((?:[^()]|\([^()]*\))*\)|<[^>]*>|[^\s()<>]+/g) ?? [];
  const found: Record<string, string[]> = {};
  let clause = "";
  for (const word of words) {
    const name = word.toLowerCase();
    if (/^(from|by|via|with|id|for)$/.test(name) && found[name] === undefined) found[(clause = name)] = [];
    else found[clause]?.push(word);
  }
  const said = (name: string) => (found[name] ?? []).join(" ");
  return { from: said("from"), by: said("by"), with: said("with"), for: said("for").replace(/^<|>$/g, ""), time: timeOf(date ?? ""), delay: undefined };
}

function timeOf(date: string): number | undefined {
  const time = Date.parse(date.replace(/\([^)]*\)/g, "").trim());
  return Number.isNaN(time) ? undefined : time;
}

/** `2 s`, `3 min`, `1 h 5 min`, `2 days`. */
export function duration(seconds: number): string {
  const all = Math.abs(seconds);
  if (all < 90) return `${seconds} s`;
  const sign = seconds < 0 ? "-" : "";
  if (all < 5400) return `${sign}${Math.round(all / 60)} min`;
  if (all < 172_800) return `${sign}${Math.floor(all / 3600)} h ${Math.round((all % 3600) / 60)} min`;
  return `${sign}${Math.round(all / 86_400)} days`;
}

/** The step that took longest, if one took noticeably long. */
export function slowestOf(steps: Step[]): Step | undefined {
  const slowest = steps.reduce<Step | undefined>((most, step) => ((step.delay ?? 0) > (most?.delay ?? 4) ? step : most), undefined);
  return slowest;
}

/** A table of the steps. */
export function wayView(fields: PartFacts["fields"]): HTMLElement {
  const steps = stepsOf(fields);
  if (steps.length === 0) return h("p", { class: "nothing" }, "No server has noted that the message passed it: there is no Received field.");
  const slowest = slowestOf(steps);
  const times = steps.flatMap(({ time }) => (time === undefined ? [] : [time]));
  const total = times.length > 1 ? Math.round((times.at(-1)! - times[0]!) / 1000) : undefined;
  const cell = (text: string, name: string) => h("td", { "data-name": name }, h("bdi", {}, text || "\u2013"));
  const row = (step: Step, at: number) =>
    h(
      "tr",
      { class: step === slowest ? "slowest" : "" },
      h("th", { scope: "row" }, String(at + 1)),
      cell(step.from, "From"),
      cell(step.by, "By"),
      cell(step.with, "With"),
      h("td", { "data-name": "When" }, step.time === undefined ? "no date that can be read" : h("time", { datetime: new Date(step.time).toISOString() }, new Date(step.time).toISOString().replace("T", " ").slice(0, 19))),
      h("td", { "data-name": "Took", class: "took" }, took(step, at), step === slowest && h("span", { class: "badge repair" }, "slowest")),
    );
  return h(
    "div",
    { class: "wide", role: "region", "aria-label": "The way of the message", tabindex: 0 },
    total !== undefined && h("p", { class: "means" }, `From the first server to the last: ${duration(total)}. Times are in UTC; each is the clock of the server that wrote it.`),
    h(
      "table",
      { class: "way" },
      h("thead", {}, h("tr", {}, ["", "From", "By", "With", "When", "Took"].map((name) => (name === "" ? h("td", {}) : h("th", { scope: "col" }, name))))),
      h("tbody", {}, steps.map(row)),
    ),
  );
}

function took(step: Step, at: number): string {
  if (at === 0) return "\u2013";
  if (step.delay === undefined) return "unknown";
  return step.delay < 0 ? `${duration(step.delay)}: a clock is wrong` : duration(step.delay);
}

import type { Facts } from "../../lib/explain.js";
import { h, inPieces, more } from "./dom.js";
import type { Around } from "./part.js";

/** How many lines are shown at first. */
const LINES = 300;

/** A text line by line, with the octets behind each. Arrows, Home and End move among the lines. */
export function textView(index: number, around: Around): HTMLElement {
  const place = h("div", {});
  fill(place, index, around.facts, around);
  return place;
}

function fill(place: HTMLElement, index: number, facts: Facts, around: Around): void {
  const part = facts.parts[index]!;
  const { shown, lines: places, whole } = part.text!;
  const lines = shown.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const body = around.source.get(part.body);
  const line = (shown: string) => h("div", { class: "line", dir: "auto", tabindex: -1, "aria-describedby": around.hover.element.id }, document.createTextNode(shown || "\u200b"));
  const view = h("div", { class: "text", role: "group", "aria-label": "Text" }, inPieces(lines, LINES, line, "lines"));
  if (!whole) view.append(rest(place, index, around));
  around.hover.behindEach(view, ".line", (at) => (places?.[at] ? body.subarray(...places[at]) : body));
  walk(view);
  place.replaceChildren(part.length === 0 ? h("p", { class: "nothing" }, "No text.") : view);
}

/** Represents the rest of a text that is not available. */
function rest(place: HTMLElement, index: number, around: Around): HTMLElement {
  const { whole } = around;
  if (!whole) return h("p", { class: "more" }, "The rest of this text is not in this file: sevenbit's page shows it, and so does a mail program.");
  return more("Load the rest of this text", () => {
    fill(place, index, whole(), around);
    place.querySelector<HTMLElement>(".line")?.focus();
    return [];
  });
}

/** Only one line at a time can be reached by Tab; keys move from it. */
function walk(view: HTMLElement): void {
  const first = view.querySelector<HTMLElement>(".line");
  if (first) first.tabIndex = 0;
  view.addEventListener("focusin", ({ target }) => {
    view.querySelectorAll<HTMLElement>(".line[tabindex='0']").forEach((line) => (line.tabIndex = -1));
    if (target instanceof HTMLElement) target.tabIndex = 0;
  });
  view.addEventListener("keydown", (event) => {
    const from = event.target as Element;
    const to = { ArrowDown: from.nextElementSibling, ArrowUp: from.previousElementSibling, Home: view.firstElementChild, End: view.lastElementChild }[event.key];
    if (!(to instanceof HTMLElement)) return;
    event.preventDefault();
    to.focus();
  });
}

/** The raw source of a message with line numbers, and a search in it. */
import { count, h, next } from "./dom.js";
import { charactersOf, type Source, visible } from "./octets.js";

/** How many lines are shown at a time, and how many octets of a line. */
const LINES = 400;
const OCTETS = 2000;

export interface Raw {
  element: HTMLElement;
  /** Shows the octets of a span, with the first line of them marked. */
  go: (span: [number, number]) => void;
}

export function rawView(source: Source): Raw {
  const rows = h("ol", {});
  const above = h("button", { type: "button", class: "quiet", hidden: true });
  const below = h("button", { type: "button", class: "quiet", hidden: true });
  const said = h("span", { role: "status" });
  const input = h("input", { type: "search", "aria-label": "Search in the source", placeholder: "Search", size: 24 });
  const form = h("form", { class: "search" }, input, h("button", { type: "submit" }, "Find next"), said);
  let [from, to] = [0, 0];

  const draw = (first: number, last: number, marked?: [number, number]) => {
    [from, to] = [Math.max(0, first), Math.min(source.lines, last)];
    rows.start = from + 1;
    rows.replaceChildren(...Array.from({ length: to - from }, (_, at) => row(source, from + at, marked)));
    label(above, from, "lines before");
    label(below, source.lines - to, "lines");
  };
  const label = (button: HTMLElement, left: number, what: string) => {
    button.hidden = left <= 0;
    button.textContent = next(LINES, left, what);
  };
  above.addEventListener("click", () => draw(from - LINES, to));
  below.addEventListener("click", () => draw(from, to + LINES));
  const go = (span: [number, number]) => {
    const line = source.lineOf(span[0]);
    draw(line - Math.floor(LINES / 2), line + LINES, span);
    const target = rows.children[line - from];
    target?.classList.add("found");
    target?.scrollIntoView({ block: "center" });
  };

  let text: string | undefined;
  let last = -1;
  let wanted = "";
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    // Octets are searched, so what is typed is searched for as UTF-8.
    const word = lower(charactersOf(new TextEncoder().encode(input.value)));
    if (word === "") return;
    text ??= lower(charactersOf(source.message));
    if (word !== wanted) [wanted, last] = [word, -1];
    let at = text.indexOf(word, last + 1);
    const isAgain = at < 0 && last >= 0;
    if (isAgain) at = text.indexOf(word);
    last = at;
    said.textContent = at < 0 ? "Not found." : `Line ${(source.lineOf(at) + 1).toLocaleString("en")}${isAgain ? ", from the beginning again" : ""}`;
    if (at >= 0) go([at, at + word.length]);
  });

  draw(0, LINES);
  const element = h(
    "div",
    { class: "source" },
    h("div", { class: "search-bar" }, form, h("span", { class: "means" }, `${count(source.lines, "line")}, ${count(source.message.length, "octet")}`)),
    above,
    h("div", { class: "raw", tabindex: 0, role: "region", "aria-label": "The source" }, rows),
    below,
  );
  return { element, go };
}

/** Letters of US-ASCII in lower case, other octets as they are. */
function lower(characters: string): string {
  return characters.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** A line, without its end if that is the one that all of the message has. */
function row(source: Source, line: number, marked?: [number, number]): HTMLElement {
  const { message } = source;
  const [start, all] = source.line(line);
  const end = all - (endOf(message, all) === endOf(message, source.line(0)[1]) ? endOf(message, all) : 0);
  if (!marked || marked[1] <= start || marked[0] >= end) return h("li", {}, visible(message.subarray(start, end), OCTETS));
  const [from, to] = [Math.max(start, marked[0]), Math.min(end, marked[1])];
  return h("li", {}, visible(message.subarray(start, from), OCTETS), h("mark", {}, visible(message.subarray(from, to), OCTETS)), visible(message.subarray(to, end), OCTETS));
}

/** How many octets the line end before a place has: CR LF, LF, or none of them. */
function endOf(message: Uint8Array, at: number): number {
  return message[at - 1] !== 0x0a ? 0 : message[at - 2] === 0x0d ? 2 : 1;
}

/**
 * Elements, made from data. Text is text: nothing here accepts markup, so no content of a message can become any. In a string,
 * characters that turn the direction of text are shown by their number; a body that is read as it is comes as a text node.
 */
import { inPlainText, piecesOf, turns } from "./controls.js";

export type Child = Node | string | false | null | undefined;

type Attributes = Record<string, string | number | boolean | EventListener | undefined>;

/** An element: attributes by name, listeners as `onclick` and the like, `class` as it is written. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, SAID.has(name) ? inPlainText(String(value)) : String(value));
  }
  for (const child of children.flat()) {
    if (typeof child === "string" && turns(child)) element.append(...spelledOut(child));
    else if (child !== false && child !== null && child !== undefined) element.append(child);
  }
  return element;
}

/** Attributes that people read or hear. */
const SAID = new Set(["aria-label", "title", "alt"]);

/** A text with a sign for each character that turns it. */
function spelledOut(text: string): (Node | string)[] {
  return piecesOf(text).map((piece) => (typeof piece === "string" ? piece : h("span", { class: "control", title: piece.name }, piece.number)));
}

const SHAPES = {
  message: "M2 4h12v8H2z M2 4l6 5 6-5",
  several: "M4 2h10v9 M2 5h9v9H2z",
  text: "M3 2h10v12H3z M5.5 5h5 M5.5 8h5 M5.5 11h3",
  markup: "M6 4L2 8l4 4 M10 4l4 4-4 4",
  picture: "M2 3h12v10H2z M2 11l4-4 3 3 2-2 3 3",
  file: "M4 2h5l3 3v9H4z M9 2v3h3",
  sealed: "M4 7h8v7H4z M5.5 7V5a2.5 2.5 0 0 1 5 0v2",
};

export type Shape = keyof typeof SHAPES;

/** A small picture without meaning for a screen reader. */
export function icon(shape: Shape): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", SHAPES[shape]);
  svg.append(path);
  return svg;
}

/** `1 issue`, `1,234 issues`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/**
 * The elements for many items, `many` of them at first; a button shows the next ones, ten times as many each time, and moves
 * the focus to the first of them.
 */
export function inPieces<T>(all: T[], many: number, view: (one: T) => HTMLElement, what: string): HTMLElement[] {
  const shown = all.slice(0, many).map(view);
  const rest = all.slice(many);
  if (rest.length > 0) shown.push(more(next(10 * many, rest.length, what), () => inPieces(rest, 10 * many, view, what)));
  return shown;
}

/** `Show 100 more lines`, `Show 1,000 of 2,345 more lines`: at most `max` of those that are left. */
export function next(max: number, left: number, what: string): string {
  const of = max < left ? `${max.toLocaleString("en")} of ` : "";
  return `Show ${of}${left.toLocaleString("en")} more ${left === 1 ? what.replace(/s\b/, "") : what}`;
}

/** A button that is replaced by the rest. */
export function more(label: string, rest: () => Node[]): HTMLElement {
  const button = h("button", { type: "button", class: "quiet" }, label);
  button.addEventListener("click", () => {
    const nodes = rest();
    button.replaceWith(...nodes);
    const first = nodes.find((node) => node instanceof HTMLElement);
    const target = first?.matches("[tabindex], button") ? first : first?.querySelector<HTMLElement>("[tabindex], button, summary");
    target?.focus();
  });
  return button;
}

/** Text with `code` between backticks, and **strong**, as in the documents. */
export function marked(text: string): Child[] {
  return text.split(/(`[^`]*`|\*\*[^*]*\*\*)/).map((piece) => {
    if (/^`.+`$/.test(piece)) return h("code", {}, piece.slice(1, -1));
    if (/^\*\*.+\*\*$/.test(piece)) return h("strong", {}, piece.slice(2, -2));
    return piece;
  });
}

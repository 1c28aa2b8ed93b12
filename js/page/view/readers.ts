import type { Facts } from "../../lib/explain.js";
import { h } from "./dom.js";
import type { Hint } from "./hints.js";
import { nameOf } from "./names.js";

/** How ten programs are known to treat such a message. */
export function readerList(hints: Hint[], facts: Facts, show: (part: number) => void): HTMLElement {
  const intro = h(
    "p",
    { class: "means" },
    "Ten independent programs were asked about thousands of real messages. What is known of them for something in this one:",
  );
  if (hints.length === 0) {
    return h("p", { class: "nothing" }, "Nothing in this message is known to be read differently.");
  }
  return h("div", { class: "readers" }, intro, hints.map((hint) => card(hint, facts, show)));
}

function card(hint: Hint, facts: Facts, show: (part: number) => void): HTMLElement {
  const { readers, says, who, field, part } = hint;
  const share = readers === undefined ? "Some of ten" : `${readers} of ten`;
  return h(
    "section",
    { class: "hint" },
    h(
      "div",
      { class: "share" },
      h("strong", {}, share),
      readers !== undefined && h("span", { class: "dots", "aria-hidden": "true" }, Array.from({ length: 10 }, (_, at) => h("span", { class: at < readers ? "on" : "" }))),
    ),
    h(
      "div",
      {},
      h("p", {}, says),
      who.length > 0 && h("p", { class: "who" }, who.join(", ")),
      h("button", { type: "button", class: "where", onclick: () => show(part) }, h("bdi", {}, nameOf(facts.parts[part]!)), field !== undefined && h("span", {}, h("bdi", {}, field))),
    ),
  );
}

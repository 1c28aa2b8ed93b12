import type { Facts, PartFacts } from "../../lib/explain.js";
import { count, h, icon } from "./dom.js";
import type { Placed } from "./place.js";
import { nameOf, shapeOf, size } from "./names.js";

/** The parts of a message, as a mail program lists them. Arrows move, Home and End jump. */
export function tree(facts: Facts, placed: Placed, choose: (index: number) => void): HTMLElement {
  const items = facts.parts.map((part, index) => item(part, index, facts.parts, placed));
  const list = h("ul", { role: "tree", class: "tree", "aria-label": "Parts of the message" }, items);
  const select = (index: number, focus: boolean) => {
    items.forEach((item, at) => {
      item.setAttribute("aria-selected", String(at === index));
      item.tabIndex = at === index ? 0 : -1;
    });
    if (focus) items[index]!.focus();
    choose(index);
  };
  items.forEach((item, index) => item.addEventListener("click", () => select(index, true)));
  list.addEventListener("choose", (event) => select((event as CustomEvent<number>).detail, false));
  list.addEventListener("keydown", (event) => {
    const at = items.findIndex((item) => item.tabIndex === 0);
    const to = next(event.key, at, facts.parts);
    if (to === undefined) return;
    event.preventDefault();
    select(to, true);
  });
  select(0, false);
  return list;
}

function next(key: string, at: number, parts: PartFacts[]): number | undefined {
  const last = parts.length - 1;
  const depth = parts[at]!.depth;
  switch (key) {
    case "ArrowDown":
      return Math.min(at + 1, last);
    case "ArrowUp":
      return Math.max(at - 1, 0);
    case "ArrowRight":
      return (parts[at + 1]?.depth ?? 0) > depth ? at + 1 : at;
    case "ArrowLeft":
      return Math.max(parts.findLastIndex((part, index) => index < at && part.depth < depth), 0);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}

/** The parts inside the same one: all of that depth, up to a part that is less deep. */
export function siblingsOf(index: number, parts: PartFacts[]): PartFacts[] {
  const { depth } = parts[index]!;
  const before = parts.findLastIndex((part, at) => at < index && part.depth < depth);
  const after = parts.findIndex((part, at) => at > index && part.depth < depth);
  return parts.slice(before + 1, after < 0 ? parts.length : after).filter((part) => part.depth === depth);
}

function item(part: PartFacts, index: number, parts: PartFacts[], placed: Placed): HTMLElement {
  const issues = placed.of(index);
  const worst = placed.worst(index);
  const siblings = siblingsOf(index, parts);
  const element = h(
    "li",
    {
      role: "treeitem",
      "aria-level": part.depth + 1,
      "aria-setsize": siblings.length,
      "aria-posinset": siblings.indexOf(part) + 1,
      "data-depth": Math.min(part.depth, 12),
    },
    icon(shapeOf(part)),
    h(
      "span",
      { class: "what" },
      h("bdi", { class: "name" }, nameOf(part)),
      h("span", { class: "kind" }, part.isLeaf ? `${part.mediaType}, ${size(part.length)}` : part.mediaType),
    ),
    worst && h("span", { class: `badge ${worst}`, title: count(issues.length, "issue") }, String(issues.length)),
  );
  if (!part.isLeaf && parts[index + 1]) element.setAttribute("aria-expanded", "true");
  return element;
}

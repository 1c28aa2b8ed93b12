/** Links of HTML: where they lead, and which of them say another place. */
import { count, h, inPieces } from "./dom.js";

export interface Link {
  /** The host that the text names. */
  says: string;
  /** The host that it leads to. */
  leads: string;
}

/** A text that is an address or a host, and nothing else. */
const PLACE = /^(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+[\p{L}-]{2,})(?::\d+)?(?:[/?#]\S*)?$/iu;

/** The links, each pair of hosts once. A document that DOMParser makes is inert. */
export function lyingLinks(markup: string): Link[] {
  const { links } = new DOMParser().parseFromString(markup, "text/html");
  const found = new Map<string, Link>();
  for (const link of links) {
    const says = hostOf(`http://${PLACE.exec((link.textContent ?? "").trim())?.[1] ?? ""}`);
    const leads = hostOf(link.getAttribute("href") ?? "");
    if (says !== undefined && leads !== undefined && !areOneSite(says, leads)) found.set(`${says} ${leads}`, { says, leads });
  }
  return [...found.values()];
}

/** The targets of links, each once, with the text of the first link that leads there; nothing where no link leads anywhere. */
export function targetList(markup: string): HTMLElement | null {
  const { links } = new DOMParser().parseFromString(markup, "text/html");
  const targets = new Map<string, string>();
  for (const link of links) {
    const target = (link.getAttribute("href") ?? "").trim();
    if (target !== "" && !target.startsWith("#") && !targets.has(target)) targets.set(target, (link.textContent ?? "").trim());
  }
  if (targets.size === 0) return null;
  const row = ([target, text]: [string, string]) => h("li", {}, text !== "" && h("bdi", { class: "says" }, text.slice(0, LENGTH)), h("bdi", { class: "address" }, target.slice(0, LENGTH)));
  return h("details", { class: "targets" }, h("summary", {}, `Where ${count(targets.size, "link leads", "links lead")}`), h("ul", {}, inPieces([...targets], 20, row, "links")));
}

/** How many characters of a link are shown. */
const LENGTH = 300;

/** The host of an address of the web; the parser of the engine writes each host in one way. */
export function hostOf(address: string): string | undefined {
  try {
    const { protocol, hostname } = new URL(address.trim());
    return /^https?:$/.test(protocol) && hostname !== "" ? hostname.replace(/^www\./, "") : undefined;
  } catch {
    return undefined;
  }
}

/** Whether one host is the other, or in its domain. */
function areOneSite(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}

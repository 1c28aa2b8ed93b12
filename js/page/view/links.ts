/** Links of HTML whose text names another place than their target. */

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

/** The host of an address of the web; the parser of the engine writes each host in one way. */
function hostOf(address: string): string | undefined {
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

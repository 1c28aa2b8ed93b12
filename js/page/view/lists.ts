/** What a mailing list says of itself (RFC 2369, 2919, 8058), as text to copy: nothing here can be followed by accident. */
import type { PartFacts } from "../../lib/explain.js";
import { h } from "./dom.js";

const SAYS: Record<string, string> = {
  "list-id": "The list",
  "list-unsubscribe": "Unsubscribe",
  "list-post": "Write to it",
  "list-archive": "Archive",
  "list-subscribe": "Subscribe",
  "list-help": "Help",
  "list-owner": "Owner",
  "feedback-id": "Campaign",
};

export interface Entry {
  name: string;
  says: string;
  links: string[];
}

export function listEntries(fields: PartFacts["fields"]): Entry[] {
  const oneClick = fields.some(({ name, text }) => /^list-unsubscribe-post$/i.test(name) && /one-click/i.test(text));
  return fields.flatMap(({ name, text }) => {
    const says = SAYS[name.toLowerCase()];
    if (says === undefined) return [];
    const links = [...text.matchAll(/<([^<>]+)>/g)].map(([, link]) => link!.replace(/\s+/g, ""));
    const isShort = /^list-unsubscribe$/i.test(name) && oneClick;
    return [{ name, says: isShort ? `${says}, in one click` : says, links: links.length > 0 && !/^list-id$/i.test(name) ? links : [text.trim()] }];
  });
}

export function listView(fields: PartFacts["fields"]): HTMLElement | null {
  const entries = listEntries(fields);
  if (entries.length === 0) return null;
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "The mailing list"),
    h("dl", { class: "table-of" }, entries.map(({ says, links }) => h("div", {}, h("dt", {}, says), h("dd", {}, links.map((link) => h("code", { class: "link" }, link)))))),
    h("p", { class: "means" }, "Addresses are shown as text: copy one to follow it."),
  );
}

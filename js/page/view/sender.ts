/** Who sent a message, and can that be trusted: what speaks against it, and what servers noted. It says nothing of its form. */
import type { Facts, Person } from "../../lib/explain.js";
import { inPlainText, turns } from "./controls.js";
import { type Child, count, h } from "./dom.js";
import { lyingLinks } from "./links.js";
import { nameOf } from "./names.js";
import { SEVERITIES, type Severity } from "./place.js";
import { type Proof, proofsOf, proofView } from "./proofs.js";

/** How many of a list are named. */
const NAMED = 6;

/** The methods that speak of the sender that people see. */
const METHODS = ["dmarc", "dkim", "spf"];

/** A reason for doubt: how much it weighs, and in words. */
export interface Doubt {
  weight: Severity;
  says: Child[];
}

export function senderCard(facts: Facts): HTMLElement {
  const proofs = proofsOf(facts.parts[0]!.fields).filter(({ method, sealed }) => METHODS.includes(method) && sealed === "");
  const doubts = doubtsOf(facts, proofs);
  const rows: [string, Child][] = [
    ["Says it is from", people(facts.from) ?? "nobody"],
    ["Sent by", differs(facts.sender, facts.from) && people(facts.sender)],
    ["Replies go to", differs(facts.replyTo, facts.from) && people(facts.replyTo)],
    ["Failures go to", isOther(facts.returnPath, facts.from) && h("bdi", { class: "address" }, facts.returnPath)],
  ];
  const isGrave = doubts.some(({ weight }) => weight === "loss");
  return h(
    "details",
    { class: "card sender", open: isGrave },
    h("summary", {}, h("span", {}, "Who sent this, and can it be trusted?"), " ", badge(doubts, proofs)),
    h("dl", { class: "table-of" }, rows.filter(([, value]) => value).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    doubts.length > 0 && h("ul", { class: "doubts", "aria-label": "Reasons for doubt" }, doubts.map(({ weight, says }) => h("li", { class: weight }, says))),
    proofs.length > 0 && h("ul", { class: "proofs" }, proofs.slice(0, NAMED).map(proofView)),
    h("p", { class: "means" }, proofs.length > 0 ? "What servers noted stands in the header, and is not checked here: trust only what your own server wrote." : "No server has noted whether SPF, DKIM or DMARC vouch for the sender. Anybody can write any sender."),
  );
}

/** In a word: what speaks against it, or else what servers noted. */
function badge(doubts: Doubt[], proofs: Proof[]): HTMLElement {
  const [worst] = doubts;
  if (worst) return h("span", { class: `badge ${worst.weight}` }, count(doubts.length, "reason for doubt", "reasons for doubt"));
  if (proofs.length === 0) return h("span", { class: "badge note" }, "nobody vouches for it");
  return h("span", { class: "badge note" }, `${proofs[0]!.method.toUpperCase()}: ${proofs[0]!.result}`);
}

/** What speaks against the sender, the links and the files of a message, the gravest first. */
export function doubtsOf(facts: Facts, proofs: Proof[]): Doubt[] {
  const { from, parts, subject, html } = facts;
  const doubts: Doubt[] = [];
  const add = (weight: Doubt["weight"], ...says: Child[]) => doubts.push({ weight, says });
  for (const { address, addressInName } of from.slice(0, NAMED)) {
    if (addressInName) add("loss", "The name of the sender is an address, ", h("bdi", {}, addressInName), ", but the sender is ", h("bdi", {}, address), ".");
  }
  const failed = proofs.find(({ method, result }) => method === "dmarc" && result === "fail") ?? proofs.find(({ result }) => result === "fail");
  if (failed) add("loss", `A server found that the sender is not proven (${failed.method.toUpperCase()} fails).`);
  if (differs(facts.replyTo, from)) add("repair", "A reply goes to somebody else than the sender.");
  if (from.length > 1) add("note", `It names ${from.length} senders.`);
  const lies = html.flatMap((index) => (parts[index]!.mediaType === "text/html" ? lyingLinks(parts[index]!.text?.shown ?? "") : []));
  for (const { says, leads } of lies.slice(0, NAMED)) add("loss", "A link that says ", h("bdi", {}, says), " leads to ", h("bdi", {}, leads), ".");
  if (lies.length > NAMED) add("loss", `${lies.length - NAMED} more links lead elsewhere than they say.`);
  const disguised = parts.filter((part) => part.disguisedType !== null);
  for (const part of disguised.slice(0, NAMED)) add("loss", "The file ", h("bdi", {}, nameOf(part)), " is not what its name says: its octets are ", kindOf(part.disguisedType!), ".");
  if (disguised.length > NAMED) add("loss", `${disguised.length - NAMED} more files are not what their names say.`);
  const hidden = [subject ?? "", ...from.map(({ name }) => name), ...parts.map(({ filename }) => filename ?? "")].filter(turns);
  if (hidden.length > 0) add("loss", "It has characters that turn the direction of text, which makes a name read as another one: ", h("bdi", { dir: "ltr" }, inPlainText(hidden[0]!)), ".");
  return doubts.sort((one, other) => SEVERITIES.indexOf(one.weight) - SEVERITIES.indexOf(other.weight));
}

/** A media type in words, where there are better ones. */
function kindOf(mediaType: string): string {
  if (/executable|mach-binary|application\/java$/.test(mediaType)) return "a program";
  return { "text/x-shellscript": "a script", "text/html": "a web page", "application/pdf": "a PDF document", "application/zip": "a ZIP archive" }[mediaType] ?? mediaType;
}

/** Whether one of the mailboxes is at another address than the sender. */
function differs(mailboxes: Person[], from: Person[]): boolean {
  return mailboxes.some(({ address }) => isOther(address, from));
}

function isOther(address: string | null, from: Person[]): boolean {
  return address !== null && address !== "" && !from.some((person) => person.address.toLowerCase() === address.toLowerCase());
}

/** Names with their addresses, which are always there. */
export function people(list: Person[]): HTMLElement | null {
  if (list.length === 0) return null;
  const one = ({ name, address }: Person) => h("span", { class: "person" }, name !== "" && h("bdi", {}, name), h("bdi", { class: "address" }, name === "" ? address : `<${address}>`));
  return h("span", { class: "people" }, list.slice(0, NAMED).map(one), list.length > NAMED && h("span", { class: "person" }, `and ${list.length - NAMED} more`));
}

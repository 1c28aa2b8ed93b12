/** Who vouches for the sender: SPF, DKIM, DMARC and ARC in words, as servers noted them in Authentication-Results (RFC 8601). */
import type { PartFacts } from "../../lib/explain.js";
import { h } from "./dom.js";

/** One result: `dkim=pass header.d=example.org`. */
export interface Proof {
  method: string;
  result: string;
  /** Whom it is about: a domain or an address. */
  about: string;
  /** The server that says so. */
  said: string;
  /** Of which instance of ARC, if it is a sealed copy. */
  sealed: string;
}

const RESULTS = /^(authentication-results|arc-authentication-results|received-spf)$/i;

/** The results in all fields, in order. */
export function proofsOf(fields: PartFacts["fields"]): Proof[] {
  return fields.filter(({ name }) => RESULTS.test(name)).flatMap(({ name, text }) => (/^received-spf$/i.test(name) ? spf(text) : results(text)));
}

function results(text: string): Proof[] {
  const [first = "", ...rest] = withoutComments(text).split(";");
  const isSealed = /^\s*i\s*=\s*(\d+)\s*$/.exec(first);
  const said = (isSealed ? rest.shift() ?? "" : first).trim().split(/\s+/)[0] ?? "";
  return rest.flatMap((one) => {
    const found = /^\s*([a-z][\w-]*)(?:\/\d+)?\s*=\s*([a-z]+)/i.exec(one);
    if (!found) return [];
    return [{ method: found[1]!.toLowerCase(), result: found[2]!.toLowerCase(), about: about(one), said, sealed: isSealed?.[1] ?? "" }];
  });
}

/** The property that says whom a result is about. */
function about(one: string): string {
  const names = ["header.d", "header.from", "smtp.mailfrom", "smtp.helo", "header.i", "smtp.remote-ip"];
  for (const name of names) {
    const found = new RegExp(`(?:^|\\s)${name.replace(".", "\\.")}\\s*=\\s*"?([^\\s";]+)`, "i").exec(one);
    if (found) return found[1]!;
  }
  return "";
}

function spf(text: string): Proof[] {
  const found = /^\s*([a-z]+)/i.exec(text);
  const from = /envelope-from\s*=\s*"?<?([^\s">;]+)/i.exec(text);
  const said = /receiver\s*=\s*([^\s;]+)/i.exec(text);
  return found ? [{ method: "spf", result: found[1]!.toLowerCase(), about: from?.[1] ?? "", said: said?.[1] ?? "", sealed: "" }] : [];
}

function withoutComments(text: string): string {
  let plain = text;
  for (let before = ""; before !== plain; ) [before, plain] = [plain, plain.replace(/\([^()]*\)/g, " ")];
  return plain;
}

const NAMES: Record<string, string> = { spf: "SPF", dkim: "DKIM", dmarc: "DMARC", arc: "ARC", iprev: "Reverse name", auth: "Login", "dkim-atps": "DKIM", bimi: "BIMI" };

/** What each method proves if it passes. */
const PROVES: Record<string, string> = {
  spf: "the server that sent it may send for",
  dkim: "signed, and unchanged since, by",
  dmarc: "the sender that people see is vouched for by",
  arc: "earlier results were passed on unchanged by",
  iprev: "the address of the server has the name",
  auth: "sent after a login as",
};

const FAILS: Record<string, string> = {
  fail: "not proven: this fails for",
  softfail: "doubtful: the owner rather excludes this for",
  neutral: "nothing is said by",
  none: "nothing to check for",
  temperror: "could not be checked at that moment for",
  permerror: "could not be checked, since what is published is wrong, for",
  policy: "passes, but not by the server's own policy, for",
};

/** A result in a sentence. */
export function inWords({ method, result, about }: Proof): string {
  const says = result === "pass" ? (PROVES[method] ?? "passes for") : (FAILS[result] ?? `${result} for`);
  return about === "" ? says.replace(/ (for|by|as|the name)$/, "") : `${says} ${about}`;
}

/** Signatures that the message has, whether or not anyone checked them. */
export function signersOf(fields: PartFacts["fields"]): string[] {
  const domains = fields.filter(({ name }) => /^dkim-signature$/i.test(name)).map(({ text }) => /(?:^|;)\s*d\s*=\s*([^\s;]+)/.exec(text)?.[1] ?? "");
  return [...new Set(domains.filter((domain) => domain !== ""))];
}

export function proofsView(fields: PartFacts["fields"]): HTMLElement {
  const [proofs, signers] = [proofsOf(fields), signersOf(fields)];
  const signed = signers.length > 0 && h("p", { class: "means" }, "Signed (DKIM) by ", h("bdi", {}, signers.join(", ")), ".");
  if (proofs.length === 0) {
    return h("div", {}, signed, h("p", { class: "means" }, "No server has noted whether SPF, DKIM or DMARC vouch for the sender."));
  }
  return h(
    "div",
    {},
    h("ul", { class: "proofs" }, proofs.map(proofView)),
    signed,
    h("p", { class: "means" }, "These are claims of the servers that are named, read from the header and not checked here. Trust only what your own server wrote."),
  );
}

export function proofView(proof: Proof): HTMLElement {
  const kind = proof.result === "pass" ? "pass" : /^(fail|permerror)$/.test(proof.result) ? "loss" : /^(softfail|temperror|policy)$/.test(proof.result) ? "repair" : "note";
  return h(
    "li",
    {},
    h("span", { class: `badge ${kind}` }, `${NAMES[proof.method] ?? proof.method.toUpperCase()}: ${proof.result}`),
    h("bdi", {}, inWords(proof)),
    proof.said !== "" && h("span", { class: "kind" }, "says ", h("bdi", {}, proof.said), proof.sealed !== "" && `, passed on in step ${proof.sealed} of ARC`),
  );
}

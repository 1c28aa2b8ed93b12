/** A message as a report for people: text to paste into a ticket. It has the header and what was found, no content. */
import type { Facts } from "../../lib/explain.js";
import { inPlainText } from "./controls.js";
import { count } from "./dom.js";
import { kindsOf, severityName } from "./kinds.js";
import { nameOf, placeOfIssue, size } from "./names.js";
import type { Source } from "./octets.js";
import { inWords, proofsOf } from "./proofs.js";
import { duration, slowestOf, stepsOf } from "./way.js";

export function summary(facts: Facts, source: Source, name: string): string {
  const { fields } = facts.parts[0]!;
  const people = (list: Facts["from"]) => list.map(({ name, address }) => inPlainText(name ? `${name} <${address}>` : address)).join(", ");
  const lines = [
    `Message: ${name}, ${size(facts.octets)}`,
    `Subject: ${inPlainText(facts.subject?.trim() || "none")}`,
    `From:    ${people(facts.from) || "nobody"}`,
    `To:      ${people(facts.to) || "nobody"}`,
    `Date:    ${facts.date ?? "none that can be read"}`,
    "",
    `Parts: ${count(facts.parts.length, "part")}`,
    ...facts.parts.map((part) => `${"  ".repeat(part.depth + 1)}${inPlainText(nameOf(part))}: ${part.mediaType}${part.charset ? `, ${part.charset}` : ""}${part.isLeaf ? `, ${size(part.length)}` : ""}`),
    "",
    ...way(fields),
    ...proofsOf(fields).map((proof) => `${proof.method.toUpperCase()} ${proof.result}: ${inWords(proof)}${proof.said ? ` (says ${proof.said})` : ""}`),
    "",
    facts.issues.length === 0 ? "Its form is the normal form." : `Its form (profile ${facts.profile}):`,
  ];
  for (const { first, issues } of kindsOf(facts.issues)) {
    lines.push(`- ${severityName(first.severity)}: ${first.summary} [${first.rule} ${first.code}]`, `  ${first.effect}`);
    for (const issue of issues.slice(0, 5)) lines.push(`  at ${placeOfIssue(issue)}, ${source.where(issue.span)}${issue.detail ? `: ${issue.detail}` : ""}`);
    if (issues.length > 5) lines.push(`  and ${count(issues.length - 5, "more place")}`);
  }
  return `${lines.join("\n").replace(/\n{3,}/g, "\n\n")}\n`;
}

function way(fields: Facts["parts"][number]["fields"]): string[] {
  const steps = stepsOf(fields);
  if (steps.length === 0) return [];
  const slowest = slowestOf(steps);
  return [
    `Way: ${count(steps.length, "server")}`,
    ...steps.map((step, at) => `  ${at + 1}. ${step.from || "?"} to ${step.by || "?"}${step.delay === undefined ? "" : `, ${duration(step.delay)}`}${step === slowest ? " (slowest)" : ""}`),
  ];
}

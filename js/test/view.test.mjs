// The page's knowledge, compared with the documents that it comes from.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { module } from "./view.mjs";

const here = new URL("./", import.meta.url);
const doc = (name) => readFileSync(new URL(`../../docs/${name}`, here), "utf8");

test("every rule has its text", async () => {
  const { rulesOf } = await module("rules");
  const rules = rulesOf(doc("normal-form.md"));
  const names = [...doc("normal-form.md").matchAll(/^### ([GHB]\d+)/gm)].map((found) => found[1]);
  assert.deepEqual([...rules.keys()], names);
  assert.ok(names.length >= 35);
  for (const { name, whole } of rules.values()) {
    assert.ok(whole.length > 0 && whole.every((piece) => piece.length > 3), name);
    assert.doesNotMatch(whole.join("\n"), /Example|```|\||\]\(|\\/, name);
  }
});

test("readers are named as docs/readers.md names them", async () => {
  const { FIELD_RULES, ISSUE_RULES, PART_RULES } = await module("hints");
  const readers = doc("readers.md").replaceAll("`", "");
  const names = readers.match(/They are ([^.]*(?:\.\d[^.]*)*)\./)?.[1] ?? readers;
  for (const rule of [...FIELD_RULES, ...PART_RULES, ...Object.values(ISSUE_RULES)]) {
    for (const who of rule.who) assert.ok(readers.includes(who), who);
    if (rule.who.length > 0) assert.equal(rule.who.length, rule.readers, rule.says);
  }
  assert.ok(names.length > 0);
});

test("codes that hints go by are codes of the library", async () => {
  const { ISSUE_RULES } = await module("hints");
  const codes = readFileSync(new URL("../../docs/public-api.txt", here), "utf8");
  for (const { code } of Object.values(ISSUE_RULES)) assert.ok(codes.includes(`Code: ${code} `), code);
});

test("a diff keeps what stays, and marks what differs in a line", async () => {
  const { diff } = await module("diff");
  const lines = (text) => text.split("|").map((line) => new TextEncoder().encode(line));
  const shown = diff(lines("a|Subject: x|c"), lines("a|Subject: y|c|d")).map(({ kind, octets, marked }) => [kind, new TextDecoder().decode(octets), marked]);
  assert.deepEqual(shown, [
    ["same", "a", undefined],
    ["gone", "Subject: x", [9, 10]],
    ["new", "Subject: y", [9, 10]],
    ["same", "c", undefined],
    ["new", "d", undefined],
  ]);
});

test("a part counts its siblings, not all that lie as deep", async () => {
  const { siblingsOf } = await module("tree");
  const depths = [0, 1, 2, 2, 1, 2, 3, 2, 2, 1];
  const parts = depths.map((depth, index) => ({ depth, index }));
  const siblings = depths.map((_, index) => siblingsOf(index, parts).map((part) => part.index).join());
  assert.deepEqual(siblings, ["0", "1,4,9", "2,3", "2,3", "1,4,9", "5,7,8", "6", "5,7,8", "5,7,8", "1,4,9"]);
});

// Every message of corpus/mail in both profiles: the octets and the issues that the library gives.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { full, small } from "./packages.mjs";

const corpus = new URL("../../corpus/", import.meta.url);
const names = readdirSync(new URL("mail/", corpus)).filter((name) => name.endsWith(".eml"));
const text = (path) => readFileSync(new URL(path, corpus), "utf8");
/** The report without what only the module with the view has room to look for: mojibake. */
const reported = (profile, name) => text(`expected/${profile}/${name.replace(/eml$/, "report")}`).replace(/^.* label-doubtful B7\n/gm, "");
const read = (path) => new Uint8Array(readFileSync(new URL(path, corpus)));

/** The line of a report for an issue. */
const line = ({ part, span, code, rule, charset }) => `${part} ${span[0]}..${span[1]} ${code} ${rule}${charset ? ` ${charset}` : ""}\n`;

const lines = (issues) => issues.map(line).join("");

for (const profile of ["transport", "archive"]) {
  test(`full, ${profile}: ${names.length} messages become what is expected`, () => {
    for (const name of names) {
      const mail = read(`mail/${name}`);
      const { octets, changed, issues } = full.normalize(mail, { profile });
      assert.deepEqual(octets, read(`expected/${profile}/${name}`), name);
      assert.equal(lines(issues), reported(profile, name), name);
      assert.equal(changed, octets !== mail, name);
    }
  });
}

describe("small", { skip: small === undefined && "dist/small is not built" }, () => {
  /** Charsets that the full package reads and the small one does not. */
  const without = () => {
    const readable = new Set(small.charset.all().filter((set) => set.readable).map((set) => set.name));
    return new Set(full.charset.all().filter((set) => set.readable && !readable.has(set.name)).map((set) => set.name));
  };

  /** The labels in a message of charsets that are left out. */
  const missing = (mail, left) => {
    const labels = [...new TextDecoder("latin1").decode(mail).matchAll(/charset\s*=\s*"?([^\s";]+)|=\?([^?*\s]+)|\*=\s*"?([^\s"']+)'/gi)].map((found) => found[1] ?? found[2] ?? found[3]);
    return labels.filter((label) => left.has(full.charset.name(label)));
  };

  /** Text that it cannot read is reported where it would be rewritten, keeps its label, and stays the same text for others. */
  const holdRest = (name, mail, labels, profile) => {
    const { octets, issues } = small.normalize(mail, { profile });
    const codes = issues.map((issue) => issue.code);
    const written = new TextDecoder("latin1").decode(octets).toLowerCase();
    for (const label of labels) assert.ok(written.includes(label.toLowerCase()), `${name}: ${label}`);
    if (labels.length > 0 && profile === "archive") assert.ok(codes.includes("charset-unknown"), name);
    if (labels.length === 0) assert.ok(codes.includes("address-not-ascii"), name);
    const [before, after] = [full.parse(mail), full.parse(octets)];
    assert.deepEqual([after.subject, after.text], [before.subject, before.text], name);
  };

  test("messages in the charsets that it has become what is expected, and others keep what they say", () => {
    const left = without();
    let [equal, other] = [0, 0];
    for (const profile of ["transport", "archive"]) {
      for (const name of names) {
        const mail = read(`mail/${name}`);
        const expected = reported(profile, name);
        const labels = missing(mail, left);
        if (labels.length > 0 || /domain-to-ascii/.test(expected)) {
          holdRest(name, mail, labels, profile);
          other++;
          continue;
        }
        const { octets, issues } = small.normalize(mail, { profile });
        assert.deepEqual(octets, read(`expected/${profile}/${name}`), name);
        assert.equal(lines(issues), expected, name);
        equal++;
      }
    }
    assert.ok(other > 10 && equal > 20 * other, `${equal} messages compared, ${other} held to what they said`);
  });

  test("what it does not have is reported as a charset that is not known, and kept", () => {
    const left = [...without()];
    assert.ok(left.length > 100);
    for (const charset of left) {
      assert.throws(() => small.charset.decode(new Uint8Array([0xe9]), charset), RangeError);
    }
    const mail = new TextEncoder().encode("Content-Type: text/plain; charset=cp850\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=82\r\n");
    const { octets, issues } = small.normalize(mail);
    assert.ok(issues.some((issue) => issue.code === "charset-unknown"));
    assert.ok(new TextDecoder().decode(octets).includes("charset=cp850"));
    assert.equal(full.normalize(mail).issues.some((issue) => issue.code === "charset-unknown"), false);
  });
});

// What a file is, and messages of Outlook: the table that every front end is held to.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { view } from "./packages.mjs";

const files = new URL("../../tests/files/", import.meta.url);
const octetsOf = (name) => new Uint8Array(readFileSync(new URL(name, files)));
const table = JSON.parse(readFileSync(new URL("table.json", files), "utf8"));

describe("files", { skip: view === undefined && "the module view is not built" }, () => {
  test("each is what the table says", () => {
    for (const { name, is, no_mail, errors } of table) {
      const { class: kind, words } = view.recognise(octetsOf(name), name);
      assert.equal(words, is, name);
      assert.equal(kind === "other", no_mail.includes(is) && errors === 0, name);
    }
    assert.equal(view.recognise(new Uint8Array()).words, "an empty file");
    assert.throws(() => view.recognise("text"), TypeError);
  });

  test("the messages in a file that is not packed are those of the table", () => {
    for (const { name, is, subjects, folders, no_mail } of table) {
      const subjectsOf = () => [...view.messagesIn(octetsOf(name), name)].map((mail) => view.parse(mail).subject);
      if (/^an? (gzip|bzip2|tar)|^a Babyl/.test(is) || folders || name === "Inbox.dbx" || (no_mail.length > 0 && !/^a text|^an empty/.test(is))) {
        assert.throws(subjectsOf, { message: is }, name);
      } else if (name === "damaged.msg") {
        assert.throws(subjectsOf, { message: `${is}, and damaged` });
      } else if (no_mail.length > 0) {
        assert.equal(subjectsOf().length, 1, name);
      } else {
        assert.deepEqual(subjectsOf(), subjects, name);
      }
    }
    assert.throws(() => [...view.messagesIn("text")], TypeError);
  });

  test("a message of Outlook becomes mail", () => {
    const mail = view.outlookMessage(octetsOf("japanese.msg"));
    assert.equal(view.parse(view.normalize(mail).octets).subject, "\u65e5\u672c\u8a9e");
    for (const name of ["damaged.msg", "one.eml", "empty"]) assert.equal(view.outlookMessage(octetsOf(name)), undefined, name);
    assert.throws(() => view.outlookMessage("text"), TypeError);
  });
});

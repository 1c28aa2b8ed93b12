// Made of js/page/ by js/page/build.mjs; do not edit.
"use strict";
(() => {
  // page/view/controls.ts
  var NAMES = {
    "‪": "left-to-right embedding",
    "‫": "right-to-left embedding",
    "‬": "end of a direction",
    "‭": "left-to-right override",
    "‮": "right-to-left override",
    "⁦": "left-to-right isolate",
    "⁧": "right-to-left isolate",
    "⁨": "isolate",
    "⁩": "end of an isolate"
  };
  function turns(text2) {
    return /[\u202a-\u202e\u2066-\u2069]/.test(text2);
  }
  function piecesOf(text2) {
    const pieces = text2.split(/([\u202a-\u202e\u2066-\u2069])/);
    return pieces.map((piece) => NAMES[piece] === void 0 ? piece : { number: `U+${piece.charCodeAt(0).toString(16).toUpperCase()}`, name: NAMES[piece] });
  }
  function inPlainText(text2) {
    return turns(text2) ? piecesOf(text2).map((piece) => typeof piece === "string" ? piece : `<${piece.number}>`).join("") : text2;
  }

  // page/view/dom.ts
  function h(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") element.addEventListener(name.slice(2), value);
      else if (value === true) element.setAttribute(name, "");
      else if (value !== void 0 && value !== false) element.setAttribute(name, SAID.has(name) ? inPlainText(String(value)) : String(value));
    }
    for (const child of children.flat()) {
      if (typeof child === "string" && turns(child)) element.append(...spelledOut(child));
      else if (child !== false && child !== null && child !== void 0) element.append(child);
    }
    return element;
  }
  var SAID = /* @__PURE__ */ new Set(["aria-label", "title", "alt"]);
  function spelledOut(text2) {
    return piecesOf(text2).map((piece) => typeof piece === "string" ? piece : h("span", { class: "control", title: piece.name }, piece.number));
  }
  var SHAPES = {
    message: "M2 4h12v8H2z M2 4l6 5 6-5",
    several: "M4 2h10v9 M2 5h9v9H2z",
    text: "M3 2h10v12H3z M5.5 5h5 M5.5 8h5 M5.5 11h3",
    markup: "M6 4L2 8l4 4 M10 4l4 4-4 4",
    picture: "M2 3h12v10H2z M2 11l4-4 3 3 2-2 3 3",
    file: "M4 2h5l3 3v9H4z M9 2v3h3",
    sealed: "M4 7h8v7H4z M5.5 7V5a2.5 2.5 0 0 1 5 0v2"
  };
  function icon(shape) {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    svg.setAttribute("viewBox", "0 0 16 16");
    svg.setAttribute("class", "icon");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS(space, "path");
    path.setAttribute("d", SHAPES[shape]);
    svg.append(path);
    return svg;
  }
  function count(number, one, many = `${one}s`) {
    return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
  }
  function inPieces(all, many, view2, what) {
    const shown = all.slice(0, many).map(view2);
    const rest2 = all.slice(many);
    if (rest2.length > 0) shown.push(more(next(10 * many, rest2.length, what), () => inPieces(rest2, 10 * many, view2, what)));
    return shown;
  }
  function next(max, left2, what) {
    const of = max < left2 ? `${max.toLocaleString("en")} of ` : "";
    return `Show ${of}${left2.toLocaleString("en")} more ${left2 === 1 ? what.replace(/s\b/, "") : what}`;
  }
  function more(label, rest2) {
    const button = h("button", { type: "button", class: "quiet" }, label);
    button.addEventListener("click", () => {
      const nodes = rest2();
      button.replaceWith(...nodes);
      const first = nodes.find((node) => node instanceof HTMLElement);
      const target = first?.matches("[tabindex], button") ? first : first?.querySelector("[tabindex], button, summary");
      target?.focus();
    });
    return button;
  }
  function marked(text2) {
    return text2.split(/(`[^`]*`|\*\*[^*]*\*\*)/).map((piece) => {
      if (/^`.+`$/.test(piece)) return h("code", {}, piece.slice(1, -1));
      if (/^\*\*.+\*\*$/.test(piece)) return h("strong", {}, piece.slice(2, -2));
      return piece;
    });
  }

  // page/view/octets.ts
  var Source = class {
    constructor(message2) {
      this.message = message2;
    }
    message;
    /** Where each line begins; made when it is first asked for. */
    #starts;
    /** The lines of the message, which end with LF, or with CR alone. */
    get #lines() {
      if (this.#starts) return this.#starts;
      const { message: message2 } = this;
      const starts = [0];
      for (let at = 0; at < message2.length; at++) {
        if (message2[at] === 10 || message2[at] === 13 && message2[at + 1] !== 10) starts.push(at + 1);
      }
      if (starts.length > 1 && starts.at(-1) === message2.length) starts.pop();
      return this.#starts = starts;
    }
    /** How many lines there are. */
    get lines() {
      return this.#lines.length;
    }
    /** The octets of a line, from 0. */
    line(number) {
      return [this.#lines[number] ?? this.message.length, this.#lines[number + 1] ?? this.message.length];
    }
    /** The line that an octet is on, from 0. */
    lineOf(at) {
      const starts = this.#lines;
      let [low, high] = [0, starts.length];
      while (high - low > 1) {
        const middle = low + high >> 1;
        if (starts[middle] <= at) low = middle;
        else high = middle;
      }
      return low;
    }
    /** A place for people: `line 3, octets 40 to 44`. */
    where([from, to]) {
      const line2 = (at) => (this.lineOf(at) + 1).toLocaleString("en");
      const number = (at) => at.toLocaleString("en");
      const last = to > from ? to - 1 : from;
      const lines2 = line2(from) === line2(last) ? `line ${line2(from)}` : `lines ${line2(from)} to ${line2(last)}`;
      return to > from ? `${lines2}, octets ${number(from)} to ${number(to)}` : `${lines2}, before octet ${number(from)}`;
    }
    /** Octets by where they are, or as they are. */
    get(octets3) {
      return typeof octets3 === "string" ? octetsOf(octets3) : this.message.subarray(...octets3);
    }
  };
  function octetsOf(characters) {
    return Uint8Array.from(characters, (character) => character.charCodeAt(0));
  }
  function charactersOf(octets3) {
    const pieces = [];
    for (let at = 0; at < octets3.length; at += NEXT) pieces.push(String.fromCharCode(...octets3.subarray(at, at + NEXT)));
    return pieces.join("");
  }
  var NEXT = 1 << 14;
  var NAMES2 = { 0: "NUL", 9: "TAB", 10: "LF", 13: "CR", 27: "ESC", 127: "DEL" };
  function sign(octet) {
    return NAMES2[octet] ?? hex(octet);
  }
  function hex(octet) {
    return octet.toString(16).toUpperCase().padStart(2, "0");
  }
  function isPlain(octet) {
    return octet >= 32 && octet < 127;
  }
  function ask(max) {
    return (octets3) => more(next(max, octets3.length, "octets"), () => [h("span", { tabindex: -1 }, visible(octets3, max, ask(10 * max)))]);
  }
  function visible(octets3, limit = 4096, rest2 = ask(NEXT)) {
    const fragment = document.createDocumentFragment();
    const end = Math.min(octets3.length, limit);
    let at = 0;
    while (at < end) {
      const from = at;
      while (at < end && isPlain(octets3[at])) at++;
      if (at > from) fragment.append(...plain(octets3, from, at));
      if (at < end) at = special(fragment, octets3, at, end);
    }
    if (octets3.length > limit) fragment.append(rest2(octets3.subarray(end)));
    return fragment;
  }
  function plain(octets3, from, to) {
    const text2 = String.fromCharCode(...octets3.subarray(from, to));
    const next3 = octets3[to];
    if (next3 !== 13 && next3 !== 10) return [text2];
    const kept = text2.trimEnd();
    if (kept === text2) return [text2];
    const dots = "·".repeat(text2.length - kept.length);
    return [kept, h("span", { class: "octet space", title: "20, space at the end of a line" }, dots)];
  }
  function special(to, octets3, at, end) {
    const octet = octets3[at];
    if (octet === 13 || octet === 10) {
      const both = octet === 13 && octets3[at + 1] === 10 && at + 1 < end;
      const title3 = both ? "0D 0A, CRLF" : `${hex(octet)}, ${sign(octet)} alone`;
      to.append(h("span", { class: both ? "octet end" : "octet alone", title: title3 }, both ? "↵" : sign(octet)), "\n");
      return at + (both ? 2 : 1);
    }
    if (octet < 128) {
      to.append(h("span", { class: "octet control", title: `${hex(octet)}, control` }, sign(octet)));
      return at + 1;
    }
    let after = at;
    while (after < end && octets3[after] >= 128) after++;
    const codes = Array.from(octets3.subarray(at, after), hex);
    const text2 = new TextDecoder().decode(octets3.subarray(at, after));
    const title2 = text2.includes("�") ? "8-bit octets" : `8-bit octets; as UTF-8: ${text2}`;
    to.append(h("span", { class: "octet high", title: title2 }, codes.join(" ")));
    return after;
  }
  function linesOf(octets3) {
    const lines2 = [];
    let start = 0;
    for (let at = 0; at < octets3.length; at++) {
      const ends = octets3[at] === 10 || octets3[at] === 13 && octets3[at + 1] !== 10;
      if (ends) {
        lines2.push(octets3.subarray(start, at + 1));
        start = at + 1;
      }
    }
    if (start < octets3.length) lines2.push(octets3.subarray(start));
    return lines2;
  }

  // page/view/diff.ts
  var MANY = 400;
  function diff(before, after) {
    if (before.length > MANY || after.length > MANY) return [...before.map(gone), ...after.map(fresh)];
    const lengths = common(before, after);
    const lines2 = [];
    let [i, j] = [0, 0];
    while (i < before.length || j < after.length) {
      if (i < before.length && j < after.length && equal(before[i], after[j])) {
        lines2.push({ kind: "same", octets: before[i++] });
        j++;
      } else if (j >= after.length || i < before.length && lengths[i + 1][j] >= lengths[i][j + 1]) lines2.push(gone(before[i++]));
      else lines2.push(fresh(after[j++]));
    }
    return inPairs(lines2);
  }
  function gone(octets3) {
    return { kind: "gone", octets: octets3 };
  }
  function fresh(octets3) {
    return { kind: "new", octets: octets3 };
  }
  function common(before, after) {
    const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
    for (let i = before.length - 1; i >= 0; i--) {
      for (let j = after.length - 1; j >= 0; j--) {
        lengths[i][j] = equal(before[i], after[j]) ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
      }
    }
    return lengths;
  }
  function inPairs(lines2) {
    for (let at = 0; at < lines2.length; at++) {
      const start = at;
      while (lines2[at]?.kind === "gone") at++;
      const middle = at;
      while (lines2[at]?.kind === "new") at++;
      const pairs = Math.min(middle - start, at - middle);
      for (let pair = 0; pair < pairs; pair++) mark(lines2[start + pair], lines2[middle + pair]);
    }
    return lines2;
  }
  function mark(one, other) {
    const [a, b] = [one.octets, other.octets];
    const max = Math.min(a.length, b.length);
    let begin = 0;
    while (begin < max && a[begin] === b[begin]) begin++;
    let end = 0;
    while (end < max - begin && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
    one.marked = [begin, a.length - end];
    other.marked = [begin, b.length - end];
  }
  function equal(a, b) {
    return a.length === b.length && a.every((octet, at) => octet === b[at]);
  }

  // page/view/names.ts
  var COMPOSITES = {
    "multipart/mixed": "Several parts",
    "multipart/alternative": "One text in several forms",
    "multipart/related": "A page and what belongs to it",
    "multipart/signed": "Signed",
    "multipart/encrypted": "Encrypted",
    "multipart/report": "Report",
    "multipart/digest": "Collection of messages"
  };
  var LEAVES = {
    "text/plain": "Text",
    "text/html": "HTML",
    "text/calendar": "Calendar",
    "message/delivery-status": "Delivery status",
    "application/pgp-signature": "Signature",
    "application/pkcs7-signature": "Signature"
  };
  function nameOf(part) {
    if (part.depth === 0 && !part.isLeaf) return `Message: ${COMPOSITES[part.mediaType] ?? "several parts"}`;
    if (part.filename) return part.filename;
    if (part.depth === 0) return "Message";
    if (part.mediaType === "message/rfc822") return "Message in the message";
    return (part.isLeaf ? LEAVES[part.mediaType] : COMPOSITES[part.mediaType]) ?? part.mediaType;
  }
  function shapeOf(part) {
    const [kind] = part.mediaType.split("/");
    if (/^multipart\/(signed|encrypted)$/.test(part.mediaType)) return "sealed";
    if (part.mediaType === "message/rfc822" || part.depth === 0 && !part.isLeaf) return "message";
    if (!part.isLeaf) return "several";
    if (part.mediaType === "text/html") return "markup";
    if (kind === "text" && part.disposition !== "attachment") return "text";
    return kind === "image" ? "picture" : "file";
  }
  function size(octets3) {
    if (octets3 < 1e3) return `${octets3} octets`;
    const [value, unit] = octets3 < 1e6 ? [octets3 / 1e3, "kB"] : [octets3 / 1e6, "MB"];
    return `${value.toLocaleString("en", { maximumSignificantDigits: 3 })} ${unit}`;
  }
  function placeOf(section2) {
    if (section2 === "0") return "Header";
    return section2.endsWith(".0") ? `Header of part ${section2.slice(0, -2)}` : `Part ${section2 || "0"}`;
  }
  function placeOfIssue({ part, rule, code }) {
    const isBetween = part === "0" && ["B8", "B11", "G6"].includes(rule) && code !== "type-made-explicit";
    return isBetween ? "Between the parts" : placeOf(part);
  }

  // page/view/plain.ts
  var PLAIN = {
    G1: "Mail is written with plain 7-bit characters only.",
    G2: "Every line ends with CR and LF together, never with one of them alone.",
    G3: "No line is longer than mail servers accept.",
    G4: "The header contains fields and nothing else.",
    G5: "A message that uses MIME says so with MIME-Version: 1.0.",
    G6: "A message can be read in one way only: one type, one encoding, and boundaries that cannot be mistaken.",
    G7: "Repairing a repaired message changes nothing more.",
    G8: "What is in order already stays exactly as it is.",
    G9: "Texts and attachments keep their content.",
    G10: "Names, addresses, subjects and file names keep their meaning and their order.",
    G11: "Whatever is dropped, guessed or repaired is reported.",
    G12: "Signed content stays as it is wherever that is safe, since its signature would break.",
    G13: "A message that is too deep, has too many parts or is too long is carried along unread past that point.",
    H1: "Each header line is a name, a colon and a value; anything else is moved out of the header or dropped.",
    H2: "The name of a field decides how its value is read: as text, addresses, parameters, or not at all.",
    H3: "Special characters in a header are read as the sender most likely meant them.",
    H4: "Special characters in a header are written in the encoded form that every mail program reads.",
    H5: "Invisible control characters cannot break a header into new lines.",
    H6: "No address appears, disappears or moves when names are read or written.",
    H7: "Types, boundaries and file names are written so that every program finds the same ones.",
    H8: "Internationalised domains are written in their ASCII form; other such addresses are carried as text.",
    H9: "Where a field may not contain special characters at all, the smallest piece is removed and the rest stays.",
    H10: "A field that must be there once, such as From or Subject, counts once; a second one is renamed.",
    H11: "Long header lines are folded at white space.",
    B1: "Misspelt or false names of transfer encodings are read as they were meant.",
    B2: "Damaged base64 and quoted-printable are read as mail programs read them, and written in order.",
    B3: "A body is written in the shortest encoding that is safe for every mail server.",
    B4: "Encoded lines are short, and none begins like the separator of a mailbox.",
    B5: "Text that is shown is written in UTF-8, with a label that says so.",
    B6: "Attachments keep every octet; at most their encoding and a missing label change.",
    B7: "Text is converted only if it can be read without doubt; otherwise its octets and label stay.",
    B8: "The parts of a message are separated cleanly, and what is before and after them is kept if it is safe.",
    B9: "A message inside a message is put in order as well.",
    B10: "Lines that were stored with other ends get CR and LF.",
    B11: "Parts that were wrongly encoded as a whole are opened and written as they should be."
  };

  // page/view/place.ts
  var SEVERITIES = ["loss", "repair", "note"];
  var Placed = class {
    constructor(facts2) {
      this.facts = facts2;
      this.#byPart = facts2.parts.map(() => []);
      for (const issue of facts2.issues) this.#byPart[this.part(issue.part, issue.span)].push(issue);
    }
    facts;
    #byPart;
    /** The issues of a part. */
    of(part) {
      return this.#byPart[part];
    }
    worst(part) {
      return SEVERITIES.find((severity) => this.of(part).some((issue) => issue.severity === severity));
    }
    /** The part that a section names; of several with one section, the one whose header or body contains the octets. */
    part(section2, span) {
      const isHeader = section2 === "0" || section2.endsWith(".0");
      const path = section2 === "0" ? void 0 : isHeader ? section2.slice(0, -2) : section2;
      const { parts } = this.facts;
      const named = parts.flatMap((part, index) => path === void 0 || part.path === path ? [index] : []);
      const holding = named.filter((index) => {
        const part = parts[index];
        return holds(part.header, span) || holds(part.body, span);
      });
      if (path === void 0) return 0;
      const found = isHeader ? holding.find((index) => holds(parts[index].header, span)) : holding.at(-1);
      return found ?? named.at(isHeader ? -1 : 0) ?? 0;
    }
    /** The issues of one field. */
    ofField(part, field) {
      const { octets: octets3 } = this.facts.parts[part].fields[field];
      return this.of(part).filter((issue) => issue.span[0] < issue.span[1] && overlaps(octets3, issue.span) && !this.isOfAll(part, issue));
    }
    /** The issues of a header that belong to no field. */
    ofHeader(part) {
      const { fields } = this.facts.parts[part];
      const ofFields = new Set(fields.flatMap((_, field) => this.ofField(part, field)));
      return this.of(part).filter((issue) => !ofFields.has(issue) && !this.isOfBody(part, issue));
    }
    ofBody(part) {
      return this.of(part).filter((issue) => this.isOfBody(part, issue));
    }
    isOfBody(part, issue) {
      const facts2 = this.facts.parts[part];
      return !issue.part.endsWith("0") && overlaps(facts2.body, issue.span) && !overlaps(facts2.header, issue.span);
    }
    /** Whether it is about more than one field. */
    isOfAll(part, issue) {
      const fields = this.facts.parts[part].fields.filter(({ octets: octets3 }) => overlaps(octets3, issue.span));
      return fields.length > 1;
    }
  };
  function holds(octets3, [start, end]) {
    return typeof octets3 !== "string" && octets3[0] <= start && end <= octets3[1];
  }
  function overlaps(octets3, [start, end]) {
    return typeof octets3 !== "string" && octets3[0] < Math.max(end, start + 1) && start < octets3[1];
  }

  // page/view/kinds.ts
  var MEANS = {
    loss: ["Loss", "something could not be kept"],
    repair: ["Repair", "something was wrong and is mended or guessed; the meaning is kept"],
    note: ["Note", "remarkable; nothing has to be done"]
  };
  function severityName(severity) {
    return MEANS[severity][0];
  }
  function kindsOf(issues) {
    const kinds = /* @__PURE__ */ new Map();
    for (const issue of issues) {
      const key = `${issue.code} ${issue.severity} ${issue.effect}`;
      const kind = kinds.get(key);
      if (kind) kind.issues.push(issue);
      else kinds.set(key, { first: issue, issues: [issue] });
    }
    return [...kinds.values()].sort((a, b) => SEVERITIES.indexOf(a.first.severity) - SEVERITIES.indexOf(b.first.severity));
  }
  var PLACES = 3;
  function kindCard({ first, issues }, around, places = PLACES) {
    const rule = around.rules.get(first.rule);
    return h(
      "section",
      { class: `issue ${first.severity}` },
      h(
        "p",
        { class: "says" },
        h("span", { class: "severity" }, severityName(first.severity)),
        h("strong", {}, marked(capital(first.summary))),
        issues.length > 1 && h("span", { class: "times" }, count(issues.length, "place"))
      ),
      h("p", { class: "done" }, marked(first.effect)),
      rule && ruleLine(rule, first.code),
      h("div", { class: "places" }, inPieces(issues, places, (issue) => place(issue, around), "places"))
    );
  }
  function place(issue, { source, show }) {
    const [from, to] = issue.span;
    return h(
      "div",
      { class: "place" },
      h("button", { class: "where", type: "button", onclick: () => show(issue) }, placeOfIssue(issue), ", ", source.where(issue.span)),
      issue.detail !== "" && h("bdi", { class: "detail" }, issue.detail),
      to > from && context(source.message, issue.span)
    );
  }
  function ruleLine(rule, code) {
    return h("p", { class: "law" }, ruleLink(rule), " ", PLAIN[rule.name] ?? "", code !== "" && h("code", { class: "code" }, code));
  }
  function ruleLink(rule) {
    const open = () => {
      const dialog = h("dialog", { "aria-label": `Rule ${rule.name}` });
      dialog.append(
        h("h2", {}, `${rule.name}${rule.title && ` ${rule.title}`}`),
        h("p", {}, PLAIN[rule.name] ?? ""),
        h("h3", {}, "The rule in full"),
        h("div", { class: "whole" }, rule.whole.map((piece) => h("p", {}, marked(piece)))),
        h("div", { class: "actions" }, h("button", { type: "button", class: "main", onclick: () => dialog.close() }, "Close"))
      );
      dialog.addEventListener("close", () => (dialog.remove(), link.focus()));
      link.after(dialog);
      dialog.showModal();
    };
    const link = h("button", { type: "button", class: "rule", title: "The rule in full", onclick: open }, `Rule ${rule.name}`);
    return link;
  }
  var MANY2 = 40;
  function kindList(issues, around) {
    if (issues.length === 0) return h("p", { class: "nothing" }, "Its form is the normal form: nothing is to be said of it.");
    const kinds = kindsOf(issues);
    const groups = SEVERITIES.map((severity) => kinds.filter(({ first }) => first.severity === severity)).filter((group) => group.length > 0);
    return h("div", { class: "issues" }, groups.map((group) => section(group, around)));
  }
  function section(group, around) {
    const { severity } = group[0].first;
    const [name, means] = MEANS[severity];
    const number = group.reduce((sum, { issues }) => sum + issues.length, 0);
    return h(
      "section",
      { class: "severity-group" },
      h("h2", {}, h("span", { class: `dot ${severity}` }), count(number, name.toLowerCase(), plural(name))),
      h("p", { class: "means" }, capital(means), "."),
      inPieces(group, MANY2, (kind) => kindCard(kind, around, 20), `kinds of ${plural(name)}`)
    );
  }
  var BRIEF = 6;
  function brief(facts2, around) {
    const kinds = kindsOf(facts2.issues);
    if (kinds.length === 0) return null;
    const cards = (some) => some.map((kind) => kindCard(kind, around, 1));
    const rest2 = kinds.slice(BRIEF);
    return h(
      "section",
      { class: "odd", "aria-label": "Its form" },
      h("h2", {}, "Its form"),
      cards(kinds.slice(0, BRIEF)),
      rest2.length > 0 && more(`Show ${count(rest2.length, "more kind")}`, () => cards(rest2))
    );
  }
  function mark2(issue) {
    return h("span", { class: `mark-of ${issue.severity}` }, h("span", { class: "severity" }, severityName(issue.severity)), " ", marked(capital(issue.summary)), issue.detail !== "" && h("bdi", { class: "detail" }, ` ${issue.detail}`));
  }
  var OCTETS = 240;
  function context(message2, [from, to]) {
    const before = message2.subarray(Math.max(lineStart(message2, from), from - 60), from);
    const after = linesOf(message2.subarray(to, to + 60))[0] ?? new Uint8Array();
    const marks = h("mark", {}, visible(message2.subarray(from, to), OCTETS));
    const isWhole = to - from <= OCTETS && !endsLine(message2, to);
    return h("pre", { class: "octets", tabindex: 0 }, visible(before), marks, isWhole && visible(after));
  }
  function lineStart(message2, at) {
    return message2.lastIndexOf(10, at - 1) + 1;
  }
  function endsLine(message2, at) {
    return message2[at - 1] === 10;
  }
  function capital(text2) {
    return text2.charAt(0).toUpperCase() + text2.slice(1);
  }
  function plural(name) {
    return name === "Loss" ? "losses" : `${name.toLowerCase()}s`;
  }

  // page/view/changes.ts
  var MANY3 = 100;
  var OCTETS2 = 24e3;
  function changeList(facts2, around) {
    if (facts2.refused) return h("p", { class: "nothing" }, "Refused: a signature would break, so nothing is changed.");
    if (!facts2.changed) return h("p", { class: "nothing" }, "Nothing changes. The message is in its normal form, and comes back octet for octet.");
    if (facts2.changes.length === 0) return h("p", { class: "nothing" }, "Only line ends change: every line comes to end with CRLF.");
    const view2 = (change) => changeView(change, facts2.changes.indexOf(change), around);
    return h("div", { class: "changes" }, inPieces(facts2.changes, MANY3, view2, "changes"));
  }
  function changeView(change, number, around) {
    const [from, to] = change.span;
    const rule = around.rules.get(change.rule);
    return h(
      "section",
      { class: "change" },
      h(
        "header",
        {},
        h("h2", {}, capital(change.reason)),
        h("span", { class: "where" }, `${placeOf(change.part)}, line ${(around.source.lineOf(from) + 1).toLocaleString("en")}, ${sizes(to - from, change.length)}`)
      ),
      rule && ruleLine(rule, ""),
      diffView(change, number, around, OCTETS2)
    );
  }
  function diffView(change, number, around, max) {
    const { message: message2 } = around.source;
    const [from, to] = change.span;
    const [before, after] = [linesOf(message2.subarray(from, Math.min(to, from + max))), linesOf(octetsOf(change.with.slice(0, max)))];
    const left2 = Math.max(to - from - max, 0) + change.length - Math.min(max, change.with.length);
    const isLast = max >= to - from && max >= change.with.length && (!around.whole || change.with.length === change.length);
    const isLong = before.length > MANY || after.length > MANY;
    const view2 = h(
      "div",
      { class: "diff", role: "group", "aria-label": "Before and after", tabindex: 0 },
      isLong && h("p", { class: "more" }, `More than ${MANY} lines: first all that go, then all that come.`),
      context2(message2, from, -1),
      diff(before, after).map(line)
    );
    const rest2 = () => {
      const isCut = change.with.length < Math.min(change.length, 10 * max);
      const shown = diffView(isCut && around.whole?.().changes[number] || change, number, around, 10 * max);
      view2.replaceWith(shown);
      shown.focus();
      return [];
    };
    const foot = () => {
      if (left2 <= 0) return context2(message2, to, 1);
      if (!isLast) return more(next(9 * max, left2, "octets"), rest2);
      return h("p", { class: "more" }, `${count(left2, "more octet")}: not in this file, but sevenbit normalize writes them all.`);
    };
    view2.append(foot() ?? "");
    return view2;
  }
  function sizes(before, after) {
    if (before === 0) return `${after.toLocaleString("en")} octets put in`;
    if (after === 0) return `${before.toLocaleString("en")} octets taken out`;
    return `${before.toLocaleString("en")} octets become ${after.toLocaleString("en")}`;
  }
  var SIGNS = { same: [" ", "stays"], gone: ["−", "before"], new: ["+", "after"] };
  function line({ kind, octets: octets3, marked: marked2 }) {
    const [sign2, said] = SIGNS[kind];
    const [begin, end] = marked2 ?? [0, 0];
    const inside = marked2 && end > begin && h("mark", {}, visible(octets3.subarray(begin, end)));
    return h(
      "div",
      { class: `row ${kind}` },
      h("span", { class: "sign", role: "img", "aria-label": said }, sign2),
      h("span", { class: "content" }, inside ? [visible(octets3.subarray(0, begin)), inside, visible(octets3.subarray(end))] : visible(octets3))
    );
  }
  function context2(message2, at, side) {
    const start = side < 0 ? message2.lastIndexOf(10, Math.max(at - 2, 0)) + 1 : at;
    const octets3 = side < 0 ? message2.subarray(at < 2 ? 0 : start, at) : linesOf(message2.subarray(at, at + 200))[0] ?? message2.subarray(at, at);
    return octets3.length > 0 ? line({ kind: "same", octets: octets3.subarray(0, 200) }) : null;
  }

  // page/view/decoded.ts
  function contentOf(body2, encoding) {
    switch (encoding) {
      case "7bit":
      case "8bit":
      case "binary":
        return body2.slice();
      case "base64":
        return base64(body2);
      case "quoted-printable":
        return quotedPrintable(body2);
      default:
        return void 0;
    }
  }
  function base64(body2) {
    const made = new Uint8Array(Math.ceil(body2.length * 3 / 4));
    let [length, bits, count2] = [0, 0, 0];
    for (const octet of body2) {
      const value = VALUES[octet];
      if (octet === 61) break;
      if (value < 0) continue;
      bits = bits << 6 | value;
      if (++count2 % 4 !== 1) made[length++] = bits >> 6 - 2 * ((count2 - 1) % 4) & 255;
    }
    return made.slice(0, length);
  }
  var VALUES = new Int8Array(256).fill(-1);
  [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].forEach((letter, value) => VALUES[letter.charCodeAt(0)] = value);
  function quotedPrintable(body2) {
    const made = new Uint8Array(body2.length);
    let length = 0;
    for (let at = 0; at < body2.length; at++) {
      if (body2[at] !== 61) {
        made[length++] = body2[at];
        continue;
      }
      const [soft] = /^=[ \t]*\r?\n/.exec(String.fromCharCode(...body2.subarray(at, at + 80))) ?? [];
      const hex2 = String.fromCharCode(body2[at + 1] ?? 0, body2[at + 2] ?? 0);
      if (soft) at += soft.length - 1;
      else if (/^[0-9A-Fa-f]{2}$/.test(hex2)) {
        made[length++] = parseInt(hex2, 16);
        at += 2;
      } else made[length++] = 61;
    }
    return made.slice(0, length);
  }

  // page/view/pictures.ts
  var PICTURES = /* @__PURE__ */ new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/avif"]);
  var LARGE = 8e6;
  function picturesOf({ facts: facts2, source, isCut }) {
    const pictures = facts2.parts.filter((part) => PICTURES.has(part.mediaType) && !isCut(part));
    const drawn = /* @__PURE__ */ new Map();
    let left2 = LARGE;
    const draw2 = (part) => {
      if (part === void 0 || part.length > left2) return void 0;
      const octets3 = contentOf(source.get(part.body), part.encoding);
      left2 -= part.length;
      return octets3 && `data:${part.mediaType};base64,${base642(octets3)}`;
    };
    return (address) => {
      if (!drawn.has(address)) drawn.set(address, draw2(pictures.find((part) => names(part, address))));
      return drawn.get(address);
    };
  }
  function names({ fields }, address) {
    const field = (wanted) => fields.find(({ name }) => name.toLowerCase() === wanted)?.text.trim() ?? "";
    if (/^cid:/i.test(address)) return field("content-id").replace(/^<|>$/g, "") === unescaped(address.slice(4));
    return address !== "" && field("content-location") === address;
  }
  function unescaped(id) {
    try {
      return decodeURIComponent(id);
    } catch {
      return id;
    }
  }
  function base642(octets3) {
    const pieces = [];
    for (let at = 0; at < octets3.length; at += 32768) pieces.push(String.fromCharCode(...octets3.subarray(at, at + 32768)));
    return btoa(pieces.join(""));
  }

  // page/view/files.ts
  function fileList(around) {
    const { parts, attachments, plain: plain3, html } = around.facts;
    const between = [...plain3, ...html].filter((index) => parts[index].text === null);
    const files = [.../* @__PURE__ */ new Set([...attachments, ...between])].sort((a, b) => a - b);
    if (files.length === 0) return null;
    return h(
      "section",
      { class: "files", "aria-label": "Attachments" },
      h("h2", {}, count(files.length, "attachment")),
      h("ul", {}, files.map((index) => item(index, around)))
    );
  }
  function item(index, { facts: facts2, source, show, isCut, open }) {
    const part = facts2.parts[index];
    const content2 = () => isCut(part) ? void 0 : part.isLeaf ? contentOf(source.get(part.body), part.encoding) : source.get(part.body).slice();
    const canSave = !isCut(part) && (!part.isLeaf || /^(7bit|8bit|binary|base64|quoted-printable)$/.test(part.encoding));
    const name = fileName(part);
    const place2 = h("div", { class: "preview" });
    const preview = () => {
      const octets3 = content2();
      if (octets3) place2.replaceChildren(picture(octets3, part.mediaType, name));
    };
    const length = part.isLeaf ? part.length : source.get(part.body).length;
    const isPicture = PICTURES.has(part.mediaType) && canSave;
    if (isPicture && part.length <= LARGE) preview();
    return h(
      "li",
      {},
      icon(shapeOf(part)),
      h("span", { class: "what" }, h("bdi", { class: "name" }, nameOf(part)), h("span", { class: "kind" }, `${part.mediaType}, ${size(length)}`)),
      h(
        "span",
        { class: "actions" },
        isPicture && part.length > LARGE && h("button", { type: "button", onclick: preview }, "Show"),
        open && canSave && part.mediaType === "message/rfc822" && h("button", { type: "button", onclick: () => open(content2(), name), "aria-label": `Open ${name}` }, "Open"),
        canSave && h("button", { type: "button", onclick: () => save(content2(), name), "aria-label": `Save ${name}` }, "Save"),
        h("button", { type: "button", class: "quiet", onclick: () => show(index), "aria-label": `Details of ${name}` }, "Details")
      ),
      isCut(part) && h("p", { class: "more" }, "Its octets are left out of this page."),
      place2
    );
  }
  function picture(octets3, type, name) {
    const url = URL.createObjectURL(new Blob([octets3], { type }));
    const done = () => URL.revokeObjectURL(url);
    const broken = () => (done(), image.replaceWith(h("p", { class: "more" }, "This picture cannot be drawn.")));
    const image = h("img", { src: url, alt: `The picture ${name}`, onload: done, onerror: broken });
    return image;
  }
  function fileName(part) {
    const given = (part.filename ?? "").replace(/^.*[\\/]/, "").replace(/[\p{Cc}\p{Cf}<>:"|?*]/gu, "").trim().replace(/^\.+/, "");
    return given.slice(-120) || (part.mediaType === "message/rfc822" ? "message.eml" : "attachment.bin");
  }
  function save(octets3, name, type = "application/octet-stream") {
    const url = URL.createObjectURL(new Blob([octets3], { type }));
    h("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1e3);
  }

  // page/view/hints.ts
  var ADDRESS = /^(from|sender|reply-to|to|cc|bcc)$/i;
  var FIELD_RULES = [
    {
      name: ADDRESS,
      holds: (raw) => /^[^<"]*[^\s<>,;"()]+@[^\s<>,;()]+\s*\([^()]+\)/.test(raw),
      readers: 5,
      who: ["Python", "Ruby mail", "Email::MIME", "MIME::Tools", "mime4j"],
      says: "An address with the name in parentheses: they do not take the comment for a name, the other five do."
    },
    {
      name: ADDRESS,
      holds: (raw) => /<[^<>@\s"]+>/.test(raw),
      readers: 4,
      who: ["Ruby mail", "Email::MIME", "mime4j", "go-message"],
      says: "An address without a domain in angle brackets: they want a domain, and find no address."
    },
    {
      name: ADDRESS,
      holds: (_, text2) => /"?([^\s"<>,]+@[^\s"<>,]+)"?\s*<\1>/i.test(text2),
      readers: 2,
      who: ["postal-mime", "nodemailer"],
      says: "A name that is the address itself: they drop the name."
    },
    {
      name: /^(to|cc|bcc)$/i,
      holds: (raw) => /^[^<>@"]*:\s*;/.test(raw),
      readers: 1,
      who: ["MIME::Tools"],
      says: "An empty group: its name is shown as an address."
    },
    {
      name: /^(to|cc|bcc)$/i,
      holds: (raw) => /^\s*[a-z0-9._-]+\s*$/i.test(raw),
      readers: void 0,
      who: [],
      says: "An address without a domain is a name for some readers, and an address for others."
    },
    {
      name: ADDRESS,
      holds: (raw) => /[^\s"<>,;()@]\.\.[^\s"<>,;()]*@/.test(raw),
      readers: 2,
      who: ["GMime", "go-message"],
      says: "Two dots side by side in an address: the one drops it, the other gives up the whole list."
    },
    {
      name: /^date$/i,
      holds: (raw) => /\bZ$/.test(raw),
      readers: 1,
      who: ["mail-parser"],
      says: "A date in the zone `Z`: it reads it otherwise."
    },
    {
      name: /^content-(type|disposition)$/i,
      holds: (raw) => /\b(file)?name\*(\d+\*?)?\s*=/i.test(raw),
      readers: 1,
      who: ["mime4j"],
      says: "A file name in the form of RFC 2231, which it does not read."
    }
  ];
  var PART_RULES = [
    {
      holds: (part) => part.format?.toLowerCase() === "flowed",
      readers: 2,
      who: ["postal-mime", "nodemailer"],
      says: "Text in format=flowed: they undo it, the others show the lines as they stand."
    },
    {
      holds: (part) => part.mediaType === "text/rfc822-headers",
      readers: 1,
      who: ["Python"],
      says: "text/rfc822-headers is parsed as a message."
    },
    {
      holds: (part, body2) => /^iso-8859-1$/i.test(part.charsetLabel ?? "") && hasC1(part.encoding, body2),
      readers: 8,
      who: [],
      says: "iso-8859-1 over octets 80-9F: two of the ten read them as windows-1252, as browsers do; the others show control characters."
    },
    {
      holds: (part, body2) => part.encoding === "quoted-printable" && part.text !== null && /[^=\r\n \t][ \t]+\r?\n/.test(body2()),
      readers: 4,
      who: ["Python", "GMime", "postal-mime", "Ruby mail"],
      says: "White space at the end of a line of quoted-printable, which means nothing: they keep it, the others do not."
    }
  ];
  function hasC1(encoding, body2) {
    if (encoding === "quoted-printable") return /=[89][0-9a-f]/i.test(body2());
    return encoding !== "base64" && /[\x80-\x9f]/.test(body2());
  }
  function hintsOf(facts2, source) {
    const hints = facts2.parts.flatMap((part, index) => [
      ...part.fields.flatMap((field) => ofField(field, index, source)),
      ...ofPart(part, index, source)
    ]);
    return [...hints, ...ofIssues(facts2, source)].sort((a, b) => (b.readers ?? 0) - (a.readers ?? 0));
  }
  function ofField(field, part, source) {
    const raw = charactersOf(source.get(field.octets).subarray(field.name.length + 1)).trim();
    const rules2 = FIELD_RULES.filter((rule) => rule.name.test(field.name) && rule.holds(raw, field.text));
    return rules2.map(({ readers, who, says }) => ({ readers, who, says, part, field: field.name }));
  }
  function ofPart(part, index, source) {
    if (!part.isLeaf) return [];
    const body2 = () => charactersOf(source.get(part.body).subarray(0, 1 << 20));
    return PART_RULES.filter(({ holds: holds2 }) => holds2(part, body2)).map(({ readers, who, says }) => ({ readers, who, says, part: index }));
  }
  var ISSUE_RULES = [
    { code: "unparsed-line", readers: 7, who: [], says: "Text where a field should be: seven readers drop such a line as a broken field." },
    { code: "header-not-ended", readers: 7, who: [], says: "No empty line before the text: seven readers drop such lines as broken fields." },
    { code: "fold-restored", readers: void 0, who: [], says: "A fold that was lost: many readers miss what stands on such a line, a boundary perhaps." },
    { code: "boundary-missing", readers: 10, who: [], says: "A multipart whose boundary never occurs: readers show nothing of it." },
    {
      code: "charset-guessed",
      readers: void 0,
      who: [],
      says: "Octets above 7E without a label that could be true: readers guess, each in its own way. After archiving, nine of ten such messages read alike."
    },
    { code: "domain-to-ascii", readers: void 0, who: [], says: "Raw UTF-8 in an address: not every program carries it." },
    { code: "address-not-ascii", readers: void 0, who: [], says: "Raw UTF-8 in an address: 7 bits cannot carry the local part." },
    {
      code: "line-ends-normalized",
      octets: ([first]) => first === 13,
      readers: 8,
      who: [],
      says: "The message is stored with CR alone: eight readers do not know that as a line end, and see one long field."
    }
  ];
  function ofIssues(facts2, source) {
    return ISSUE_RULES.flatMap(({ code, octets: octets3, readers, who, says }) => {
      const issue = facts2.issues.find((issue2) => issue2.code === code && (octets3?.(source.get(issue2.span)) ?? true));
      if (!issue) return [];
      const part = facts2.parts.findIndex(({ path }) => path === issue.part);
      return [{ readers, who, says, part: Math.max(part, 0) }];
    });
  }

  // page/view/hover.ts
  var LIMIT = 1200;
  var Hover = class {
    element = h("div", { class: "behind", id: "behind", role: "tooltip", hidden: true });
    #of;
    #octets = new Uint8Array();
    constructor() {
      document.addEventListener("keydown", ({ key, target }) => {
        if (key === "Escape") this.hide();
        if (key === "Enter" && this.#of !== void 0 && target === this.#of) this.#open();
      });
      document.addEventListener("dblclick", ({ target }) => this.#of?.contains(target) && this.#open());
      document.addEventListener("scroll", () => this.#follow(), { capture: true, passive: true });
    }
    /** From now on `element` shows octets, which are computed on demand. */
    behind(element, octets3) {
      const show = () => this.#show(element, octets3());
      element.addEventListener("pointerenter", show);
      element.addEventListener("focus", show);
      element.addEventListener("pointerleave", () => this.hide());
      element.addEventListener("blur", () => this.hide());
      element.addEventListener("click", show);
      element.setAttribute("aria-describedby", this.element.id);
    }
    /** Does this for elements inside `around` that `selector` names, by their numbers: there may be many. */
    behindEach(around, selector, octets3) {
      const show = ({ target }) => {
        const element = target.closest(selector);
        if (element) this.#show(element, octets3([...around.querySelectorAll(selector)].indexOf(element)));
      };
      around.addEventListener("pointerover", show);
      around.addEventListener("focusin", show);
      around.addEventListener("click", show);
      around.addEventListener("pointerleave", () => this.hide());
      around.addEventListener("focusout", () => this.hide());
    }
    hide() {
      this.element.hidden = true;
      this.#of?.classList.remove("shown");
      this.#of = void 0;
    }
    #show(element, octets3) {
      if (this.#of === element) return;
      this.hide();
      this.#of = element;
      element.classList.add("shown");
      this.element.replaceChildren(
        h("p", {}, `${octets3.length.toLocaleString("en")} octets behind this`),
        h("pre", { class: "octets" }, visible(octets3, LIMIT, left))
      );
      this.#octets = octets3;
      this.element.hidden = false;
      this.#place(element.getBoundingClientRect());
    }
    /** All of them, in a scrollable box. */
    #open() {
      const [of, octets3] = [this.#of, this.#octets];
      const dialog = h("dialog", { "aria-label": "Octets" });
      const close = h("button", { type: "button", onclick: () => dialog.close() }, "Close");
      dialog.append(h("h2", {}, count(octets3.length, "octet")), h("pre", { class: "octets", tabindex: 0 }, visible(octets3)), h("div", { class: "actions" }, close));
      dialog.addEventListener("close", () => (dialog.remove(), of?.focus()));
      this.hide();
      this.element.after(dialog);
      dialog.showModal();
    }
    /** Stays beside its element as that moves, and disappears with it. */
    #follow() {
      if (!this.#of) return;
      const at = this.#of.getBoundingClientRect();
      const isSeen = at.bottom > 0 && at.top < document.documentElement.clientHeight;
      if (isSeen) this.#place(at);
      else this.hide();
    }
    /** Below its element, or above if there is no room. */
    #place(at) {
      const own = this.element.getBoundingClientRect();
      const { clientWidth, clientHeight } = document.documentElement;
      const below = at.bottom + 6;
      const top = below + own.height <= clientHeight ? below : Math.max(at.top - own.height - 6, 6);
      const left2 = Math.max(Math.min(at.left, clientWidth - own.width - 10), 10);
      this.element.style.setProperty("top", `${top}px`);
      this.element.style.setProperty("left", `${left2}px`);
    }
  };
  function left(octets3) {
    return h("span", { class: "more" }, `… ${count(octets3.length, "more octet")}: all with Enter, or a double click`);
  }

  // page/view/lists.ts
  var SAYS = {
    "list-id": "The list",
    "list-unsubscribe": "Unsubscribe",
    "list-post": "Write to it",
    "list-archive": "Archive",
    "list-subscribe": "Subscribe",
    "list-help": "Help",
    "list-owner": "Owner",
    "feedback-id": "Campaign"
  };
  function listEntries(fields) {
    const oneClick = fields.some(({ name, text: text2 }) => /^list-unsubscribe-post$/i.test(name) && /one-click/i.test(text2));
    return fields.flatMap(({ name, text: text2 }) => {
      const says = SAYS[name.toLowerCase()];
      if (says === void 0) return [];
      const links = [...text2.matchAll(/<([^<>]+)>/g)].map(([, link]) => link.replace(/\s+/g, ""));
      const isShort = /^list-unsubscribe$/i.test(name) && oneClick;
      return [{ name, says: isShort ? `${says}, in one click` : says, links: links.length > 0 && !/^list-id$/i.test(name) ? links : [text2.trim()] }];
    });
  }
  function listView(fields) {
    const entries = listEntries(fields);
    if (entries.length === 0) return null;
    return h(
      "section",
      { class: "card" },
      h("h2", {}, "The mailing list"),
      h("dl", { class: "table-of" }, entries.map(({ says, links }) => h("div", {}, h("dt", {}, says), h("dd", {}, links.map((link) => h("code", { class: "link" }, link)))))),
      h("p", { class: "means" }, "Addresses are shown as text: copy one to follow it.")
    );
  }

  // page/view/links.ts
  var PLACE = /^(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+[\p{L}-]{2,})(?::\d+)?(?:[/?#]\S*)?$/iu;
  function lyingLinks(markup) {
    const { links } = new DOMParser().parseFromString(markup, "text/html");
    const found = /* @__PURE__ */ new Map();
    for (const link of links) {
      const says = hostOf(`http://${PLACE.exec((link.textContent ?? "").trim())?.[1] ?? ""}`);
      const leads = hostOf(link.getAttribute("href") ?? "");
      if (says !== void 0 && leads !== void 0 && !areOneSite(says, leads)) found.set(`${says} ${leads}`, { says, leads });
    }
    return [...found.values()];
  }
  function targetList(markup) {
    const { links } = new DOMParser().parseFromString(markup, "text/html");
    const targets = /* @__PURE__ */ new Map();
    for (const link of links) {
      const target = (link.getAttribute("href") ?? "").trim();
      if (target !== "" && !target.startsWith("#") && !targets.has(target)) targets.set(target, (link.textContent ?? "").trim());
    }
    if (targets.size === 0) return null;
    const row3 = ([target, text2]) => h("li", {}, text2 !== "" && h("bdi", { class: "says" }, text2.slice(0, LENGTH)), h("bdi", { class: "address" }, target.slice(0, LENGTH)));
    return h("details", { class: "targets" }, h("summary", {}, `Where ${count(targets.size, "link leads", "links lead")}`), h("ul", {}, inPieces([...targets], 20, row3, "links")));
  }
  var LENGTH = 300;
  function hostOf(address) {
    try {
      const { protocol, hostname } = new URL(address.trim());
      return /^https?:$/.test(protocol) && hostname !== "" ? hostname.replace(/^www\./, "") : void 0;
    } catch {
      return void 0;
    }
  }
  function areOneSite(one, other) {
    return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
  }

  // page/view/style.ts
  var PROPERTIES = /^(?:(?:background-)?color|font-(?:family|size|style|weight|variant.*)|line-height|letter-spacing|word-(?:break|spacing)|overflow-wrap|white-space.*|text-(?:align.*|decoration.*|indent|transform)|vertical-align|direction|unicode-bidi|display|visibility|float|clear|(?:min-|max-)?(?:width|height)|box-sizing|(?:margin|padding)-.*|border-(?!image).*|table-layout|caption-side|empty-cells|list-style-(?:type|position)|opacity)$/;
  var [RULES, ELEMENTS] = [1e3, 2e4];
  function styled(from, to) {
    if (!(from instanceof HTMLElement) || !(to instanceof HTMLElement)) return;
    for (const name of from.style) {
      const value = from.style.getPropertyValue(name);
      if (PROPERTIES.test(name) && !/url|image|var|attr|expression/i.test(value)) to.style.setProperty(name, value);
    }
  }
  function isColoured(document2) {
    const isSo = ({ style }) => style.color !== "" || style.backgroundColor !== "";
    return isSo(document2.body) || document2.querySelector("[bgcolor], font[color]") !== null || [...document2.querySelectorAll("[style]")].some(isSo);
  }
  function applied(document2) {
    const sheets = [...document2.querySelectorAll("style")].map((element) => rulesOf(element.textContent ?? "")).flat();
    if (sheets.length === 0 || document2.querySelectorAll("*").length > ELEMENTS) return;
    const own = /* @__PURE__ */ new Map();
    for (const { selectorText, style } of sheets.slice(0, RULES)) {
      for (const element of matches(document2, selectorText)) {
        if (!own.has(element)) own.set(element, element.getAttribute("style") ?? "");
        for (const name of style) element.style.setProperty(name, style.getPropertyValue(name));
      }
    }
    for (const [element, said] of own) element.style.cssText += `;${said}`;
  }
  function rulesOf(text2) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text2.replace(/<!--|-->/g, ""));
    return [...sheet.cssRules].filter((rule) => rule instanceof CSSStyleRule);
  }
  function matches(document2, selector) {
    try {
      return [...document2.querySelectorAll(selector)].filter((element) => element instanceof HTMLElement);
    } catch {
      return [];
    }
  }

  // page/view/frame.ts
  var KEPT = new Set(
    "a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i ins kbd li main mark nav ol p pre q s samp section small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr".split(" ")
  );
  var DROPPED = new Set(
    "script style head title noscript template iframe frame frameset object embed applet svg math audio video canvas select textarea".split(" ")
  );
  var ATTRIBUTES = ["align", "bgcolor", "border", "cellpadding", "cellspacing", "color", "colspan", "dir", "face", "height", "lang", "rowspan", "size", "start", "type", "valign", "width"];
  var DEPTH = 200;
  function draw(markup, pictures) {
    const written = new DOMParser().parseFromString(markup, "text/html");
    applied(written);
    const clean = document.implementation.createHTMLDocument("");
    const copy2 = new Copy(clean, pictures);
    copy2.children(written.body, clean.body, 0);
    styled(written.body, clean.body);
    const scheme = isColoured(clean) ? "light" : "light dark";
    clean.head.append(meta(clean, { httpEquiv: "Content-Security-Policy", content: "default-src 'none'; img-src data:; style-src-attr 'unsafe-inline'" }), meta(clean, { name: "color-scheme", content: scheme }));
    const frame = h("iframe", {
      class: scheme === "light" ? "drawn paper" : "drawn",
      sandbox: "",
      srcdoc: `<!doctype html>${clean.documentElement.outerHTML}`,
      referrerpolicy: "no-referrer",
      title: "HTML of the message, without scripts and links"
    });
    frame.style.setProperty("--lines", String(linesIn(clean.body)));
    return { frame, elsewhere: [...copy2.elsewhere] };
  }
  function meta(document2, properties) {
    return Object.assign(document2.createElement("meta"), properties);
  }
  function linesIn(body2) {
    const blocks = body2.querySelectorAll("p, div, li, tr, h1, h2, h3, h4, blockquote, pre, br, hr").length;
    const pictures = 6 * body2.querySelectorAll("img").length;
    return Math.ceil((body2.textContent ?? "").trim().length / 80) + 1.3 * blocks + pictures + 2;
  }
  var Copy = class {
    constructor(document2, pictures) {
      this.document = document2;
      this.pictures = pictures;
    }
    document;
    pictures;
    elsewhere = /* @__PURE__ */ new Set();
    children(from, to, depth) {
      for (const child of from.childNodes) {
        if (child.nodeType === Node.TEXT_NODE) to.appendChild(this.document.createTextNode(child.nodeValue ?? ""));
        if (!(child instanceof Element) || depth > DEPTH) continue;
        const name = child.localName;
        if (DROPPED.has(name)) continue;
        if (name === "img") to.appendChild(this.#picture(child));
        else this.children(child, KEPT.has(name) ? to.appendChild(this.#element(child)) : to, depth + 1);
      }
    }
    #element(from) {
      const isLink = from.localName === "a";
      const made = this.document.createElement(isLink ? "u" : from.localName);
      copyAttributes(from, made);
      const target = isLink ? from.getAttribute("href") : null;
      if (target) made.setAttribute("title", target.slice(0, 300));
      return made;
    }
    #picture(from) {
      const address = (from.getAttribute("src") ?? "").trim();
      const alt = from.getAttribute("alt") ?? "";
      const octets3 = this.pictures(address);
      if (octets3 !== void 0) {
        const made = this.document.createElement("img");
        copyAttributes(from, made);
        Object.assign(made, { src: octets3, alt });
        return made;
      }
      const host = hostOf(address);
      if (host !== void 0) this.elsewhere.add(host);
      return this.document.createTextNode(alt === "" ? "[picture]" : `[picture: ${alt}]`);
    }
  };
  function copyAttributes(from, to) {
    for (const name of ATTRIBUTES) {
      const value = from.getAttribute(name);
      if (value !== null) to.setAttribute(name, value);
    }
    styled(from, to);
  }

  // page/view/text.ts
  var LINES = 300;
  function textView(index, around) {
    const place2 = h("div", {});
    fill(place2, index, around.facts, around);
    return place2;
  }
  function fill(place2, index, facts2, around) {
    const part = facts2.parts[index];
    const { shown, lines: places, whole } = part.text;
    const lines2 = shown.split("\n");
    if (lines2.at(-1) === "") lines2.pop();
    const body2 = around.source.get(part.body);
    const line2 = (shown2) => h("div", { class: "line", dir: "auto", tabindex: -1, "aria-describedby": around.hover.element.id }, document.createTextNode(shown2 || "​"));
    const view2 = h("div", { class: "text", role: "group", "aria-label": "Text" }, inPieces(lines2, LINES, line2, "lines"));
    if (!whole) view2.append(rest(place2, index, around));
    around.hover.behindEach(view2, ".line", (at) => places?.[at] ? body2.subarray(...places[at]) : body2);
    walk(view2);
    place2.replaceChildren(part.length === 0 ? h("p", { class: "nothing" }, "No text.") : view2);
  }
  function rest(place2, index, around) {
    const { whole } = around;
    if (!whole) return h("p", { class: "more" }, "The rest of this text is not in this file: sevenbit's page shows it, and so does a mail program.");
    return more("Load the rest of this text", () => {
      fill(place2, index, whole(), around);
      place2.querySelector(".line")?.focus();
      return [];
    });
  }
  function walk(view2) {
    const first = view2.querySelector(".line");
    if (first) first.tabIndex = 0;
    view2.addEventListener("focusin", ({ target }) => {
      view2.querySelectorAll(".line[tabindex='0']").forEach((line2) => line2.tabIndex = -1);
      if (target instanceof HTMLElement) target.tabIndex = 0;
    });
    view2.addEventListener("keydown", (event) => {
      const from = event.target;
      const to = { ArrowDown: from.nextElementSibling, ArrowUp: from.previousElementSibling, Home: view2.firstElementChild, End: view2.lastElementChild }[event.key];
      if (!(to instanceof HTMLElement)) return;
      event.preventDefault();
      to.focus();
    });
  }

  // page/view/part.ts
  function partView(index, around) {
    const part = around.facts.parts[index];
    return h(
      "article",
      { class: "part", "aria-label": nameOf(part) },
      h("header", {}, h("h2", {}, h("bdi", {}, nameOf(part))), chips(part)),
      header(index, part, around),
      body(index, part, around),
      odd(index, around)
    );
  }
  function odd(index, around) {
    const kinds = kindsOf(around.placed.of(index));
    if (kinds.length === 0) return null;
    return h("section", { class: "odd", "aria-label": "The form of this part" }, h("h3", {}, "Its form"), inPieces(kinds, 20, (kind) => kindCard(kind, around), "kinds"));
  }
  function chips(part) {
    const charset = part.charset ?? part.charsetLabel;
    const labels = [
      ["Section", part.path],
      ["Type", part.mediaType],
      ["Charset", part.isLeaf && charset ? charset : null],
      ["Encoding", part.isLeaf ? part.encoding : null],
      ["Content", part.isLeaf ? size(part.length) : null],
      ["Disposition", part.disposition]
    ];
    const shown = labels.filter(([, value]) => value);
    return h("dl", { class: "chips" }, shown.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, h("bdi", {}, value)))));
  }
  var KNOWN = /^(from|sender|reply-to|to|cc|bcc|subject|date)$/i;
  function header(index, part, around) {
    if (part.fields.length === 0) return null;
    const rows = part.fields.map((field, at) => row(field, around.placed.ofField(index, at), around));
    const isKnown = (at) => part.depth > 0 || KNOWN.test(part.fields[at].name) || around.placed.ofField(index, at).length > 0;
    const rest2 = rows.filter((_, at) => !isKnown(at));
    const known = rows.filter((_, at) => isKnown(at));
    return h(
      "section",
      { class: "fields", "aria-label": "Header" },
      known.length > 0 && table(known, "Fields"),
      rest2.length > 0 && h("details", {}, h("summary", {}, count(rest2.length, "more field")), table(rest2, "More fields"))
    );
  }
  function table(rows, label) {
    return h("div", { class: "table", role: "table", "aria-label": label }, rows);
  }
  function row(field, issues, around) {
    const value = h("div", { class: "value", tabindex: 0 }, h("bdi", {}, field.text || " "));
    around.hover.behind(value, () => around.source.get(field.octets));
    return h(
      "div",
      { class: `field ${SEVERITIES.find((severity) => issues.some((issue) => issue.severity === severity)) ?? ""}`, role: "row" },
      h("div", { class: "field-name", role: "rowheader" }, h("bdi", {}, field.name)),
      h("div", { class: "read", role: "cell" }, value, kindsOf(issues).map(({ first }) => mark2(first)))
    );
  }
  function body(index, part, around) {
    const kinds = kindsOf(around.placed.ofBody(index));
    return h("section", { class: "body", "aria-label": "Body" }, kinds.map(({ first }) => mark2(first)), content(index, part, around));
  }
  function content(index, part, around, isDrawn = false) {
    if (!part.isLeaf) return null;
    if (part.text === null) return octets(part, around);
    const text2 = textView(index, around);
    const markup = () => (part.text.whole ? part : around.whole?.().parts[index] ?? part).text.shown;
    return part.mediaType === "text/html" ? htmlView(markup, text2, picturesOf(around), isDrawn) : text2;
  }
  var choices = 0;
  function htmlView(markup, source, pictures, isDrawn) {
    const place2 = h("div", { class: "html" }, isDrawn ? drawnView(markup(), pictures) : source);
    const choose = (event) => {
      const drawn = event.target.value === "drawn";
      place2.replaceChildren(...drawn ? drawnView(markup(), pictures) : [source]);
    };
    const number = ++choices;
    const choice = (value, label, checked) => h("label", {}, h("input", { type: "radio", name: `html-${number}`, value, checked, onchange: choose }), h("span", {}, label));
    return h(
      "div",
      {},
      h("fieldset", { class: "choice" }, h("legend", {}, "HTML"), choice("source", "Source", !isDrawn), choice("drawn", "Drawn", isDrawn)),
      place2
    );
  }
  function drawnView(markup, pictures) {
    const { frame, elsewhere } = draw(markup, pictures);
    const servers = inPieces(elsewhere, 6, (host) => h("bdi", { class: "host" }, host), "servers");
    const missing = elsewhere.length > 0 && h("p", { class: "means" }, "Pictures that it wants from elsewhere are not fetched: ", servers);
    return [frame, missing, targetList(markup)].filter((element) => element instanceof HTMLElement);
  }
  function octets(part, around) {
    const body2 = around.source.get(part.body);
    return h(
      "div",
      {},
      h("p", { class: "means" }, `A file of ${size(part.length)}. This is how it stands in the message:`),
      h("pre", { class: "octets", tabindex: 0 }, visible(body2, 2e3))
    );
  }

  // page/view/proofs.ts
  var RESULTS = /^(authentication-results|arc-authentication-results|received-spf)$/i;
  function proofsOf(fields) {
    return fields.filter(({ name }) => RESULTS.test(name)).flatMap(({ name, text: text2 }) => /^received-spf$/i.test(name) ? spf(text2) : results(text2));
  }
  function results(text2) {
    const [first = "", ...rest2] = withoutComments(text2).split(";");
    const isSealed = /^\s*i\s*=\s*(\d+)\s*$/.exec(first);
    const said = (isSealed ? rest2.shift() ?? "" : first).trim().split(/\s+/)[0] ?? "";
    return rest2.flatMap((one) => {
      const found = /^\s*([a-z][\w-]*)(?:\/\d+)?\s*=\s*([a-z]+)/i.exec(one);
      if (!found) return [];
      return [{ method: found[1].toLowerCase(), result: found[2].toLowerCase(), about: about(one), said, sealed: isSealed?.[1] ?? "" }];
    });
  }
  function about(one) {
    const names2 = ["header.d", "header.from", "smtp.mailfrom", "smtp.helo", "header.i", "smtp.remote-ip"];
    for (const name of names2) {
      const found = new RegExp(`(?:^|\\s)${name.replace(".", "\\.")}\\s*=\\s*"?([^\\s";]+)`, "i").exec(one);
      if (found) return found[1];
    }
    return "";
  }
  function spf(text2) {
    const found = /^\s*([a-z]+)/i.exec(text2);
    const from = /envelope-from\s*=\s*"?<?([^\s">;]+)/i.exec(text2);
    const said = /receiver\s*=\s*([^\s;]+)/i.exec(text2);
    return found ? [{ method: "spf", result: found[1].toLowerCase(), about: from?.[1] ?? "", said: said?.[1] ?? "", sealed: "" }] : [];
  }
  function withoutComments(text2) {
    let plain3 = text2;
    for (let before = ""; before !== plain3; ) [before, plain3] = [plain3, plain3.replace(/\([^()]*\)/g, " ")];
    return plain3;
  }
  var NAMES3 = { spf: "SPF", dkim: "DKIM", dmarc: "DMARC", arc: "ARC", iprev: "Reverse name", auth: "Login", "dkim-atps": "DKIM", bimi: "BIMI" };
  var PROVES = {
    spf: "the server that sent it may send for",
    dkim: "signed, and unchanged since, by",
    dmarc: "the sender that people see is vouched for by",
    arc: "earlier results were passed on unchanged by",
    iprev: "the address of the server has the name",
    auth: "sent after a login as"
  };
  var FAILS = {
    fail: "not proven: this fails for",
    softfail: "doubtful: the owner rather excludes this for",
    neutral: "nothing is said by",
    none: "nothing to check for",
    temperror: "could not be checked at that moment for",
    permerror: "could not be checked, since what is published is wrong, for",
    policy: "passes, but not by the server's own policy, for"
  };
  function inWords({ method, result, about: about2 }) {
    const says = result === "pass" ? PROVES[method] ?? "passes for" : FAILS[result] ?? `${result} for`;
    return about2 === "" ? says.replace(/ (for|by|as|the name)$/, "") : `${says} ${about2}`;
  }
  function signersOf(fields) {
    const domains = fields.filter(({ name }) => /^dkim-signature$/i.test(name)).map(({ text: text2 }) => /(?:^|;)\s*d\s*=\s*([^\s;]+)/.exec(text2)?.[1] ?? "");
    return [...new Set(domains.filter((domain) => domain !== ""))];
  }
  function proofsView(fields) {
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
      h("p", { class: "means" }, "These are claims of the servers that are named, read from the header and not checked here. Trust only what your own server wrote.")
    );
  }
  function proofView(proof) {
    const kind = proof.result === "pass" ? "pass" : /^(fail|permerror)$/.test(proof.result) ? "loss" : /^(softfail|temperror|policy)$/.test(proof.result) ? "repair" : "note";
    return h(
      "li",
      {},
      h("span", { class: `badge ${kind}` }, `${NAMES3[proof.method] ?? proof.method.toUpperCase()}: ${proof.result}`),
      h("bdi", {}, inWords(proof)),
      proof.said !== "" && h("span", { class: "kind" }, "says ", h("bdi", {}, proof.said), proof.sealed !== "" && `, passed on in step ${proof.sealed} of ARC`)
    );
  }

  // page/view/raw.ts
  var LINES2 = 400;
  var OCTETS3 = 2e3;
  function rawView(source) {
    const rows = h("ol", {});
    const above = h("button", { type: "button", class: "quiet", hidden: true });
    const below = h("button", { type: "button", class: "quiet", hidden: true });
    const said = h("span", { role: "status" });
    const input = h("input", { type: "search", "aria-label": "Search in the source", placeholder: "Search", size: 24 });
    const form = h("form", { class: "search" }, input, h("button", { type: "submit" }, "Find next"), said);
    let [from, to] = [0, 0];
    const draw2 = (first, last2, marked2) => {
      [from, to] = [Math.max(0, first), Math.min(source.lines, last2)];
      rows.start = from + 1;
      rows.replaceChildren(...Array.from({ length: to - from }, (_, at) => row2(source, from + at, marked2)));
      label(above, from, "lines before");
      label(below, source.lines - to, "lines");
    };
    const label = (button, left2, what) => {
      button.hidden = left2 <= 0;
      button.textContent = next(LINES2, left2, what);
    };
    above.addEventListener("click", () => draw2(from - LINES2, to));
    below.addEventListener("click", () => draw2(from, to + LINES2));
    const go = (span) => {
      const line2 = source.lineOf(span[0]);
      draw2(line2 - Math.floor(LINES2 / 2), line2 + LINES2, span);
      const target = rows.children[line2 - from];
      target?.classList.add("found");
      target?.scrollIntoView({ block: "center" });
    };
    let text2;
    let last = -1;
    let wanted = "";
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const word = lower(charactersOf(new TextEncoder().encode(input.value)));
      if (word === "") return;
      text2 ??= lower(charactersOf(source.message));
      if (word !== wanted) [wanted, last] = [word, -1];
      let at = text2.indexOf(word, last + 1);
      const isAgain = at < 0 && last >= 0;
      if (isAgain) at = text2.indexOf(word);
      last = at;
      said.textContent = at < 0 ? "Not found." : `Line ${(source.lineOf(at) + 1).toLocaleString("en")}${isAgain ? ", from the beginning again" : ""}`;
      if (at >= 0) go([at, at + word.length]);
    });
    draw2(0, LINES2);
    const element = h(
      "div",
      { class: "source" },
      h("div", { class: "search-bar" }, form, h("span", { class: "means" }, `${count(source.lines, "line")}, ${count(source.message.length, "octet")}`)),
      above,
      h("div", { class: "raw", tabindex: 0, role: "region", "aria-label": "The source" }, rows),
      below
    );
    return { element, go };
  }
  function lower(characters) {
    return characters.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  }
  function row2(source, line2, marked2) {
    const { message: message2 } = source;
    const [start, all] = source.line(line2);
    const end = all - (endOf(message2, all) === endOf(message2, source.line(0)[1]) ? endOf(message2, all) : 0);
    if (!marked2 || marked2[1] <= start || marked2[0] >= end) return h("li", {}, visible(message2.subarray(start, end), OCTETS3));
    const [from, to] = [Math.max(start, marked2[0]), Math.min(end, marked2[1])];
    return h("li", {}, visible(message2.subarray(start, from), OCTETS3), h("mark", {}, visible(message2.subarray(from, to), OCTETS3)), visible(message2.subarray(to, end), OCTETS3));
  }
  function endOf(message2, at) {
    return message2[at - 1] !== 10 ? 0 : message2[at - 2] === 13 ? 2 : 1;
  }

  // page/view/readers.ts
  function readerList(hints, facts2, show) {
    const intro = h(
      "p",
      { class: "means" },
      "Ten independent programs were asked about thousands of real messages. What is known of them for something in this one:"
    );
    if (hints.length === 0) {
      return h("p", { class: "nothing" }, "Nothing in this message is known to be read differently.");
    }
    return h("div", { class: "readers" }, intro, hints.map((hint) => card(hint, facts2, show)));
  }
  function card(hint, facts2, show) {
    const { readers, says, who, field, part } = hint;
    const share = readers === void 0 ? "Some of ten" : `${readers} of ten`;
    return h(
      "section",
      { class: "hint" },
      h(
        "div",
        { class: "share" },
        h("strong", {}, share),
        readers !== void 0 && h("span", { class: "dots", "aria-hidden": "true" }, Array.from({ length: 10 }, (_, at) => h("span", { class: at < readers ? "on" : "" })))
      ),
      h(
        "div",
        {},
        h("p", {}, says),
        who.length > 0 && h("p", { class: "who" }, who.join(", ")),
        h("button", { type: "button", class: "where", onclick: () => show(part) }, h("bdi", {}, nameOf(facts2.parts[part])), field !== void 0 && h("span", {}, h("bdi", {}, field)))
      )
    );
  }

  // page/view/rules.ts
  function rulesOf2(document2) {
    const rules2 = /* @__PURE__ */ new Map();
    for (const section2 of document2.split(/^##+ /m)) {
      const found = /^([GHB]\d+)(?: (.+))?\n([^]*)/.exec(section2);
      if (!found) continue;
      const [, name, title2, text2] = found;
      rules2.set(name, { name, title: title2 ?? "", whole: piecesOf2(text2.split(/^Example, /m)[0]) });
    }
    return rules2;
  }
  function piecesOf2(text2) {
    const pieces = text2.split(/\n\n|\n(?=- |\d+\. |\|)/).map((piece) => piece.trim().replace(/\s*\n\s*/g, " "));
    return pieces.filter((piece) => piece !== "" && !piece.startsWith("|---")).map((piece) => piece.startsWith("|") ? piece.slice(1, -1).split("|").map((cell) => cell.trim()).join(": ") : piece).map((piece) => piece.replace(/^- /, "• ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("\\*", "*"));
  }

  // page/view/sender.ts
  var NAMED = 6;
  var METHODS = ["dmarc", "dkim", "spf"];
  function senderCard(facts2) {
    const proofs = proofsOf(facts2.parts[0].fields).filter(({ method, sealed }) => METHODS.includes(method) && sealed === "");
    const doubts = doubtsOf(facts2, proofs);
    const rows = [
      ["Says it is from", people(facts2.from) ?? "nobody"],
      ["Sent by", differs(facts2.sender, facts2.from) && people(facts2.sender)],
      ["Replies go to", differs(facts2.replyTo, facts2.from) && people(facts2.replyTo)],
      ["Failures go to", isOther(facts2.returnPath, facts2.from) && h("bdi", { class: "address" }, facts2.returnPath)]
    ];
    const isGrave = doubts.some(({ weight }) => weight === "loss");
    return h(
      "details",
      { class: "card sender", open: isGrave },
      h("summary", {}, h("span", {}, "Who sent this, and can it be trusted?"), " ", badge(doubts, proofs)),
      h("dl", { class: "table-of" }, rows.filter(([, value]) => value).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
      doubts.length > 0 && h("ul", { class: "doubts", "aria-label": "Reasons for doubt" }, doubts.map(({ weight, says }) => h("li", { class: weight }, says))),
      proofs.length > 0 && h("ul", { class: "proofs" }, proofs.slice(0, NAMED).map(proofView)),
      h("p", { class: "means" }, proofs.length > 0 ? "What servers noted stands in the header, and is not checked here: trust only what your own server wrote." : "No server has noted whether SPF, DKIM or DMARC vouch for the sender. Anybody can write any sender.")
    );
  }
  function badge(doubts, proofs) {
    const [worst] = doubts;
    if (worst) return h("span", { class: `badge ${worst.weight}` }, count(doubts.length, "reason for doubt", "reasons for doubt"));
    if (proofs.length === 0) return h("span", { class: "badge note" }, "nobody vouches for it");
    return h("span", { class: "badge note" }, `${proofs[0].method.toUpperCase()}: ${proofs[0].result}`);
  }
  function doubtsOf(facts2, proofs) {
    const { from, parts, subject, html } = facts2;
    const doubts = [];
    const add = (weight, ...says) => doubts.push({ weight, says });
    for (const { address, addressInName } of from.slice(0, NAMED)) {
      if (addressInName) add("loss", "The name of the sender is an address, ", h("bdi", {}, addressInName), ", but the sender is ", h("bdi", {}, address), ".");
    }
    const failed = proofs.find(({ method, result }) => method === "dmarc" && result === "fail") ?? proofs.find(({ result }) => result === "fail");
    if (failed) add("loss", `A server found that the sender is not proven (${failed.method.toUpperCase()} fails).`);
    if (differs(facts2.replyTo, from)) add("repair", "A reply goes to somebody else than the sender.");
    if (from.length > 1) add("note", `It names ${from.length} senders.`);
    const lies = html.flatMap((index) => parts[index].mediaType === "text/html" ? lyingLinks(parts[index].text?.shown ?? "") : []);
    for (const { says, leads } of lies.slice(0, NAMED)) add("loss", "A link that says ", h("bdi", {}, says), " leads to ", h("bdi", {}, leads), ".");
    if (lies.length > NAMED) add("loss", `${lies.length - NAMED} more links lead elsewhere than they say.`);
    const disguised = parts.filter((part) => part.disguisedType !== null);
    for (const part of disguised.slice(0, NAMED)) add("loss", "The file ", h("bdi", {}, nameOf(part)), " is not what its name says: its octets are ", kindOf(part.disguisedType), ".");
    if (disguised.length > NAMED) add("loss", `${disguised.length - NAMED} more files are not what their names say.`);
    const hidden = [subject ?? "", ...from.map(({ name }) => name), ...parts.map(({ filename }) => filename ?? "")].filter(turns);
    if (hidden.length > 0) add("loss", "It has characters that turn the direction of text, which makes a name read as another one: ", h("bdi", { dir: "ltr" }, inPlainText(hidden[0])), ".");
    return doubts.sort((one, other) => SEVERITIES.indexOf(one.weight) - SEVERITIES.indexOf(other.weight));
  }
  function kindOf(mediaType) {
    if (/executable|mach-binary|application\/java$/.test(mediaType)) return "a program";
    return { "text/x-shellscript": "a script", "text/html": "a web page", "application/pdf": "a PDF document", "application/zip": "a ZIP archive" }[mediaType] ?? mediaType;
  }
  function differs(mailboxes, from) {
    return mailboxes.some(({ address }) => isOther(address, from));
  }
  function isOther(address, from) {
    return address !== null && address !== "" && !from.some((person) => person.address.toLowerCase() === address.toLowerCase());
  }
  function people(list) {
    if (list.length === 0) return null;
    const one = ({ name, address }) => h("span", { class: "person" }, name !== "" && h("bdi", {}, name), h("bdi", { class: "address" }, name === "" ? address : `<${address}>`));
    return h("span", { class: "people" }, list.slice(0, NAMED).map(one), list.length > NAMED && h("span", { class: "person" }, `and ${list.length - NAMED} more`));
  }

  // page/view/tabs.ts
  function tabs(all) {
    const buttons = all.map(
      ({ id, label, number }) => h(
        "button",
        { role: "tab", type: "button", id: `tab-${id}`, "aria-controls": `panel-${id}` },
        label,
        number !== void 0 && h("span", { class: "number" }, number.toLocaleString("en"))
      )
    );
    const panels = all.map(({ id }) => h("div", { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}` }));
    const select = (index, focus) => {
      buttons.forEach((button, at) => {
        button.setAttribute("aria-selected", String(at === index));
        button.tabIndex = at === index ? 0 : -1;
        panels[at].hidden = at !== index;
      });
      if (panels[index].childElementCount === 0) panels[index].append(all[index].panel());
      if (focus) buttons[index].focus();
    };
    const bar = h("div", { role: "tablist", class: "tabs", "aria-label": "What to show" }, buttons);
    bar.addEventListener("keydown", (event) => {
      const at = buttons.findIndex((button) => button.tabIndex === 0);
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
      if (to === void 0) return;
      event.preventDefault();
      select((to + buttons.length) % buttons.length, true);
    });
    buttons.forEach((button, at) => button.addEventListener("click", () => select(at, false)));
    select(0, false);
    return { element: h("div", { class: "tabbed" }, bar, panels), choose: (id) => select(all.findIndex((tab) => tab.id === id), false) };
  }

  // page/view/tree.ts
  function tree(facts2, placed, choose) {
    const items = facts2.parts.map((part, index) => item2(part, index, facts2.parts, placed));
    const list = h("ul", { role: "tree", class: "tree", "aria-label": "Parts of the message" }, items);
    const select = (index, focus) => {
      items.forEach((item3, at) => {
        item3.setAttribute("aria-selected", String(at === index));
        item3.tabIndex = at === index ? 0 : -1;
      });
      if (focus) items[index].focus();
      choose(index);
    };
    items.forEach((item3, index) => item3.addEventListener("click", () => select(index, true)));
    list.addEventListener("choose", (event) => select(event.detail, false));
    list.addEventListener("keydown", (event) => {
      const at = items.findIndex((item3) => item3.tabIndex === 0);
      const to = next2(event.key, at, facts2.parts);
      if (to === void 0) return;
      event.preventDefault();
      select(to, true);
    });
    select(0, false);
    return list;
  }
  function next2(key, at, parts) {
    const last = parts.length - 1;
    const depth = parts[at].depth;
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
        return void 0;
    }
  }
  function siblingsOf(index, parts) {
    const { depth } = parts[index];
    const before = parts.findLastIndex((part, at) => at < index && part.depth < depth);
    const after = parts.findIndex((part, at) => at > index && part.depth < depth);
    return parts.slice(before + 1, after < 0 ? parts.length : after).filter((part) => part.depth === depth);
  }
  function item2(part, index, parts, placed) {
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
        "data-depth": Math.min(part.depth, 12)
      },
      icon(shapeOf(part)),
      h(
        "span",
        { class: "what" },
        h("bdi", { class: "name" }, nameOf(part)),
        h("span", { class: "kind" }, part.isLeaf ? `${part.mediaType}, ${size(part.length)}` : part.mediaType)
      ),
      worst && h("span", { class: `badge ${worst}`, title: count(issues.length, "issue") }, String(issues.length))
    );
    if (!part.isLeaf && parts[index + 1]) element.setAttribute("aria-expanded", "true");
    return element;
  }

  // page/view/unreadable.ts
  var DOUBTS = /* @__PURE__ */ new Set(["label-doubtful", "undecodable-text", "charset-guessed", "charset-unknown", "charset-label-lies"]);
  var SURE = 0.9;
  var [BRIEF2, LINES3, LENGTH2] = [3, 30, 300];
  function unreadableView(facts2, repairer) {
    const doubts = facts2.issues.filter(({ code }) => DOUBTS.has(code)).map(({ code }) => code);
    if (!repairer) {
      const isWrong2 = doubts.includes("label-doubtful");
      return isWrong2 ? h("p", { class: "notice" }, "This text reads as if it had been read in a wrong charset. ", h("code", {}, "sevenbit repair --candidates FILE"), " lists what it may be, and ", h("code", {}, "sevenbit repair --as LABEL FILE"), " writes it.") : null;
    }
    if (!facts2.parts.some((part) => part.text !== null)) return null;
    let found;
    const readings = () => found ??= repairer.readings();
    const isOpen = doubts.length > 0 && isWrong(doubts, readings);
    const place2 = h("div", { class: "chooser" });
    const fill2 = () => place2.childElementCount === 0 && place2.replaceChildren(...chooser(facts2, readings(), repairer));
    const view2 = h(
      "details",
      { class: "unreadable", open: isOpen, ontoggle: () => view2.open && fill2() },
      h("summary", {}, isOpen ? "This text may be another one" : "Is the text unreadable?"),
      place2
    );
    if (isOpen) fill2();
    return view2;
  }
  function isWrong(codes, readings) {
    if (codes.some((code) => code === "label-doubtful" || code === "undecodable-text")) return true;
    return readings().some(({ readings: [best, second] }) => second !== void 0 && best.sureness < SURE);
  }
  function chooser(facts2, all, repairer) {
    const several = all.filter(({ readings }) => readings.length > 1);
    const texts = several.length > 0 ? several : all.slice(0, 1);
    const partOf = (path) => facts2.parts.find((part) => part.path === path && part.text !== null);
    const candidates = h("fieldset", { class: "candidates" });
    const [reads, note] = [h("div", { class: "text", dir: "auto", tabindex: 0, role: "group", "aria-label": "The text" }), h("p", { class: "means", role: "status" })];
    const label = h("input", { id: "read-as", list: "charsets", autocomplete: "off", spellcheck: "false", placeholder: "koi8-r, big5…" });
    const names2 = h("datalist", { id: "charsets" }, repairer.charsets().map((name) => h("option", { value: name })));
    let text2 = texts[0];
    let written;
    const choose = (choice) => {
      written = repairer.write(choice);
      const read = repairer.textOf(written, text2.part);
      reads.replaceChildren(...lines(plain2(read, partOf(text2.part).mediaType), LINES3));
      const stays = choice.readAs !== void 0 && read === repairer.textOf(repairer.write({ doubtful: "keep" }), text2.part);
      note.textContent = stays ? `Read as ${choice.readAs} it stays as it is: it is the same there, or no text in that charset.` : "";
    };
    const typed = () => {
      const name = repairer.charsetOf(label.value.trim());
      const isKnown = name !== void 0 && repairer.charsets().includes(name);
      label.setAttribute("aria-invalid", String(label.value.trim() !== "" && !isKnown));
      if (!isKnown) return void (note.textContent = label.value.trim() === "" ? "" : "No charset is known by this name yet.");
      candidates.querySelectorAll("input").forEach((input) => input.checked = false);
      choose({ readAs: name });
    };
    const list = () => {
      const { mediaType } = partOf(text2.part);
      candidates.replaceChildren(h("legend", {}, "What it may read as"), ...text2.readings.map((reading, at) => candidate(reading, at, mediaType, () => (label.value = "", choose(choiceOf(reading))))));
      if (text2.readings.length > 0) choose(choiceOf(text2.readings[0]));
    };
    label.addEventListener("input", typed);
    list();
    const parts = texts.length > 1 && h("label", {}, "Text of ", h("select", { onchange: ({ target }) => (text2 = texts[target.selectedIndex], list()) }, texts.map(({ part }) => h("option", {}, `${nameOf(partOf(part))} (${part})`))));
    return [
      h("p", { class: "means" }, "A message is unreadable if its text was read in another charset than it was written in. Choose what reads right: the whole message is written so, as an archive writes it."),
      ...parts ? [h("p", { class: "other" }, parts)] : [],
      candidates,
      h("p", { class: "other" }, h("label", { for: "read-as" }, "Another charset, by any of its names"), label, names2),
      h("section", { class: "reads", "aria-label": "How it reads then" }, h("h2", {}, "How it reads then"), note, reads),
      h(
        "div",
        { class: "actions" },
        h("button", { type: "button", class: "main", onclick: () => written && repairer.save(written) }, "Save the message so"),
        h("button", { type: "button", onclick: () => written && repairer.open(written) }, "Show the message so")
      )
    ];
  }
  function choiceOf({ by, charset }) {
    if (by === "label") return { doubtful: "keep" };
    return by === "repair" ? { doubtful: "repair" } : { readAs: charset };
  }
  function candidate(reading, at, mediaType, choose) {
    return h(
      "label",
      { class: "candidate" },
      h("input", { type: "radio", name: "reading", checked: at === 0, onchange: choose }),
      h(
        "span",
        { class: "what" },
        h("strong", {}, title(reading)),
        h("span", { class: "kind" }, inWords2(reading.sureness)),
        h("span", { class: "excerpt", dir: "auto" }, lines(plain2(reading.text, mediaType), BRIEF2))
      )
    );
  }
  function title({ by, charset, undone = [] }) {
    if (by === "label") return `${charset}, as its label says`;
    return by === "guess" ? `${charset}, as its octets are` : `${capital(undone.join(", "))}: undone`;
  }
  function inWords2(sureness) {
    const words = [[0.9, "almost surely"], [0.65, "probably"], [0.25, "perhaps"], [0.08, "hardly"]];
    return words.find(([from]) => sureness >= from)?.[1] ?? "improbable";
  }
  function plain2(text2, mediaType) {
    if (mediaType !== "text/html") return text2;
    const { body: body2 } = new DOMParser().parseFromString(text2.replace(/^[^<>]*>/, ""), "text/html");
    body2.querySelectorAll("script, style, template").forEach((element) => element.remove());
    return body2.textContent ?? "";
  }
  function lines(text2, most) {
    const written = text2.split("\n").filter((line2) => line2.trim() !== "");
    return written.slice(0, most).map((line2) => h("span", { class: "line" }, h("bdi", {}, document.createTextNode(line2.slice(0, LENGTH2)))));
  }

  // page/view/way.ts
  function stepsOf(fields) {
    const steps = fields.filter(({ name }) => /^received$/i.test(name)).map(({ text: text2 }) => stepOf(text2)).reverse();
    let before;
    for (const step of steps) {
      if (step.time !== void 0 && before !== void 0) step.delay = Math.round((step.time - before) / 1e3);
      before = step.time ?? before;
    }
    return steps;
  }
  function stepOf(text2) {
    const [, clauses, date] = /^([\s\S]*?)(?:;([^;]*))?$/.exec(text2);
    const words = clauses.match(/\((?:[^()]|\([^()]*\))*\)|<[^>]*>|[^\s()<>]+/g) ?? [];
    const found = {};
    let clause = "";
    for (const word of words) {
      const name = word.toLowerCase();
      if (/^(from|by|via|with|id|for)$/.test(name) && found[name] === void 0) found[clause = name] = [];
      else found[clause]?.push(word);
    }
    const said = (name) => (found[name] ?? []).join(" ");
    return { from: said("from"), by: said("by"), with: said("with"), for: said("for").replace(/^<|>$/g, ""), time: timeOf(date ?? ""), delay: void 0 };
  }
  function timeOf(date) {
    const time = Date.parse(date.replace(/\([^)]*\)/g, "").trim());
    return Number.isNaN(time) ? void 0 : time;
  }
  function duration(seconds) {
    const all = Math.abs(seconds);
    if (all < 90) return `${seconds} s`;
    const sign2 = seconds < 0 ? "-" : "";
    if (all < 5400) return `${sign2}${Math.round(all / 60)} min`;
    if (all < 172800) return `${sign2}${Math.floor(all / 3600)} h ${Math.round(all % 3600 / 60)} min`;
    return `${sign2}${Math.round(all / 86400)} days`;
  }
  function slowestOf(steps) {
    const slowest = steps.reduce((most, step) => (step.delay ?? 0) > (most?.delay ?? 4) ? step : most, void 0);
    return slowest;
  }
  function wayView(fields) {
    const steps = stepsOf(fields);
    if (steps.length === 0) return h("p", { class: "nothing" }, "No server has noted that the message passed it: there is no Received field.");
    const slowest = slowestOf(steps);
    const times = steps.flatMap(({ time }) => time === void 0 ? [] : [time]);
    const total = times.length > 1 ? Math.round((times.at(-1) - times[0]) / 1e3) : void 0;
    const cell = (text2, name) => h("td", { "data-name": name }, h("bdi", {}, text2 || "–"));
    const row3 = (step, at) => h(
      "tr",
      { class: step === slowest ? "slowest" : "" },
      h("th", { scope: "row" }, String(at + 1)),
      cell(step.from, "From"),
      cell(step.by, "By"),
      cell(step.with, "With"),
      h("td", { "data-name": "When" }, step.time === void 0 ? "no date that can be read" : h("time", { datetime: new Date(step.time).toISOString() }, new Date(step.time).toISOString().replace("T", " ").slice(0, 19))),
      h("td", { "data-name": "Took", class: "took" }, took(step, at), step === slowest && h("span", { class: "badge repair" }, "slowest"))
    );
    return h(
      "div",
      { class: "wide", role: "region", "aria-label": "The way of the message", tabindex: 0 },
      total !== void 0 && h("p", { class: "means" }, `From the first server to the last: ${duration(total)}. Times are in UTC; each is the clock of the server that wrote it.`),
      h(
        "table",
        { class: "way" },
        h("thead", {}, h("tr", {}, ["", "From", "By", "With", "When", "Took"].map((name) => name === "" ? h("td", {}) : h("th", { scope: "col" }, name)))),
        h("tbody", {}, steps.map(row3))
      )
    );
  }
  function took(step, at) {
    if (at === 0) return "–";
    if (step.delay === void 0) return "unknown";
    return step.delay < 0 ? `${duration(step.delay)}: a clock is wrong` : duration(step.delay);
  }

  // page/view/message.ts
  var SevenbitMessage = class extends HTMLElement {
    #hover;
    #title = h("h1", { tabindex: -1 });
    show({ facts: facts2, message: message2, rules: document2, whole, actions: actions2 = [], said, leftOut: leftOut2 = [], open, repairer }) {
      const [source, placed, rules2] = [new Source(message2), new Placed(facts2), rulesOf2(document2)];
      const hints = hintsOf(facts2, source);
      const hover = this.#hover ??= new Hover();
      hover.hide();
      const view2 = h("div", { class: "view" });
      const { fields } = facts2.parts[0];
      const raw = rawView(source);
      const show = (issue) => {
        bar.choose("source");
        raw.go(issue.span);
      };
      const isCut = (part) => typeof part.body !== "string" && leftOut2.some(([from, to]) => from < Number(part.body[1]) && Number(part.body[0]) < to);
      const around = { facts: facts2, source, placed, rules: rules2, hover, whole, show, isCut };
      const parts = tree(facts2, placed, (index) => {
        hover.hide();
        view2.replaceChildren(partView(index, around));
      });
      const showPart = (index) => {
        bar.choose("parts");
        parts.dispatchEvent(new CustomEvent("choose", { detail: index }));
        view2.scrollIntoView({ block: "nearest" });
      };
      const bar = tabs([
        { id: "message", label: "Message", panel: () => h("div", { class: "message" }, text(around), unreadableView(facts2, repairer), fileList({ facts: facts2, source, show: showPart, isCut, open }), brief(facts2, around)) },
        { id: "parts", label: "Parts", number: facts2.parts.length, panel: () => h("div", { class: "parts" }, parts, view2) },
        { id: "issues", label: "Form", number: facts2.issues.length, panel: () => kindList(facts2.issues, around) },
        { id: "changes", label: "Changes", number: facts2.changes.length, panel: () => changeList(facts2, { source, rules: rules2, whole }) },
        { id: "way", label: "Way", panel: () => way(fields) },
        { id: "readers", label: "Readers", number: hints.length, panel: () => readerList(hints, facts2, showPart) },
        { id: "source", label: "Source", panel: () => raw.element }
      ]);
      this.replaceChildren(this.#head(facts2, said, actions2), senderCard(facts2), bar.element, hover.element);
    }
    /** Where the focus goes when a message opens. */
    focusTitle() {
      this.#title.focus({ preventScroll: true });
    }
    #head(facts2, said, actions2) {
      const subject = facts2.subject?.trim() || "No subject";
      this.#title.replaceChildren(h("bdi", {}, subject));
      this.#title.title = inPlainText(subject);
      const rows = [
        ["From", people(facts2.from)],
        ["To", people(facts2.to)],
        ["Cc", people(facts2.cc)],
        ["Date", facts2.date !== null && h("time", { datetime: facts2.date }, facts2.date.replace("T", " "))],
        ...facts2.words.map(({ name, summary: summary2, word }) => [labelOf(name), h("bdi", { title: summary2 }, word)])
      ];
      return h(
        "header",
        { class: "head" },
        h(
          "div",
          { class: "title" },
          this.#title,
          h("dl", { class: "who" }, rows.filter(([, value]) => value).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
          said !== void 0 && h("p", { class: "notice" }, said),
          verdict(facts2)
        ),
        actions2.length > 0 && h("div", { class: "actions" }, actions2)
      );
    }
  };
  function text(around) {
    const { facts: facts2 } = around;
    const shown = facts2.plain.length > 0 ? facts2.plain : facts2.html;
    const html = facts2.html.filter((index) => !shown.includes(index) && facts2.parts[index].mediaType === "text/html");
    const part = (index) => h("div", { class: "part-text" }, content(index, facts2.parts[index], around, true));
    const isText = (index) => facts2.parts[index].text !== null;
    const texts = shown.filter(isText);
    return h(
      "section",
      { class: "reading", "aria-label": "Text" },
      texts.length === 0 ? h("p", { class: "nothing" }, "This message has no text.") : texts.map(part),
      html.map((index) => h("details", {}, h("summary", {}, `The same as ${nameOf(facts2.parts[index])}`), part(index)))
    );
  }
  function way(fields) {
    return h(
      "div",
      { class: "cards" },
      h("section", { class: "card" }, h("h2", {}, "From server to server"), wayView(fields)),
      h("section", { class: "card" }, h("h2", {}, "Who vouches for the sender"), proofsView(fields)),
      listView(fields)
    );
  }
  function verdict(facts2) {
    const octets3 = (number) => number.toLocaleString("en");
    const says = facts2.refused ? "Its form is refused: a signature would break." : facts2.changed ? `Its form: ${count(facts2.changes.length, "change")}, ${octets3(facts2.octets)} octets become ${octets3(facts2.becomes)}.` : `Its form is the normal form already: ${octets3(facts2.octets)} octets stay as they are.`;
    const kinds = SEVERITIES.map((severity) => [severity, facts2.issues.filter((issue) => issue.severity === severity).length]);
    return h(
      "p",
      { class: "verdict" },
      h("span", {}, says),
      h("span", { class: "profile" }, `For the ${facts2.profile} profile.`),
      kinds.filter(([, number]) => number > 0).map(([severity, number]) => h("span", { class: `badge ${severity}` }, count(number, severity, plural(severity === "loss" ? "Loss" : severity))))
    );
  }
  customElements.define("sevenbit-message", SevenbitMessage);
  function labelOf(name) {
    return name[0].toUpperCase() + name.slice(1).replaceAll("_", " ");
  }

  // page/view/summary.ts
  function summary(facts2, source, name) {
    const { fields } = facts2.parts[0];
    const people2 = (list) => list.map(({ name: name2, address }) => inPlainText(name2 ? `${name2} <${address}>` : address)).join(", ");
    const lines2 = [
      `Message: ${name}, ${size(facts2.octets)}`,
      `Subject: ${inPlainText(facts2.subject?.trim() || "none")}`,
      `From:    ${people2(facts2.from) || "nobody"}`,
      `To:      ${people2(facts2.to) || "nobody"}`,
      `Date:    ${facts2.date ?? "none that can be read"}`,
      "",
      `Parts: ${count(facts2.parts.length, "part")}`,
      ...facts2.parts.map((part) => `${"  ".repeat(part.depth + 1)}${inPlainText(nameOf(part))}: ${part.mediaType}${part.charset ? `, ${part.charset}` : ""}${part.isLeaf ? `, ${size(part.length)}` : ""}`),
      "",
      ...way2(fields),
      ...proofsOf(fields).map((proof) => `${proof.method.toUpperCase()} ${proof.result}: ${inWords(proof)}${proof.said ? ` (says ${proof.said})` : ""}`),
      "",
      facts2.issues.length === 0 ? "Its form is the normal form." : `Its form (profile ${facts2.profile}):`
    ];
    for (const { first, issues } of kindsOf(facts2.issues)) {
      lines2.push(`- ${severityName(first.severity)}: ${first.summary} [${first.rule} ${first.code}]`, `  ${first.effect}`);
      for (const issue of issues.slice(0, 5)) lines2.push(`  at ${placeOfIssue(issue)}, ${source.where(issue.span)}${issue.detail ? `: ${issue.detail}` : ""}`);
      if (issues.length > 5) lines2.push(`  and ${count(issues.length - 5, "more place")}`);
    }
    return `${lines2.join("\n").replace(/\n{3,}/g, "\n\n")}
`;
  }
  function way2(fields) {
    const steps = stepsOf(fields);
    if (steps.length === 0) return [];
    const slowest = slowestOf(steps);
    return [
      `Way: ${count(steps.length, "server")}`,
      ...steps.map((step, at) => `  ${at + 1}. ${step.from || "?"} to ${step.by || "?"}${step.delay === void 0 ? "" : `, ${duration(step.delay)}`}${step === slowest ? " (slowest)" : ""}`)
    ];
  }

  // page/explained.ts
  var { facts, message, rules, leftOut } = JSON.parse(document.getElementById("held").textContent);
  var view = document.querySelector("sevenbit-message");
  var octets2 = octetsOf(message);
  var copied = h("span", { role: "status" });
  var copy = async () => {
    await navigator.clipboard.writeText(summary(facts, new Source(octets2), document.title));
    copied.textContent = "On the clipboard.";
  };
  var actions = [h("button", { type: "button", onclick: () => void copy() }, "Copy as report"), copied];
  view.show({ facts, message: octets2, rules, actions, ...leftOut && { leftOut } });
})();

// Made of js/page/ by js/page/build.mjs; do not edit.
"use strict";
(() => {
  // page/view/dom.ts
  function h(tag, attributes = {}, ...children) {
    const element2 = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") element2.addEventListener(name.slice(2), value);
      else if (value === true) element2.setAttribute(name, "");
      else if (value !== void 0 && value !== false) element2.setAttribute(name, String(value));
    }
    element2.append(...children.flat().filter((child) => child !== false && child !== null && child !== void 0));
    return element2;
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
    return `Show ${of}${left2.toLocaleString("en")} more ${what}`;
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
  function marked(text) {
    return text.split(/(`[^`]*`|\*\*[^*]*\*\*)/).map((piece) => {
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
    /** Octets by where they are, or as they are. */
    get(octets2) {
      return typeof octets2 === "string" ? octetsOf(octets2) : this.message.subarray(...octets2);
    }
  };
  function octetsOf(characters) {
    return Uint8Array.from(characters, (character) => character.charCodeAt(0));
  }
  function charactersOf(octets2) {
    const pieces = [];
    for (let at = 0; at < octets2.length; at += NEXT) pieces.push(String.fromCharCode(...octets2.subarray(at, at + NEXT)));
    return pieces.join("");
  }
  var NEXT = 1 << 14;
  var NAMES = { 0: "NUL", 9: "TAB", 10: "LF", 13: "CR", 27: "ESC", 127: "DEL" };
  function sign(octet) {
    return NAMES[octet] ?? hex(octet);
  }
  function hex(octet) {
    return octet.toString(16).toUpperCase().padStart(2, "0");
  }
  function isPlain(octet) {
    return octet >= 32 && octet < 127;
  }
  function ask(max) {
    return (octets2) => more(next(max, octets2.length, "octets"), () => [h("span", { tabindex: -1 }, visible(octets2, max, ask(10 * max)))]);
  }
  function visible(octets2, limit = 4096, rest2 = ask(NEXT)) {
    const fragment = document.createDocumentFragment();
    const end = Math.min(octets2.length, limit);
    let at = 0;
    while (at < end) {
      const from = at;
      while (at < end && isPlain(octets2[at])) at++;
      if (at > from) fragment.append(...plain(octets2, from, at));
      if (at < end) at = special(fragment, octets2, at, end);
    }
    if (octets2.length > limit) fragment.append(rest2(octets2.subarray(end)));
    return fragment;
  }
  function plain(octets2, from, to) {
    const text = String.fromCharCode(...octets2.subarray(from, to));
    const next3 = octets2[to];
    if (next3 !== 13 && next3 !== 10) return [text];
    const kept = text.trimEnd();
    if (kept === text) return [text];
    const dots = "·".repeat(text.length - kept.length);
    return [kept, h("span", { class: "octet space", title: "20, space at the end of a line" }, dots)];
  }
  function special(to, octets2, at, end) {
    const octet = octets2[at];
    if (octet === 13 || octet === 10) {
      const both = octet === 13 && octets2[at + 1] === 10 && at + 1 < end;
      const title2 = both ? "0D 0A, CRLF" : `${hex(octet)}, ${sign(octet)} alone`;
      to.append(h("span", { class: both ? "octet end" : "octet alone", title: title2 }, both ? "↵" : sign(octet)), "\n");
      return at + (both ? 2 : 1);
    }
    if (octet < 128) {
      to.append(h("span", { class: "octet control", title: `${hex(octet)}, control` }, sign(octet)));
      return at + 1;
    }
    let after = at;
    while (after < end && octets2[after] >= 128) after++;
    const codes = Array.from(octets2.subarray(at, after), hex);
    const text = new TextDecoder().decode(octets2.subarray(at, after));
    const title = text.includes("�") ? "8-bit octets" : `8-bit octets; as UTF-8: ${text}`;
    to.append(h("span", { class: "octet high", title }, codes.join(" ")));
    return after;
  }
  function linesOf(octets2) {
    const lines = [];
    let start = 0;
    for (let at = 0; at < octets2.length; at++) {
      const ends = octets2[at] === 10 || octets2[at] === 13 && octets2[at + 1] !== 10;
      if (ends) {
        lines.push(octets2.subarray(start, at + 1));
        start = at + 1;
      }
    }
    if (start < octets2.length) lines.push(octets2.subarray(start));
    return lines;
  }

  // page/view/diff.ts
  var MANY = 400;
  function diff(before, after) {
    if (before.length > MANY || after.length > MANY) return [...before.map(gone), ...after.map(fresh)];
    const lengths = common(before, after);
    const lines = [];
    let [i, j] = [0, 0];
    while (i < before.length || j < after.length) {
      if (i < before.length && j < after.length && equal(before[i], after[j])) {
        lines.push({ kind: "same", octets: before[i++] });
        j++;
      } else if (j >= after.length || i < before.length && lengths[i + 1][j] >= lengths[i][j + 1]) lines.push(gone(before[i++]));
      else lines.push(fresh(after[j++]));
    }
    return inPairs(lines);
  }
  function gone(octets2) {
    return { kind: "gone", octets: octets2 };
  }
  function fresh(octets2) {
    return { kind: "new", octets: octets2 };
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
  function inPairs(lines) {
    for (let at = 0; at < lines.length; at++) {
      const start = at;
      while (lines[at]?.kind === "gone") at++;
      const middle = at;
      while (lines[at]?.kind === "new") at++;
      const pairs = Math.min(middle - start, at - middle);
      for (let pair = 0; pair < pairs; pair++) mark(lines[start + pair], lines[middle + pair]);
    }
    return lines;
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
    if (part.depth === 0) return part.isLeaf ? "Message" : `Message: ${COMPOSITES[part.mediaType] ?? "several parts"}`;
    if (part.filename) return part.filename;
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
  function size(octets2) {
    if (octets2 < 1e3) return `${octets2} octets`;
    const [value, unit] = octets2 < 1e6 ? [octets2 / 1e3, "kB"] : [octets2 / 1e6, "MB"];
    return `${value.toLocaleString("en", { maximumSignificantDigits: 3 })} ${unit}`;
  }
  function placeOf(section2) {
    if (section2 === "0") return "Header";
    return section2.endsWith(".0") ? `Header of part ${section2.slice(0, -2)}` : `Part ${section2 || "0"}`;
  }
  function placeOfIssue({ part, rule, code }) {
    const isBetween = part === "0" && ["B8", "B11", "G6"].includes(rule) && code !== "type-made-explicit" && code !== "media-type-repaired";
    return isBetween ? "Between the parts" : placeOf(part);
  }

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
      const { octets: octets2 } = this.facts.parts[part].fields[field];
      return this.of(part).filter((issue) => issue.span[0] < issue.span[1] && overlaps(octets2, issue.span) && !this.isOfAll(part, issue));
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
      const fields = this.facts.parts[part].fields.filter(({ octets: octets2 }) => overlaps(octets2, issue.span));
      return fields.length > 1;
    }
  };
  function holds(octets2, [start, end]) {
    return typeof octets2 !== "string" && octets2[0] <= start && end <= octets2[1];
  }
  function overlaps(octets2, [start, end]) {
    return typeof octets2 !== "string" && octets2[0] < Math.max(end, start + 1) && start < octets2[1];
  }

  // page/view/issues.ts
  var MEANS = {
    loss: ["Loss", "something could not be kept"],
    repair: ["Repair", "something was wrong and is mended or guessed; the meaning is kept"],
    note: ["Note", "remarkable; nothing has to be done"]
  };
  function severityName(severity) {
    return MEANS[severity][0];
  }
  function issueCard(issue, rules2) {
    const rule = rules2.get(issue.rule);
    return h(
      "div",
      { class: `issue ${issue.severity}` },
      h(
        "p",
        { class: "says" },
        h("span", { class: "severity" }, severityName(issue.severity)),
        h("strong", {}, marked(capital(issue.summary))),
        issue.detail && h("bdi", { class: "detail" }, issue.detail)
      ),
      h("p", { class: "done" }, marked(issue.effect)),
      rule && ruleNote(rule, issue.code)
    );
  }
  function ruleNote(rule, code) {
    const head2 = ruleHead(rule);
    const source = h("code", { class: "code" }, code);
    if (rule.sentence === rule.whole) return h("p", { class: "law" }, head2, " ", source);
    return h("details", { class: "law" }, h("summary", {}, head2, " ", source), h("p", {}, marked(rule.whole)));
  }
  function ruleHead(rule) {
    return [h("span", { class: "rule" }, rule.name), rule.title ? ` ${rule.title}${rule.sentence.startsWith("(") ? "" : ":"} ` : " ", ...marked(rule.sentence)];
  }
  function issueList(issues, source, rules2, show) {
    if (issues.length === 0) return h("p", { class: "nothing" }, "Nothing is odd about this message.");
    const groups = SEVERITIES.map((severity) => issues.filter((issue) => issue.severity === severity));
    return h(
      "div",
      { class: "issues" },
      groups.filter((group) => group.length > 0).map((group) => section(group, source, rules2, show))
    );
  }
  var MANY2 = 200;
  function section(group, source, rules2, show) {
    const [name, means] = MEANS[group[0].severity];
    const title = h("h3", {}, h("span", { class: `dot ${group[0].severity}` }), count(group.length, name.toLowerCase(), plural(name)));
    return h(
      "section",
      {},
      title,
      h("p", { class: "means" }, capital(means), "."),
      inPieces(group, MANY2, (issue) => placedCard(issue, source, rules2, show), plural(name))
    );
  }
  function placedCard(issue, source, rules2, show) {
    const [from, to] = issue.span;
    const octets2 = to > from ? `octets ${from.toLocaleString("en")} to ${to.toLocaleString("en")}` : `before octet ${from.toLocaleString("en")}`;
    const where = h("button", { class: "where", type: "button", onclick: () => show(issue) }, placeOfIssue(issue), h("span", {}, octets2));
    const card2 = issueCard(issue, rules2);
    card2.prepend(where);
    if (to > from) card2.append(context(source.message, issue.span));
    return card2;
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
  function capital(text) {
    return text.charAt(0).toUpperCase() + text.slice(1);
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
        h("h3", {}, capital(change.reason)),
        h("span", { class: "where" }, `${placeOf(change.part)}, ${sizes(to - from, change.length)}`)
      ),
      rule && h("p", { class: "law" }, ruleHead(rule)),
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
  function line({ kind, octets: octets2, marked: marked2 }) {
    const [sign2, said] = SIGNS[kind];
    const [begin, end] = marked2 ?? [0, 0];
    const inside = marked2 && end > begin && h("mark", {}, visible(octets2.subarray(begin, end)));
    return h(
      "div",
      { class: `row ${kind}` },
      h("span", { class: "sign", role: "img", "aria-label": said }, sign2),
      h("span", { class: "content" }, inside ? [visible(octets2.subarray(0, begin)), inside, visible(octets2.subarray(end))] : visible(octets2))
    );
  }
  function context2(message2, at, side) {
    const start = side < 0 ? message2.lastIndexOf(10, Math.max(at - 2, 0)) + 1 : at;
    const octets2 = side < 0 ? message2.subarray(at < 2 ? 0 : start, at) : linesOf(message2.subarray(at, at + 200))[0] ?? message2.subarray(at, at);
    return octets2.length > 0 ? line({ kind: "same", octets: octets2.subarray(0, 200) }) : null;
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
      holds: (_, text) => /"?([^\s"<>,]+@[^\s"<>,]+)"?\s*<\1>/i.test(text),
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
    return [...hints, ...ofIssues(facts2)].sort((a, b) => (b.readers ?? 0) - (a.readers ?? 0));
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
      detail: (detail) => /CR/.test(detail) && !/LF/.test(detail),
      readers: 8,
      who: [],
      says: "The message is stored with CR alone: eight readers do not know that as a line end, and see one long field."
    }
  ];
  function ofIssues(facts2) {
    return ISSUE_RULES.flatMap(({ code, detail, readers, who, says }) => {
      const issue = facts2.issues.find((issue2) => issue2.code === code && (detail?.(issue2.detail) ?? true));
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
    behind(element2, octets2) {
      const show = () => this.#show(element2, octets2());
      element2.addEventListener("pointerenter", show);
      element2.addEventListener("focus", show);
      element2.addEventListener("pointerleave", () => this.hide());
      element2.addEventListener("blur", () => this.hide());
      element2.addEventListener("click", show);
      element2.setAttribute("aria-describedby", this.element.id);
    }
    /** Does this for elements inside `around` that `selector` names, by their numbers: there may be many. */
    behindEach(around, selector, octets2) {
      const show = ({ target }) => {
        const element2 = target.closest(selector);
        if (element2) this.#show(element2, octets2([...around.querySelectorAll(selector)].indexOf(element2)));
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
    #show(element2, octets2) {
      if (this.#of === element2) return;
      this.hide();
      this.#of = element2;
      element2.classList.add("shown");
      this.element.replaceChildren(
        h("p", {}, `${octets2.length.toLocaleString("en")} octets behind this`),
        h("pre", { class: "octets" }, visible(octets2, LIMIT, left))
      );
      this.#octets = octets2;
      this.element.hidden = false;
      this.#place(element2.getBoundingClientRect());
    }
    /** All of them, in a scrollable box. */
    #open() {
      const [of, octets2] = [this.#of, this.#octets];
      const dialog = h("dialog", { "aria-label": "Octets" });
      const close = h("button", { type: "button", onclick: () => dialog.close() }, "Close");
      dialog.append(h("h2", {}, count(octets2.length, "octet")), h("pre", { class: "octets", tabindex: 0 }, visible(octets2)), h("div", { class: "actions" }, close));
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
  function left(octets2) {
    return h("span", { class: "more" }, `… ${count(octets2.length, "more octet")}: all with Enter, or a double click`);
  }

  // page/view/frame.ts
  var KEPT = new Set(
    "a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i ins kbd li main mark nav ol p pre q s samp section small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr".split(" ")
  );
  var DROPPED = new Set(
    "script style head title noscript template iframe frame frameset object embed applet svg math audio video canvas select textarea".split(" ")
  );
  var ATTRIBUTES = ["align", "colspan", "rowspan", "dir", "lang", "start", "type", "valign"];
  var DEPTH = 200;
  function frame(markup) {
    const clean = document.implementation.createHTMLDocument("");
    const policy = clean.createElement("meta");
    policy.httpEquiv = "Content-Security-Policy";
    policy.content = "default-src 'none'; sandbox";
    const scheme = clean.createElement("meta");
    scheme.name = "color-scheme";
    scheme.content = "light dark";
    clean.head.append(policy, scheme);
    copy(new DOMParser().parseFromString(markup, "text/html").body, clean.body, 0);
    return h("iframe", {
      class: "drawn",
      sandbox: "",
      srcdoc: `<!doctype html>${clean.documentElement.outerHTML}`,
      referrerpolicy: "no-referrer",
      title: "HTML of the message, without scripts, pictures and links"
    });
  }
  function copy(from, to, depth) {
    for (const child of from.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) to.appendChild(to.ownerDocument.createTextNode(child.nodeValue ?? ""));
      if (!(child instanceof Element) || depth > DEPTH) continue;
      const name = child.localName;
      if (DROPPED.has(name)) continue;
      if (name === "img") to.appendChild(picture(to.ownerDocument, child));
      else copy(child, KEPT.has(name) ? to.appendChild(element(to.ownerDocument, child)) : to, depth + 1);
    }
  }
  function element(document2, from) {
    const made = document2.createElement(from.localName === "a" ? "u" : from.localName);
    for (const name of ATTRIBUTES) {
      const value = from.getAttribute(name);
      if (value !== null) made.setAttribute(name, value);
    }
    return made;
  }
  function picture(document2, from) {
    return document2.createTextNode(`[picture${from.getAttribute("alt") ? `: ${from.getAttribute("alt")}` : ""}]`);
  }

  // page/view/text.ts
  var LINES = 300;
  function textView(index, around) {
    const place = h("div", {});
    fill(place, index, around.facts, around);
    return place;
  }
  function fill(place, index, facts2, around) {
    const part = facts2.parts[index];
    const { shown, lines: places, whole } = part.text;
    const lines = shown.split("\n");
    if (lines.at(-1) === "") lines.pop();
    const body2 = around.source.get(part.body);
    const line2 = (shown2) => h("div", { class: "line", dir: "auto", tabindex: -1, "aria-describedby": around.hover.element.id }, shown2 || "​");
    const view2 = h("div", { class: "text", role: "group", "aria-label": "Text" }, inPieces(lines, LINES, line2, "lines"));
    if (!whole) view2.append(rest(place, index, around));
    around.hover.behindEach(view2, ".line", (at) => places?.[at] ? body2.subarray(...places[at]) : body2);
    walk(view2);
    place.replaceChildren(part.length === 0 ? h("p", { class: "nothing" }, "No text.") : view2);
  }
  function rest(place, index, around) {
    const { whole } = around;
    if (!whole) return h("p", { class: "more" }, "The rest of this text is not in this file: sevenbit's page shows it, and so does a mail program.");
    return more("Load the rest of this text", () => {
      fill(place, index, whole(), around);
      place.querySelector(".line")?.focus();
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
      h("header", {}, h("h3", {}, h("bdi", {}, nameOf(part))), chips(part)),
      header(index, part, around),
      body(index, part, around)
    );
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
    const cards = around.placed.ofHeader(index).map((issue) => issueCard(issue, around.rules));
    if (part.fields.length === 0 && cards.length === 0) return null;
    const rows = part.fields.map((field, at) => row(field, around.placed.ofField(index, at), around));
    const isKnown = (at) => part.depth > 0 || KNOWN.test(part.fields[at].name) || around.placed.ofField(index, at).length > 0;
    const rest2 = rows.filter((_, at) => !isKnown(at));
    return h(
      "section",
      { class: "fields", "aria-label": "Header" },
      table(rows.filter((_, at) => isKnown(at))),
      rest2.length > 0 && h("details", {}, h("summary", {}, count(rest2.length, "more field")), table(rest2)),
      cards
    );
  }
  function table(rows) {
    return h("div", { class: "table", role: "table", "aria-label": "Fields" }, rows);
  }
  function row(field, issues, around) {
    const value = h("div", { class: "value", role: "cell", tabindex: 0 }, h("bdi", {}, field.text || " "));
    around.hover.behind(value, () => around.source.get(field.octets));
    return h(
      "div",
      { class: `field ${SEVERITIES.find((severity) => issues.some((issue) => issue.severity === severity)) ?? ""}`, role: "row" },
      h("div", { class: "field-name", role: "rowheader" }, h("bdi", {}, field.name)),
      h("div", { class: "read" }, value, issues.map((issue) => issueCard(issue, around.rules)))
    );
  }
  function body(index, part, around) {
    const cards = around.placed.ofBody(index).map((issue) => issueCard(issue, around.rules));
    return h("section", { class: "body", "aria-label": "Body" }, cards, content(index, part, around));
  }
  function content(index, part, around) {
    if (!part.isLeaf) return null;
    if (part.text === null) return octets(part, around);
    const text = textView(index, around);
    const markup = () => (part.text.whole ? part : around.whole?.().parts[index] ?? part).text.shown;
    return part.mediaType === "text/html" ? htmlView(markup, text) : text;
  }
  function htmlView(markup, source) {
    const place = h("div", {}, source);
    const choose = (event) => {
      const drawn = event.target.value === "drawn";
      place.replaceChildren(drawn ? frame(markup()) : source);
    };
    const choice = (value, label, checked) => h("label", {}, h("input", { type: "radio", name: "html", value, checked, onchange: choose }), h("span", {}, label));
    return h(
      "div",
      {},
      h("fieldset", { class: "choice" }, h("legend", {}, "HTML"), choice("source", "Source", true), choice("drawn", "Drawn, without pictures and links", false)),
      place
    );
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
  function rulesOf(document2) {
    const rules2 = /* @__PURE__ */ new Map();
    for (const line2 of document2.split("\n")) {
      const found = /^- \*\*([GHB]\d+)(?: ([^*]+))?\*\*:? (.*)$/.exec(line2);
      if (!found) continue;
      const [, name, title, whole] = found;
      rules2.set(name, { name, title: title ?? "", sentence: firstSentence(whole), whole });
    }
    return rules2;
  }
  function firstSentence(text) {
    for (const found of text.matchAll(/[.;](?=\s|$)/g)) {
      const sentence = text.slice(0, found.index);
      const open = (sentence.match(/`/g) ?? []).length % 2 === 1 || count2(sentence, "(") > count2(sentence, ")");
      if (!open && sentence.length >= 40) return `${sentence}.`;
    }
    return text;
  }
  function count2(text, mark2) {
    return text.split(mark2).length - 1;
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
    const items = facts2.parts.map((part, index) => item(part, index, facts2.parts, placed));
    const list = h("ul", { role: "tree", class: "tree", "aria-label": "Parts of the message" }, items);
    const select = (index, focus) => {
      items.forEach((item2, at) => {
        item2.setAttribute("aria-selected", String(at === index));
        item2.tabIndex = at === index ? 0 : -1;
      });
      if (focus) items[index].focus();
      choose(index);
    };
    items.forEach((item2, index) => item2.addEventListener("click", () => select(index, true)));
    list.addEventListener("choose", (event) => select(event.detail, false));
    list.addEventListener("keydown", (event) => {
      const at = items.findIndex((item2) => item2.tabIndex === 0);
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
  function item(part, index, parts, placed) {
    const issues = placed.of(index);
    const worst = placed.worst(index);
    const siblings = siblingsOf(index, parts);
    const element2 = h(
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
    if (!part.isLeaf && parts[index + 1]) element2.setAttribute("aria-expanded", "true");
    return element2;
  }

  // page/view/message.ts
  var SevenbitMessage = class extends HTMLElement {
    #hover;
    show({ facts: facts2, message: message2, rules: document2, whole, actions = [] }) {
      const [source, placed, rules2] = [new Source(message2), new Placed(facts2), rulesOf(document2)];
      const hints = hintsOf(facts2, source);
      const hover = this.#hover ??= new Hover();
      const view2 = h("div", { class: "view" });
      const parts = tree(facts2, placed, (index) => {
        hover.hide();
        view2.replaceChildren(partView(index, { facts: facts2, source, placed, rules: rules2, hover, whole }));
      });
      const showPart = (index) => {
        bar.choose("message");
        parts.dispatchEvent(new CustomEvent("choose", { detail: index }));
        view2.scrollIntoView({ block: "nearest" });
      };
      const showIssue = (issue) => showPart(placed.part(issue.part, issue.span));
      const bar = tabs([
        { id: "message", label: "Message", panel: () => h("div", { class: "parts" }, parts, view2) },
        { id: "issues", label: "Issues", number: facts2.issues.length, panel: () => issueList(facts2.issues, source, rules2, showIssue) },
        { id: "changes", label: "Changes", number: facts2.changes.length, panel: () => changeList(facts2, { source, rules: rules2, whole }) },
        { id: "readers", label: "Readers", number: hints.length, panel: () => readerList(hints, facts2, showPart) }
      ]);
      this.replaceChildren(head(facts2, actions), bar.element, hover.element);
    }
  };
  function head(facts2, actions) {
    const people = (list) => list.slice(0, 4).map(({ name, address }) => name || address).join(", ") + (list.length > 4 ? `, and ${list.length - 4} more` : "");
    return h(
      "header",
      { class: "head" },
      h(
        "div",
        { class: "title" },
        h("h2", {}, h("bdi", {}, facts2.subject?.trim() || "No subject")),
        h(
          "p",
          { class: "who" },
          facts2.from.length > 0 && h("bdi", {}, people(facts2.from)),
          facts2.to.length > 0 && [" to ", h("bdi", {}, people(facts2.to))],
          facts2.date !== null && h("time", { datetime: facts2.date }, facts2.date.replace("T", " "))
        ),
        verdict(facts2)
      ),
      actions.length > 0 && h("div", { class: "actions" }, actions)
    );
  }
  function verdict(facts2) {
    const octets2 = (number) => number.toLocaleString("en");
    const says = facts2.refused ? "Refused: a signature would break." : facts2.changed ? `${count(facts2.changes.length, "change")}: ${octets2(facts2.octets)} octets become ${octets2(facts2.becomes)}.` : `In its normal form already: ${octets2(facts2.octets)} octets stay as they are.`;
    const kinds = SEVERITIES.map((severity) => [severity, facts2.issues.filter((issue) => issue.severity === severity).length]);
    return h(
      "p",
      { class: "verdict" },
      h("span", { class: facts2.changed ? "will" : "clean" }, says),
      h("span", { class: "profile" }, `For the ${facts2.profile} profile.`),
      kinds.filter(([, number]) => number > 0).map(([severity, number]) => h("span", { class: `badge ${severity}` }, count(number, severity, plural(severity === "loss" ? "Loss" : severity))))
    );
  }
  customElements.define("sevenbit-message", SevenbitMessage);

  // page/explained.ts
  var { facts, message, rules } = JSON.parse(document.getElementById("held").textContent);
  var view = document.querySelector("sevenbit-message");
  view.show({ facts, message: octetsOf(message), rules });
})();

import rules from "../../docs/normal-form.md";
import { charset, explain, type Facts, hasSimd, load, normalize, parse } from "../lib/manual.js";
import { examples } from "./examples.js";
import { unpackTnef } from "../lib/files.js";
import { readings } from "../lib/readings.js";
import { beginsWithField, type Found, messagesOf } from "./opened.js";
import { pasted } from "./paste.js";
import { count, h, next } from "./view/dom.js";
import { save } from "./view/files.js";
import { SevenbitMessage } from "./view/message.js";
import { size } from "./view/names.js";
import { Source } from "./view/octets.js";
import { report } from "./view/report.js";
import { summary } from "./view/summary.js";
import type { Repairer } from "./view/unreadable.js";

type Profile = Facts["profile"];

/** How many messages of a mailbox are listed at a time. */
const LISTED = 1000;

/** The page: a message comes in by paste, drop or file; it is shown; nothing leaves. */
class SevenbitPage extends HTMLElement {
  #profile: Profile = "archive";
  #message: Uint8Array | undefined;
  #name = "message";
  /** What has to be said of the message, above it. */
  #notice: string | undefined;
  /** Where the message was chosen, if it was. */
  #back: (() => void) | undefined;
  readonly #main = h("main", {});
  readonly #said = h("p", { class: "said", role: "status" });
  readonly #file = h("input", { type: "file", hidden: true, multiple: true, "aria-label": "Files", onchange: () => void this.#chosen() });

  connectedCallback(): void {
    this.replaceChildren(this.#bar(), this.#main, this.#said, footer());
    this.#welcome();
    addEventListener("dragover", (event) => this.#dragged(event));
    addEventListener("dragleave", () => this.classList.remove("dragged"));
    addEventListener("drop", (event) => void this.#dropped(event));
    addEventListener("paste", (event) => this.#pasted(event));
  }

  #bar(): HTMLElement {
    const profile = (value: Profile, title: string) =>
      h(
        "label",
        { title },
        h("input", { type: "radio", name: "profile", value, checked: value === this.#profile, onchange: () => this.#choose(value) }),
        h("span", {}, value),
      );
    return h(
      "header",
      { class: "bar" },
      h("p", { class: "brand" }, h("button", { type: "button", class: "mark", onclick: () => this.#welcome() }, "sevenbit"), h("span", {}, "what is in this message?")),
      h(
        "fieldset",
        { class: "choice" },
        h("legend", {}, "Profile"),
        profile("archive", "Every header and inline text becomes UTF-8: for stores and indexing"),
        profile("transport", "Only what is not 7-bit safe or is ambiguous: for the next hop"),
      ),
      this.#file,
      h("button", { type: "button", onclick: () => this.#file.click() }, "Open…"),
    );
  }

  #welcome(): void {
    this.#message = undefined;
    const text = h("textarea", {
      "aria-label": "A message",
      placeholder: "Paste a message here, with its header",
      spellcheck: "false",
      rows: 9,
    });
    const look = () => text.value.trim() && this.#paste(text.value, "pasted");
    const example = (name: string) => h("button", { type: "button", class: "quiet", onclick: () => this.#open([{ octets: examples[name]!, name }]) }, name);
    this.#main.replaceChildren(
      h(
        "section",
        { class: "welcome" },
        h("h1", { tabindex: -1 }, "Drop a message here"),
        h("p", {}, "A mail as a file (", h("code", {}, ".eml"), "), a mailbox (", h("code", {}, ".mbox"), "), several of them, packed (", h("code", {}, ".gz"), ", ", h("code", {}, ".zip"), ") or not. You see its text, its attachments, who sent it and whether that can be trusted, its form, the way that it took, and what sevenbit would write instead."),
        text,
        h("div", { class: "actions" }, h("button", { type: "button", class: "main", onclick: look }, "Look at it"), h("button", { type: "button", onclick: () => this.#file.click() }, "Open a file…")),
        h("p", { class: "examples" }, "Or try ", Object.keys(examples).map(example)),
      ),
    );
  }

  #choose(profile: Profile): void {
    this.#profile = profile;
    if (this.#message) this.#show(this.#back);
  }

  #dragged(event: DragEvent): void {
    event.preventDefault();
    this.classList.add("dragged");
  }

  async #dropped(event: DragEvent): Promise<void> {
    event.preventDefault();
    this.classList.remove("dragged");
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) return this.#read(files);
    const text = event.dataTransfer?.getData("text/plain");
    if (text) this.#paste(text, "dropped");
  }

  #pasted(event: ClipboardEvent): void {
    if (event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement) return;
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.getData("text/plain");
    if (files.length > 0) void this.#read(files);
    else if (text) this.#paste(text, "pasted");
  }

  async #chosen(): Promise<void> {
    const files = [...(this.#file.files ?? [])];
    if (files.length > 0) await this.#read(files);
    this.#file.value = "";
  }

  /** Files: their messages; what is no mail is said, and the rest is shown. */
  async #read(files: File[]): Promise<void> {
    const found: Found[] = [];
    const errors: string[] = [];
    for (const file of files) {
      try {
        for (const one of await messagesOf(file)) found.push(one);
      } catch (reason) {
        errors.push(reason instanceof Error ? reason.message : String(reason));
      }
    }
    if (found.length > 0) this.#open(found, errors.join(" ") || undefined);
    else this.#refuse(errors.join(" "));
  }

  /** Characters: whatever charset they are labelled with. */
  #paste(characters: string, name: string): void {
    const { octets, labels } = pasted(characters);
    const notice =
      labels.length > 0
        ? `Pasted text is characters, not octets: they are shown as they are, though the message says ${labels.join(", ")}. To see the octets, open the message as a file.`
        : undefined;
    this.#open([{ octets, name }], notice);
  }

  /** Says why something is not shown. */
  #refuse(reason: string): void {
    this.#welcome();
    this.#main.prepend(h("p", { class: "notice", role: "alert" }, reason));
  }

  #open(found: Found[], notice?: string): void {
    this.#notice = notice ?? (found.some(({ octets }) => beginsWithField(octets)) ? undefined : "This does not begin with a header, as mail does: it is shown as text.");
    if (found.length > 1) return this.#list(found);
    [{ octets: this.#message, name: this.#name }] = found as [Found];
    this.#show();
  }

  /** Several messages, to choose one; at most `max` of them. */
  #list(found: Found[], max = LISTED): void {
    const items = found.slice(0, max).map((one, at) => this.#entry(one, at + 1, () => this.#list(found, max)));
    const rest = found.length - items.length;
    const more = () => {
      this.#list(found, max + LISTED);
      this.querySelector<HTMLElement>(`.mailbox li:nth-child(${max + 1}) button`)?.focus();
    };
    const title = h("h1", { tabindex: -1 }, count(found.length, "message"));
    this.#main.replaceChildren(
      h(
        "section",
        { class: "mailbox" },
        title,
        this.#notice !== undefined && h("p", { class: "notice" }, this.#notice),
        h("ol", {}, items),
        rest > 0 && h("button", { type: "button", class: "quiet", onclick: more }, next(LISTED, rest, "messages")),
      ),
    );
    title.focus({ preventScroll: true });
  }

  #entry({ octets: message, name }: Found, number: number, back: () => void): HTMLElement {
    const { subject, from, date } = parse(message.subarray(0, 1 << 16));
    const open = () => {
      [this.#message, this.#name] = [message, name];
      this.#show(back);
    };
    const sender = from[0]?.name || from[0]?.address || "";
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", onclick: open },
        h("span", { class: "number" }, String(number)),
        h("span", { class: "what" }, h("bdi", { class: "name" }, subject?.trim() || "No subject"), h("span", { class: "kind" }, h("bdi", {}, sender), sender && ", ", h("bdi", {}, name), date ? `, ${date.toISOString().slice(0, 10)}` : "", `, ${size(message.length)}`)),
      ),
    );
  }

  #show(back?: () => void): void {
    this.#back = back;
    const [message, profile] = [this.#message!, this.#profile];
    const facts = explain(message, { profile });
    const view = new SevenbitMessage();
    const actions = [
      h("button", { type: "button", onclick: () => void this.#copy() }, "Copy normalised"),
      h("button", { type: "button", onclick: () => this.#download() }, "Download normalised"),
      h("button", { type: "button", onclick: () => void this.#copyReport(facts) }, "Copy as report"),
      h("button", { type: "button", onclick: () => this.#share(facts) }, "Report without content…"),
    ];
    if (back) actions.unshift(h("button", { type: "button", class: "quiet", onclick: back }, "Back"));
    const [name, notice] = [this.#name, this.#notice];
    const inside = facts.parts.some(({ mediaType, filename }) => /ms-tnef$/.test(mediaType) || /^winmail\.dat$/i.test(filename ?? "")) ? unpackTnef(message) : undefined;
    const open = (attached: Uint8Array, attachedName: string) => {
      [this.#message, this.#name, this.#notice] = [attached, attachedName, undefined];
      this.#show(() => {
        [this.#message, this.#name, this.#notice] = [message, name, notice];
        this.#show(back);
      });
    };
    if (inside) actions.push(h("button", { type: "button", onclick: () => open(inside, name) }, "Open winmail.dat"));
    view.show({ facts, message, rules, actions, open, repairer: this.#repairer(open), whole: () => explain(message, { profile, whole: true }), ...(this.#notice !== undefined && { said: this.#notice }) });
    this.#main.replaceChildren(view);
    view.focusTitle();
    this.#say("");
  }

  /** What can be done if its text is read wrong. */
  #repairer(open: (message: Uint8Array, name: string) => void): Repairer {
    const [message, name] = [this.#message!, this.#name];
    return {
      readings: () => readings(message),
      charsets: () => charset.all().filter(({ readable }) => readable).map(({ name }) => name),
      charsetOf: (label) => charset.name(label),
      write: (choice) => normalize(message, { ...choice, profile: "archive" }).octets.slice(),
      textOf: (octets, path) => parse(octets).parts.find((part) => part.path === path && part.text !== undefined)?.text ?? "",
      save: (octets) => this.#save(octets, "readable"),
      open: (octets) => open(octets, name),
    };
  }

  #normalized(): Uint8Array<ArrayBuffer> {
    return normalize(this.#message!, { profile: this.#profile }).octets.slice();
  }

  async #copy(): Promise<void> {
    await navigator.clipboard.writeText(new TextDecoder("latin1").decode(this.#normalized()));
    this.#say("The normalised message is on the clipboard.");
  }

  /** What was found, as text for a ticket. */
  async #copyReport(facts: Facts): Promise<void> {
    await navigator.clipboard.writeText(summary(facts, new Source(this.#message!), this.#name));
    this.#say("The report is on the clipboard: header and findings, no text of the message.");
  }

  #download(): void {
    this.#save(this.#normalized(), "normalised");
  }

  #save(octets: Uint8Array<ArrayBuffer>, what: string): void {
    const name = `${this.#name.replace(/\.[^.]*$/, "").replace(/[^\p{L}\p{N}._-]+/gu, "-") || "message"}.${what}.eml`;
    save(octets, name, "message/rfc822");
    this.#say(`Saved as ${name}.`);
  }

  /** What was found, without any content of the message: shown before it goes anywhere. */
  #share(facts: Facts): void {
    const text = report(facts);
    const dialog = h("dialog", { "aria-label": "Report without content" });
    const copy = async () => {
      await navigator.clipboard.writeText(text);
      this.#say("The report is on the clipboard.");
      dialog.close();
    };
    dialog.append(
      h("h2", {}, "Report without content"),
      h("p", {}, "Codes, rules, places and sizes; no header, no text, no address, no file name."),
      h("textarea", { readonly: true, rows: 16, "aria-label": "The report" }, text),
      h(
        "div",
        { class: "actions" },
        h("button", { type: "button", class: "main", onclick: () => void copy() }, "Copy"),
        h("button", { type: "button", onclick: () => save(new TextEncoder().encode(text), "report.json", "application/json") }, "Download"),
        h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Close"),
      ),
    );
    dialog.addEventListener("close", () => dialog.remove());
    this.append(dialog);
    dialog.showModal();
  }

  #say(text: string): void {
    this.#said.textContent = text;
  }
}

/** Where nothing is served from, the page is one file already. */
const isOneFile = document.getElementById("module") !== null;

function footer(): HTMLElement {
  return h(
    "footer",
    {},
    "Nothing leaves this page: after it has loaded, it may not even ask for anything.",
    !isOneFile && [" ", h("a", { href: "sevenbit.html", download: "sevenbit.html" }, "The page as one file"), ", to keep and to open without a server."] as never,
  );
}

/** From here on the page may not request anything; pictures come from memory. */
function lock(): void {
  document.head.append(
    h("meta", { "http-equiv": "Content-Security-Policy", content: "default-src 'none'; script-src 'none'; style-src 'self' 'unsafe-inline'; connect-src 'none'; frame-src 'none'; img-src blob: data:" }),
  );
}

/** Octets of text in base 85, as `build.mjs` writes it. */
function fromBase85(text: string, digits: string): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer((text.length / 5) * 4));
  const values = new Uint8Array(128);
  for (const [value, digit] of [...digits].entries()) values[digit.charCodeAt(0)] = value;
  for (let at = 0, to = 0; at < text.length; at += 5, to += 4) {
    let number = 0;
    for (let digit = at; digit < at + 5; digit++) number = number * 85 + values[text.charCodeAt(digit)]!;
    view.setUint32(to, number);
  }
  return new Uint8Array(view.buffer);
}

/** The module: from the page itself, or from beside it. */
async function module(): Promise<void> {
  const held = document.getElementById("module");
  if (!held) return load(new URL(hasSimd() ? "sevenbit-simd.wasm" : "sevenbit.wasm", import.meta.url));
  const { digits, octets } = held.dataset as { digits: string; octets: string };
  const packed = fromBase85(held.textContent!, digits).subarray(0, Number(octets));
  held.remove();
  return load(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}

try {
  await module();
  lock();
  customElements.define("sevenbit-page", SevenbitPage);
} catch (reason) {
  const said = document.querySelector("sevenbit-page");
  said?.replaceChildren(
    h(
      "p",
      { class: "nothing", role: "alert" },
      "The module of this page cannot be loaded. A web server has to have sevenbit-simd.wasm beside the page, and has to give it as application/wasm or as octets; the browser needs WebAssembly (any since 2021). ",
      String(reason),
    ),
  );
}

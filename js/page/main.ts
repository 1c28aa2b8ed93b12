import rules from "../../docs/normal-form.md";
import { charset, explain, type Facts, isMbox, load, normalize, parse, splitMbox, hasSimd } from "../lib/manual.js";
import { examples } from "./examples.js";
import { count, h, next } from "./view/dom.js";
import { SevenbitMessage } from "./view/message.js";
import { size } from "./view/names.js";
import { report } from "./view/report.js";

type Profile = Facts["profile"];

/** How many messages of a mailbox are listed at a time. */
const LISTED = 1000;

/** The page: a message comes in by paste, drop or file; it is shown; nothing leaves. */
class SevenbitPage extends HTMLElement {
  #profile: Profile = "archive";
  #message: Uint8Array | undefined;
  #name = "message";
  /** Where the message was chosen, if it was. */
  #back: (() => void) | undefined;
  readonly #main = h("main", {});
  readonly #said = h("p", { class: "said", role: "status" });
  readonly #file = h("input", { type: "file", hidden: true, onchange: () => void this.#chosen() });

  connectedCallback(): void {
    this.append(this.#bar(), this.#main, this.#said, h("footer", {}, "Nothing leaves this page: after it has loaded, it may not even ask for anything."));
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
      h("h1", {}, h("button", { type: "button", class: "mark", onclick: () => this.#welcome() }, "sevenbit"), h("span", {}, "what is in this message?")),
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
    const look = () => text.value.trim() && this.#open(new TextEncoder().encode(text.value), "pasted");
    const example = (name: string) => h("button", { type: "button", class: "quiet", onclick: () => this.#open(examples[name]!, name) }, name);
    this.#main.replaceChildren(
      h(
        "section",
        { class: "welcome" },
        h("h2", {}, "Drop a message here"),
        h("p", {}, "A mail as a file (", h("code", {}, ".eml"), ") or a mailbox (", h("code", {}, ".mbox"), "). You see its parts, every header and text as it is read, what is odd about it, and what sevenbit would write instead."),
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
    const file = event.dataTransfer?.files[0];
    if (file) return this.#read(file);
    const text = event.dataTransfer?.getData("text/plain");
    if (text) this.#open(new TextEncoder().encode(text), "dropped");
  }

  #pasted(event: ClipboardEvent): void {
    if (event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement) return;
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData("text/plain");
    if (file) void this.#read(file);
    else if (text) this.#open(new TextEncoder().encode(text), "pasted");
  }

  async #chosen(): Promise<void> {
    const file = this.#file.files?.[0];
    if (file) await this.#read(file);
    this.#file.value = "";
  }

  async #read(file: File): Promise<void> {
    this.#open(new Uint8Array(await file.arrayBuffer()), file.name);
  }

  #open(octets: Uint8Array, name: string): void {
    this.#name = name;
    if (isMbox(octets)) return this.#list(octets);
    this.#message = octets;
    this.#show();
  }

  /** The messages of a mailbox, to choose one; at most `max` of them. */
  #list(mailbox: Uint8Array, max = LISTED): void {
    const items: HTMLElement[] = [];
    let number = 0;
    for (const message of splitMbox(mailbox)) {
      if (++number > max) continue;
      items.push(this.#entry(message, number, () => this.#list(mailbox, max)));
    }
    const rest = number - items.length;
    const more = () => {
      this.#list(mailbox, max + LISTED);
      this.querySelector<HTMLElement>(`.mailbox li:nth-child(${max + 1}) button`)?.focus();
    };
    this.#main.replaceChildren(
      h(
        "section",
        { class: "mailbox" },
        h("h2", {}, h("bdi", {}, this.#name), ": ", count(number, "message")),
        h("ol", {}, items),
        rest > 0 && h("button", { type: "button", class: "quiet", onclick: more }, next(LISTED, rest, "messages")),
      ),
    );
  }

  #entry(message: Uint8Array, number: number, back: () => void): HTMLElement {
    const { subject, from, date } = parse(message.subarray(0, 1 << 16));
    const open = () => {
      this.#message = message;
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
        h("span", { class: "what" }, h("bdi", { class: "name" }, subject?.trim() || "No subject"), h("span", { class: "kind" }, h("bdi", {}, sender), date ? `, ${date.toISOString().slice(0, 10)}` : "", `, ${size(message.length)}`)),
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
      h("button", { type: "button", onclick: () => this.#share(facts) }, "Report without content…"),
    ];
    if (back) actions.unshift(h("button", { type: "button", class: "quiet", onclick: back }, "Back to the list"));
    view.show({ facts, message, rules, actions, whole: () => explain(message, { profile, whole: true }) });
    this.#main.replaceChildren(view);
    this.#say("");
  }

  #normalized(): Uint8Array {
    return normalize(this.#message!, { profile: this.#profile }).octets;
  }

  async #copy(): Promise<void> {
    await navigator.clipboard.writeText(new TextDecoder("latin1").decode(this.#normalized()));
    this.#say("The normalised message is on the clipboard.");
  }

  #download(): void {
    const name = `${this.#name.replace(/\.[^.]*$/, "").replace(/[^\p{L}\p{N}._-]+/gu, "-") || "message"}.normalised.eml`;
    save(this.#normalized(), "message/rfc822", name);
    this.#say(`Saved as ${name}.`);
  }

  /** What was found, without any content of the message: shown before it goes anywhere. */
  #share(facts: Facts): void {
    const text = report(facts, (word) => charset.name(word)?.toLowerCase() === word.toLowerCase());
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
        h("button", { type: "button", onclick: () => save(new TextEncoder().encode(text), "application/json", "report.json") }, "Download"),
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

function save(octets: Uint8Array, type: string, name: string): void {
  const url = URL.createObjectURL(new Blob([octets as BlobPart], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** From here on the page may not request anything. */
function lock(): void {
  document.head.append(
    h("meta", { "http-equiv": "Content-Security-Policy", content: "default-src 'none'; script-src 'none'; style-src 'self'; connect-src 'none'; frame-src 'none'; img-src 'none'" }),
  );
}

await load(new URL(hasSimd() ? "sevenbit-simd.wasm" : "sevenbit.wasm", import.meta.url));
lock();
customElements.define("sevenbit-page", SevenbitPage);

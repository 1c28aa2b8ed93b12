/** A text that a person cannot read: what it may read as, any charset to read it in instead, and the message written so. */
import type { Facts } from "../../lib/explain.js";
import type { NormalizeOptions } from "../../lib/options.js";
import type { Reading, TextReadings } from "../../lib/readings.js";
import { h } from "./dom.js";
import { capital } from "./kinds.js";
import { nameOf } from "./names.js";

/** How a person wants text to be read. */
export type Choice = Pick<NormalizeOptions, "doubtful" | "readAs">;

/** What the page can do about text that is read wrong; `sevenbit explain` writes pages without it. */
export interface Repairer {
  readings: () => TextReadings[];
  /** The names of all charsets that can be read. */
  charsets: () => string[];
  /** The charset that a label means. */
  charsetOf: (label: string) => string | undefined;
  /** The message with its text read so. */
  write: (choice: Choice) => Uint8Array<ArrayBuffer>;
  /** The text of a part. */
  textOf: (message: Uint8Array, part: string) => string;
  save: (message: Uint8Array<ArrayBuffer>) => void;
  open: (message: Uint8Array<ArrayBuffer>) => void;
}

/** Issues that say that the text may be another one than the one that is shown. */
const DOUBTS = new Set(["label-doubtful", "undecodable-text", "charset-guessed", "charset-unknown", "charset-label-lies"]);

/** Below this sureness a guess is not left to speak for itself. */
const SURE = 0.9;

/** How many lines of a candidate are shown, how many of the one that is chosen, and how many characters of a line. */
const [BRIEF, LINES, LENGTH] = [3, 30, 300];

/** Below the text: closed while nothing is doubtful about it. */
export function unreadableView(facts: Facts, repairer: Repairer | undefined): HTMLElement | null {
  const doubts = facts.issues.filter(({ code }) => DOUBTS.has(code)).map(({ code }) => code);
  if (!repairer) {
    const isWrong = doubts.includes("label-doubtful");
    return isWrong ? h("p", { class: "notice" }, "This text reads as if it had been read in a wrong charset. ", h("code", {}, "sevenbit repair --candidates FILE"), " lists what it may be, and ", h("code", {}, "sevenbit repair --as LABEL FILE"), " writes it.") : null;
  }
  if (!facts.parts.some((part) => part.text !== null)) return null;

  // Reading a text in every charset takes a while: once, and not before somebody wants to know.
  let found: TextReadings[] | undefined;
  const readings = () => (found ??= repairer.readings());
  const isOpen = doubts.length > 0 && isWrong(doubts, readings);
  const place = h("div", { class: "chooser" });
  const fill = () => place.childElementCount === 0 && place.replaceChildren(...chooser(facts, readings(), repairer));
  const view = h(
    "details",
    { class: "unreadable", open: isOpen, ontoggle: () => view.open && fill() },
    h("summary", {}, isOpen ? "This text may be another one" : "Is the text unreadable?"),
    place,
  );
  if (isOpen) fill();
  return view;
}

function isWrong(codes: string[], readings: () => TextReadings[]): boolean {
  if (codes.some((code) => code === "label-doubtful" || code === "undecodable-text")) return true;
  return readings().some(({ readings: [best, second] }) => second !== undefined && best!.sureness < SURE);
}

function chooser(facts: Facts, all: TextReadings[], repairer: Repairer): HTMLElement[] {
  const several = all.filter(({ readings }) => readings.length > 1);
  const texts = several.length > 0 ? several : all.slice(0, 1);
  const partOf = (path: string) => facts.parts.find((part) => part.path === path && part.text !== null)!;
  const candidates = h("fieldset", { class: "candidates" });
  const [reads, note] = [h("div", { class: "text", dir: "auto", tabindex: 0, role: "group", "aria-label": "The text" }), h("p", { class: "means", role: "status" })];
  const label = h("input", { id: "read-as", list: "charsets", autocomplete: "off", spellcheck: "false", placeholder: "koi8-r, big5…" });
  const names = h("datalist", { id: "charsets" }, repairer.charsets().map((name) => h("option", { value: name })));
  let text = texts[0]!;
  let written: Uint8Array<ArrayBuffer> | undefined;

  /** Shows the text of the message that is saved, not another one that is made for show. */
  const choose = (choice: Choice) => {
    written = repairer.write(choice);
    const read = repairer.textOf(written, text.part);
    reads.replaceChildren(...lines(plain(read, partOf(text.part).mediaType), LINES));
    const stays = choice.readAs !== undefined && read === repairer.textOf(repairer.write({ doubtful: "keep" }), text.part);
    note.textContent = stays ? `Read as ${choice.readAs} it stays as it is: it is the same there, or no text in that charset.` : "";
  };
  const typed = () => {
    const name = repairer.charsetOf(label.value.trim());
    const isKnown = name !== undefined && repairer.charsets().includes(name);
    label.setAttribute("aria-invalid", String(label.value.trim() !== "" && !isKnown));
    if (!isKnown) return void (note.textContent = label.value.trim() === "" ? "" : "No charset is known by this name yet.");
    candidates.querySelectorAll("input").forEach((input) => (input.checked = false));
    choose({ readAs: name });
  };
  const list = () => {
    const { mediaType } = partOf(text.part);
    candidates.replaceChildren(h("legend", {}, "What it may read as"), ...text.readings.map((reading, at) => candidate(reading, at, mediaType, () => ((label.value = ""), choose(choiceOf(reading))))));
    if (text.readings.length > 0) choose(choiceOf(text.readings[0]!));
  };
  label.addEventListener("input", typed);
  list();

  const parts = texts.length > 1 && h("label", {}, "Text of ", h("select", { onchange: ({ target }: Event) => ((text = texts[(target as HTMLSelectElement).selectedIndex]!), list()) }, texts.map(({ part }) => h("option", {}, `${nameOf(partOf(part))} (${part})`))));
  return [
    h("p", { class: "means" }, "A message is unreadable if its text was read in another charset than it was written in. Choose what reads right: the whole message is written so, as an archive writes it."),
    ...(parts ? [h("p", { class: "other" }, parts)] : []),
    candidates,
    h("p", { class: "other" }, h("label", { for: "read-as" }, "Another charset, by any of its names"), label, names),
    h("section", { class: "reads", "aria-label": "How it reads then" }, h("h2", {}, "How it reads then"), note, reads),
    h(
      "div",
      { class: "actions" },
      h("button", { type: "button", class: "main", onclick: () => written && repairer.save(written) }, "Save the message so"),
      h("button", { type: "button", onclick: () => written && repairer.open(written) }, "Show the message so"),
    ),
  ];
}

function choiceOf({ by, charset }: Reading): Choice {
  if (by === "label") return { doubtful: "keep" };
  return by === "repair" ? { doubtful: "repair" } : { readAs: charset };
}

function candidate(reading: Reading, at: number, mediaType: string, choose: () => void): HTMLElement {
  return h(
    "label",
    { class: "candidate" },
    h("input", { type: "radio", name: "reading", checked: at === 0, onchange: choose }),
    h(
      "span",
      { class: "what" },
      h("strong", {}, title(reading)),
      h("span", { class: "kind" }, inWords(reading.sureness)),
      h("span", { class: "excerpt", dir: "auto" }, lines(plain(reading.text, mediaType), BRIEF)),
    ),
  );
}

function title({ by, charset, undone = [] }: Reading): string {
  if (by === "label") return `${charset}, as its label says`;
  return by === "guess" ? `${charset}, as its octets are` : `${capital(undone.join(", "))}: undone`;
}

/** How sure a reading is, in words. */
export function inWords(sureness: number): string {
  const words: [number, string][] = [[0.9, "almost surely"], [0.65, "probably"], [0.25, "perhaps"], [0.08, "hardly"]];
  return words.find(([from]) => sureness >= from)?.[1] ?? "improbable";
}

/** The words of a text; HTML without its tags. A document that DOMParser makes is inert. */
function plain(text: string, mediaType: string): string {
  if (mediaType !== "text/html") return text;
  const { body } = new DOMParser().parseFromString(text.replace(/^[^<>]*>/, ""), "text/html");
  body.querySelectorAll("script, style, template").forEach((element) => element.remove());
  return body.textContent ?? "";
}

/** The first lines that have words. */
function lines(text: string, most: number): HTMLElement[] {
  const written = text.split("\n").filter((line) => line.trim() !== "");
  return written.slice(0, most).map((line) => h("span", { class: "line" }, h("bdi", {}, document.createTextNode(line.slice(0, LENGTH)))));
}

import { count, h } from "./dom.js";
import { visible } from "./octets.js";

/** How many octets are shown beside something. */
const LIMIT = 1200;

/** Shows the octets behind an element that is pointed at, has the focus, or is tapped. One for all. */
export class Hover {
  readonly element = h("div", { class: "behind", id: "behind", role: "tooltip", hidden: true });
  #of: HTMLElement | undefined;
  #octets: Uint8Array = new Uint8Array();

  constructor() {
    document.addEventListener("keydown", ({ key, target }) => {
      if (key === "Escape") this.hide();
      if (key === "Enter" && this.#of !== undefined && target === this.#of) this.#open();
    });
    document.addEventListener("dblclick", ({ target }) => this.#of?.contains(target as Node) && this.#open());
    document.addEventListener("scroll", () => this.#follow(), { capture: true, passive: true });
  }

  /** From now on `element` shows octets, which are computed on demand. */
  behind(element: HTMLElement, octets: () => Uint8Array): void {
    const show = () => this.#show(element, octets());
    element.addEventListener("pointerenter", show);
    element.addEventListener("focus", show);
    element.addEventListener("pointerleave", () => this.hide());
    element.addEventListener("blur", () => this.hide());
    element.addEventListener("click", show);
    element.setAttribute("aria-describedby", this.element.id);
  }

  /** Does this for elements inside `around` that `selector` names, by their numbers: there may be many. */
  behindEach(around: HTMLElement, selector: string, octets: (number: number) => Uint8Array): void {
    const show = ({ target }: Event) => {
      const element = (target as Element).closest<HTMLElement>(selector);
      if (element) this.#show(element, octets([...around.querySelectorAll(selector)].indexOf(element)));
    };
    around.addEventListener("pointerover", show);
    around.addEventListener("focusin", show);
    around.addEventListener("click", show);
    around.addEventListener("pointerleave", () => this.hide());
    around.addEventListener("focusout", () => this.hide());
  }

  hide(): void {
    this.element.hidden = true;
    this.#of?.classList.remove("shown");
    this.#of = undefined;
  }

  #show(element: HTMLElement, octets: Uint8Array): void {
    if (this.#of === element) return;
    this.hide();
    this.#of = element;
    element.classList.add("shown");
    this.element.replaceChildren(
      h("p", {}, `${octets.length.toLocaleString("en")} octets behind this`),
      h("pre", { class: "octets" }, visible(octets, LIMIT, left)),
    );
    this.#octets = octets;
    this.element.hidden = false;
    this.#place(element.getBoundingClientRect());
  }

  /** All of them, in a scrollable box. */
  #open(): void {
    const [of, octets] = [this.#of, this.#octets];
    const dialog = h("dialog", { "aria-label": "Octets" });
    const close = h("button", { type: "button", onclick: () => dialog.close() }, "Close");
    dialog.append(h("h2", {}, count(octets.length, "octet")), h("pre", { class: "octets", tabindex: 0 }, visible(octets)), h("div", { class: "actions" }, close));
    dialog.addEventListener("close", () => (dialog.remove(), of?.focus()));
    this.hide();
    this.element.after(dialog);
    dialog.showModal();
  }

  /** Stays beside its element as that moves, and disappears with it. */
  #follow(): void {
    if (!this.#of) return;
    const at = this.#of.getBoundingClientRect();
    const isSeen = at.bottom > 0 && at.top < document.documentElement.clientHeight;
    if (isSeen) this.#place(at);
    else this.hide();
  }

  /** Below its element, or above if there is no room. */
  #place(at: DOMRect): void {
    const own = this.element.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    const below = at.bottom + 6;
    const top = below + own.height <= clientHeight ? below : Math.max(at.top - own.height - 6, 6);
    const left = Math.max(Math.min(at.left, clientWidth - own.width - 10), 10);
    this.element.style.setProperty("top", `${top}px`);
    this.element.style.setProperty("left", `${left}px`);
  }
}

/** Represents octets for which there is no room. */
function left(octets: Uint8Array): HTMLElement {
  return h("span", { class: "more" }, `… ${count(octets.length, "more octet")}: all with Enter, or a double click`);
}

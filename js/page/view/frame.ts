/** HTML mail in a frame: rebuilt from its words, its style and its own pictures. */
import { h } from "./dom.js";
import { hostOf } from "./links.js";
import { applied, isColoured, styled } from "./style.js";

/** What drawn HTML may contain: words and their layout. Everything else is left out, in the second case with its content. */
const KEPT = new Set(
  ("a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn div dl dt em " +
    "figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i ins kbd li main mark nav ol p pre q s samp section small " +
    "span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr").split(" "),
);
const DROPPED = new Set(
  "script style head title noscript template iframe frame frameset object embed applet svg math audio video canvas select textarea".split(" "),
);
const ATTRIBUTES = ["align", "bgcolor", "border", "cellpadding", "cellspacing", "color", "colspan", "dir", "face", "height", "lang", "rowspan", "size", "start", "type", "valign", "width"];

/** How deep elements are followed. */
const DEPTH = 200;

/** A picture in the message, as a `data:` address; nothing if there is none that can be drawn. */
export type Pictures = (address: string) => string | undefined;

/** HTML as it is drawn. */
export interface Drawn {
  frame: HTMLIFrameElement;
  /** The servers of the pictures that are not fetched, each once. */
  elsewhere: string[];
}

/**
 * Draws HTML: without scripts, forms, and links that lead anywhere. The frame allows nothing, and its policy loads nothing
 * but pictures that are in the message. Each of the three alone would do.
 */
export function draw(markup: string, pictures: Pictures): Drawn {
  // A document that DOMParser makes is inert: nothing in it runs or loads.
  const written = new DOMParser().parseFromString(markup, "text/html");
  applied(written);
  const clean = document.implementation.createHTMLDocument("");
  const copy = new Copy(clean, pictures);
  copy.children(written.body, clean.body, 0);
  styled(written.body, clean.body);
  // Colours are chosen for white paper.
  const scheme = isColoured(clean) ? "light" : "light dark";
  clean.head.append(meta(clean, { httpEquiv: "Content-Security-Policy", content: "default-src 'none'; img-src data:; style-src-attr 'unsafe-inline'" }), meta(clean, { name: "color-scheme", content: scheme }));
  const frame = h("iframe", {
    class: scheme === "light" ? "drawn paper" : "drawn",
    sandbox: "",
    srcdoc: `<!doctype html>${clean.documentElement.outerHTML}`,
    referrerpolicy: "no-referrer",
    title: "HTML of the message, without scripts and links",
  });
  frame.style.setProperty("--lines", String(linesIn(clean.body)));
  return { frame, elsewhere: [...copy.elsewhere] };
}

function meta(document: Document, properties: Partial<HTMLMetaElement>): HTMLMetaElement {
  return Object.assign(document.createElement("meta"), properties);
}

/** About how many lines it takes: the frame allows nobody to measure it. */
function linesIn(body: HTMLElement): number {
  const blocks = body.querySelectorAll("p, div, li, tr, h1, h2, h3, h4, blockquote, pre, br, hr").length;
  const pictures = 6 * body.querySelectorAll("img").length;
  return Math.ceil((body.textContent ?? "").trim().length / 80) + 1.3 * blocks + pictures + 2;
}

/** Copies what is kept from one document into another. */
class Copy {
  readonly elsewhere = new Set<string>();

  constructor(
    readonly document: Document,
    readonly pictures: Pictures,
  ) {}

  children(from: Node, to: Node, depth: number): void {
    for (const child of from.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) to.appendChild(this.document.createTextNode(child.nodeValue ?? ""));
      if (!(child instanceof Element) || depth > DEPTH) continue;
      const name = child.localName;
      if (DROPPED.has(name)) continue;
      if (name === "img") to.appendChild(this.#picture(child));
      else this.children(child, KEPT.has(name) ? to.appendChild(this.#element(child)) : to, depth + 1);
    }
  }

  #element(from: Element): Element {
    const isLink = from.localName === "a";
    // A link leads nowhere, and says where it would have led.
    const made = this.document.createElement(isLink ? "u" : from.localName);
    copyAttributes(from, made);
    const target = isLink ? from.getAttribute("href") : null;
    if (target) made.setAttribute("title", target.slice(0, 300));
    return made;
  }

  #picture(from: Element): Node {
    const address = (from.getAttribute("src") ?? "").trim();
    const alt = from.getAttribute("alt") ?? "";
    const octets = this.pictures(address);
    if (octets !== undefined) {
      const made = this.document.createElement("img");
      copyAttributes(from, made);
      Object.assign(made, { src: octets, alt });
      return made;
    }
    const host = hostOf(address);
    if (host !== undefined) this.elsewhere.add(host);
    return this.document.createTextNode(alt === "" ? "[picture]" : `[picture: ${alt}]`);
  }
}

function copyAttributes(from: Element, to: Element): void {
  for (const name of ATTRIBUTES) {
    const value = from.getAttribute(name);
    if (value !== null) to.setAttribute(name, value);
  }
  styled(from, to);
}

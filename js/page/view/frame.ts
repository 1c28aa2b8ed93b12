import { h } from "./dom.js";

/** What drawn HTML may contain: words and their layout. Everything else is left out, in the second case with its content. */
const KEPT = new Set(
  ("a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn div dl dt em " +
    "figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i ins kbd li main mark nav ol p pre q s samp section small " +
    "span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr").split(" "),
);
const DROPPED = new Set(
  "script style head title noscript template iframe frame frameset object embed applet svg math audio video canvas select textarea".split(" "),
);
const ATTRIBUTES = ["align", "colspan", "rowspan", "dir", "lang", "start", "type", "valign"];

/** How deep elements are followed. */
const DEPTH = 200;

/**
 * HTML mail in a frame: rebuilt from its content, without scripts, styles, pictures, links or forms; the frame allows
 * nothing, and its policy loads nothing. Each of the three alone would do.
 */
export function frame(markup: string): HTMLIFrameElement {
  const clean = document.implementation.createHTMLDocument("");
  const policy = clean.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = "default-src 'none'";
  const scheme = clean.createElement("meta");
  scheme.name = "color-scheme";
  scheme.content = "light dark";
  clean.head.append(policy, scheme);
  // A document that DOMParser makes is inert: nothing in it runs or loads.
  copy(new DOMParser().parseFromString(markup, "text/html").body, clean.body, 0);
  const drawn = h("iframe", {
    class: "drawn",
    sandbox: "",
    srcdoc: `<!doctype html>${clean.documentElement.outerHTML}`,
    referrerpolicy: "no-referrer",
    title: "HTML of the message, without scripts, pictures and links",
  });
  drawn.style.setProperty("--lines", String(linesIn(clean.body)));
  return drawn;
}

/** About how many lines it takes: the frame allows nobody to measure it. */
function linesIn(body: HTMLElement): number {
  const blocks = body.querySelectorAll("p, div, li, tr, h1, h2, h3, h4, blockquote, pre, br, hr").length;
  return Math.ceil((body.textContent ?? "").trim().length / 80) + 1.3 * blocks + 2;
}

function copy(from: Node, to: Node, depth: number): void {
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) to.appendChild(to.ownerDocument!.createTextNode(child.nodeValue ?? ""));
    if (!(child instanceof Element) || depth > DEPTH) continue;
    const name = child.localName;
    if (DROPPED.has(name)) continue;
    if (name === "img") to.appendChild(picture(to.ownerDocument!, child));
    else copy(child, KEPT.has(name) ? to.appendChild(element(to.ownerDocument!, child)) : to, depth + 1);
  }
}

function element(document: Document, from: Element): Element {
  // A link leads nowhere.
  const made = document.createElement(from.localName === "a" ? "u" : from.localName);
  for (const name of ATTRIBUTES) {
    const value = from.getAttribute(name);
    if (value !== null) made.setAttribute(name, value);
  }
  return made;
}

function picture(document: Document, from: Element): Text {
  return document.createTextNode(`[picture${from.getAttribute("alt") ? `: ${from.getAttribute("alt")}` : ""}]`);
}

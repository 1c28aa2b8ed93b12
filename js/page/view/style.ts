/** The style of HTML mail, as attributes of its elements, with nothing in it that could be fetched or leave its place. */

/** Properties of words and boxes. Positions are not among them: nothing lies over another text. */
const PROPERTIES =
  /^(?:(?:background-)?color|font-(?:family|size|style|weight|variant.*)|line-height|letter-spacing|word-(?:break|spacing)|overflow-wrap|white-space.*|text-(?:align.*|decoration.*|indent|transform)|vertical-align|direction|unicode-bidi|display|visibility|float|clear|(?:min-|max-)?(?:width|height)|box-sizing|(?:margin|padding)-.*|border-(?!image).*|table-layout|caption-side|empty-cells|list-style-(?:type|position)|opacity)$/;

/** How many rules of style sheets are read, in documents of how many elements; mail has fewer. */
const [RULES, ELEMENTS] = [1000, 20_000];

/** Gives `to` what is kept of the style of `from`. */
export function styled(from: Element, to: Element): void {
  if (!(from instanceof HTMLElement) || !(to instanceof HTMLElement)) return;
  for (const name of from.style) {
    const value = from.style.getPropertyValue(name);
    // A value that is a function may fetch something, or take its value from elsewhere.
    if (PROPERTIES.test(name) && !/url|image|var|attr|expression/i.test(value)) to.style.setProperty(name, value);
  }
}

/** Whether anything in a document has a colour. */
export function isColoured(document: Document): boolean {
  const isSo = ({ style }: HTMLElement) => style.color !== "" || style.backgroundColor !== "";
  return isSo(document.body) || document.querySelector("[bgcolor], font[color]") !== null || [...document.querySelectorAll<HTMLElement>("[style]")].some(isSo);
}

/**
 * Writes the rules of a document's style sheets into the style of its elements, in the order of the sheets; what an element
 * says itself stays. Rules for a medium are left out: they are for other screens.
 */
export function applied(document: Document): void {
  const sheets = [...document.querySelectorAll("style")].map((element) => rulesOf(element.textContent ?? "")).flat();
  if (sheets.length === 0 || document.querySelectorAll("*").length > ELEMENTS) return;
  const own = new Map<HTMLElement, string>();
  for (const { selectorText, style } of sheets.slice(0, RULES)) {
    for (const element of matches(document, selectorText)) {
      if (!own.has(element)) own.set(element, element.getAttribute("style") ?? "");
      for (const name of style) element.style.setProperty(name, style.getPropertyValue(name));
    }
  }
  for (const [element, said] of own) element.style.cssText += `;${said}`;
}

/** The rules of a sheet that is applied to nothing, so that nothing it names is fetched. */
function rulesOf(text: string): CSSStyleRule[] {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text.replace(/<!--|-->/g, ""));
  return [...sheet.cssRules].filter((rule) => rule instanceof CSSStyleRule);
}

function matches(document: Document, selector: string): HTMLElement[] {
  try {
    return [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element instanceof HTMLElement);
  } catch {
    return [];
  }
}

/** Characters that turn the direction of the text after them: `invoice<U+202E>fdp.exe` must never read as `invoiceexe.pdf`. */
const NAMES: Record<string, string> = {
  "\u202a": "left-to-right embedding",
  "\u202b": "right-to-left embedding",
  "\u202c": "end of a direction",
  "\u202d": "left-to-right override",
  "\u202e": "right-to-left override",
  "\u2066": "left-to-right isolate",
  "\u2067": "right-to-left isolate",
  "\u2068": "isolate",
  "\u2069": "end of an isolate",
};

/** Whether a text has such characters. */
export function turns(text: string): boolean {
  return /[\u202a-\u202e\u2066-\u2069]/.test(text);
}

/** The pieces of a text: such characters, each by its number with its name, and what is between them. */
export function piecesOf(text: string): (string | { number: string; name: string })[] {
  const pieces = text.split(/([\u202a-\u202e\u2066-\u2069])/);
  return pieces.map((piece) => (NAMES[piece] === undefined ? piece : { number: `U+${piece.charCodeAt(0).toString(16).toUpperCase()}`, name: NAMES[piece] }));
}

/** A text for places where there are no elements, in one direction. */
export function inPlainText(text: string): string {
  return turns(text) ? piecesOf(text).map((piece) => (typeof piece === "string" ? piece : `<${piece.number}>`)).join("") : text;
}

/** Something that was odd, and what was done about it. */
export interface Issue {
  /** The code, a stable word: `charset-guessed`. */
  code: string;
  severity: "note" | "repair" | "loss";
  /** The rule of the normal form that applies: `B7`. */
  rule: string;
  /** The IMAP section of the part it is in; `0` is the message's own header. */
  part: string;
  /** The octets of the input that it is about: the first, and the one after the last. */
  span: [number, number];
  /** For example which charset, or how often; may be empty. */
  detail: string;
  /** The issue in plain words. */
  summary: string;
  /** The effect, in plain words: what is done about the issue. */
  effect: string;
  /** The charset that was guessed, of a `charset-guessed`; `null` of others, and if nobody knows it. */
  charset: string | null;
}

export function issuesOf(json: string): Issue[] {
  return json === "" ? [] : (JSON.parse(json) as Issue[]);
}

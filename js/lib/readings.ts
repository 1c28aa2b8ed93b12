import * as wasm from "./glue.js";
import { needOctets } from "./arguments.js";

/** A text that the octets of a part may be taken for. */
export interface Reading {
  /** The charset that the octets are read in. */
  charset: string;
  /**
   * What the reading rests on: the label, the octets, or the text itself, which was misread before it was written. `normalize` writes it
   * with `doubtful: "keep"`, with its charset as `readAs`, or with `doubtful: "repair"`.
   */
  by: "label" | "guess" | "repair";
  /** What a repair undoes, in words: "UTF-8 that was read as windows-1252". */
  undone?: string[];
  /** How probable it is that the text reads as it was meant, from 0 to 1. */
  sureness: number;
  /** 300 characters of the text, from where the readings of it differ. */
  text: string;
}

/** The readings of a part. */
export interface TextReadings {
  /** The IMAP section of the part. */
  part: string;
  /** Its charset label as given. */
  label?: string;
  /** The plausible readings, the most probable first. */
  readings: Reading[];
}

/**
 * What each text of a message may read as, for a person who finds it unreadable.
 *
 * @example
 * const [{ readings: [best] }] = readings(mail);
 * best.text; // "schöne Grüße", of a message that says "schÃ¶ne GrÃ¼ÃŸe"
 * normalize(mail, { doubtful: "repair" }).octets;
 */
export function readings(message: Uint8Array): TextReadings[] {
  needOctets(message, "message");
  return JSON.parse(wasm.readings(message)) as TextReadings[];
}

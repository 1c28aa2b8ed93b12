import tree from "../../corpus/mail/b11-messages-encoded.eml";
import japanese from "../../corpus/mail/b5-japanese.eml";
import everything from "../../corpus/mail/g7-everything-at-once.eml";
import letter from "./letter.eml";
import travelled from "./travelled.eml";

/** Messages to try: a letter and a message written for this, and some of the project's own test mail. */
export const examples: Record<string, Uint8Array> = {
  "a letter of 2003": letter,
  "a message that travelled": travelled,
  "everything at once": everything,
  "Japanese in many charsets": japanese,
  "messages in messages": tree,
};

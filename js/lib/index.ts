/** The exports of every entry. Importing `sevenbit` loads the module; with `sevenbit/manual` you do that. */
export type { OwnOctets } from "./arguments.js";
export { charset, type Charset, detect } from "./charset.js";
export type { AuthenticationResults, CharsetGuess, Details, Hop, MailingList, MessageFile, Report } from "./details.js";
export { type Change, explain, type Facts, type PartFacts, type Person } from "./explain.js";
export { decodeHeader, type Decoded, encodeHeader, mailboxName, type Octets } from "./header.js";
export type { Issue } from "./issue.js";
export { isMbox, splitMbox } from "./mbox.js";
export { type Header, type Mailbox, type Message, parse, type ParseOptions, type Part, resolvedHtml } from "./message.js";
export { normalize, type Normalized, NormalizeStream } from "./normalize.js";
export type { Limits, NormalizeOptions } from "./options.js";
export { reset } from "./reset.js";
export { version } from "./version.js";

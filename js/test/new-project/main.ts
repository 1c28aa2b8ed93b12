// The types, as a program sees them.
import { charset, decodeHeader, type Issue, type Message, normalize, NormalizeStream, parse, reset, splitMbox } from "sevenbit";
import { encodeHeader } from "sevenbit/inline";
import { load } from "sevenbit/manual";
import description from "sevenbit/package.json" with { type: "json" };

const mail = new Uint8Array();
const message: Message = parse(mail, { issues: true, rawHeaders: true });
const severities: Issue["severity"][] = normalize(mail, { profile: "archive", limits: { depth: 9 } }).issues.map((issue) => issue.severity);
const text: string = decodeHeader("x").text + charset.decode(mail, "utf-8") + (message.html ?? "");
for (const one of splitMbox(mail)) void one.length;
const fields: (Uint8Array | undefined)[] = message.root.headers.map((header) => header.octets);
// Results are octets of their own: a Blob takes them, in strict TypeScript, too.
void new Blob([message.root.octets ?? charset.encode("x", "utf-8"), normalize(new Uint8Array(2)).octets]);
reset();
void new ReadableStream<Uint8Array>().pipeThrough(new NormalizeStream({ signed: "refuse" }));
// @ts-expect-error: no such profile
normalize(mail, { profile: "other" });
export { description, encodeHeader, fields, load, severities, text };

// The types, as a program sees them.
import { charset, decodeHeader, type Issue, type Message, normalize, NormalizeStream, parse, splitMbox } from "sevenbit";
import { load } from "sevenbit/manual";

const mail = new Uint8Array();
const message: Message = parse(mail, { issues: true });
const severities: Issue["severity"][] = normalize(mail, { profile: "archive", limits: { depth: 9 } }).issues.map((issue) => issue.severity);
const text: string = decodeHeader("x").text + charset.decode(mail, "utf-8") + (message.html ?? "");
for (const one of splitMbox(mail)) void one.length;
void new ReadableStream<Uint8Array>().pipeThrough(new NormalizeStream({ signed: "refuse" }));
// @ts-expect-error: no such profile
normalize(mail, { profile: "other" });
export { load, severities, text };

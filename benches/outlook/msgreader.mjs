// What msgreader reads of .msg files: their paths on standard input, a JSON object for each on standard output.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(`${process.cwd()}/`); // where it is installed
const { default: MsgReader } = require("@kenjiuno/msgreader");

const digest = (octets) => createHash("sha256").update(octets).digest("hex").slice(0, 16);

for (const path of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  let found = {};
  try {
    const reader = new MsgReader(new Uint8Array(readFileSync(path)).buffer);
    const message = reader.getFileData();
    const html = message.html ? Buffer.from(message.html).toString("utf8") : (message.bodyHtml ?? "");
    found = {
      subject: message.subject ?? "",
      recipients: (message.recipients ?? []).map((one) => one.smtpAddress ?? one.email ?? ""),
      text: message.body ?? "",
      html,
      files: (message.attachments ?? []).filter((one) => !one.innerMsgContent).map((one) => digest(reader.getAttachment(one).content)),
    };
  } catch (error) {
    found = { error: String(error) };
  }
  console.log(JSON.stringify(found));
}

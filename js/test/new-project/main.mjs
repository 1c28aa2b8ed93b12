// The first example of the README.
import { normalize, parse } from "sevenbit";

const mail = new TextEncoder().encode("From: Zoë <zoe@example.org>\r\nSubject: café\r\n\r\nhello\r\n");
const { octets, issues } = normalize(mail, { profile: "transport" });
const message = parse(mail);

if (new TextDecoder().decode(octets).match(/[^\x00-\x7f]/) || issues.length === 0) throw new Error("not normalised");
if (message.subject !== "café" || message.from[0].name !== "Zoë") throw new Error("not read");
console.log("installed, imported, works");

/** The script in the page of `sevenbit explain`: shows the message that the page contains. */
import type { Facts } from "../lib/explain.js";
import { h } from "./view/dom.js";
import { octetsOf, Source } from "./view/octets.js";
import "./view/message.js";
import type { SevenbitMessage } from "./view/message.js";
import { summary } from "./view/summary.js";

interface Held {
  facts: Facts;
  message: string;
  rules: string;
  leftOut?: [number, number][];
}

const { facts, message, rules, leftOut } = JSON.parse(document.getElementById("held")!.textContent!) as Held;
const view = document.querySelector("sevenbit-message") as SevenbitMessage;
const octets = octetsOf(message);
const copied = h("span", { role: "status" });
const copy = async () => {
  await navigator.clipboard.writeText(summary(facts, new Source(octets), document.title));
  copied.textContent = "On the clipboard.";
};
const actions = [h("button", { type: "button", onclick: () => void copy() }, "Copy as report"), copied];
view.show({ facts, message: octets, rules, actions, ...(leftOut && { leftOut }) });

/** The script in the page of `sevenbit explain`: shows the message that the page contains. */
import type { Facts } from "../lib/explain.js";
import { octetsOf } from "./view/octets.js";
import "./view/message.js";
import type { SevenbitMessage } from "./view/message.js";

interface Held {
  facts: Facts;
  message: string;
  rules: string;
}

const { facts, message, rules } = JSON.parse(document.getElementById("held")!.textContent!) as Held;
const view = document.querySelector("sevenbit-message") as SevenbitMessage;
view.show({ facts, message: octetsOf(message), rules });

/** The attachments of a message: save, and look at pictures. */
import type { Facts, PartFacts } from "../../lib/explain.js";
import { count, h, icon } from "./dom.js";
import { contentOf } from "./decoded.js";
import { nameOf, shapeOf, size } from "./names.js";
import type { Source } from "./octets.js";
import { LARGE, PICTURES } from "./pictures.js";

interface Around {
  facts: Facts;
  source: Source;
  show: (part: number) => void;
  /** Whether octets of the message are left out of the page. */
  isCut: (part: PartFacts) => boolean;
  /** Opens a message that is attached; where no other message can be shown, it is left out. */
  open?: ((message: Uint8Array<ArrayBuffer>, name: string) => void) | undefined;
}

/** The attachments, each with what can be done with it. */
export function fileList(around: Around): HTMLElement | null {
  const { parts, attachments, plain, html } = around.facts;
  // A picture between two texts is no attachment to mail programs, but it is a file to look at.
  const between = [...plain, ...html].filter((index) => parts[index]!.text === null);
  const files = [...new Set([...attachments, ...between])].sort((a, b) => a - b);
  if (files.length === 0) return null;
  return h(
    "section",
    { class: "files", "aria-label": "Attachments" },
    h("h2", {}, count(files.length, "attachment")),
    h("ul", {}, files.map((index) => item(index, around))),
  );
}

function item(index: number, { facts, source, show, isCut, open }: Around): HTMLElement {
  const part = facts.parts[index]!;
  const content = () => (isCut(part) ? undefined : part.isLeaf ? contentOf(source.get(part.body), part.encoding) : source.get(part.body).slice());
  const canSave = !isCut(part) && (!part.isLeaf || /^(7bit|8bit|binary|base64|quoted-printable)$/.test(part.encoding));
  const name = fileName(part);
  const place = h("div", { class: "preview" });
  const preview = () => {
    const octets = content();
    if (octets) place.replaceChildren(picture(octets, part.mediaType, name));
  };
  const length = part.isLeaf ? part.length : source.get(part.body).length;
  const isPicture = PICTURES.has(part.mediaType) && canSave;
  if (isPicture && part.length <= LARGE) preview();
  return h(
    "li",
    {},
    icon(shapeOf(part)),
    h("span", { class: "what" }, h("bdi", { class: "name" }, nameOf(part)), h("span", { class: "kind" }, `${part.mediaType}, ${size(length)}`)),
    h(
      "span",
      { class: "actions" },
      isPicture && part.length > LARGE && h("button", { type: "button", onclick: preview }, "Show"),
      open && canSave && part.mediaType === "message/rfc822" && h("button", { type: "button", onclick: () => open(content()!, name), "aria-label": `Open ${name}` }, "Open"),
      canSave && h("button", { type: "button", onclick: () => save(content()!, name), "aria-label": `Save ${name}` }, "Save"),
      h("button", { type: "button", class: "quiet", onclick: () => show(index), "aria-label": `Details of ${name}` }, "Details"),
    ),
    isCut(part) && h("p", { class: "more" }, "Its octets are left out of this page."),
    place,
  );
}

/** A picture from octets in memory; the address is freed once it is drawn. */
function picture(octets: Uint8Array<ArrayBuffer>, type: string, name: string): HTMLElement {
  const url = URL.createObjectURL(new Blob([octets], { type }));
  const done = () => URL.revokeObjectURL(url);
  const broken = () => (done(), image.replaceWith(h("p", { class: "more" }, "This picture cannot be drawn.")));
  const image = h("img", { src: url, alt: `The picture ${name}`, onload: done, onerror: broken });
  return image;
}

/** A name that is safe to save under: no path, no control, nothing that hides the end of it. */
export function fileName(part: PartFacts): string {
  const given = (part.filename ?? "").replace(/^.*[\\/]/, "").replace(/[\p{Cc}\p{Cf}<>:"|?*]/gu, "").trim().replace(/^\.+/, "");
  return given.slice(-120) || (part.mediaType === "message/rfc822" ? "message.eml" : "attachment.bin");
}

/** Always as octets of no kind: what is saved is never opened by the page. */
export function save(octets: Uint8Array<ArrayBuffer>, name: string, type = "application/octet-stream"): void {
  const url = URL.createObjectURL(new Blob([octets], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

import { h } from "./dom.js";

interface Tab {
  id: string;
  label: string;
  number?: number;
  /** Made when it is first shown. */
  panel: () => HTMLElement;
}

/** Tabs as in the ARIA guide: arrows, Home and End move. */
export function tabs(all: Tab[]): { element: HTMLElement; choose: (id: string) => void } {
  const buttons = all.map(({ id, label, number }) =>
    h(
      "button",
      { role: "tab", type: "button", id: `tab-${id}`, "aria-controls": `panel-${id}` },
      label,
      number !== undefined && h("span", { class: "number" }, number.toLocaleString("en")),
    ),
  );
  const panels = all.map(({ id }) => h("div", { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}` }));
  const select = (index: number, focus: boolean) => {
    buttons.forEach((button, at) => {
      button.setAttribute("aria-selected", String(at === index));
      button.tabIndex = at === index ? 0 : -1;
      panels[at]!.hidden = at !== index;
    });
    if (panels[index]!.childElementCount === 0) panels[index]!.append(all[index]!.panel());
    if (focus) buttons[index]!.focus();
  };
  const bar = h("div", { role: "tablist", class: "tabs", "aria-label": "What to show" }, buttons);
  bar.addEventListener("keydown", (event) => {
    const at = buttons.findIndex((button) => button.tabIndex === 0);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    select((to + buttons.length) % buttons.length, true);
  });
  buttons.forEach((button, at) => button.addEventListener("click", () => select(at, false)));
  select(0, false);
  return { element: h("div", { class: "tabbed" }, bar, panels), choose: (id) => select(all.findIndex((tab) => tab.id === id), false) };
}

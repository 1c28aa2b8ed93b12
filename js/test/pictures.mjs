// The pictures of the page in docs/, and one of each state in docs/page/, to be looked at: node test/pictures.mjs
import { mkdirSync, readFileSync } from "node:fs";
import { drop, launch, serve, visit } from "./browser.mjs";

const docs = new URL("../../docs/", import.meta.url).pathname;
const folder = `${docs}page`;
const letter = readFileSync(new URL("../page/letter.eml", import.meta.url));
/** An Arabic message that passed four servers, with an attachment. */
const travelled = readFileSync(new URL("../page/travelled.eml", import.meta.url));
const [server, browser] = await Promise.all([serve(), launch()]);

async function picture(path, { tab = "message", part = 0, work, mail = letter, ...options } = {}) {
  const { page, close } = await visit(browser, server.url, { viewport: { width: 1200, height: 900 }, ...options });
  await page.waitForSelector("sevenbit-page main");
  if (mail) {
    await drop(page, mail, "letter.eml");
    await page.locator(`#tab-${tab}`).click();
    if (tab === "parts") await page.locator("[role=treeitem]").nth(part).click();
  }
  await work?.(page);
  await page.screenshot({ path });
  await close();
}

/** HTML, drawn and scrolled into view. */
async function drawn(page) {
  await page.locator("#panel-parts input[value=drawn]").check({ force: true });
  await page.frameLocator("#panel-parts iframe").locator("body").waitFor({ state: "attached" });
  await page.locator("#panel-parts iframe").evaluate((frame) => frame.scrollIntoView({ block: "end" }));
}

await picture(`${docs}page-message.png`, { work: (page) => page.locator(".line").nth(2).hover() });
await picture(`${docs}page-changes.png`, { tab: "changes", colorScheme: "dark" });
mkdirSync(folder, { recursive: true });
const phone = { viewport: { width: 380, height: 800 } };
const corpus = (name) => readFileSync(new URL(`../../corpus/mail/${name}.eml`, import.meta.url));
await picture(`${folder}/welcome.png`, { mail: null });
await picture(`${folder}/header.png`, { tab: "parts" });
await picture(`${folder}/html.png`, { tab: "parts", part: 2, work: drawn });
await picture(`${folder}/file.png`, { tab: "parts", part: 3, colorScheme: "dark" });
for (const tab of ["issues", "changes", "way", "readers", "source"]) await picture(`${folder}/${tab}.png`, { tab, ...(tab === "way" && { mail: travelled }) });
await picture(`${folder}/arabic.png`, { mail: travelled, colorScheme: "dark" });
await picture(`${folder}/japanese.png`, { mail: corpus("b5-japanese") });
await picture(`${folder}/phone.png`, phone);
await picture(`${folder}/phone-dark.png`, { ...phone, mail: corpus("b5-japanese"), colorScheme: "dark" });
await picture(`${folder}/phone-changes.png`, { ...phone, tab: "changes", colorScheme: "dark" });
await picture(`${folder}/report.png`, { work: (page) => page.getByRole("button", { name: "Report without content" }).click() });
await browser.close();
server.close();

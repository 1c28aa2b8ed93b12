// The pictures of the page in docs/, and one of each state in docs/page/, to be looked at: node test/pictures.mjs
import { mkdirSync, readFileSync } from "node:fs";
import { drop, launch, serve, visit } from "./browser.mjs";

const docs = new URL("../../docs/", import.meta.url).pathname;
const folder = `${docs}page`;
const letter = readFileSync(new URL("../page/letter.eml", import.meta.url));
const [server, browser] = await Promise.all([serve(), launch()]);

async function picture(path, { tab = "message", part = 0, work, mail = letter, ...options } = {}) {
  const { page, close } = await visit(browser, server.url, { viewport: { width: 1200, height: 900 }, ...options });
  await page.waitForSelector("sevenbit-page main");
  if (mail) {
    await drop(page, mail, "letter.eml");
    await page.locator("[role=treeitem]").nth(part).click();
    await page.locator(`#tab-${tab}`).click();
  }
  await work?.(page);
  await page.screenshot({ path });
  await close();
}

/** HTML, drawn and scrolled into view. */
async function drawn(page) {
  await page.locator("input[value=drawn]").check({ force: true });
  await page.frameLocator("iframe").locator("body").waitFor({ state: "attached" });
  await page.locator("iframe").evaluate((frame) => frame.scrollIntoView({ block: "end" }));
}

await picture(`${docs}page-message.png`, { part: 1, work: (page) => page.locator(".line").nth(2).hover() });
await picture(`${docs}page-changes.png`, { tab: "changes", colorScheme: "dark" });
mkdirSync(folder, { recursive: true });
const phone = { viewport: { width: 380, height: 800 } };
await picture(`${folder}/welcome.png`, { mail: null });
await picture(`${folder}/header.png`);
await picture(`${folder}/html.png`, { part: 2, work: drawn });
await picture(`${folder}/file.png`, { part: 3, colorScheme: "dark" });
for (const tab of ["issues", "changes", "readers"]) await picture(`${folder}/${tab}.png`, { tab });
await picture(`${folder}/phone.png`, phone);
await picture(`${folder}/phone-changes.png`, { ...phone, tab: "changes", colorScheme: "dark" });
await picture(`${folder}/report.png`, { work: (page) => page.getByRole("button", { name: "Report without content" }).click() });
await browser.close();
server.close();

// Draws the pictures of docs/gallery, and of docs/guides/view.md, anew:
//     multihop gallery --export /tmp/gallery && node tools/screenshots.mjs /tmp/gallery
import { chromium } from "playwright-core";

const SHOWN = {
  "back-pressure": ["t=3.9123&speed=0.01", "gallery/back-pressure", ".stage"],
  "hidden-terminal": ["t=0.3072&speed=0.01&node=1", "gallery/hidden-terminal", ".stage"],
  "flood-dies": ["t=31.2&speed=1&message=0:0&run=2", "images/view-flood", ".run:nth-child(2) network-map"],
};
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
for (const [name, [view, picture, part]] of Object.entries(SHOWN)) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 1100 } });
  await page.goto(`file://${process.argv[2]}/${name}.html#${view}`);
  await page.waitForSelector("trace-view network-map canvas");
  await page.addStyleTag({ content: ".transport { position: static; }" });
  await page.waitForTimeout(500);
  const path = new URL(`../../docs/${picture}.png`, import.meta.url).pathname;
  await page.locator(part).screenshot({ path });
}
await browser.close();

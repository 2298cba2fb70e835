// Draws the picture of docs/guides/playground.md anew: two schemes beside each other on a projector.
//     multihop playground --no-browser --port 8765 & node tools/playground.mjs http://127.0.0.1:8765/
import { chromium } from "playwright-core";

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
await page.goto(process.argv[2]);
await page.waitForSelector("network-editor svg.network");
await page.getByText("beside no other scheme").click();
await page.getByRole("checkbox", { name: "UDP over 802.11" }).check();
await page.keyboard.press("Escape");
await page.getByRole("button", { name: "Run", exact: true }).click();
// The replay is there before the run is over.
await page.getByRole("button", { name: "Run", exact: true }).waitFor();
await page.waitForSelector("trace-view network-map canvas");
await page.waitForTimeout(2000);
// In the middle of the run, where queues are full.
await page.evaluate(() => document.querySelector("trace-view").session.player.seek(12.3456e9));
await page.waitForTimeout(500);
const path = new URL("../../docs/images/playground.png", import.meta.url).pathname;
await page.screenshot({ path, clip: { x: 0, y: 0, width: 1366, height: 620 } });
await browser.close();

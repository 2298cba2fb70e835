// How many pictures a second the page draws while it plays a trace:
//     node tools/speed.mjs http://127.0.0.1:8765/
// with `multihop view DIR --no-browser` running.
import { chromium } from "playwright-core";

const SECONDS = 5;
const url = process.argv[2] ?? "http://127.0.0.1:8765/";
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--enable-precise-memory-info"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
const begin = performance.now();
await page.goto(url);
await page.waitForSelector("trace-view network-map canvas", { timeout: 60_000 });
console.log(`open after ${((performance.now() - begin) / 1e3).toFixed(1)} s`);
const bytes = await page.evaluate(() => performance.memory.usedJSHeapSize);
console.log(`holds ${(bytes / 1e6).toFixed(0)} MB`);
console.log("speed  pictures/s  drawing, median  99 % (ms)");
const length = await page.evaluate(() => document.querySelector("trace-view").session.player.end / 1e9);
// From a quarter of the run on, as far as it goes.
for (const speed of [0.01, 0.1, 1, 10, 100, 1000, 10_000].filter((one) => one * SECONDS < length * 0.7)) {
  const { count, times } = await page.evaluate(async ({ speed, seconds }) => {
    const view = document.querySelector("trace-view");
    const { player } = view.session;
    player.pause();
    player.seek(player.end / 4);
    player.pace(speed);
    view.pictures.length = 0;
    player.toggle();
    let count = 0;
    const until = performance.now() + seconds * 1e3;
    while (performance.now() < until && player.playing) {
      await new Promise(requestAnimationFrame);
      count++;
    }
    const spent = seconds - Math.max(0, until - performance.now()) / 1e3;
    player.pause();
    return { count: count / spent, times: [...view.pictures].sort((a, b) => a - b) };
  }, { speed, seconds: SECONDS });
  const at = (share) => (times[Math.floor(share * (times.length - 1))] ?? Number.NaN).toFixed(1);
  console.log(`${String(speed).padEnd(6)} ${count.toFixed(0).padStart(10)} ${at(0.5).padStart(16)} ${at(0.99).padStart(10)}`);
}
await browser.close();

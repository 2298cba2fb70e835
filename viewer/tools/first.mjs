// How long the playground takes to its first picture, and how much it loads for that:
//     node tools/first.mjs http://127.0.0.1:8765/
// with `multihop playground --no-browser` running. Prints JSON: medians in ms, kB that a server that compresses would send, and the
// frame rate of the replay.
import { chromium } from "playwright-core";
import { gzipSync } from "node:zlib";

const TIMES = 5;
const SECONDS = 2;
const url = process.argv[2] ?? "http://127.0.0.1:8765/";
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

/** How many frames a second the replay shows, and the median time to draw one, in ms. */
const played = (page) => page.evaluate(async (seconds) => {
  const view = document.querySelector("trace-view");
  const { player } = view.session;
  player.pause();
  player.seek(player.end / 4);
  player.pace(1e-2);
  view.pictures.length = 0;
  player.toggle();
  const begin = performance.now();
  let frames = 0;
  for (; performance.now() < begin + seconds * 1e3; frames++) await new Promise(requestAnimationFrame);
  const rate = frames / ((performance.now() - begin) / 1e3);
  player.pause();
  const times = [...view.pictures].sort((a, b) => a - b);
  return { rate, drawing: times[times.length >> 1] };
}, SECONDS);

/** A visit by somebody who has not been here before. */
async function visit() {
  const context = await browser.newContext();
  const page = await context.newPage();
  let bytes = 0;
  const bodies = [];
  page.on("response", (response) => bodies.push(response.body().then((body) => {
    bytes += gzipSync(body, { level: 9 }).length;
  })));
  const begin = performance.now();
  await page.goto(url);
  await page.waitForSelector("network-editor svg.network");
  const open = performance.now() - begin;
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForSelector("trace-view network-map canvas");
  const replay = performance.now() - begin;
  await Promise.all(bodies);
  const frames = await played(page);
  await context.close();
  return { open, replay, bytes, ...frames };
}

const visits = [];
for (let i = 0; i < TIMES; i++) visits.push(await visit());
await browser.close();
const median = (name) => visits.map((one) => one[name]).sort((a, b) => a - b)[TIMES >> 1];
console.log(JSON.stringify({
  open_ms: median("open"),
  replay_ms: median("replay"),
  kilobytes: median("bytes") / 1e3,
  frames_s: median("rate"),
  drawing_ms: median("drawing"),
}));

/** Starts `multihop view` and a browser, for tests of the page as a whole. */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

const PYTHON = process.env["MULTIHOP_PYTHON"] ?? "python3";
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
/** Whether there is a browser to test with. */
export const HAS_BROWSER = existsSync(CHROMIUM);

export const TRACES = new URL("traces/", import.meta.url).pathname;
export const ROOT = new URL("../../../", import.meta.url).pathname;

/** Run `multihop` to its end. */
export async function multihop(...given: string[]): Promise<void> {
  const process_ = spawn(PYTHON, ["-m", "multihop", ...given], { stdio: "inherit" });
  const code = await new Promise((done) => process_.on("close", done));
  if (code !== 0) throw new Error(`multihop ${given.join(" ")} ended with ${String(code)}`);
}

export interface Served {
  readonly url: string;
  stop(): Promise<number | null>;
}

/** Serve a page, and return once it can be opened. */
export async function serve(...given: string[]): Promise<Served> {
  const server: ChildProcess = spawn(
    PYTHON, ["-m", "multihop", ...given, "--no-browser", "--json", "--port", "0"],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = new Promise<number | null>((done) => server.on("close", done));
  const said = await new Promise<string>((done, fail) => {
    let text = "";
    server.stdout?.on("data", (piece: Buffer) => {
      text += piece.toString();
      if (text.trimEnd().endsWith("}")) done(text);
    });
    void ended.then((code) => fail(new Error(`multihop ${given.join(" ")}: ${String(code)}`)));
  });
  const stop = (): Promise<number | null> => {
    server.kill("SIGINT");
    return ended;
  };
  return { url: (JSON.parse(said) as { url: string }).url, stop };
}

export const start = (): Promise<Browser> => chromium.launch({
  executablePath: CHROMIUM,
  args: ["--no-sandbox", "--font-render-hinting=none", "--disable-lcd-text"],
});

/** Open a page and wait until the trace is shown; an error in the page is an error here. */
export async function open(
  browser: Browser, url: string, how: BrowserContextOptions = {},
): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...how });
  page.on("pageerror", (error) => {
    throw error;
  });
  await page.goto(url);
  await page.waitForSelector("trace-view network-map canvas");
  return page;
}

interface View {
  session: {
    player: { time: number; speed: number; playing: boolean; end: number };
    focus: { node: number; flow: number; frame: number };
    chosen: number;
    cause: string;
  };
  pictures: number[];
}

/** What the page looks at: time in ms, speed, node, and so on. */
export async function state(page: Page): Promise<{
  ms: number; speed: number; playing: boolean; node: number; flow: number; frame: number; run: number;
}> {
  return page.evaluate(() => {
    const { player, focus, chosen } = (document.querySelector("trace-view") as unknown as View).session;
    return {
      ms: player.time / 1e6, speed: player.speed, playing: player.playing, run: chosen, ...focus,
    };
  });
}

/** How long the last pictures took while it played, in ms. */
export const pictures = (page: Page): Promise<number[]> =>
  page.evaluate(() => (document.querySelector("trace-view") as unknown as View).pictures);

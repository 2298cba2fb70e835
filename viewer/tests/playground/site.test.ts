/** The playground as a folder on a web server that knows nothing of it, below some path, and then without a network. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_BROWSER, multihop, ROOT, start } from "../browser/browser";
import { HAS_MODULE } from "../engine/native";

/** What every web server knows; of WebAssembly this one knows nothing. */
const KINDS: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
const BELOW = "/some/where/";

/** Serve a folder as a server does that has no say in it. */
async function serveFolder(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0].replace(BELOW, "") || "index.html";
    try {
      const content = readFileSync(join(folder, path));
      response.writeHead(200, { "Content-Type": KINDS[extname(path)] ?? "application/octet-stream" }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return server;
}

describe.skipIf(!HAS_BROWSER || !HAS_MODULE)("the site", { timeout: 120_000 }, () => {
  let browser: Browser;
  let server: Server;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "multihop-site-"));
    await multihop("playground", "--export", folder);
    server = await serveFolder(folder);
    browser = await start();
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true });
  });

  it("works below any path, and without a network once it was open", async () => {
    const { port } = server.address() as AddressInfo;
    const context = await browser.newContext();
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(`http://127.0.0.1:${port}${BELOW}`);
    await page.waitForSelector("network-editor svg.network");
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    server.close();
    server.closeAllConnections();
    await page.reload();
    await page.waitForSelector("network-editor svg.network");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForSelector("trace-view network-map canvas");
    expect(errors).toEqual([]);
    await context.close();
  });

  it("has its policy in the page, and one script", async () => {
    const page = readFileSync(join(folder, "index.html"), "utf-8");
    expect(page).toMatch(/Content-Security-Policy" content="default-src 'self'; script-src 'self' 'wasm-unsafe-eval';/);
    expect(page).not.toMatch(/<script(?! type="module" crossorigin src="\.\/viewer\.js")/);
  });

  it("begins with the lessons of a lecturer's folder, and has them without a network", async () => {
    const own = mkdtempSync(join(tmpdir(), "multihop-lecture-"));
    await multihop("site", join(ROOT, "examples", "lecture"), "--out", own);
    const lecture = await serveFolder(own);
    const context = await browser.newContext();
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(`http://127.0.0.1:${(lecture.address() as AddressInfo).port}${BELOW}`);
    await page.getByRole("heading", { name: "Who sends when" }).waitFor();
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    lecture.close();
    lecture.closeAllConnections();
    await page.getByRole("link", { name: "Two senders, one receiver" }).click();
    await page.locator("lesson-network").getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForSelector("lesson-network trace-view network-map canvas");
    expect(errors).toEqual([]);
    await context.close();
    rmSync(own, { recursive: true });
  });
});

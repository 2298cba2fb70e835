/** Opens pages of the playground for tests; whatever a page says on the console, or asks of others, is an error. */

import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";

export class Visits {
  readonly errors: string[] = [];

  constructor(readonly browser: Browser, readonly url: string) {}

  async open(url = this.url, how: BrowserContextOptions = {}, shown = "network-editor svg.network"): Promise<Page> {
    const page = await this.browser.newPage({ viewport: { width: 1366, height: 768 }, ...how });
    page.on("pageerror", (error) => this.errors.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") this.errors.push(message.text());
    });
    page.on("request", (request) => {
      if (!/^(http:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url())) this.errors.push(request.url());
    });
    await page.goto(url);
    // A link to a replay hides the network again as soon as its run has begun.
    await page.waitForSelector(shown, { state: "attached" });
    return page;
  }

  async close(page: Page): Promise<void> {
    await page.close();
    expect(this.errors.splice(0)).toEqual([]);
  }
}

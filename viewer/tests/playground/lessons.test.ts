/** Lessons in a real browser: read, change, run, compare, answer, and take a network to the playground. */

import { readdirSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faults } from "../browser/axe";
import { HAS_BROWSER, serve, start, type Served } from "../browser/browser";
import { HAS_MODULE } from "../engine/native";
import { Visits } from "./pages";

/** How many lessons there are: a file each. */
const LESSONS = readdirSync(new URL("../../../python/multihop/gallery", import.meta.url)).filter((name) =>
  name.endsWith(".md")).length;

describe.skipIf(!HAS_BROWSER || !HAS_MODULE)("lessons", { timeout: 120_000 }, () => {
  let browser: Browser;
  let served: Served;
  let visits: Visits;

  beforeAll(async () => {
    [browser, served] = await Promise.all([start(), serve("playground")]);
    visits = new Visits(browser, served.url);
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    expect(await served.stop()).toBe(0);
  });

  const open = (lesson: string, how = {}): Promise<Page> =>
    visits.open(`${served.url}#lesson=${lesson}`, how, lesson ? "lesson-network svg.network" : ".book .list");
  const run = async (page: Page): Promise<void> => {
    await page.locator("lesson-network").getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForSelector("lesson-network trace-view network-map canvas");
    await page.locator("lesson-network").getByRole("button", { name: "Run", exact: true }).waitFor();
  };
  /** The cells of a row of results. */
  const row = (page: Page, at: number): Promise<string[]> =>
    page.locator("lesson-network .results tbody tr").nth(at).locator("th, td").allInnerTexts();

  it("are found from the playground, by keyboard, and lead on to the next", async () => {
    const page = await visits.open();
    await page.getByRole("link", { name: "Lessons" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Wireless multihop networks" }).waitFor();
    expect(await page.locator(".book .list a").count()).toBe(LESSONS);
    await page.getByRole("link", { name: "A hidden terminal", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "A hidden terminal", exact: true }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("A hidden terminal");
    await page.getByRole("link", { name: "Next: An exposed terminal" }).click();
    await page.getByRole("heading", { name: "An exposed terminal" }).waitFor();
    await page.getByRole("link", { name: "Playground" }).click();
    await page.getByRole("button", { name: "Run", exact: true }).waitFor();
    expect(await page.locator("lesson-book").isVisible()).toBe(false);
    await visits.close(page);
  });

  it("run their networks, let keys be changed, and keep what came before for comparison", async () => {
    const page = await open("chain-collapse");
    await run(page);
    expect(await page.locator("lesson-network network-map").count()).toBe(2);
    const goodput = async (at: number): Promise<number> => Number((await row(page, at)).at(-4));
    expect(await goodput(0)).toBeGreaterThan(await goodput(1));
    expect(page.url()).toMatch(/#lesson=chain-collapse$/);
    await page.locator("lesson-network [data-key='topology.hops']").fill("2");
    await page.keyboard.press("Tab");
    await run(page);
    expect((await row(page, 2))[1]).toBe("2");
    expect(await goodput(3)).toBeGreaterThan(await goodput(1));
    await visits.close(page);
  });

  it("refuse a value in words, and take the next one", async () => {
    const page = await open("one-hop");
    const load = page.locator("lesson-network [data-key='traffic.load']");
    await load.fill("fast");
    await page.keyboard.press("Tab");
    await page.locator("lesson-network output").getByText("traffic.load").waitFor();
    expect(await page.locator("lesson-network .go").isDisabled()).toBe(true);
    await load.fill("");
    await page.keyboard.press("Tab");
    await expect.poll(() => page.locator("lesson-network .go").isDisabled()).toBe(false);
    await run(page);
    await visits.close(page);
  });

  it("have exercises whose answer is hidden first, and networks that go on in the playground", async () => {
    const page = await open("grid-fairness");
    const answer = page.locator(".exercise details p");
    expect(await answer.isVisible()).toBe(false);
    await page.locator(".exercise summary").focus();
    await page.keyboard.press("Enter");
    expect(await answer.isVisible()).toBe(true);
    await page.getByRole("button", { name: "Open in the playground" }).click();
    await page.getByRole("button", { name: "Add node" }).waitFor();
    const text = await page.evaluate(() => (document.querySelector("play-ground") as unknown as { text: string }).text);
    expect(text).toContain("horizontal_flows = 3");
    await visits.close(page);
  });

  it("say that there is no such lesson", async () => {
    const page = await visits.open(`${served.url}#lesson=none`, {}, ".book .troubles");
    expect(await page.getByRole("alert").innerText()).toContain("“none”");
    await page.close();
    visits.errors.length = 0;
  });

  it("have no fault that axe finds, light and dark, wide and narrow", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const viewport of [{ width: 1366, height: 768 }, { width: 390, height: 844 }]) {
        const list = await open("", { colorScheme, viewport });
        expect(await faults(list)).toEqual([]);
        await visits.close(list);
        const page = await open("rts-cts", { colorScheme, viewport });
        expect(await faults(page)).toEqual([]);
        await run(page);
        expect(await faults(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
        await visits.close(page);
      }
    }
  });
});

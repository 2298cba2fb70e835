/** Pages of results: values under the pointer and at the arrow keys, curves that can be hidden. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faults } from "./axe";
import { HAS_BROWSER, ROOT, start } from "./browser";

const PYTHON = process.env["MULTIHOP_PYTHON"] ?? "python3";
const SCRIPT = `
from tests.test_hover import picture
from multihop.reporting.report import Page, render
print(render(Page("Curves", "lead", "multihop demo", "engine", pictures=[picture()])))
`;

describe.skipIf(!HAS_BROWSER)("a page of results", { timeout: 60_000 }, () => {
  let folder: string;
  let url: string;
  let browser: Browser;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "multihop-report-"));
    url = `file://${join(folder, "page.html")}`;
    writeFileSync(join(folder, "page.html"), execFileSync(PYTHON, ["-c", SCRIPT], { cwd: ROOT }));
    browser = await start();
  }, 60_000);

  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await browser.close();
  });

  it("says values at the pointer and at the arrow keys, and hides curves", async () => {
    const page = await browser.newPage();
    page.on("pageerror", (error) => {
      throw error;
    });
    await page.goto(url);
    const values = page.locator(".values");
    expect(await values.isVisible()).toBe(false);
    const box = await page.locator("figure > svg").boundingBox();
    if (!box) throw new Error("there is no drawing");
    await page.mouse.move(box.x + box.width * 0.36, box.y + box.height / 2);
    expect((await values.innerText()).split("\n")).toEqual([
      "load (kbit/s) 100", "the bound: 120", "UDP: 90"]);
    await page.getByRole("button", { name: "UDP" }).click();
    await page.mouse.move(0, 0);
    await page.locator("figure").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect((await values.innerText()).split("\n")).toEqual(["load (kbit/s) 100", "the bound: 120"]);
    await page.keyboard.press("Escape");
    expect(await values.isVisible()).toBe(false);
    expect(await faults(page)).toEqual([]);
    await page.close();
  });

  it("shows everything without JavaScript", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(url);
    expect(await page.locator("figure > svg").isVisible()).toBe(true);
    expect(await page.locator(".legend li").allInnerTexts()).toEqual(["the bound", "UDP", "CXCC"]);
    await context.close();
  });
});

/** Whole visits of the playground in a real browser: change, run, compare, sweep, share. */

import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faults } from "../browser/axe";
import { HAS_BROWSER, ROOT, serve, start, state, TRACES, type Served } from "../browser/browser";
import { HAS_MODULE } from "../engine/native";
import { Visits } from "./pages";

const TEXT = `# two hops
warmup = "1 s"
duration = "4 s"
[topology]
kind = "chain"
hops = 2
[scheme]
name = "udp"
[traffic]
load = "50 kbit/s" # not much
start = "0.1 s"
`;

describe.skipIf(!HAS_BROWSER || !HAS_MODULE)("the playground", { timeout: 120_000 }, () => {
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

  const open = (url = served.url, how: BrowserContextOptions = {}): Promise<Page> => visits.open(url, how);
  const close = (page: Page): Promise<void> => visits.close(page);

  async function write(page: Page, text: string): Promise<void> {
    await page.getByRole("button", { name: "Text", exact: true }).click();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+a");
    // As pasted: typed, the editor would indent it.
    await page.keyboard.insertText(text);
    await page.waitForTimeout(400);
  }

  const read = (page: Page): Promise<string> =>
    page.evaluate(() => (document.querySelector("play-ground") as unknown as { text: string }).text);
  const run = async (page: Page): Promise<void> => {
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForSelector("trace-view network-map canvas");
    await page.getByRole("button", { name: "Run", exact: true }).waitFor();
  };
  const result = (page: Page, name: string): Promise<string[]> =>
    page.locator(".results tr").filter({ has: page.getByRole("rowheader", { name, exact: true }) }).locator("td").allInnerTexts();
  const nodes = (page: Page) => page.locator("network-editor .node");

  it("makes a whole visit: change, run, share, and the link gives the same run elsewhere", async () => {
    const page = await open();
    await write(page, TEXT);
    await page.getByRole("button", { name: "Form", exact: true }).click();
    await page.locator("input[data-key='topology.hops']").fill("3");
    await page.keyboard.press("Tab");
    await expect.poll(() => nodes(page).count()).toBe(4);
    expect(await read(page)).toBe(TEXT.replace("hops = 2", "hops = 3"));
    await run(page);
    const [fingerprint] = await result(page, "Fingerprint");
    expect(fingerprint).toMatch(/^[0-9a-f]{16}$/);
    expect(Number((await result(page, "Goodput (kbit/s)"))[0])).toBeGreaterThan(40);
    await page.waitForFunction(() => location.hash.includes("&t="));
    const link = page.url();
    // Somewhere else: another profile, another size.
    const other = await open(link, { viewport: { width: 390, height: 844 } });
    await other.waitForSelector("trace-view network-map canvas");
    expect(await read(other)).toBe(TEXT.replace("hops = 2", "hops = 3"));
    await expect.poll(() => result(other, "Fingerprint")).toEqual([fingerprint]);
    await close(other);
    await close(page);
  });

  it("says what is wrong, at its line and at its field, and runs nothing", async () => {
    const page = await open();
    await write(page, TEXT.replace("hops = 2", "hopps = 2"));
    expect(await page.getByRole("alert").innerText()).toMatch(/^line 6: topology.hopps: /);
    expect(await page.getByRole("button", { name: "Run", exact: true }).isDisabled()).toBe(true);
    expect(await page.locator(".cm-lintRange-error").count()).toBe(1);
    await write(page, TEXT);
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.getByRole("button", { name: "Form", exact: true }).click();
    await page.locator("input[data-key='traffic.load']").fill("fast");
    await page.keyboard.press("Tab");
    await page.getByRole("alert").waitFor();
    expect(await page.locator("input[data-key='traffic.load']").getAttribute("aria-invalid")).toBe("true");
    await page.getByRole("button", { name: "To line 10" }).click();
    expect(await page.locator(".cm-content").isVisible()).toBe(true);
    await close(page);
  });

  it("adds, moves and deletes nodes and draws flows, by pointer and by keys", async () => {
    const page = await open();
    await write(page, TEXT);
    const box = await page.locator("svg.network").boundingBox();
    if (!box) throw new Error("there is no map");
    await nodes(page).nth(1).click();
    expect(await read(page)).toBe(TEXT);
    await page.getByRole("button", { name: "Add node" }).click();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height * 0.2);
    await expect.poll(() => nodes(page).count()).toBe(4);
    expect(await read(page)).toContain("kind = \"explicit\"");
    expect(await read(page)).toContain("# two hops");
    await page.getByRole("button", { name: "Draw flow" }).click();
    await nodes(page).nth(3).click();
    await nodes(page).nth(2).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => read(page)).toContain("from = \"n3\"\nto = \"n2\"");
    await page.getByRole("button", { name: "Move", exact: true }).click();
    await nodes(page).nth(1).focus();
    await page.keyboard.press("Shift+ArrowUp");
    await expect.poll(() => nodes(page).nth(1).getAttribute("aria-label")).toBe("Node n1 at 200 m, 50 m");
    const at = await nodes(page).nth(0).locator("circle").first().boundingBox();
    await page.mouse.move((at?.x ?? 0) + 4, (at?.y ?? 0) + 4);
    await page.mouse.down();
    await page.mouse.move((at?.x ?? 0) + 30, (at?.y ?? 0) + 10, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => nodes(page).nth(0).getAttribute("aria-label")).not.toBe("Node n0 at 0 m, 0 m");
    await nodes(page).nth(3).focus();
    await page.keyboard.press("Delete");
    await expect.poll(() => nodes(page).count()).toBe(3);
    expect(await read(page)).not.toContain("n3");
    await run(page);
    await close(page);
  });

  it("shows several schemes side by side on one clock, also from a link", async () => {
    const page = await open();
    await write(page, TEXT.replace("50 kbit/s", "400 kbit/s"));
    await page.getByText("beside no other scheme").click();
    await page.getByRole("checkbox", { name: "CXCC", exact: true }).check();
    await page.getByRole("checkbox", { name: "WAKE", exact: true }).check();
    await page.keyboard.press("Escape");
    await run(page);
    expect(await page.locator("trace-view network-map").count()).toBe(3);
    const fingerprints = await result(page, "Fingerprint");
    expect(new Set(fingerprints).size).toBe(3);
    expect(await page.getByText("In the charts, solid is UDP over 802.11, dashed is CXCC, dotted is WAKE.").count()).toBe(1);
    expect(await page.locator(".results code").innerText()).toBe("multihop compare scenario.toml --schemes udp,cxcc,wake");
    const other = await open(page.url());
    await other.waitForSelector("trace-view network-map canvas");
    await expect.poll(() => result(other, "Fingerprint")).toEqual(fingerprints);
    await close(other);
    await close(page);
  });

  it("shows the replay while the run goes on, where its reader is", async () => {
    const page = await open();
    const long = TEXT.replace("hops = 2", "hops = 6").replace("50 kbit/s", "400 kbit/s");
    await write(page, long.replace("4 s", "100000 s"));
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForSelector("trace-view network-map canvas");
    expect(await page.getByRole("button", { name: "Cancel" }).count()).toBe(1);
    const { ms } = await state(page);
    expect(ms).toBeGreaterThan(0);
    await page.locator("trace-view").getByRole("combobox", { name: "Node" }).selectOption("2");
    const end = (): Promise<number> => page.evaluate(() =>
      (document.querySelector("trace-view") as unknown as { session: { player: { end: number } } }).session.player.end);
    const first = await end();
    await expect.poll(end, { timeout: 20_000 }).toBeGreaterThan(1.5 * first);
    expect(await state(page)).toMatchObject({ ms, node: 2 });
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("The run was cancelled.").waitFor();
    expect(await page.locator("trace-view network-map").isVisible()).toBe(true);
    // A run that was shown while it went on has the same results.
    await write(page, long.replace("4 s", "60 s"));
    await run(page);
    const shown = await result(page, "Fingerprint");
    const other = await open(page.url());
    await expect.poll(() => result(other, "Fingerprint"), { timeout: 20_000 }).toEqual(shown);
    await close(other);
    await close(page);
  });

  it("shows the MAC that a scheme has by default, and the roles of nodes", async () => {
    const page = await open();
    await write(page, `${TEXT.replace("udp", "cxcc")}[roles.gateway]\nnodes = ["n2"]\n`);
    await page.getByRole("button", { name: "Form", exact: true }).click();
    await page.locator("scenario-form summary", { hasText: /^MAC/ }).click();
    expect(await page.locator("select[data-key='mac.kind']").inputValue()).toBe("csma");
    expect(await nodes(page).nth(2).getAttribute("aria-label")).toBe("Node n2, gateway, at 400 m, 0 m");
    expect(await nodes(page).nth(2).locator("polygon").count()).toBe(1);
    expect(await page.getByRole("list", { name: "Roles" }).first().innerText()).toMatch(/gateway\s+no role/);
    await run(page);
    expect(await page.locator("trace-view").getByRole("list", { name: "Roles" }).innerText()).toContain("gateway");
    expect(await faults(page)).toEqual([]);
    await close(page);
  });

  it("opens a folder with a trace, and nodes with places", async () => {
    const page = await open();
    await page.locator("input[webkitdirectory]").setInputFiles(join(TRACES, "cxcc"));
    await page.waitForSelector("trace-view network-map canvas");
    expect(await page.locator("trace-view .troubles").count()).toBe(0);
    expect(await page.getByText("The replay is that of the folder: cxcc.").count()).toBe(1);
    const input = page.locator("input[accept*='.csv']");
    await input.setInputFiles(join(ROOT, "examples", "meshes", "nodes.csv"));
    await expect.poll(() => read(page)).toContain("# The nodes of nodes.csv.");
    await expect.poll(() => nodes(page).count()).toBeGreaterThan(3);
    await run(page);
    await input.setInputFiles({ name: "bad.json", mimeType: "application/json", buffer: Buffer.from("[]") });
    await page.getByText("bad.json: The file has fewer than two nodes with places.").waitFor();
    await close(page);
  });

  it("cancels a run at any moment, and runs another", async () => {
    const page = await open();
    await write(page, TEXT.replace("4 s", "100000 s").replace("50 kbit/s", "400 kbit/s"));
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("The run was cancelled.").waitFor();
    await write(page, TEXT);
    await run(page);
    await close(page);
  });

  it("sweeps a key over values and seeds, and says how it is done on the command line", async () => {
    const page = await open();
    await write(page, TEXT);
    await page.getByRole("button", { name: "Sweep" }).click();
    await page.locator("input[data-what='values']").fill("20 kbit/s, 40 kbit/s");
    await page.locator("input[data-what='seeds']").fill("3");
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Run 6 runs" }).click();
    const cells = page.locator("scenario-sweep tbody td");
    await expect.poll(() => cells.allInnerTexts()).toEqual([
      expect.stringMatching(/^(19|20)(\.\d+)? ± /), expect.stringMatching(/^(39|40)(\.\d+)? ± /),
    ]);
    expect(await page.locator("scenario-sweep code").innerText())
      .toBe("multihop sweep scenario.toml --vary 'traffic.load=20 kbit/s,40 kbit/s' --seeds 3");
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
    expect(download.suggestedFilename()).toBe("sweep.csv");
    await close(page);
  });

  it("has no fault that axe finds, light and dark, wide and narrow", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const viewport of [{ width: 1366, height: 768 }, { width: 390, height: 844 }]) {
        const page = await open(served.url, { colorScheme, viewport });
        expect(await faults(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
        await write(page, TEXT);
        await run(page);
        expect(await faults(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
        await page.getByRole("button", { name: "Sweep" }).click();
        expect(await faults(page)).toEqual([]);
        await close(page);
      }
    }
  });

  it("takes nothing from a damaged link", async () => {
    for (const letters of ["", "%%%", "AAAA", "q1YqSa0oUbKKNoytBQA"]) {
      const page = await open(`${served.url}#s=${letters}`);
      expect(await page.getByText("The link is damaged").count()).toBe(1);
      expect(await read(page)).toContain("chain");
      await close(page);
    }
  });
});

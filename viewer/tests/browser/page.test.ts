/**
 * The page in a real browser. The traces are of a chain of ten hops with 400 kbit/s, 1.2 s long, and of
 * 40 s of the gallery's flood-dies, so that pictures do not change with the engine.
 */

import { mkdtempSync, readFileSync, rmSync, cpSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faults } from "./axe";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_BROWSER, multihop, open, ROOT, serve, start, state, TRACES, type Served } from "./browser";
import { likeThePicture } from "./pictures";

const UDP = join(TRACES, "udp");
const CXCC = join(TRACES, "cxcc");
const MESH = join(TRACES, "mesh");

describe.skipIf(!HAS_BROWSER)("the page", { timeout: 60_000 }, () => {
  let browser: Browser;
  let one: Served;
  let two: Served;

  beforeAll(async () => {
    [browser, one, two] = await Promise.all([start(), serve("view", UDP), serve("view", UDP, CXCC)]);
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    // Ctrl-C is the way to end it, and no failure.
    expect(await one.stop()).toBe(0);
    await two.stop();
  });

  const at = (url: string, how = {}): Promise<Page> => open(browser, url, how);

  it("begins shortly before the first packet is given up, and says what happens", async () => {
    const page = await at(one.url);
    const now = await state(page);
    expect(now.playing).toBe(false);
    await page.keyboard.press("l");
    const first = await state(page);
    expect(first.ms - now.ms).toBeLessThan(61);
    expect(await page.locator("section.now").innerText()).toMatch(/is lost|gives up/);
    expect(await page.title()).toBe("chain – multihop");
    await page.close();
  });

  it("plays at its speed, pauses, and steps from frame to frame", async () => {
    const page = await at(`${one.url}#t=0.5&speed=0.1`);
    await page.keyboard.press(" ");
    await page.waitForTimeout(600);
    await page.keyboard.press(" ");
    const { ms, playing } = await state(page);
    expect(playing).toBe(false);
    expect(ms).toBeGreaterThan(520);
    expect(ms).toBeLessThan(620);
    await page.keyboard.press("ArrowRight");
    const next = await state(page);
    expect(next.ms).toBeGreaterThan(ms);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    expect((await state(page)).ms).toBe(next.ms);
    await page.getByRole("button", { name: "To the next frame" }).click();
    expect((await state(page)).ms).toBeGreaterThan(next.ms);
    await page.close();
  });

  it("jumps from loss to loss, and to those of one cause", async () => {
    const page = await at(`${one.url}#t=0`);
    await page.keyboard.press("l");
    const first = await state(page);
    await page.keyboard.press("l");
    expect((await state(page)).ms).toBeGreaterThanOrEqual(first.ms);
    expect(first.node).toBeGreaterThanOrEqual(0);
    await page.getByRole("button", { name: /^was sending itself/ }).click();
    expect(await page.locator("section.now").innerText()).toContain("was sending itself");
    expect(page.url()).toContain("cause=transmitting");
    await page.close();
  });

  it("says why a frame was lost, and shows who spoils whose frames", async () => {
    const page = await at(`${one.url}#t=0.5`);
    const pair = page.getByRole("button", { name: /n\d+ destroys n\d+ → n\d+/ }).first();
    expect(await pair.innerText()).toMatch(/hidden|sensed, not decodable|in range/);
    await pair.click();
    const inspector = page.locator("trace-inspector");
    expect(await inspector.innerText()).toMatch(/why\s+n\d+ (began|was sending itself)/);
    const bare = await page.locator("network-map canvas").screenshot();
    await page.keyboard.press("c");
    expect(page.url()).toContain("causes=1");
    expect(await page.getByRole("button", { name: "on the map" }).getAttribute("aria-pressed")).toBe("true");
    await page.waitForTimeout(100);
    expect((await page.locator("network-map canvas").screenshot()).equals(bare)).toBe(false);
    const again = await at(page.url());
    expect(await again.getByRole("button", { name: "on the map" }).getAttribute("aria-pressed")).toBe("true");
    expect(await faults(again, ["best-practice"])).toEqual([]);
    for (const one_ of [page, again]) await one_.close();
  });

  describe("of a mesh", () => {
    let mesh: Served;
    beforeAll(async () => {
      mesh = await serve("view", MESH);
    }, 60_000);
    afterAll(() => mesh.stop());

    const map = (page: Page): Promise<Buffer> => page.locator("network-map canvas").screenshot();
    const inspector = (page: Page): Promise<string> => page.locator("trace-inspector").innerText();

    it("draws who hears whom and how strongly, and lists the neighbours of a node", async () => {
      const page = await at(`${mesh.url}#t=0&node=0`);
      expect(await inspector(page)).toMatch(/Neighbours: \d+/i);
      expect(await inspector(page)).toMatch(/n1\s+SNR -\d+\.\d dB/);
      const bare = await map(page);
      await page.keyboard.press("s");
      expect(page.url()).toContain("links=1");
      expect(await page.getByRole("list", { name: "Links" }).innerText()).toContain("from SNR -17.5 dB, the least that is decoded");
      await page.waitForTimeout(100);
      expect((await map(page)).equals(bare)).toBe(false);
      const again = await at(page.url());
      expect(await again.getByRole("button", { name: "on the map" }).getAttribute("aria-pressed")).toBe("true");
      expect(await faults(again, ["best-practice"])).toEqual([]);
      for (const one_ of [page, again]) await one_.close();
    });

    it("shows a message alone, wave by wave", async () => {
      const page = await at(`${mesh.url}#t=0&speed=1`);
      await page.keyboard.press("m");
      expect(page.url()).toContain("message=0%3A0");
      const { ms } = await state(page);
      const told = await inspector(page);
      expect(told).toMatch(/got it\s+24 of 24 others/);
      expect(told).toMatch(/held back by\s+\d+ nodes \(relay given up\)/);
      expect(await page.getByRole("list", { name: "Waves" }).innerText()).toMatch(/1 hop\s+2 hops/);
      const first = await map(page);
      await page.keyboard.press("w");
      // A frame of LongFast with 40 B lasts 0.68 s: then those of the first hop have it.
      expect((await state(page)).ms - ms).toBeGreaterThan(600);
      await page.waitForTimeout(100);
      expect((await map(page)).equals(first)).toBe(false);
      await page.keyboard.press("W");
      expect((await state(page)).ms).toBe(ms);
      await page.getByRole("button", { name: /^2 hops: \d+ nodes by/ }).click();
      expect((await state(page)).ms - ms).toBeGreaterThan(1200);
      const again = await at(page.url());
      expect(await again.getByRole("button", { name: /^2 hops/ }).getAttribute("aria-current")).toBe("step");
      expect(await faults(again, ["best-practice"])).toEqual([]);
      await page.keyboard.press("Escape");
      expect(page.url()).not.toContain("message");
      const odd = await at(`${mesh.url}#t=0&message=7:99`);
      expect(await odd.getByRole("list", { name: "Signs" }).count()).toBe(1);
      for (const one_ of [page, again, odd]) await one_.close();
    });

    it("is led to a message by its frame", async () => {
      const page = await at(`${mesh.url}#t=0&frame=3`);
      await page.getByRole("button", { name: /^the way of\s+packet 0/ }).click();
      expect(page.url()).toContain("message=0%3A0");
      await page.close();
    });

    it("shows sums instead of frames where it is faster than a hundred times real time", async () => {
      const page = await at(`${mesh.url}#t=38&speed=100`);
      expect(await page.getByRole("list", { name: "Signs" }).count()).toBe(1);
      const single = await map(page);
      await page.keyboard.press("ArrowUp");
      expect((await state(page)).speed).toBe(300);
      expect(await page.getByRole("list", { name: "Sums" }).innerText()).toContain("The last 30 s");
      expect(await page.locator("section.now").innerText()).toMatch(/\d+ frames in the last 30 s/);
      await page.waitForTimeout(100);
      expect((await map(page)).equals(single)).toBe(false);
      expect(await faults(page, ["best-practice"])).toEqual([]);
      await page.keyboard.press("End");
      for (let i = 0; i < 9; i++) await page.keyboard.press("ArrowUp");
      expect((await state(page)).speed).toBe(10_000);
      await page.close();
    });
  });

  it("is controlled by keys, which the help lists", async () => {
    const page = await at(`${one.url}#t=0.5&speed=0.01`);
    await page.keyboard.press("ArrowUp");
    expect((await state(page)).speed).toBe(0.03);
    await page.keyboard.press("-");
    expect((await state(page)).speed).toBe(0.01);
    await page.keyboard.press("n");
    await page.keyboard.press("n");
    await page.keyboard.press("f");
    expect(await state(page)).toMatchObject({ node: 1, flow: 0 });
    await page.keyboard.press("Escape");
    expect(await state(page)).toMatchObject({ node: -1, flow: -1 });
    await page.keyboard.press("End");
    expect((await state(page)).ms).toBe(1200);
    await page.keyboard.press("d");
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    await page.keyboard.press("?");
    expect(await page.getByRole("dialog").innerText()).toContain("to the next loss");
    // Keys belong to the help while it is open.
    await page.keyboard.press("Home");
    expect((await state(page)).ms).toBe(1200);
    await page.close();
  });

  it("keeps where it is in its address, and begins where an address says", async () => {
    const page = await at(`${two.url}#t=0.7&speed=0.003&node=3&flow=0&run=2`);
    expect(await state(page)).toMatchObject({ ms: 700, speed: 0.003, node: 3, flow: 0, run: 1 });
    expect(await page.getByRole("combobox", { name: "Node" }).inputValue()).toBe("3");
    await page.keyboard.press("ArrowRight");
    const { ms } = await state(page);
    const again = await at(page.url());
    expect((await state(again)).ms).toBeCloseTo(ms, 2);
    // What makes no sense is passed over.
    const odd = await at(`${one.url}#t=-3&speed=nothing&node=77&run=9&cause=no`);
    expect(await state(odd)).toMatchObject({ node: -1, run: 0 });
    for (const one_ of [page, again, odd]) await one_.close();
  });

  it("shows two runs side by side on one clock", async () => {
    const page = await at(two.url);
    expect(await page.locator("network-map").count()).toBe(2);
    expect(await page.locator(".run h2").allInnerTexts()).toEqual(["udp", "cxcc"]);
    expect(await page.locator(".now h3").allInnerTexts()).toEqual(["udp", "cxcc"]);
    await page.close();
  });

  it("shows a node and a frame that are clicked, with the frame's headers", async () => {
    const page = await at(`${two.url}#t=0.505&speed=0.01`);
    const canvas = page.locator("network-map canvas").first();
    const { width, height } = (await canvas.boundingBox()) ?? { width: 0, height: 0 };
    // The first node of the chain, at the left margin; the height is that of the scene.
    await canvas.click({ position: { x: 44, y: (height + 74 - 56) / 2 } });
    expect((await state(page)).node).toBe(0);
    // What its MAC does, and when its parts want to be woken.
    const told = page.locator("trace-inspector dl").first();
    expect(await told.innerText()).toMatch(/MAC\s+(sends|receives|backs off|waits|keeps quiet|finds|has)/);
    await page.goto(`${two.url}#t=0.505&node=1&run=2`);
    // CXCC's, of three packet times; it began at 0.501700383 s.
    expect(await told.innerText()).toMatch(/hop protocol’s timer\s+in 9\.752 ms/);
    expect(width).toBeGreaterThan(600);
    await page.locator(".now .frame button").last().click();
    const inspector = page.locator("trace-inspector");
    await inspector.getByRole("heading", { name: "CXCC", exact: true }).waitFor();
    const text = await inspector.innerText();
    expect(text).toMatch(/sequence\s+\d+/);
    expect(text).toMatch(/10\.0\.0\.\d+/);
    await page.close();
  });

  it.each([["light", 1280], ["dark", 1280], ["light", 390]] as const)(
    "has no fault of accessibility that axe finds: %s, %i pixels",
    async (colorScheme, width) => {
      const page = await at(`${two.url}#t=0.7&node=2&run=2`, { colorScheme, viewport: { width, height: 844 } });
      expect(await faults(page, ["best-practice"])).toEqual([]);
      await page.keyboard.press("?");
      expect(await faults(page, ["best-practice"])).toEqual([]);
      await page.close();
    },
  );

  it("fits a telephone, and everything can be reached there", async () => {
    const page = await at(`${two.url}#t=0.7`, { viewport: { width: 390, height: 844 }, hasTouch: true });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBe(390);
    for (const name of ["Play", "To the next loss", "To the next frame"]) {
      const box = await page.getByRole("button", { name }).boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(24);
      expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    }
    await page.close();
  });

  it.each([
    ["collision", "udp", "t=0.7"], ["wave", "cxcc", "t=0.9"], ["queues", "udp", "t=1.15&node=2"],
  ])("looks as it did: %s", async (name, scheme, link) => {
    const page = await at(`${two.url}#${link}&speed=0.01&run=${scheme === "udp" ? 1 : 2}`);
    await page.waitForTimeout(300);
    const shown = page.locator("section.run").nth(scheme === "udp" ? 0 : 1);
    likeThePicture(name, await shown.screenshot());
    await page.close();
  });

  describe("exports", () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "multihop-view-"));
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    it("are one file that needs no server", async () => {
      const file = join(folder, "page.html");
      await multihop("view", UDP, "--export", file, "--at", "0.4", "--json");
      const page = await browser.newPage();
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await page.goto(`file://${file}`);
      await page.waitForSelector("trace-view network-map canvas");
      expect((await state(page)).ms).toBe(400);
      expect(asked.filter((url) => !url.startsWith("data:"))).toEqual([`file://${file}`]);
      await page.keyboard.press("l");
      expect((await state(page)).ms).toBeGreaterThan(400);
      await page.close();
    });
  });

  describe("damaged traces", () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "multihop-view-"));
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    const told = async (name: string, damage: (at: string) => void): Promise<string> => {
      const copy = join(folder, name);
      cpSync(UDP, copy, { recursive: true });
      damage(copy);
      const served = await serve("view", copy);
      const page = await at(served.url);
      const text = await page.locator(".troubles").innerText();
      // What is there is shown.
      await page.keyboard.press("ArrowRight");
      await page.close();
      await served.stop();
      return text;
    };

    it("say which tables are missing and what is not shown without them", async () => {
      const text = await told("missing", (copy) => {
        unlinkSync(join(copy, "series.parquet"));
        unlinkSync(join(copy, "receptions.parquet"));
      });
      expect(text).toContain("The table series is missing: there are no charts.");
      expect(text).toContain("neither overhearing nor losses on the air are drawn");
    });

    it("say that the format is another one", async () => {
      const text = await told("format", (copy) => {
        const path = join(copy, "run.json");
        const run = JSON.parse(readFileSync(path, "utf8")) as object;
        writeFileSync(path, JSON.stringify({ ...run, format: 99 }));
      });
      expect(text).toContain("The folder is of format 99, and this page reads format 4");
    });

    it("say what is cut off", async () => {
      const text = await told("cut", (copy) => {
        truncateSync(join(copy, "queues.parquet"), 1000);
        const path = join(copy, "run.json");
        const run = JSON.parse(readFileSync(path, "utf8")) as object;
        writeFileSync(path, JSON.stringify({ ...run, complete: false }));
      });
      expect(text).toContain("The table queues is cut off");
      expect(text).toContain("The run did not end");
    });

    it("without a description show what the tables have", async () => {
      const text = await told("plain", (copy) => unlinkSync(join(copy, "run.json")));
      expect(text).toContain("run.json is missing");
    });
  });

  it("is open within three seconds after a run of the chain of ten hops", async () => {
    const served = await serve("view", join(ROOT, "examples", "bidirectional-chain.toml"), "--scheme", "udp");
    // Counted in the processor time of the page, so that what else the machine does is left out.
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.goto(served.url);
    await page.waitForSelector("trace-view network-map canvas");
    const { metrics } = await session.send("Performance.getMetrics");
    const seconds = metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
    console.log(`open after ${seconds.toFixed(2)} s of processor time`);
    expect(seconds).toBeGreaterThan(0.05);
    expect(seconds).toBeLessThan(3);
    await page.close();
    await served.stop();
  });
});

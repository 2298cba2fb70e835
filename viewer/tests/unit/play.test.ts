/** What the playground works out without a browser and without the engine. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { drawn, ticksTo, type Chart } from "../../src/play/chart";
import { fieldsOf, optionsOf, switched, type Schema } from "../../src/play/schema";
import { pack, unpack } from "../../src/play/share";
import { meanOf, student } from "../../src/play/statistics";

const SCHEMA = JSON.parse(readFileSync(
  new URL("../../../examples/scenario.schema.json", import.meta.url), "utf-8")) as Schema;
const SCENARIO = {
  duration: "5 s",
  topology: { kind: "chain", hops: 4, spacing: "200 m" },
  scheme: { name: "cxcc", rfa: false },
  traffic: { load: "50 kbit/s" },
};

describe("means", () => {
  it("have Student's quantiles", () => {
    // From tables, as in Abramowitz and Stegun 26.10.
    const known: [number, number][] = [[1, 12.706], [2, 4.303], [4, 2.776], [5, 2.571], [9, 2.262], [30, 2.042], [120, 1.98]];
    for (const [freedom, quantile] of known) expect(student(freedom)).toBeCloseTo(quantile, 2);
  });

  it("leave out what is no number, and know no interval of one value", () => {
    expect(meanOf([1, Number.NaN, 3])).toMatchObject({ mean: 2, count: 2 });
    expect(meanOf([1, 3]).half).toBeCloseTo(12.706, 2);
    expect(meanOf([5]).half).toBeNaN();
    expect(meanOf([])).toMatchObject({ mean: Number.NaN, count: 0 });
  });
});

describe("a chart", () => {
  const chart: Chart = {
    title: "Goodput <of> \"it\"", places: ["1", "2"], axis: "a & b", ink: "#000", line: "#ccc", ground: "#fff",
    curves: [{ name: "<script>", color: "#00f", points: [meanOf([1, 2]), null] }, { name: "b", color: "#f00", points: [meanOf([5]), meanOf([6])] }],
  };

  it("has round numbers at its side that reach the top", () => {
    for (const most of [0.003, 1, 7.2, 99, 12_345]) {
      const ticks = ticksTo(most);
      expect(ticks[0]).toBe(0);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most * 0.999);
      expect(ticks.length).toBeLessThanOrEqual(7);
    }
    expect(ticksTo(0)).toEqual([0, 1]);
  });

  it("escapes all texts, and draws what there is", () => {
    const text = drawn(chart);
    expect(text).not.toMatch(/<script>|<of>|a & b/);
    expect(text).not.toContain("NaN");
    expect(text.match(/<circle/g)?.length).toBe(3 + 2);
    expect(drawn({ ...chart, curves: [{ name: "", color: "#00f", points: [null, null] }] })).not.toContain("NaN");
  });
});

describe("the form", () => {
  it("has the keys of what is chosen, with defaults and units", () => {
    const fields = fieldsOf(SCHEMA, SCENARIO, "topology");
    expect(fields.map(({ key }) => key)).toEqual(["topology.hops", "topology.spacing"]);
    expect(fields[0]).toMatchObject({ given: "4", number: true, choices: null });
    expect(fields[1]).toMatchObject({ given: "200 m", fallback: "200 m", number: false });
    const rfa = fieldsOf(SCHEMA, SCENARIO, "scheme").find(({ key }) => key === "scheme.rfa");
    expect(rfa).toMatchObject({ given: "false", fallback: "true", choices: ["true", "false"] });
    const run = fieldsOf(SCHEMA, SCENARIO, "");
    expect(run.find(({ key }) => key === "duration")).toMatchObject({ given: "5 s", fallback: "60 s" });
    expect(run.some(({ key }) => key === "node" || key === "topology")).toBe(false);
  });

  it("offers every scheme and topology, and says which is chosen", () => {
    expect(optionsOf(SCHEMA, SCENARIO, "scheme")).toMatchObject({ key: "name", chosen: "cxcc" });
    expect(optionsOf(SCHEMA, SCENARIO, "topology")?.all.map(({ value }) => value)).toContain("explicit");
    expect(optionsOf(SCHEMA, SCENARIO, "routing")?.chosen).toBe("fixed");
    expect(optionsOf(SCHEMA, SCENARIO, "traffic")).toMatchObject({ chosen: "cbr", none: false });
    expect(optionsOf(SCHEMA, SCENARIO, "mobility")).toMatchObject({ chosen: "", none: true });
    expect(fieldsOf(SCHEMA, SCENARIO, "mobility")).toEqual([]);
    expect(optionsOf(SCHEMA, SCENARIO, "measure")).toBeNull();
  });

  it("makes another topology or scheme with what that needs, and without what it does not know", () => {
    expect(switched(SCHEMA, SCENARIO, "topology", "grid")).toEqual([
      { key: "topology.hops" }, { key: "topology.kind", value: "grid" },
      { key: "topology.rows", value: 9 }, { key: "topology.columns", value: 9 },
    ]);
    expect(switched(SCHEMA, SCENARIO, "scheme", "udp")).toEqual([{ key: "scheme.rfa" }, { key: "scheme.name", value: "udp" }]);
    expect(switched(SCHEMA, SCENARIO, "mobility", "")).toEqual([{ key: "mobility" }]);
    const explicit = { ...SCENARIO, topology: { kind: "explicit" }, node: [], flow: [] };
    expect(switched(SCHEMA, explicit, "topology", "chain").map(({ key }) => key))
      .toEqual(["topology.kind", "topology.hops", "node", "flow"]);
  });
});

describe("a link", () => {
  it("has the whole scenario in letters that an address may have", async () => {
    const shared = { text: `# Über 10 Sprünge\nname = "x&y=z#"\n${"hops = 3\n".repeat(500)}`, beside: ["udp", "wake"] };
    const letters = await pack(shared);
    expect(letters).toMatch(/^[\w-]+$/);
    expect(letters.length).toBeLessThan(300);
    expect(await unpack(letters)).toEqual(shared);
  });

  it("that is damaged, or too long when it is unpacked, is none", async () => {
    const letters = await pack({ text: "a = 1", beside: [] });
    for (const wrong of ["", "%", letters.slice(0, -4), await pack({ text: "x".repeat(5e6), beside: [] })]) {
      expect(await unpack(wrong)).toBeNull();
    }
  });
});

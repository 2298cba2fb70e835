/** What the playground works out without a browser and without the engine. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pointsOf, rolesOf, shapeOf } from "../../src/map/shapes";
import { lessonOf } from "../../src/play/book";
import { drawn, ticksTo, type Chart } from "../../src/play/chart";
import type { About } from "../../src/play/engine";
import { choiceOf, written } from "../../src/play/keys";
import { readFolder } from "../../src/play/folder";
import { readPlaces, scenarioOf } from "../../src/play/places";
import { joined } from "../../src/play/run";
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

describe("defaults that another key decides", () => {
  it("are those of the form: the MAC of a scheme, with its keys", () => {
    expect(optionsOf(SCHEMA, SCENARIO, "mac")?.chosen).toBe("dcf");
    const effective = { "mac.kind": "csma", "mac.cw_min": "31" };
    expect(optionsOf(SCHEMA, SCENARIO, "mac", effective)?.chosen).toBe("csma");
    const keys = fieldsOf(SCHEMA, SCENARIO, "mac", effective);
    expect(keys.find(({ key }) => key === "mac.cw_min")?.fallback).toBe("31");
    expect(keys.map(({ key }) => key)).not.toEqual(fieldsOf(SCHEMA, SCENARIO, "mac").map(({ key }) => key));
    expect(optionsOf(SCHEMA, { ...SCENARIO, mac: { kind: "dcf" } }, "mac", effective)?.chosen).toBe("dcf");
  });
});

describe("roles", () => {
  const nodes = [{ role: "router" }, { role: null }, { role: "gateway" }, {}];

  it("have shapes of their own, and nodes without one are discs", () => {
    const roles = rolesOf(nodes);
    expect(roles).toEqual(["gateway", "router"]);
    expect(shapeOf(roles, "gateway")).not.toEqual(shapeOf(roles, "router"));
    expect(shapeOf(roles, null)).toEqual([]);
    const many = Array.from({ length: 7 }, (_, at) => `r${at}`);
    expect(new Set(many.map((role) => JSON.stringify(shapeOf(many, role)))).size).toBe(7);
    expect(pointsOf(shapeOf(roles, "router"), { x: 10, y: 20 }, 5).split(" ").length).toBe(3);
  });
});

describe("a lesson's controls", () => {
  const about = { scenario: SCENARIO, effective: { "mac.kind": "csma" } } as unknown as About;

  it("have what is given, and the values to choose from", () => {
    expect(choiceOf(SCHEMA, about, { key: "traffic.load", values: [] })).toMatchObject({ given: "50 kbit/s", values: null });
    expect(choiceOf(SCHEMA, about, { key: "topology.hops", values: [2, 4] })).toMatchObject({ given: "4", values: [2, 4], number: true });
    expect(choiceOf(SCHEMA, about, { key: "topology.hops", values: [2, 8] }).values).toEqual(["4", 2, 8]);
    expect(choiceOf(SCHEMA, about, { key: "scheme.name", values: ["udp", "cxcc"] })).toMatchObject({ name: "scheme", given: "cxcc" });
    expect(choiceOf(SCHEMA, about, { key: "scheme.rfa", values: [] }).values).toEqual([true, false]);
    expect(choiceOf(SCHEMA, about, { key: "mac.kind", values: [] }).given).toBe("csma");
  });

  it("give numbers where numbers are meant", () => {
    expect(written("4", true)).toBe(4);
    expect(written("4", false)).toBe("4");
    expect(written("four", true)).toBe("four");
  });

  it("are those of the lesson that the address names", () => {
    expect(lessonOf("#lesson=capture")).toBe("capture");
    expect(lessonOf("#lesson=")).toBe("");
    expect(lessonOf("#s=abc&t=1")).toBeNull();
  });
});

describe("parts of a trace", () => {
  it("are put together in their order, table by table", () => {
    const [a, b, c] = [1, 2, 3].map((byte) => Uint8Array.of(byte));
    expect(joined({ frames: [a], drops: [] }, { frames: [b], drops: [c] })).toEqual({ frames: [a, b], drops: [c] });
    expect(joined({}, { frames: [a] })).toEqual({ frames: [a] });
  });
});

describe("nodes with places", () => {
  it("are read from CSV in degrees, and are as far apart as on the Earth", () => {
    const text = readFileSync(new URL("../../../examples/meshes/nodes.csv", import.meta.url), "utf-8");
    const placed = readPlaces(text, "nodes.csv");
    const lines = text.trim().split("\n").slice(1).map((line) => line.split(","));
    expect(placed.map(({ name }) => name)).toEqual(lines.map(([name]) => name));
    // The great circle, on a sphere: the ellipsoid differs by less than 0.5 %.
    const [a, b] = lines.map(([, lat, lon]) => [Number(lat), Number(lon)].map((degrees) => (degrees * Math.PI) / 180));
    const half = Math.sin((b[0] - a[0]) / 2) ** 2 + Math.cos(a[0]) * Math.cos(b[0]) * Math.sin((b[1] - a[1]) / 2) ** 2;
    const known = 2 * 6_371_000 * Math.asin(Math.sqrt(half));
    const [one, other] = placed;
    expect(Math.hypot(one.x - other.x, one.y - other.y) / known).toBeCloseTo(1, 2);
  });

  it("are read from lists and collections in JSON, and get names of their own", () => {
    const list = [{ id: "a b", x: 1, y: 2 }, { id: "a b", x: 3, y: 4 }, { id: "lost" }];
    const known = [{ name: "a-b", x: 1, y: 2 }, { name: "a-b-2", x: 3, y: 4 }];
    expect(readPlaces(JSON.stringify(list), "a.json")).toEqual(known);
    expect(readPlaces(JSON.stringify({ nodes: list }), "a.json")).toEqual(known);
    expect(readPlaces("\"name\";x;y\n\"a;b\";1;2\nc;3;4\n", "a.csv")).toEqual([{ name: "a-b", x: 1, y: 2 }, { name: "c", x: 3, y: 4 }]);
    const point = (name: string, lon: number): unknown =>
      ({ type: "Feature", properties: { name }, geometry: { type: "Point", coordinates: [lon, 0.001] } });
    const across = readPlaces(JSON.stringify({ features: [point("east", 179.999), point("west", -179.999)] }), "a.geojson");
    expect(across[1].x - across[0].x).toBeCloseTo(222.6, 0);
  });

  it("make a scenario with a flow over the longest way", () => {
    const placed = [{ name: "a", x: 0, y: 0 }, { name: "b", x: 100, y: 0 }, { name: "c", x: 240, y: 0 }];
    expect(scenarioOf(placed, "x\".csv\n")).toContain("# The nodes of x.csv.");
    expect(scenarioOf(placed, "x.csv")).toContain("from = \"a\"\nto = \"c\"");
  });

  it("are refused in words where there are none, too many, or no such file", () => {
    expect(() => readPlaces("name,colour\na,red\nb,blue\n", "a.csv")).toThrow("fewer than two nodes with places");
    expect(() => readPlaces("[1, null, \"a\"]", "a.json")).toThrow("fewer than two");
    expect(() => readPlaces("{", "a.json")).toThrow();
    const many = Array.from({ length: 2001 }, (_, x) => ({ x, y: 0 }));
    expect(() => readPlaces(JSON.stringify(many), "a.json")).toThrow("more than 2000 nodes");
  });
});

describe("a folder with a trace", () => {
  const file = (path: string, text = ""): Parameters<typeof readFolder>[0][number] =>
    Object.assign(new File([text], "f"), { webkitRelativePath: path });

  it("has whole tables, or their parts in order, and a description", async () => {
    const source = await readFolder([
      file("t/run.json", "{\"scheme\": \"udp\"}"), file("t/frames.parquet"), file("t/frames/0.parquet"),
      file("t/drops/1.parquet"), file("t/drops/0.parquet"), file("t/notes.txt"),
    ]);
    expect(source.title).toBe("udp");
    expect(source.tables["frames"].map((path) => path.split("/").slice(1).join("/"))).toEqual(["frames.parquet"]);
    expect(source.tables["drops"].map((path) => path.split("/").slice(1).join("/"))).toEqual(["drops/0.parquet", "drops/1.parquet"]);
  });

  it("says what is missing or damaged", async () => {
    expect((await readFolder([file("t/run.json", "{"), file("t/frames.parquet")])).troubles[0]).toMatch(/damaged/);
    await expect(readFolder([file("t/notes.txt")])).rejects.toThrow("holds no trace");
    await expect(readFolder([])).rejects.toThrow("holds no trace");
  });
});

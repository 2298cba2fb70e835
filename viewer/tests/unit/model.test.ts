import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Hearing } from "../../src/data/trace";
import { chartData } from "../../src/charts/data";
import { decode, type Layout } from "../../src/model/header";
import { DROPPED, MISSED, MINOR } from "../../src/model/losses";
import { fateWords, happenings, radioWords } from "../../src/model/now";
import { Player } from "../../src/model/player";
import { opening, prepare } from "../../src/model/run";
import { find, group, lastUpTo, upTo } from "../../src/model/search";
import { destroyer, reasonWords, relation, spoilers } from "../../src/model/spoilers";
import { bitRateWords, causeWords, clockWords, durationWords, speedWords } from "../../src/model/words";
import { niceStep } from "../../src/ui/timeline";
import { table, TRACE } from "./sample";

const MS = 1e6;
const run = prepare(TRACE);

describe("search", () => {
  it("counts what is at most a limit, as counting one by one does", () => {
    const values = Array.from({ length: 200 }, (_, i) => Math.floor((i * 7) / 3));
    for (let limit = -2; limit < 480; limit++) {
      expect(upTo(values, limit)).toBe(values.filter((value) => value <= limit).length);
    }
    expect(find([1, 3, 5], 3)).toBe(1);
    expect(find([1, 3, 5], 4)).toBe(-1);
  });

  it("groups rows in their order, and leaves out keys that are not groups", () => {
    const { first, rows } = group(3, [2, 0, -1, 2, 7, 0]);
    expect([...first]).toEqual([0, 2, 2, 4]);
    expect([...rows]).toEqual([1, 5, 0, 3]);
    const groups = group(1, [0, 0, 0]);
    expect(lastUpTo(groups, 0, [5, 7, 9], 4)).toBe(-1);
    expect(lastUpTo(groups, 0, [5, 7, 9], 8)).toBe(1);
  });
});

describe("the air", () => {
  const during = (from: number, to: number, most = 9): number[] => {
    const into = new Uint32Array(most);
    return [...into.subarray(0, run.air.during(from * MS, to * MS, into))].sort();
  };

  it("has the frames that overlap a moment, and not those that have just ended", () => {
    expect(during(3, 3)).toEqual([0]);
    expect(during(5, 5)).toEqual([]);
    expect(during(13, 13)).toEqual([1, 2]);
    expect(during(0, 100)).toEqual([0, 1, 2, 3]);
    expect(during(0, 100, 2)).toEqual([2, 3]);
  });

  it("steps from frame to frame", () => {
    expect(run.air.next(0)).toBe(10 * MS);
    expect(run.air.previous(12 * MS)).toBe(10 * MS);
    expect(run.air.previous(0)).toBeNaN();
    expect(run.air.next(41 * MS)).toBeNaN();
  });

  it("knows what became of a frame at each radio, in whatever order that was told", () => {
    const heard: [number, string][] = [];
    run.air.heard(2, (node, fate) => heard.push([node, fate]));
    expect(heard).toEqual([[1, "lost"]]);
  });

  it("knows who senses a frame that cannot be read there", () => {
    const sensing = (row: number): number[] => {
      const nodes: number[] = [];
      run.sensed.by(row, (node) => nodes.push(node));
      return nodes;
    };
    expect(sensing(0)).toEqual([2]);
    expect(sensing(3)).toEqual([]);
  });
});

describe("who spoils whose frames", () => {
  const at = (sense_m: number, range_m = 250): ReturnType<typeof prepare> =>
    prepare({ ...TRACE, sense_m, range_m });

  it("follows from the places of the two senders", () => {
    expect(destroyer(run, 1)).toBe(2);
    expect(destroyer(run, 0)).toBe(-1);
    expect(relation(at(300), 1, 2)).toBe("hidden");
    expect(relation(run, 1, 2)).toBe("unread");
    expect(relation(at(550, 500), 1, 2)).toBe("near");
    expect(relation(at(Number.NaN), 1, 2)).toBe("unknown");
    expect(relation(run, 0, 3)).toBe("receiver");
  });

  it("is what the trace says, whatever the places", () => {
    const of = (pairs: [number, Hearing][]): ReturnType<typeof prepare> => prepare({
      ...TRACE, sense_m: Number.NaN, range_m: Number.NaN, hears: [new Map(pairs), new Map(), new Map()],
    });
    const [weak, strong] = [{ decodes: false, dbm: -90 }, { decodes: true, dbm: -60 }];
    expect(relation(of([]), 1, 2)).toBe("hidden");
    expect(relation(of([[2, weak]]), 1, 2)).toBe("unread");
    expect(relation(of([[2, strong]]), 1, 2)).toBe("near");
    const sensing: number[] = [];
    of([[2, weak]]).sensed.by(2, (node) => sensing.push(node));
    expect(sensing).toEqual([0]);
    expect(reasonWords(of([]), 1)).toMatch(/hidden/);
  });

  it("is said in a sentence, of lost frames alone", () => {
    expect(reasonWords(run, 0)).toBe("");
    expect(reasonWords(run, 1)).toMatch(/^n2 began 2.000 ms later; .* too far apart to read/);
    expect(reasonWords(at(300), 2)).toMatch(/^n0 began 2.000 ms earlier, .* hidden/);
  });

  it("is counted by pairs, the worst first", () => {
    const pairs = spoilers(run).map(({ sender, receiver, by, times }) => [sender, receiver, by, times]);
    expect(pairs).toEqual([[0, 1, 2, [15 * MS]], [2, 1, 0, [17 * MS]]]);
    expect(spoilers(run)).toBe(spoilers(run));
  });
});

describe("losses", () => {
  it("are sorted by time, with their weight", () => {
    expect([...run.losses.time]).toEqual([15 * MS, 17 * MS, 60 * MS]);
    expect([...run.losses.weight]).toEqual([MISSED, MISSED, DROPPED]);
  });

  it("are found forwards and backwards, by cause", () => {
    expect(run.losses.next(-1)).toBe(0);
    expect(run.losses.next(15 * MS)).toBe(1);
    expect(run.losses.next(0, "retries_spent")).toBe(2);
    expect(run.losses.previous(60 * MS)).toBe(1);
    expect(run.losses.previous(15 * MS)).toBe(-1);
    expect(run.losses.next(60 * MS)).toBe(-1);
    expect(run.losses.counts()).toEqual([
      { cause: "collision", count: 2 }, { cause: "retries_spent", count: 1 }]);
  });

  it("are refusals where a source has no room, and are not jumped to unless asked for", () => {
    const drops = table("drops", [
      { time_ns: 20 * MS, node: 0, flow: 0, packet: 1, cause: "queue_full" },
      { time_ns: 30 * MS, node: 1, flow: 0, packet: 2, cause: "queue_full" },
    ]);
    const { losses } = prepare({ ...TRACE, drops });
    expect([...losses.weight]).toEqual([MISSED, MISSED, MINOR, DROPPED]);
    expect(losses.next(17 * MS)).toBe(3);
    expect(losses.next(17 * MS, "refused: queue_full")).toBe(2);
    expect(losses.counts().map(({ cause }) => cause)).toEqual([
      "collision", "queue_full", "refused: queue_full"]);
    expect(causeWords("refused: queue_full")).toBe("refused: queue full");
  });

  it("decide where the replay begins: shortly before the first packet is given up", () => {
    expect(opening(run)).toBe(0);
    const later = { ...TRACE, drops: { ...TRACE.drops, time_ns: Float64Array.of(90 * MS) } };
    expect(opening(prepare(later))).toBe(30 * MS);
    const none = { ...TRACE, drops: { ...TRACE.drops, rows: 0 } };
    expect(opening(prepare(none))).toBe(0);
  });
});

describe("the state at a moment", () => {
  const { state } = run;

  it("has queues as they were left by the last change", () => {
    expect(state.queue(0, 0, -1)).toBe(0);
    expect(state.queue(0, 0, 7 * MS)).toBe(1);
    expect(state.queue(0, 0, 8 * MS)).toBe(2);
    expect(state.queue(0, 0, 99 * MS)).toBe(0);
    expect(state.queue(2, 1, 50 * MS)).toBe(0);
    expect(state.waiting(1, 30 * MS)).toBe(1);
  });

  it("follows routes until they end", () => {
    expect(state.way(0, 2, 10 * MS)).toEqual([0, 1, 2]);
    expect(state.way(0, 2, 50 * MS)).toEqual([0, 1]);
    expect(state.way(-1, 2, 0)).toEqual([]);
  });

  it("moves nodes evenly between two rows", () => {
    expect(state.place(1, 50 * MS)).toEqual({ x: 200, y: 0 });
    expect(state.place(2, 50 * MS)).toEqual({ x: 500, y: 50 });
    expect(state.place(2, 200 * MS)).toEqual({ x: 600, y: 100 });
    expect(state.moves).toBe(true);
  });

  it("has what a node's radio did in the interval", () => {
    expect(state.air(1, 60 * MS)).toEqual({ sending: 0.25, receiving: 0.5, busy: 0.125 });
    expect(state.air(0, 60 * MS)).toBeNull();
  });

  it("lists a node's events, the newest first", () => {
    expect(state.events(0, 10 * MS, 8)).toEqual([1, 0]);
    expect(state.events(0, 10 * MS, 1)).toEqual([1]);
    expect(state.events(0, 0, 8)).toEqual([]);
  });
});

describe("words", () => {
  it("say what is on the air, what it will come to, and with whom it collides", () => {
    expect(happenings(run, 13 * MS, 13 * MS).map(({ text }) => text)).toEqual([
      "data 11 from n0 to n1 – will be lost: collision with n2",
      "data 12 from n2 to n1 – will be lost: collision with n0",
    ]);
    expect(fateWords(run, 0)).toBe("");
    const last = happenings(run, 60 * MS, 59 * MS);
    expect(last.map(({ text }) => text)).toEqual(["n0 gives up packet 11: retries spent"]);
  });

  it("say what a node does", () => {
    expect(radioWords(run, 0, 3 * MS)).toBe("sends data 10 from n0 to n1");
    expect(radioWords(run, 2, 3 * MS)).toBe("senses data 10 from n0 to n1");
    expect(radioWords(run, 1, 13 * MS)).toContain("which is spoilt");
    expect(radioWords(run, 1, 30 * MS)).toBe("hears nothing");
  });

  it("write numbers with their units", () => {
    expect(clockWords(12345678901)).toBe("12.345\u2009679");
    expect([0.001, 0.3, 1, 30].map(speedWords)).toEqual(["1/1000×", "1/3×", "1×", "30×"]);
    expect(durationWords(4720000)).toBe("4.720 ms");
    expect(durationWords(304)).toBe("0.3 µs");
    expect(bitRateWords(81920)).toBe("81.9 kbit/s");
    expect(niceStep(11, 5)).toBe(5);
    expect(niceStep(0.011, 11)).toBeCloseTo(0.001);
  });
});

describe("the clock", () => {
  it("goes at its speed, stops at the end, and begins anew from there", () => {
    const player = new Player(100 * MS);
    player.tick(16);
    expect(player.time).toBe(0);
    player.toggle();
    player.tick(100);
    expect(player.time).toBe(1 * MS);
    expect(player.passed).toBe(1 * MS);
    player.pace(100);
    player.tick(100);
    expect([player.time, player.playing]).toEqual([100 * MS, false]);
    player.toggle();
    expect([player.time, player.playing]).toEqual([0, true]);
  });

  it("takes speeds from 1/1000 to 10,000, and no time outside the run", () => {
    const player = new Player(10);
    for (let i = 0; i < 30; i++) player.faster(1);
    expect(player.speed).toBe(10_000);
    for (let i = 0; i < 30; i++) player.faster(-1);
    expect(player.speed).toBe(0.001);
    player.seek(99);
    expect(player.time).toBe(10);
    player.seek(Number.NaN);
    expect(player.time).toBe(10);
  });
});

describe("charts", () => {
  const charts = chartData(run, -1, -1);

  it("have a curve for each flow that has values", () => {
    expect(charts.map(({ name, curves }) => [name, curves.length])).toEqual([
      ["Goodput", 1], ["Sent by the source", 1], ["Network delay", 1], ["End-to-end delay", 1],
      ["Queue in all nodes", 1], ["Window", 0]]);
    expect([...charts[0].curves[0].values]).toEqual([1, 3]);
    expect([...charts[1].curves[0].values]).toEqual([2, 4]);
    expect([...charts[2].curves[0].values]).toEqual([20, 40]);
    expect([...charts[3].curves[0].values]).toEqual([30, 50]);
  });

  it("sum up queues over all nodes, or show those of one", () => {
    const at = (node: number, ms: number): number =>
      chartData(run, node, -1)[4].curves[0].values[ms * 6];
    expect(at(-1, 30)).toBe(3);
    expect(at(0, 30)).toBe(2);
    expect(at(1, 30)).toBe(1);
    expect(at(-1, 70)).toBe(1);
  });
});

describe("headers", () => {
  const bytesOf = (text: string): Uint8Array =>
    Uint8Array.from(text.match(/[0-9a-f]{2}/g) ?? [], (pair) => Number.parseInt(pair, 16));
  const ip = (next: string): string => `4501003c002a0000 40${next}0000 0a000000 0a00000a`;
  const run = new URL("../browser/traces/cxcc/run.json", import.meta.url);
  const { headers } = JSON.parse(readFileSync(run, "utf8")) as { headers: Layout[] };
  const read = (text: string) => decode(bytesOf(text), headers);

  it("are read as a stack, by the layouts of the trace", () => {
    const found = read(`${ip("b0")} e0084200 00000029 fd14 10 00000007 ${"00".repeat(13)}`);
    expect(found.map(({ name }) => name)).toEqual(["IPv4", "CXCC", "TCP", "data"]);
    const values = Object.fromEntries(found[0].fields.map(({ name, value }) => [name, value]));
    expect(values).toMatchObject({
      source: "10.0.0.0", destination: "10.0.0.10", length: "60 B", "time to live": "64",
      "congestion bits": "01",
    });
    const told = (at: number, count: number): [string, string][] =>
      found[at].fields.slice(0, count).map(({ name, value }) => [name, value]);
    expect(told(1, 3)).toEqual([["kind", "rfa"], ["payload", "512"], ["sequence", "41"]]);
    expect(told(2, 4)).toEqual([
      ["reduced", "0"], ["echo", "0"], ["kind", "syn"], ["sequence", "7"]]);
  });

  it("may be signed, and messages of routing are told by their first byte", () => {
    const router = read(`${ip("c9")} fd14 01 00 00000001 00000002 fffffffe 00000004`);
    expect(router[1].name).toBe("XCP, WXCP");
    expect(router[1].fields.find(({ name }) => name === "feedback")?.value).toBe("-2");
    const [, reply] = read(`${ip("8a")} 02 0000 03 0a000007 00000001 0a000008 00000bb8 00000000`);
    expect(reply.name).toBe("AODV route reply");
    expect(reply.fields.find(({ name }) => name === "destination")?.value).toBe("10.0.0.7");
  });

  it("that are unknown or cut off are shown as bytes", () => {
    expect(read("")).toEqual([]);
    expect(read("0102")[0].name).toBe("bytes");
    expect(read(`${ip("b0")} fd09`).at(-1)?.fields[0].value).toBe("fd 09");
    expect(read(`${ip("c8")} fd0401ff`).map(({ name }) => name)).toEqual([
      "IPv4", "ATP, routers", "data"]);
    expect(read(`${ip("a0")} fd02`)[1].name).toBe("header 160");
    expect(decode(bytesOf(`${ip("b0")} fd04ffff`), [])[1].name).toBe("header 176");
  });
});

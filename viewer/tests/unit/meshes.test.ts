/** What the replay of meshes is made of: links by their signal, the way of a message, and sums over a span of time. */

import { describe, expect, it } from "vitest";
import { chartData } from "../../src/charts/data";
import { loadTrace } from "../../src/data/trace";
import { floodFills, hopColor } from "../../src/map/flood";
import { DARK, LIGHT } from "../../src/map/colors";
import { marginColor } from "../../src/map/links";
import { floodOf, messagesOf } from "../../src/model/flood";
import { BUSY, busyClass, lapseOf, lapseSpan } from "../../src/model/lapse";
import { linksOf, marginClass, MARGINS, neighbours, neighbourWords, signalWords } from "../../src/model/links";
import { DROPPED, MINOR } from "../../src/model/losses";
import { sumWords } from "../../src/model/now";
import { Player } from "../../src/model/player";
import { prepare } from "../../src/model/run";
import { spanWords, speedWords } from "../../src/model/words";
import { FLOOD, table, TRACE } from "./sample";

const S = 1e9;
const run = prepare(FLOOD);

describe("links", () => {
  it("are pairs of which one decodes the other, by the weaker direction, with one-way links", () => {
    expect(linksOf(FLOOD)).toEqual([
      { from: 0, to: 1, both: true, dbm: -112 }, { from: 0, to: 2, both: true, dbm: -120 },
      { from: 1, to: 3, both: true, dbm: -100 }, { from: 3, to: 4, both: false, dbm: -128 },
    ]);
    expect(linksOf(TRACE)).toEqual([]);
  });

  it("are said as the ratio to noise, or as power where noise does not count", () => {
    expect(signalWords(FLOOD, -117.5)).toBe("SNR -3.5 dB");
    expect(signalWords({ ...FLOOD, noise_dbm: Number.NaN }, -117.5)).toBe("-117.5 dBm");
    expect(signalWords(FLOOD, Number.NaN)).toBe("signal unknown");
  });

  it("of a node are its neighbours, the strongest first, with what is wrong", () => {
    const words = (node: number): string[] =>
      neighbours(FLOOD, node).map((one) => `n${one.node} ${neighbourWords(FLOOD, one)}`);
    expect(words(3)).toEqual([
      "n1 SNR 14.0 dB", "n4 SNR -19.0 dB, the other way SNR -14.0 dB, one-way: is not decoded here",
    ]);
    expect(words(0)).toEqual(["n1 SNR 4.0 dB, the other way SNR 2.0 dB", "n2 SNR -6.0 dB"]);
    expect(words(4)[0]).toContain("one-way: does not decode this node");
    expect(neighbours(TRACE, 0)).toEqual([]);
  });

  it("have a colour for each class of margins, and grey where the trace does not say", () => {
    expect([-1, 0, 2.9, 3, 11, 50].map(marginClass)).toEqual([0, 0, 0, 1, 2, 4]);
    expect(marginClass(Number.NaN)).toBe(-1);
    for (const theme of [LIGHT, DARK]) {
      expect(new Set(MARGINS.map((_, at) => marginColor(theme, at))).size).toBe(MARGINS.length);
      expect(marginColor(theme, -1)).toBe(theme.faint);
    }
  });

  it("are read from traces with and without signals", async () => {
    const read = (hears: unknown, rest = {}): ReturnType<typeof loadTrace> => loadTrace({
      title: "", tables: {}, troubles: [], run: { format: 4, nodes: [{}, {}], hears, ...rest },
    });
    const now = await read([[0, 1, 2, -110.5], [1, 0, 1, null]], { decodes_from_dbm: -131, noise_dbm: null });
    expect(now.hears?.[1].get(0)).toEqual({ decodes: true, dbm: -110.5 });
    expect(now.hears?.[0].get(1)).toEqual({ decodes: false, dbm: Number.NaN });
    expect([now.decodes_dbm, now.noise_dbm]).toEqual([-131, Number.NaN]);
    const before = await read([[0, 1, 2]]);
    expect(linksOf(before)).toEqual([{ from: 0, to: 1, both: false, dbm: Number.NaN }]);
    expect((await read(null)).hears).toBeNull();
  });
});

describe("a message", () => {
  const flood = floodOf(run, "0:0")!;

  it("has a tree of first receptions, with hops", () => {
    expect(flood.arrivals).toEqual([
      { node: 0, time: 1 * S, from: -1, hop: 0 }, { node: 1, time: 1.5 * S, from: 0, hop: 1 },
      { node: 2, time: 1.5 * S, from: 0, hop: 1 }, { node: 3, time: 2.5 * S, from: 1, hop: 2 },
    ]);
    expect(flood.waves).toEqual([{ nodes: [1, 2], time: 1.5 * S }, { nodes: [3], time: 2.5 * S }]);
    expect(flood.end).toBe(3.5 * S);
  });

  it("knows who passed it on, who held back without sending, and who missed it", () => {
    expect([...flood.relayed]).toEqual([[1, 2 * S], [3, 3 * S]]);
    // n1 gave up a further relay, and n0 its repetitions: neither held back.
    expect([...flood.held]).toEqual([[2, { time: 2.5 * S, cause: "relay_cancelled" }]]);
    expect([...flood.missed]).toEqual([[4, 1]]);
    expect([...floodOf(run, "0:1")!.missed]).toEqual([[2, 0], [3, 0], [4, 0]]);
  });

  it("is found by its name, its frame and its time", () => {
    const messages = messagesOf(run);
    expect(messages.ofFrame(2)?.key).toBe("0:0");
    for (const no of ["", "0:7", "1:0", "a", "-1:-1"]) expect(floodOf(run, no)).toBeNull();
    expect(messages.upTo(5 * S, -1, 9).map(({ key }) => key)).toEqual(["0:0"]);
    expect(messages.upTo(9000 * S, -1, 9).map(({ key }) => key)).toEqual(["0:1", "0:0"]);
    expect(messages.upTo(9000 * S, 5, 9)).toEqual([]);
    const first = messages.of("0:0");
    expect(messages.step(1, undefined, 0, -1)).toBe(first);
    expect(messages.step(1, first, 0, -1)?.key).toBe("0:1");
    expect(messages.step(-1, undefined, 9000 * S, -1)?.key).toBe("0:1");
    expect(messages.step(-1, first, 0, -1)).toBeUndefined();
    expect(messagesOf(prepare(TRACE)).floods).toEqual([]);
  });

  it("colours nodes by hops, once they have it", () => {
    const at = (time: number): string[] => floodFills(flood, 5, time, LIGHT);
    const { box, ink } = LIGHT;
    expect(at(0)).toEqual([box, box, box, box, box]);
    expect(at(2 * S)).toEqual([ink, hopColor(LIGHT, 1), hopColor(LIGHT, 1), box, box]);
    expect(at(9 * S)[3]).toBe(hopColor(LIGHT, 2));
    expect(hopColor(LIGHT, 1)).not.toBe(hopColor(LIGHT, 2));
    expect(hopColor(LIGHT, 9)).toBe(hopColor(LIGHT, 5));
  });

  it("is not lost where a relay is not needed", () => {
    const weights = [...run.losses.weight].filter((_, at) => run.losses.time[at] !== 3.5 * S);
    expect(weights).toEqual([MINOR, MINOR, DROPPED]);
  });
});

describe("a time lapse", () => {
  it("begins above a hundred times real time, and shows a tenth of a second of its reader", () => {
    expect([0.01, 1, 100].map(lapseSpan)).toEqual([0, 0, 0]);
    expect(lapseSpan(10_000)).toBe(1000 * S);
    const player = new Player(1);
    player.pace(1e9);
    expect(player.speed).toBe(10_000);
    expect([speedWords(10_000), speedWords(0.01)]).toEqual(["10,000×", "1/100×"]);
    expect([spanWords(1000 * S), spanWords(30 * S), spanWords(2 * 3600 * S), spanWords(0.5 * S)])
      .toEqual(["16.7 min", "30 s", "2 h", "0.5 s"]);
  });

  it("counts what each node sent and heard in a span", () => {
    const lapse = lapseOf(run);
    expect(lapse.shares(0, 0, 10 * S)).toEqual({ sent: 0.05, heard: 0.05 });
    expect(lapse.shares(1, 0, 10 * S)).toEqual({ sent: 0.05, heard: 0.1 });
    expect(lapse.shares(4, 0, 10 * S)).toEqual({ sent: 0, heard: 0.05 });
    expect(lapse.shares(4, 10 * S, 20 * S)).toEqual({ sent: 0, heard: 0 });
    expect(lapse.used(0, 10 * S)).toEqual([
      { from: 0, to: 1, frames: 1 }, { from: 0, to: 2, frames: 1 }, { from: 1, to: 0, frames: 1 },
      { from: 1, to: 3, frames: 1 }, { from: 3, to: 1, frames: 1 },
    ]);
    expect(lapse.used(100 * S, 9000 * S)).toEqual([{ from: 0, to: 1, frames: 1 }]);
    expect(lapse.used(100 * S, 200 * S)).toEqual([]);
  });

  it("counts frames that overlap at a node once", () => {
    const overlapping = prepare({
      ...FLOOD,
      frames: table("frames", [0, 0.25].map((start, at) => (
        { frame: at, start_ns: start * S, length_ns: 0.5 * S, sender: at, receiver: -1, class: "data", flow: 0, packet: at }))),
      receptions: table("receptions", [0, 1].map((frame) => (
        { frame, node: 2, end_ns: (0.5 + frame / 4) * S, outcome: "collision", other: 1 - frame }))),
    });
    expect(lapseOf(overlapping).shares(2, -1, 1 * S - 1).heard).toBeCloseTo(0.75, 6);
    expect(lapseOf(overlapping).used(-1, S)).toEqual([]);
  });

  it("is said in words, and has classes of shares", () => {
    expect(sumWords(run, 0, 10 * S)).toEqual([
      "3 frames in the last 10 s, with 2 losses at nodes", "n1 sent 5.0 % of it, and heard others 10.0 %",
      "n0 sent 5.0 % of it, and heard others 5.0 %", "n3 sent 5.0 % of it, and heard others 5.0 %",
      "n2 sent 0.0 % of it, and heard others 5.0 %",
    ]);
    expect(BUSY.map(busyClass)).toEqual([0, 1, 2, 3, 4]);
    expect(busyClass(0.04)).toBe(0);
  });

  it("has queues of a node without asking each flow", () => {
    const { state } = run;
    const waiting = [0, 1, 2, 3].map((s) => state.waiting(2, s * S));
    expect(waiting).toEqual([0, 1, 3, 2]);
    expect(state.waiting(0, 5 * S)).toBe(0);
    for (const s of [0, 1, 2, 3]) {
      expect(state.queued.reduce((sum, flow) => sum + state.queue(2, flow, s * S), 0)).toBe(state.waiting(2, s * S));
    }
  });
});

describe("charts of many flows", () => {
  const flows = Array.from({ length: 20 }, (_, flow) => flow);
  const many = prepare({
    ...FLOOD,
    series: table("series", flows.map((flow) => ({
      time_ns: 0, node: -1, flow, goodput_bit_s: 1000, rate_bit_s: 2000, end_to_end_delay_s: flow < 2 ? flow : Number.NaN,
      network_delay_s: Number.NaN, window: Number.NaN,
    }))),
    queues: table("queues", flows.map((flow) => ({ time_ns: 0, node: 0, flow, length: 1 }))),
  });

  it("are a sum or a mean, and the flow that is chosen", () => {
    const told = (flow: number, chart: number): [number, number][] =>
      chartData(many, -1, flow)[chart].curves.map((one) => [one.flow, one.values[0]]);
    expect(told(-1, 0)).toEqual([[-2, 20]]);
    expect(told(7, 1)).toEqual([[-2, 40], [7, 2]]);
    expect(told(-1, 3)).toEqual([[0, 0], [1, 1000]]);
    expect(told(7, 4)).toEqual([[-2, 20], [7, 1]]);
  });
});

import { describe, expect, it } from "vitest";
import { DARK, LIGHT, rateColor } from "../../src/map/colors";
import { frameColor, NOTHING } from "../../src/map/scene";
import { prepare } from "../../src/model/run";
import { AGGREGATES, TRACE } from "./sample";

const run = prepare(AGGREGATES);
const { aggregates } = run;

describe("aggregates", () => {
  it("have their packets in order, and say which are sent again", () => {
    expect([0, 1, 2, 3].map((row) => aggregates.count(row))).toEqual([3, 0, 2, 0]);
    expect(aggregates.of(0).map(({ packet, again }) => [packet, again])).toEqual([[5, -1], [6, 2], [-1, -1]]);
    expect(aggregates.of(0).map(({ class: kind, bytes }) => [kind, bytes]))
      .toEqual([["data", 1060], ["data", 1060], ["transport_ack", 60]]);
    // alone in its frame, it is found by its flow and number
    expect(aggregates.of(2).map(({ packet, again }) => [packet, again])).toEqual([[6, 3], [7, -1]]);
    expect(aggregates.of(3)).toEqual([]);
  });

  it("are answered by a block acknowledgment, or by nothing", () => {
    expect([0, 2, 3].map((row) => aggregates.answer(row))).toEqual([1, -1, 4]);
    expect([1, 4, 3].map((row) => aggregates.answered(row))).toEqual([0, 3, -1]);
  });

  it("leave frames of one packet alone", () => {
    const single = prepare(TRACE);
    expect(single.trace.frames.frame.every((_, row) => single.aggregates.count(row) === 0)).toBe(true);
    expect(single.aggregates.answer(0)).toBe(-1);
  });
});

describe("colours of rates", () => {
  it("go from the slowest to the fastest, each with its own", () => {
    expect(aggregates.rates).toEqual([6e6, 6.5e6, 24e6, 65e6]);
    for (const theme of [LIGHT, DARK]) {
      const colors = aggregates.rates.map((rate) => rateColor(theme, aggregates.rates, rate));
      expect(new Set(colors).size).toBe(4);
      expect(colors).not.toContain(theme.loss);
      expect(rateColor(theme, aggregates.rates, 0)).toBe(theme.faint);
    }
    expect(rateColor(LIGHT, [1e6], 1e6)).toBe(rateColor(LIGHT, [1e6, 2e6], 1e6));
  });

  it("take the place of those of flows where they are asked for", () => {
    const of = (row: number, rates: boolean): string => frameColor(run, row, { ...NOTHING, rates }, LIGHT);
    expect(of(0, false)).toBe(of(3, false));
    expect(of(0, true)).not.toBe(of(3, true));
    expect(of(0, true)).toBe(of(2, true));
  });
});

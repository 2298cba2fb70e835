/** What the charts show, computed once for a run. */

import type { Run } from "../model/run";
import { upTo } from "../model/search";

/** The flow of a curve that is of all flows. */
export const ALL = -2;

/** A curve: values at the beginnings of intervals. */
export interface Curve {
  /** The flow's number; -1 for what belongs to none, `ALL` for all together. */
  readonly flow: number;
  readonly values: Float64Array;
}

export interface ChartData {
  readonly name: string;
  readonly unit: string;
  readonly times: Float64Array;
  readonly curves: readonly Curve[];
}

/** More flows than this are one curve, beside that of the chosen flow. */
const MOST_CURVES = 16;

/** How often queues are looked at for their chart. */
const STEPS = 600;

/** The beginnings of intervals that `series` has, in seconds. */
function beginnings({ trace }: Run): Float64Array {
  return Float64Array.from(new Set(trace.series.time_ns)).sort();
}

/** What a chart of a column of `series` needs to know. */
interface Shown {
  readonly column: "goodput_bit_s" | "rate_bit_s" | "network_delay_s" | "end_to_end_delay_s" | "window";
  readonly factor: number;
  /** What many flows together are: their sum, or the mean of those that have a value. */
  readonly all: "sum" | "mean";
}

/** Return a curve for each flow that has any value in a column of `series`; of many flows one for all and one for `flow`. */
function ofFlows(run: Run, { column, factor, all }: Shown, chosen: number): { times: Float64Array; curves: Curve[] } {
  const { series } = run.trace;
  const starts = beginnings(run);
  const curves = new Map<number, Float64Array>();
  for (let i = 0; i < series.rows; i++) {
    if (series.node[i] >= 0 || series.flow[i] < 0 || Number.isNaN(series[column][i])) continue;
    const flow = series.flow[i];
    let values = curves.get(flow);
    if (!values) curves.set(flow, (values = new Float64Array(starts.length).fill(Number.NaN)));
    values[upTo(starts, series.time_ns[i]) - 1] = series[column][i] * factor;
  }
  const times = starts.map((time) => time / 1e9);
  const each = [...curves].sort(([a], [b]) => a - b).map(([flow, values]) => ({ flow, values }));
  if (each.length <= MOST_CURVES) return { times, curves: each };
  const values = times.map((_, at) => {
    const there = each.map((one) => one.values[at]).filter((value) => !Number.isNaN(value));
    const sum = there.reduce((total, value) => total + value, 0);
    return there.length === 0 ? Number.NaN : all === "sum" ? sum : sum / there.length;
  });
  return { times, curves: [{ flow: ALL, values }, ...each.filter(({ flow }) => flow === chosen)] };
}

/** Return how many packets of each flow wait, in one node or (-1) in all; of many flows those of all and of `chosen`. */
function queues(run: Run, node: number, chosen: number): { times: Float64Array; curves: Curve[] } {
  const { queues: table, end_ns } = run.trace;
  const times = Float64Array.from({ length: STEPS + 1 }, (_, i) => (i * end_ns) / STEPS);
  const now = new Map<number, number>();
  const many = run.state.queued.length > MOST_CURVES;
  const flows = many ? [ALL, ...run.state.queued.filter((flow) => flow === chosen)] : run.state.queued;
  const sums = new Map(flows.map((flow) => [flow, 0]));
  const curves = flows.map((flow) => ({ flow, values: new Float64Array(STEPS + 1) }));
  let row = 0;
  times.forEach((time, step) => {
    for (; row < table.rows && table.time_ns[row] <= time; row++) {
      if (node >= 0 && table.node[row] !== node) continue;
      const key = table.node[row] * 0x100000 + table.flow[row];
      const change = table.length[row] - (now.get(key) ?? 0);
      now.set(key, table.length[row]);
      for (const flow of many ? [ALL, table.flow[row]] : [table.flow[row]]) {
        const sum = sums.get(flow);
        if (sum !== undefined) sums.set(flow, sum + change);
      }
    }
    for (const { flow, values } of curves) values[step] = sums.get(flow) ?? 0;
  });
  return { times: times.map((time) => time / 1e9), curves };
}

/** What the charts show where a node (-1: all) and a flow (-1: none) are looked at. */
export function chartData(run: Run, node: number, flow: number): ChartData[] {
  const where = node < 0 ? "all nodes" : run.trace.nodes[node]?.label ?? "";
  const chart = (name: string, unit: string, shown: Shown): ChartData => ({ name, unit, ...ofFlows(run, shown, flow) });
  return [
    chart("Goodput", "kbit/s", { column: "goodput_bit_s", factor: 1e-3, all: "sum" }),
    chart("Sent by the source", "kbit/s", { column: "rate_bit_s", factor: 1e-3, all: "sum" }),
    chart("Network delay", "ms", { column: "network_delay_s", factor: 1e3, all: "mean" }),
    chart("End-to-end delay", "ms", { column: "end_to_end_delay_s", factor: 1e3, all: "mean" }),
    { name: `Queue in ${where}`, unit: "packets", ...queues(run, node, flow) },
    chart("Window", "packets", { column: "window", factor: 1, all: "mean" }),
  ];
}

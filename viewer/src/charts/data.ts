/** What the charts show, computed once for a run. */

import type { Run } from "../model/run";
import { upTo } from "../model/search";

/** A curve: values at the beginnings of intervals. */
export interface Curve {
  readonly flow: number;
  readonly values: Float64Array;
}

export interface ChartData {
  readonly name: string;
  readonly unit: string;
  readonly times: Float64Array;
  readonly curves: readonly Curve[];
}

/** How often queues are looked at for their chart. */
const STEPS = 600;

/** The beginnings of intervals that `series` has, in seconds. */
function beginnings({ trace }: Run): Float64Array {
  return Float64Array.from(new Set(trace.series.time_ns)).sort();
}

/** Return a curve for each flow that has any value in a column of `series`. */
function ofFlows(
  run: Run, column: "goodput_bit_s" | "rate_bit_s" | "network_delay_s" | "end_to_end_delay_s" | "window",
  factor: number,
): { times: Float64Array; curves: Curve[] } {
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
  return {
    times: starts.map((time) => time / 1e9),
    curves: [...curves].sort(([a], [b]) => a - b).map(([flow, values]) => ({ flow, values })),
  };
}

/** Return how many packets of each flow wait, in one node or (-1) in all. */
function queues(run: Run, node: number): { times: Float64Array; curves: Curve[] } {
  const { queues: table, end_ns } = run.trace;
  const times = Float64Array.from({ length: STEPS + 1 }, (_, i) => (i * end_ns) / STEPS);
  const now = new Map<string, number>();
  const sums = new Map(run.state.queued.map((flow) => [flow, 0]));
  const curves = run.state.queued.map((flow) => ({ flow, values: new Float64Array(STEPS + 1) }));
  let row = 0;
  times.forEach((time, step) => {
    for (; row < table.rows && table.time_ns[row] <= time; row++) {
      if (node >= 0 && table.node[row] !== node) continue;
      const key = `${table.node[row]} ${table.flow[row]}`;
      const change = table.length[row] - (now.get(key) ?? 0);
      now.set(key, table.length[row]);
      sums.set(table.flow[row], (sums.get(table.flow[row]) ?? 0) + change);
    }
    for (const { flow, values } of curves) values[step] = sums.get(flow) ?? 0;
  });
  return { times: times.map((time) => time / 1e9), curves };
}

export function chartData(run: Run, node: number): ChartData[] {
  const where = node < 0 ? "all nodes" : run.trace.nodes[node]?.label ?? "";
  return [
    { name: "Goodput", unit: "kbit/s", ...ofFlows(run, "goodput_bit_s", 1e-3) },
    { name: "Sent by the source", unit: "kbit/s", ...ofFlows(run, "rate_bit_s", 1e-3) },
    { name: "Network delay", unit: "ms", ...ofFlows(run, "network_delay_s", 1e3) },
    { name: "End-to-end delay", unit: "ms", ...ofFlows(run, "end_to_end_delay_s", 1e3) },
    { name: `Queue in ${where}`, unit: "packets", ...queues(run, node) },
    { name: "Window", unit: "packets", ...ofFlows(run, "window", 1) },
  ];
}

/** A trace with everything that the page asks of it. */

import type { Trace } from "../data/trace";
import { Air } from "./air";
import { DROPPED, Losses } from "./losses";
import { State } from "./state";

export interface Run {
  readonly trace: Trace;
  readonly air: Air;
  readonly losses: Losses;
  readonly state: State;
}

export function prepare(trace: Trace): Run {
  const air = new Air(trace);
  return { trace, air, losses: new Losses(trace, air), state: new State(trace) };
}

/** What is seen before the first loss, in ns. */
const LEAD_NS = 60e6;

/** Where to begin: shortly before the first packet is given up, else at the first frame. */
export function opening({ trace, losses }: Run): number {
  const drop = losses.weight.indexOf(DROPPED);
  if (drop >= 0) return Math.max(0, losses.time[drop] - LEAD_NS);
  return trace.frames.rows > 0 ? Math.max(0, trace.frames.start_ns[0]) : 0;
}

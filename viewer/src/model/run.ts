/** A trace with everything that the page asks of it. */

import type { Trace } from "../data/trace";
import { Aggregates } from "./aggregates";
import { Air } from "./air";
import { DROPPED, Losses } from "./losses";
import { Sensed } from "./sensed";
import { State } from "./state";

export interface Run {
  readonly trace: Trace;
  readonly aggregates: Aggregates;
  readonly air: Air;
  readonly losses: Losses;
  readonly state: State;
  readonly sensed: Sensed;
}

export function prepare(trace: Trace): Run {
  const [air, state] = [new Air(trace), new State(trace)];
  const sensed = new Sensed(trace, air, state);
  return { trace, aggregates: new Aggregates(trace), air, losses: new Losses(trace, air), state, sensed };
}

/** What is seen before the first loss, in ns. */
const LEAD_NS = 60e6;

/** Where to begin: shortly before the first packet is given up, else at the first frame. */
export function opening({ trace, losses }: Run): number {
  const drop = losses.weight.indexOf(DROPPED);
  if (drop >= 0) return Math.max(0, losses.time[drop] - LEAD_NS);
  return trace.frames.rows > 0 ? Math.max(0, trace.frames.start_ns[0]) : 0;
}

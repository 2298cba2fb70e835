/** A run from its start to its tables and its trace, in slices of time so that others have their turn. */

import { SCHEMA } from "../data/schema";
import type { About, Engine, Finished, Progress } from "./engine";

/** What is run. */
export interface Order {
  readonly text: string;
  /** Keys that are replaced. */
  readonly changes?: Readonly<Record<string, unknown>>;
  /** How long the trace may be in bytes; there is none without it. */
  readonly most_bytes?: number;
}

/** Parquet files of each table of a trace, in their order. */
export type Files = Readonly<Record<string, readonly Uint8Array<ArrayBuffer>[]>>;

/** What there is of a run: up to when it is simulated, and its trace until then. */
export interface SoFar {
  readonly about: About;
  readonly files: Files;
  /** Null if the run is over. */
  readonly now_s: number | null;
  /** Whether the trace has become too long. */
  readonly cut: boolean;
}

export interface Outcome extends SoFar {
  readonly finished: Finished;
  /** What the run took in ms. */
  readonly took_ms: number;
}

/** A slice lasts about as long, in ms: progress is told between two. */
const SLICE_MS = 60;
const FIRST_EVENTS = 2_000;
const MOST_EVENTS = 2_000_000;

/** The first part of a trace is told after so long, in ms, and another one at the earliest. */
const PART_MS = 400;
/** Another part is told when so many times as much is simulated: reading all of it anew has its price. */
const GROWTH = 1.6;

const breathe = (): Promise<void> => new Promise((done) => setTimeout(done));

/** Told how far a run is, and new parts of its trace. */
export interface Told {
  progress?(progress: Progress): void;
  part?(part: SoFar): void;
}

/** Run a scenario to its end. Its outcome has what of the trace was not told as a part. */
export async function runWhole(engine: Engine, order: Order, told: Told = {}): Promise<Outcome> {
  const begin = performance.now();
  const { run, about } = engine.ask<{ run: number; about: About }>({ call: "start", ...order });
  const traced = order.most_bytes !== undefined;
  let [events, shown_s, shown_ms] = [FIRST_EVENTS, 0, begin];
  for (;;) {
    const before = performance.now();
    const progress = engine.ask<Progress>({ call: "step", run, events });
    if (progress.over) break;
    told.progress?.(progress);
    const now = performance.now();
    if (traced && told.part && now - shown_ms > PART_MS && progress.now_s > GROWTH * shown_s) {
      [shown_s, shown_ms] = [progress.now_s, now];
      told.part({ about, files: taken(engine, run), now_s: progress.now_s, cut: false });
    }
    const share = SLICE_MS / Math.max(1, performance.now() - before);
    events = Math.round(Math.min(MOST_EVENTS, Math.max(100, events * Math.min(4, share))));
    await breathe();
  }
  const finished = engine.ask<Finished>({ call: "finish", run });
  const files = traced ? taken(engine, run) : {};
  engine.ask({ call: "cancel", run });
  return { about, finished, files, now_s: null, cut: finished.cut, took_ms: performance.now() - begin };
}

/** Take what there is of all tables since the last time. */
function taken(engine: Engine, run: number): Files {
  const parts = Object.keys(SCHEMA).map((table) => [table, engine.take(run, table)] as const);
  return Object.fromEntries(parts.map(([table, part]) => [table, part.length > 0 ? [part] : []]));
}

/** Put parts of a trace together. */
export function joined(before: Files, after: Files): Files {
  const tables = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries([...tables].map((table) => [table, [...before[table] ?? [], ...after[table] ?? []]]));
}

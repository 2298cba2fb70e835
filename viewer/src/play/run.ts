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

export interface Outcome {
  readonly about: About;
  readonly finished: Finished;
  /** The trace: a Parquet file for each table. */
  readonly files: Readonly<Record<string, Uint8Array<ArrayBuffer>>>;
  /** What the run took in ms. */
  readonly took_ms: number;
}

/** A slice lasts about as long, in ms: progress is told between two. */
const SLICE_MS = 60;
const FIRST_EVENTS = 2_000;
const MOST_EVENTS = 2_000_000;

const breathe = (): Promise<void> => new Promise((done) => setTimeout(done));

/** Run a scenario to its end. */
export async function runWhole(
  engine: Engine, order: Order, told: (progress: Progress) => void = () => {},
): Promise<Outcome> {
  const begin = performance.now();
  const { run, about } = engine.ask<{ run: number; about: About }>({ call: "start", ...order });
  let events = FIRST_EVENTS;
  for (;;) {
    const before = performance.now();
    const progress = engine.ask<Progress>({ call: "step", run, events });
    if (progress.over) break;
    told(progress);
    const share = SLICE_MS / Math.max(1, performance.now() - before);
    events = Math.round(Math.min(MOST_EVENTS, Math.max(100, events * Math.min(4, share))));
    await breathe();
  }
  const finished = engine.ask<Finished>({ call: "finish", run });
  const files: Record<string, Uint8Array<ArrayBuffer>> = {};
  if (order.most_bytes !== undefined) {
    for (const table of Object.keys(SCHEMA)) files[table] = engine.take(run, table);
  }
  engine.ask({ call: "cancel", run });
  return { about, finished, files, took_ms: performance.now() - begin };
}

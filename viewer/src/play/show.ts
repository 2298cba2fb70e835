/** Runs several scenarios at once, and shows their replay while they go on. */

import type { Manifest } from "../data/source";
import { loadTrace } from "../data/trace";
import { prepare, type Run } from "../model/run";
import { TraceView } from "../ui/app";
import type { Engines } from "./client";
import type { Order, Outcome, SoFar } from "./run";
import { sourceOf } from "./source";

/** Traces of a page may be as long, in bytes. They take many times as much when they are read. */
export const MOST_BYTES = 48e6;

export interface WatchAll {
  /** Told how much of all runs is done. */
  told(share: number): void;
  /** Told what there is of each run, whenever that has grown a good deal. */
  readonly grown?: (all: readonly SoFar[]) => Promise<void>;
  readonly signal: AbortSignal;
}

export async function runAll(engines: Engines, orders: readonly Order[], { told, grown, signal }: WatchAll): Promise<Outcome[]> {
  const shares = orders.map(() => 0);
  const known: (SoFar | null)[] = orders.map(() => null);
  let pending: Promise<void> | null = null;
  const grow = (at: number, part: SoFar): void => {
    known[at] = part;
    const all = known.filter((one) => one !== null);
    if (!grown || pending || all.length < orders.length) return;
    pending = grown(all).finally(() => {
      pending = null;
    });
    // Whoever waits for the end of the runs is told.
    pending.catch(() => undefined);
  };
  const outcomes = await Promise.all(orders.map(async (order, at) => {
    const outcome = await engines.run(order, {
      signal,
      told: (share) => {
        shares[at] = share;
        told(shares.reduce((sum, one) => sum + one, 0) / shares.length);
      },
      ...(grown ? { grown: (part: SoFar) => grow(at, part) } : {}),
    });
    known[at] = outcome;
    return outcome;
  }));
  await pending;
  return outcomes;
}

/** A trace, and what is called so. */
export interface Titled {
  readonly title: string;
  readonly outcome: SoFar;
}

/** Read the traces of runs. */
export async function runsOf(all: readonly Titled[]): Promise<Run[]> {
  const runs = [];
  for (const { title, outcome } of all) runs.push(prepare(await loadTrace(sourceOf(title, outcome))));
  return runs;
}

/** Where and how a replay is shown. */
export interface Stage {
  readonly place: Element;
  readonly manifest: Manifest;
  readonly kept: string | null;
  /** Whether the runs go on. */
  readonly growing: boolean;
}

/** Show a replay in place of the one that is there. One of runs that went on is resumed where its reader is. */
export function stage(runs: Run[], { place, ...how }: Stage): TraceView {
  const old = place.querySelector("trace-view") as TraceView | null;
  const controls = (view: TraceView | null): HTMLElement[] => [...view?.querySelectorAll<HTMLElement>("button, select") ?? []];
  const focused = controls(old).findIndex((control) => control === document.activeElement);
  const resumes = old?.growing ? old.session : null;
  const view = Object.assign(new TraceView(), { runs, ...how, embedded: true, resumes });
  if (old) old.replaceWith(view);
  else place.append(view);
  if (focused >= 0) void view.updateComplete.then(() => controls(view)[focused]?.focus({ preventScroll: true }));
  return view;
}

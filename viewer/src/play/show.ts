/** From what came of runs to what a replay shows. */

import { loadTrace } from "../data/trace";
import { prepare, type Run } from "../model/run";
import type { Done } from "./results";
import { sourceOf } from "./source";

/** Traces of a page may be as long, in bytes. They take many times as much when they are read. */
export const MOST_BYTES = 48e6;

/** Read the traces of runs. */
export async function runsOf(done: readonly Done[]): Promise<Run[]> {
  const runs = [];
  for (const { title, outcome } of done) runs.push(prepare(await loadTrace(sourceOf(title, outcome))));
  return runs;
}

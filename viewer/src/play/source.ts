/** The trace of a run in this page, as what the replay reads. */

import { holdFile, type RunSource } from "../data/source";
import type { Outcome } from "./run";

let held = 0;

const CUT = "The trace became longer than a page can hold and is cut off. The results are those of the whole run: "
  + "shorten the duration to replay all of it.";

/** Return a run for the replay; its files are held until it is read. */
export function sourceOf(title: string, { about, files, finished }: Outcome): RunSource {
  const number = ++held;
  const tables: Record<string, string[]> = {};
  for (const [table, bytes] of Object.entries(files)) {
    const path = `run:${number}/${table}`;
    holdFile(path, bytes);
    tables[table] = [path];
  }
  const run = { ...about, complete: !finished.cut };
  return { title, run, tables, troubles: finished.cut ? [CUT] : [] };
}

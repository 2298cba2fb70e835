/** The trace of a run in this page, as what the replay reads. */

import { holdFile, type RunSource } from "../data/source";
import type { SoFar } from "./run";

let held = 0;

const CUT = "The trace became longer than a page can hold and is cut off. The results are those of the whole run: "
  + "shorten the duration to replay all of it.";

/** Return a run for the replay; its files are held until it is read. One that goes on ends where it is. */
export function sourceOf(title: string, { about, files, now_s, cut }: SoFar): RunSource {
  const number = ++held;
  const tables: Record<string, string[]> = {};
  for (const [table, parts] of Object.entries(files)) {
    tables[table] = parts.map((bytes, at) => {
      const path = `run:${number}/${table}/${at}`;
      holdFile(path, bytes);
      return path;
    });
  }
  const duration_ns = now_s === null ? about.duration_ns : Math.round(now_s * 1e9);
  return { title, run: { ...about, duration_ns, complete: !cut }, tables, troubles: cut ? [CUT] : [] };
}

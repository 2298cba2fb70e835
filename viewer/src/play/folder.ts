/** A folder with a trace, as `multihop run --trace` writes it, chosen on the reader's machine. Nothing of it leaves the page. */

import { SCHEMA } from "../data/schema";
import { holdFile, type RunSource } from "../data/source";

/** What a file of a chosen folder is: its path begins with the folder's name. */
type Chosen = Pick<File, "arrayBuffer" | "text" | "webkitRelativePath">;

let opened = 0;

const DESCRIPTION = "run.json";

/** Return what the replay reads; an error says what is wrong with the folder. */
export async function readFolder(files: readonly Chosen[]): Promise<RunSource> {
  const number = ++opened;
  const named = new Map(files.map((file) => [file.webkitRelativePath.split("/").slice(1).join("/"), file]));
  const tables: Record<string, string[]> = {};
  for (const table of Object.keys(SCHEMA)) {
    tables[table] = [];
    for (const name of partsOf(table, named)) {
      const path = `folder:${number}/${name}`;
      holdFile(path, new Uint8Array(await (named.get(name) as Chosen).arrayBuffer()));
      tables[table].push(path);
    }
  }
  const { run, troubles } = await describedBy(named.get(DESCRIPTION));
  if (run === null && Object.values(tables).every((paths) => paths.length === 0)) {
    throw new Error("The folder holds no trace. Write one with 'multihop run scenario.toml --trace DIR', and open DIR itself.");
  }
  return { title: titleOf(run, files), run, tables, troubles };
}

/** At the end of a run the parts of a table become one file; what is left of them is not the trace. */
function partsOf(table: string, named: ReadonlyMap<string, Chosen>): readonly string[] {
  const whole = `${table}.parquet`;
  if (named.has(whole)) return [whole];
  return [...named.keys()].filter((name) => name.startsWith(`${table}/`) && name.endsWith(".parquet")).sort();
}

async function describedBy(file: Chosen | undefined): Promise<{ run: unknown; troubles: string[] }> {
  if (!file) return { run: null, troubles: [] };
  try {
    const run: unknown = JSON.parse(await file.text());
    if (typeof run === "object" && run !== null) return { run, troubles: [] };
  } catch {
    // Said below.
  }
  return { run: null, troubles: [`${DESCRIPTION} cannot be read: it is cut off or damaged.`] };
}

function titleOf(run: unknown, files: readonly Chosen[]): string {
  const scheme = (run as { scheme?: unknown } | null)?.scheme;
  return typeof scheme === "string" ? scheme : files[0]?.webkitRelativePath.split("/")[0] ?? "";
}

/** A trace in memory: its tables, its nodes and flows, and what could not be read. */

import type { Layout } from "../model/header";
import type { MacTimes } from "../model/mac";
import { readCell, readTable } from "./parquet";
import { FORMAT, OPTIONAL, SCHEMA, WITHOUT, type TableName, type Tables } from "./schema";
import { getFile, type RunSource } from "./source";

export interface Node {
  readonly node: number;
  readonly x_m: number;
  readonly y_m: number;
  readonly label: string;
  /** Its role, if it has one. */
  readonly role?: string;
  /** Its scheme, if not the run's. */
  readonly scheme?: string | null;
}

export interface Flow {
  readonly flow: number;
  readonly source: number;
  readonly destination: number;
  readonly label: string;
}

/** How a node hears another one. */
export interface Hearing {
  /** Whether it decodes its frames more often than not; if not, it senses them. */
  readonly decodes: boolean;
  /** The mean signal in dBm; NaN if the trace does not say. */
  readonly dbm: number;
}

/** A run that was traced. */
export interface Trace extends Tables {
  readonly title: string;
  readonly scheme: string;
  readonly nodes: readonly Node[];
  readonly flows: readonly Flow[];
  /** How far frames can be decoded; NaN on wires. */
  readonly range_m: number;
  /** How far they are sensed; NaN on wires. */
  readonly sense_m: number;
  /** How each node hears the others, by their numbers; null where the trace does not say. */
  readonly hears: readonly ReadonlyMap<number, Hearing>[] | null;
  /** The least signal that is decoded, in dBm; NaN if the trace does not say. */
  readonly decodes_dbm: number;
  /** The noise in a receiver, in dBm; NaN where it does not count, or the trace does not say. */
  readonly noise_dbm: number;
  /** Times of the MAC; null on wires. */
  readonly mac: MacTimes | null;
  readonly end_ns: number;
  readonly troubles: readonly string[];
  /** How headers look. */
  readonly layouts: readonly Layout[];
  /** Read a frame's headers, as they were on the air; nothing if there are none. */
  header(row: number): Promise<Uint8Array>;
}

type Json = Record<string, unknown>;

const number = (value: unknown): number => (typeof value === "number" ? value : Number.NaN);
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);

/** Tell how much of a run has been read, from 0 to 1. */
export type Progress = (share: number) => void;

/** Read all of a run that can be read. */
export async function loadTrace(source: RunSource, progress: Progress = () => {}): Promise<Trace> {
  const run = (source.run ?? {}) as Json;
  const troubles = [...source.troubles, ...aboutRun(source.run)];
  const names = Object.keys(SCHEMA) as TableName[];
  const tables: Partial<Record<TableName, unknown>> = {};
  let frameFiles: ArrayBuffer[] = [];
  for (const [at, name] of names.entries()) {
    const paths = source.tables[name] ?? [];
    if (paths.length === 0 && OPTIONAL[name] !== "all") troubles.push(`The table ${name} is missing: ${WITHOUT[name]}.`);
    const files = await Promise.all(paths.map(getFile));
    if (name === "frames") frameFiles = files;
    const read = await readTable(name, files);
    tables[name] = read.table;
    troubles.push(...read.troubles);
    progress((at + 1) / names.length);
  }
  const found = tables as Tables;
  return {
    ...found,
    title: source.title,
    scheme: text(run["scheme"]),
    nodes: nodesOf(list(run["nodes"]), found),
    flows: flowsOf(list(run["flows"]), found),
    range_m: number(run["range_m"]),
    sense_m: number(run["sense_range_m"]),
    hears: hearsOf(run["hears"], list(run["nodes"]).length),
    decodes_dbm: number(run["decodes_from_dbm"]),
    noise_dbm: number(run["noise_dbm"]),
    mac: (run["mac"] ?? null) as MacTimes | null,
    end_ns: endOf(run, found),
    troubles,
    layouts: list(run["headers"]) as unknown as Layout[],
    header: (row) => readCell(frameFiles, "header", row),
  };
}

function aboutRun(run: unknown): string[] {
  if (run === null || run === undefined) {
    return ["run.json is missing: names, flows and ranges are not known."];
  }
  const { format, complete } = run as Json;
  const found = [];
  if (format !== FORMAT) {
    found.push(`The folder is of format ${String(format)}, and this page reads format ${FORMAT}: `
      + "what follows may be incomplete. Make it anew, or view it with the version that made it.");
  }
  if (complete === false) {
    found.push("The run did not end: the trace is cut off, and shows what was written until then.");
  }
  return found;
}

/** Make a table of who hears whom of its rows: from, to, 2 if it decodes, and the signal, which older traces lack. */
function hearsOf(given: unknown, nodes: number): readonly ReadonlyMap<number, Hearing>[] | null {
  if (!Array.isArray(given)) return null;
  const found = Array.from({ length: nodes }, () => new Map<number, Hearing>());
  for (const [from, to, well, dbm] of given as number[][]) found[to]?.set(from, { decodes: well === 2, dbm: number(dbm) });
  return found;
}

function nodesOf(given: Json[], tables: Tables): Node[] {
  if (given.length > 0) {
    return given.map((one, at) => ({
      node: Number.isFinite(number(one["node"])) ? number(one["node"]) : at,
      x_m: number(one["x_m"]) || 0,
      y_m: number(one["y_m"]) || 0,
      label: text(one["label"]) || `n${at}`,
      role: text(one["role"]),
    }));
  }
  const { rows, node, x_m, y_m } = tables.positions;
  const first = new Map<number, Node>();
  for (let i = 0; i < rows; i++) {
    if (!first.has(node[i])) {
      first.set(node[i], { node: node[i], x_m: x_m[i], y_m: y_m[i], label: `n${node[i]}` });
    }
  }
  return [...first.values()].sort((a, b) => a.node - b.node);
}

function flowsOf(given: Json[], tables: Tables): Flow[] {
  if (given.length > 0) {
    return given.map((one, at) => ({
      flow: Number.isFinite(number(one["flow"])) ? number(one["flow"]) : at,
      source: number(one["source"]),
      destination: number(one["destination"]),
      label: text(one["label"]) || `flow ${at}`,
    }));
  }
  const numbers = new Set(tables.frames.flow);
  numbers.delete(-1);
  return [...numbers].sort((a, b) => a - b).map((flow) => (
    { flow, source: -1, destination: -1, label: `flow ${flow}` }));
}

/** When the last thing ends that is known. */
function endOf(run: Json, { frames, series, queues, events }: Tables): number {
  const last = (times: Float64Array): number => (times.length > 0 ? times[times.length - 1] : 0);
  const known = number(run["duration_ns"]);
  if (run["complete"] !== false && known > 0) return known;
  const ends = [last(series.time_ns), last(queues.time_ns), last(events.time_ns)];
  if (frames.rows > 0) ends.push(last(frames.start_ns) + last(frames.length_ns));
  return Math.max(1, ...ends);
}

/** What came of runs, side by side. */

import { html, nothing, type TemplateResult } from "lit";
import { causeWords } from "../model/words";
import type { Cell, Columns } from "./engine";
import type { Outcome } from "./run";

/** A run that is over, and what it is called. */
export interface Done {
  readonly title: string;
  readonly outcome: Outcome;
}

interface Row {
  readonly name: string;
  readonly about: string;
  of(outcome: Outcome): string;
  /** Whether it may be broken over lines. */
  readonly long?: boolean;
}

const NOTHING = "–";

const first = (table: Columns | undefined, column: string): Cell => table?.[column]?.[0] ?? null;

/** A number with three digits that count. */
function digits(value: number): string {
  if (value === 0) return "0";
  const places = Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(Math.abs(value)))));
  return value.toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places });
}

const run = (column: string, factor = 1) => ({ finished }: Outcome): string => {
  const value = first(finished.tables["runs"], column);
  return typeof value === "number" ? digits(value * factor) : NOTHING;
};

const sum = (column: string) => ({ finished }: Outcome): number =>
  (finished.tables["flows"]?.[column] ?? []).reduce<number>((all, cell) => all + (typeof cell === "number" ? cell : 0), 0);

const ROWS: readonly Row[] = [
  { name: "Goodput (kbit/s)", about: "Payload delivered per second, all flows together", of: run("goodput_bit_s", 1e-3) },
  { name: "End-to-end delay (ms)", about: "From application to application, mean", of: run("end_to_end_delay_mean_s", 1e3) },
  { name: "… 95 % (ms)", about: "95 % of packets are faster", of: run("end_to_end_delay_p95_s", 1e3) },
  { name: "Network delay (ms)", about: "From the first transmission to delivery, mean", of: run("network_delay_mean_s", 1e3) },
  { name: "Packets offered", about: "By the applications, while it was measured", of: (outcome) => sum("offered")(outcome).toLocaleString("en") },
  { name: "Packets delivered", about: "Of those", of: (outcome) => sum("delivered")(outcome).toLocaleString("en") },
  { name: "Transmissions", about: "Frames on the air", of: run("transmissions") },
  { name: "Overhead", about: "Bytes on the medium per byte of payload and hop", of: run("overhead") },
];

/** What a suffix of a column says: its unit in the page, and the factor to it. */
const UNITS: readonly { readonly end: RegExp; readonly unit: string; readonly factor: number }[] = [
  { end: /_bit_s$/, unit: " (kbit/s)", factor: 1e-3 }, { end: /_s$/, unit: " (ms)", factor: 1e3 },
];

const unitOf = (column: string): { end: RegExp; unit: string; factor: number } =>
  UNITS.find(({ end }) => end.test(column)) ?? { end: /$/, unit: "", factor: 1 };

/** Return what a column is called: `flows.goodput_bit_s` is the goodput of each flow. */
export function measureName(column: string): string {
  const [table, name] = column.includes(".") ? column.split(".", 2) : ["runs", column];
  const { end, unit } = unitOf(name);
  return `${name.replace(end, "").replaceAll("_", " ")}${table === "flows" ? " by flow" : ""}${unit}`;
}

/** Return what a run has in a column: of `flows` each value, of `nodes` the sum. */
export function measured({ finished }: Outcome, column: string): string {
  const [table, name] = column.includes(".") ? column.split(".", 2) : ["runs", column];
  const { factor } = unitOf(name);
  const cells = (finished.tables[table]?.[name] ?? []).filter((cell) => typeof cell === "number");
  if (cells.length === 0) return NOTHING;
  if (table === "nodes") return digits(cells.reduce((sum, cell) => sum + cell, 0) * factor);
  return cells.map((cell) => digits(cell * factor)).join(" · ");
}

/** Return the fingerprint of a run: of all that was sent and delivered, and when. */
export const fingerprintOf = ({ finished }: Outcome): string => String(first(finished.tables["runs"], "fingerprint"));

function lossRows(runs: readonly Done[]): readonly Row[] {
  const columns = new Set(runs.flatMap(({ outcome }) => Object.keys(outcome.finished.tables["flows"] ?? {})
    .filter((column) => column.startsWith("lost_") && sum(column)(outcome) > 0)));
  return [...columns].map((column) => {
    return { name: causeWords(column.replace("lost_", "")), about: "Packets lost for this cause",
      of: (outcome: Outcome) => sum(column)(outcome).toLocaleString("en") };
  });
}

function table(caption: string, runs: readonly Done[], rows: readonly Row[]): TemplateResult | typeof nothing {
  return rows.length === 0 ? nothing : html`<table>
    <caption>${caption}</caption>
    <thead><tr><td></td>${runs.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
    <tbody>${rows.map(({ name, about, of, long }) => html`<tr><th scope="row" title=${about}>${name}</th>
      ${runs.map(({ outcome }) => html`<td class=${long ? "long" : nothing}>${of(outcome)}</td>`)}</tr>`)}</tbody>
  </table>`;
}

function flows(runs: readonly Done[]): TemplateResult | typeof nothing {
  const names = runs[0].outcome.finished.tables["flows"]?.["name"] ?? [];
  // More would push everything else away.
  const rows = names.slice(0, 12).map((name, at): Row => ({
    name: String(name), about: "Goodput of this flow",
    of: ({ finished }) => {
      const value = finished.tables["flows"]?.["goodput_bit_s"]?.[at];
      return typeof value === "number" ? digits(value / 1e3) : NOTHING;
    },
  }));
  return names.length > 1 ? table("Goodput by flow (kbit/s)", runs, rows) : nothing;
}

/** Show runs of one scenario. */
export function resultsOf(runs: readonly Done[]): TemplateResult {
  const facts: readonly Row[] = [
    { name: "Fingerprint", about: "Of all that was sent and delivered, and when. Equal on every machine.", of: fingerprintOf, long: true },
    { name: "Events", about: "Events of the simulation", of: run("events") },
    { name: "Took (s)", about: "Time of the run in this browser", of: ({ took_ms }) => digits(took_ms / 1e3) },
  ];
  return html`${table("Results", runs, ROWS)}${flows(runs)}
    ${table("Packets lost, by cause", runs, lossRows(runs))}${table("The run itself", runs, facts)}`;
}

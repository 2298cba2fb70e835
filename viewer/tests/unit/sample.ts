/** A small trace made by hand: three nodes, two flows, everything that can happen. */

import type { Table, TableName, Words } from "../../src/data/schema";
import { SCHEMA } from "../../src/data/schema";
import type { Trace } from "../../src/data/trace";

function words(cells: string[]): Words {
  const known = ["", ...new Set(cells)];
  return { codes: Uint8Array.from(cells, (cell) => known.indexOf(cell)), words: known };
}

type Row = Record<string, number | string>;

/** Make a table from rows; what a row leaves out is -1 or "". */
export function table<T extends TableName>(name: T, rows: Row[]): Table<T> {
  const columns = Object.entries(SCHEMA[name]).map(([column, kind]) => {
    const cells = rows.map((row) => row[column]);
    if (kind === "word") return [column, words(cells.map((cell) => String(cell ?? "")))];
    const numbers = cells.map((cell) => Number(cell ?? -1));
    return [column, kind === "whole" ? Int32Array.from(numbers) : Float64Array.from(numbers)];
  });
  return { rows: rows.length, ...Object.fromEntries(columns) } as unknown as Table<T>;
}

const MS = 1e6;
const frame = (frame: number, start: number, sender: number, receiver: number, flow = 0): Row => ({
  frame, start_ns: start * MS, length_ns: 5 * MS, sender, receiver, class: "data", flow,
  packet: frame, bytes: 566, rate_bit_s: 1e6, reserved_ns: 0.3 * MS,
});

export const TRACE: Trace = {
  title: "chain, udp",
  scheme: "udp",
  nodes: [0, 1, 2].map((node) => ({ node, x_m: node * 200, y_m: 0, label: `n${node}` })),
  flows: [
    { flow: 0, source: 0, destination: 2, label: "n0->n2" },
    { flow: 1, source: 2, destination: 0, label: "n2->n0" },
  ],
  range_m: 250,
  sense_m: 550,
  hears: null,
  decodes_dbm: Number.NaN,
  noise_dbm: Number.NaN,
  mac: {
    acknowledges: true, slot_ns: 20e3, sifs_ns: 10e3, difs_ns: 50e3, eifs_ns: 0.4 * MS,
    cts_wait_ns: 0.5 * MS, ack_wait_ns: 0.5 * MS, data_sooner_ns: 0.1 * MS,
  },
  end_ns: 100 * MS,
  troubles: [],
  layouts: [],
  header: () => Promise.resolve(new Uint8Array()),
  // 10: received. 11 and 12 overlap, and 11 is lost at node 1.
  frames: table("frames", [
    frame(10, 0, 0, 1), frame(11, 10, 0, 1), frame(12, 12, 2, 1, 1), frame(13, 40, 1, 2),
  ]),
  receptions: table("receptions", [
    { frame: 10, node: 1, end_ns: 5 * MS, outcome: "decoded", other: -1 },
    { frame: 11, node: 1, end_ns: 15 * MS, outcome: "collision", other: 12 },
    { frame: 12, node: 1, end_ns: 17 * MS, outcome: "collision", other: 11 },
    { frame: 13, node: 0, end_ns: 45 * MS, outcome: "overheard", other: -1 },
    { frame: 13, node: 2, end_ns: 45 * MS, outcome: "decoded", other: -1 },
  ]),
  mpdus: table("mpdus", []),
  drops: table("drops", [
    { time_ns: 60 * MS, node: 0, flow: 0, packet: 11, cause: "retries_spent" },
  ]),
  queues: table("queues", [
    { time_ns: 0, node: 0, flow: 0, length: 1 }, { time_ns: 8 * MS, node: 0, flow: 0, length: 2 },
    { time_ns: 20 * MS, node: 1, flow: 0, length: 1 }, { time_ns: 60 * MS, node: 0, flow: 0, length: 0 },
  ]),
  timers: table("timers", [
    { time_ns: 1 * MS, node: 0, timer: "transport", due_ns: 30 * MS },
    { time_ns: 2 * MS, node: 0, timer: "hop", due_ns: 20 * MS },
    { time_ns: 10 * MS, node: 0, timer: "hop", due_ns: -1 },
  ]),
  routes: table("routes", [
    { time_ns: 0, node: 0, destination: 2, next: 1 }, { time_ns: 0, node: 1, destination: 2, next: 2 },
    { time_ns: 50 * MS, node: 1, destination: 2, next: -1 },
  ]),
  positions: table("positions", [
    { time_ns: 0, node: 0, x_m: 0, y_m: 0 }, { time_ns: 0, node: 1, x_m: 200, y_m: 0 },
    { time_ns: 0, node: 2, x_m: 400, y_m: 0 }, { time_ns: 100 * MS, node: 2, x_m: 600, y_m: 100 },
  ]),
  series: table("series", [
    { time_ns: 0, node: -1, flow: 0, goodput_bit_s: 1000, network_delay_s: 0.02, end_to_end_delay_s: 0.03,
      rate_bit_s: 2000, window: Number.NaN },
    { time_ns: 0, node: 1, flow: -1, goodput_bit_s: Number.NaN, air_sending: 0.25, air_receiving: 0.5, air_busy: 0.125 },
    { time_ns: 50 * MS, node: -1, flow: 0, goodput_bit_s: 3000, network_delay_s: 0.04, end_to_end_delay_s: 0.05,
      rate_bit_s: 4000, window: Number.NaN },
  ]),
  events: table("events", [
    { time_ns: 1 * MS, node: 0, event: "service_start", packet: 10, flow: 0 },
    { time_ns: 6 * MS, node: 0, event: "service_end", packet: 10, flow: 0, cause: "acknowledged" },
  ]),
};

/** Three packets in a frame, of which the second is sent again: with another one, and then alone. */
export const AGGREGATES: Trace = {
  ...TRACE,
  mac: { ...TRACE.mac!, sifs_ns: 16e3 },
  frames: table("frames", [
    { ...frame(0, 0, 0, 1), packet: 5, bytes: 3200, rate_bit_s: 65e6 },
    { ...frame(1, 5.016, 1, 0, -1), packet: -1, class: "block_ack", bytes: 32, rate_bit_s: 24e6 },
    { ...frame(2, 20, 0, 1), packet: 6, bytes: 2100, rate_bit_s: 65e6 },
    { ...frame(3, 40, 0, 1), packet: 6, bytes: 1060, rate_bit_s: 6.5e6 },
    { ...frame(4, 45.016, 1, 0, -1), packet: -1, class: "link_ack", bytes: 14, rate_bit_s: 6e6 },
  ]),
  mpdus: table("mpdus", [
    { frame: 0, class: "data", flow: 0, packet: 5, bytes: 1060, sequence: 15 },
    { frame: 0, class: "data", flow: 0, packet: 6, bytes: 1060, sequence: 16 },
    { frame: 0, class: "transport_ack", flow: 1, packet: -1, bytes: 60, sequence: 17 },
    { frame: 2, class: "data", flow: 0, packet: 6, bytes: 1060, sequence: 16 },
    { frame: 2, class: "data", flow: 0, packet: 7, bytes: 1060, sequence: 18 },
  ]),
  receptions: table("receptions", []),
};

const [LONG, S] = [500 * MS, 1e9];
const flooded = (frame: number, start: number, sender: number, packet = 0): Row => ({
  frame, start_ns: start * S, length_ns: LONG, sender, receiver: -1, class: "data", flow: 0, packet, bytes: 56,
  rate_bit_s: 0, reserved_ns: 0,
});
const copy = (frame: number, node: number, end: number, outcome = "decoded"): Row =>
  ({ frame, node, end_ns: end * S, outcome, other: -1 });
const heard = (dbm: number, decodes = true): { dbm: number; decodes: boolean } => ({ dbm, decodes });

/**
 * Two messages of n0 to everyone among five nodes of LoRa. The first: n1 and n2 have it from n0, n1 passes it on, n2 gives its
 * relay up, n3 has it from n1 and passes it on, and n4 loses the only copy. The second goes to n1 alone.
 */
export const FLOOD: Trace = {
  ...TRACE,
  title: "a flood",
  nodes: [0, 1, 2, 3, 4].map((node) => ({ node, x_m: node * 100, y_m: 0, label: `n${node}` })),
  flows: [{ flow: 0, source: 0, destination: -1, label: "text" }],
  // By receiver: n4 decodes n3, and n3 senses n4 only.
  hears: [
    new Map([[1, heard(-110)], [2, heard(-120)]]), new Map([[0, heard(-112)], [3, heard(-100)]]),
    new Map([[0, heard(-120)]]), new Map([[1, heard(-100)], [4, heard(-133, false)]]), new Map([[3, heard(-128)]]),
  ],
  decodes_dbm: -131,
  noise_dbm: -114,
  mac: null,
  end_ns: 10_000 * S,
  frames: table("frames", [
    flooded(0, 1, 0), flooded(1, 2, 1), flooded(2, 3, 3), flooded(3, 2000, 0, 1),
  ]),
  receptions: table("receptions", [
    copy(0, 1, 1.5), copy(0, 2, 1.5), copy(1, 0, 2.5), copy(1, 3, 2.5), copy(2, 4, 3.5, "collision"), copy(2, 1, 3.5),
    copy(3, 1, 2000.5),
  ]),
  mpdus: table("mpdus", []),
  drops: table("drops", [
    { time_ns: 2.5 * S, node: 2, flow: 0, packet: 0, cause: "relay_cancelled" },
    { time_ns: 2.6 * S, node: 1, flow: 0, packet: 0, cause: "relay_cancelled" },
    { time_ns: 4 * S, node: 0, flow: 0, packet: 0, cause: "retries_spent" },
  ]),
  queues: table("queues", [
    { time_ns: 1 * S, node: 2, flow: 0, length: 1 }, { time_ns: 2 * S, node: 2, flow: 1, length: 2 },
    { time_ns: 3 * S, node: 2, flow: 0, length: 0 },
  ]),
  timers: table("timers", []),
  routes: table("routes", []),
  positions: table("positions", []),
  series: table("series", []),
  events: table("events", []),
};

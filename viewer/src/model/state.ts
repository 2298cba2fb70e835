/** What holds at a moment: places, queues and routes, each by a search in time. */

import type { Trace } from "../data/trace";
import { group, lastUpTo, type Groups } from "./search";

/** Rows of a table grouped by a pair of small numbers, few of which occur. */
class Pairs {
  readonly #keys = new Map<number, number>();
  readonly #groups: Groups;

  constructor(
    first: Int32Array, second: Int32Array | Uint8Array,
    private readonly times: Float64Array,
  ) {
    const codes = new Int32Array(first.length);
    for (let i = 0; i < first.length; i++) {
      const key = Pairs.#key(first[i], second[i]);
      let code = this.#keys.get(key);
      if (code === undefined) this.#keys.set(key, (code = this.#keys.size));
      codes[i] = code;
    }
    this.#groups = group(this.#keys.size, codes);
  }

  static #key(first: number, second: number): number {
    return (first + 1) * 0x100000 + second + 1;
  }

  /** Return by row what all pairs with its first number come to from then on, if a pair has the value of its last row. */
  sums(first: Int32Array, second: Int32Array, values: Int32Array, count: number): Int32Array {
    const [now, sums] = [new Int32Array(this.#keys.size), new Int32Array(count)];
    return values.map((value, row) => {
      const code = this.#keys.get(Pairs.#key(first[row], second[row])) ?? 0;
      sums[first[row]] += value - now[code];
      now[code] = value;
      return sums[first[row]];
    });
  }

  /** Return the row that holds at a time, or -1. */
  at(first: number, second: number, time: number): number {
    const code = this.#keys.get(Pairs.#key(first, second));
    return code === undefined ? -1 : lastUpTo(this.#groups, code, this.times, time);
  }
}

/** Events that say nothing about what a node does, and are many. */
const EVERYDAY = ["offer", "congestion_potential"];

export interface Place {
  x: number;
  y: number;
}

export class State {
  readonly #queues: Pairs;
  readonly #routes: Pairs;
  readonly #timers: Pairs;
  readonly #moves: Groups;
  readonly #events: Groups;
  readonly #services: Groups;
  readonly #shares: Groups;
  /** Rows of queues by node, and by row what waits in its node from then on. */
  readonly #held: Groups;
  readonly #waiting: Int32Array;
  readonly #trace: Trace;
  /** The longest queue of a flow in a node in the whole run. */
  readonly longest: number;
  /** The flows that any queue has held, -1 for what belongs to none. */
  readonly queued: readonly number[];

  constructor(trace: Trace) {
    this.#trace = trace;
    const { queues, routes, timers, positions, events, nodes } = trace;
    this.#queues = new Pairs(queues.node, queues.flow, queues.time_ns);
    this.#routes = new Pairs(routes.node, routes.destination, routes.time_ns);
    this.#timers = new Pairs(timers.node, timers.timer.codes, timers.time_ns);
    this.#moves = group(nodes.length, positions.node);
    const of = (...names: string[]) => (row: number): boolean =>
      names.includes(events.event.words[events.event.codes[row]]);
    const [everyday, service] = [of(...EVERYDAY), of("service_start", "service_end")];
    this.#events = group(nodes.length, events.node.map((node, row) => (everyday(row) ? -1 : node)));
    this.#services = group(nodes.length, events.node.map((node, row) => (service(row) ? node : -1)));
    this.#shares = group(nodes.length, trace.series.node);
    this.#held = group(nodes.length, queues.node);
    this.#waiting = this.#queues.sums(queues.node, queues.flow, queues.length, nodes.length);
    this.longest = queues.length.reduce((most, length) => Math.max(most, length), 0);
    this.queued = [...new Set(queues.flow)].sort((a, b) => a - b);
  }

  /** Return how many packets of a flow wait in a node. */
  queue(node: number, flow: number, time: number): number {
    const row = this.#queues.at(node, flow, time);
    return row < 0 ? 0 : this.#trace.queues.length[row];
  }

  /** Return how many packets wait in a node. */
  waiting(node: number, time: number): number {
    const row = lastUpTo(this.#held, node, this.#trace.queues.time_ns, time);
    return row < 0 ? 0 : this.#waiting[row];
  }

  /** Return the next hop on the way to a destination; -1 if there is none. */
  next(node: number, destination: number, time: number): number {
    const row = this.#routes.at(node, destination, time);
    return row < 0 ? -1 : this.#trace.routes.next[row];
  }

  /** Return the nodes on the way of a flow, as far as it is known. */
  way(source: number, destination: number, time: number): number[] {
    const way = [source];
    for (let at = source; at !== destination && way.length <= this.#trace.nodes.length;) {
      at = this.next(at, destination, time);
      if (at < 0 || way.includes(at)) break;
      way.push(at);
    }
    return source < 0 ? [] : way;
  }

  /** Where a node is; between two rows it moves evenly. */
  place(node: number, time: number): Place {
    const { time_ns, x_m, y_m } = this.#trace.positions;
    const row = lastUpTo(this.#moves, node, time_ns, time);
    if (row < 0) {
      const { x_m: x, y_m: y } = this.#trace.nodes[node];
      return { x, y };
    }
    const { first, rows } = this.#moves;
    // The row after it, if there is one.
    let low = first[node];
    for (let high = first[node + 1]; low < high;) {
      const middle = (low + high) >>> 1;
      if (rows[middle] <= row) low = middle + 1;
      else high = middle;
    }
    if (low >= first[node + 1]) return { x: x_m[row], y: y_m[row] };
    const after = rows[low];
    const share = (time - time_ns[row]) / (time_ns[after] - time_ns[row] || 1);
    return {
      x: x_m[row] + share * (x_m[after] - x_m[row]),
      y: y_m[row] + share * (y_m[after] - y_m[row]),
    };
  }

  /** Whether any node moves. */
  get moves(): boolean {
    return this.#trace.positions.rows > this.#trace.nodes.length;
  }

  /** Return the last row of `events` where a node's MAC began or ended with a packet, or -1. */
  service(node: number, time: number): number {
    return lastUpTo(this.#services, node, this.#trace.events.time_ns, time);
  }

  /** Whether a node's MAC has a packet. */
  serves(node: number, time: number): boolean {
    const { event } = this.#trace.events;
    const row = this.service(node, time);
    return row >= 0 && event.words[event.codes[row]] === "service_start";
  }

  /** Return when the parts of a node want to be woken, those that do, the first of them first. */
  timers(node: number, time: number): { timer: string; due: number }[] {
    const { timer, due_ns } = this.#trace.timers;
    return timer.words
      .map((word, code) => ({ timer: word, row: this.#timers.at(node, code, time) }))
      .filter(({ row }) => row >= 0 && due_ns[row] >= 0)
      .map((one) => ({ timer: one.timer, due: due_ns[one.row] }))
      .sort((a, b) => a.due - b.due);
  }

  /** Return what a node's radio did in the interval of `series` at a time, as shares; or null. */
  air(node: number, time: number): { sending: number; receiving: number; busy: number } | null {
    const { time_ns, air_sending, air_receiving, air_busy } = this.#trace.series;
    const row = lastUpTo(this.#shares, node, time_ns, time);
    if (row < 0 || Number.isNaN(air_busy[row])) return null;
    return { sending: air_sending[row], receiving: air_receiving[row], busy: air_busy[row] };
  }

  /** Return the last rows of `events` of a node, the newest first. */
  events(node: number, time: number, most: number): number[] {
    const { first, rows } = this.#events;
    const { time_ns } = this.#trace.events;
    const row = lastUpTo(this.#events, node, time_ns, time);
    if (row < 0) return [];
    let [low, high] = [first[node], first[node + 1]];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (rows[middle] <= row) low = middle + 1;
      else high = middle;
    }
    return Array.from(rows.subarray(Math.max(first[node], low - most), low)).reverse();
  }
}

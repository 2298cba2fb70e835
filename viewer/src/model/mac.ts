/**
 * What a node's MAC does at a moment. A trace says what the node sends, and what becomes of every frame that it
 * hears; what it waits for follows from these, by the rules and the times of its MAC (`mac` in run.json).
 */

import type { Run } from "./run";
import { upTo } from "./search";

/** Times of a MAC, in ns; waits begin behind the end of a frame. */
export interface MacTimes {
  /** Whether receivers answer data. */
  readonly acknowledges: boolean;
  readonly slot_ns: number;
  readonly sifs_ns: number;
  readonly difs_ns: number;
  readonly eifs_ns: number;
  readonly cts_wait_ns: number;
  readonly ack_wait_ns: number;
  /** So much sooner than what a CTS reserves, its data must have come. */
  readonly data_sooner_ns: number;
}

/** In this order, the first that holds: as the meters of air time count. */
export type Doing =
  | "sends" | "receives" | "senses" | "answers" | "awaits" | "reserved" | "defers" | "backs off" | "idle";

export interface MacState {
  readonly doing: Doing;
  /** When that ends if nothing else comes, in ns; NaN if it is not known. */
  readonly until: number;
  /** The row of the frame that it sends, receives, senses, answers, or has sent. */
  readonly row: number;
  /** What it waits for: "link_ack", "cts" or "data". */
  readonly wants: string;
}

/** A frame at a node. */
interface Heard {
  readonly row: number;
  readonly from: number;
  readonly until: number;
  readonly own: boolean;
  readonly decoded: boolean;
  /** Until when the node could have taken it for one that it can read. */
  readonly readable: number;
}

const CONTROL = ["rts", "cts", "link_ack"];
/** A frame arrives some microseconds after it was sent. */
const ON_ITS_WAY_NS = 5_000;

/** A frame at a node, if it reaches it. */
function at(run: Run, node: number, row: number): Heard | null {
  const { frames, receptions } = run.trace;
  const [from, length] = [frames.start_ns[row], frames.length_ns[row]];
  if (frames.sender[row] === node) {
    return { row, from, until: from + length, own: true, decoded: false, readable: from };
  }
  let found: Heard | null = null;
  run.air.heard(row, (where, fate, reception) => {
    if (where !== node) return;
    const until = receptions.end_ns[reception];
    const decoded = fate !== "lost";
    const begin = until - length;
    const cause = receptions.outcome.words[receptions.outcome.codes[reception]];
    const other = cause === "collision" ? run.air.row(receptions.other[reception]) : -1;
    const own = cause === "transmitting" ? nextOwn(run, node, begin) : -1;
    const spoilt = other >= 0 ? frames.start_ns[other] : own >= 0 ? frames.start_ns[own] : begin;
    const readable = decoded ? until : Math.min(until, Math.max(begin, spoilt));
    found = { row, from: begin, until, own: false, decoded, readable };
  });
  if (found) return found;
  run.sensed.by(row, (where) => {
    if (where === node) {
      found = { row, from, until: from + length, own: false, decoded: false, readable: from };
    }
  });
  return found;
}

/** The first frame of a node from a time on, or -1. */
function nextOwn(run: Run, node: number, time: number): number {
  const { sender, start_ns, rows } = run.trace.frames;
  for (let row = upTo(start_ns, time - 1); row < rows && start_ns[row] < time + 1e9; row++) {
    if (sender[row] === node) return row;
  }
  return -1;
}

/** Say what the MAC of a node does. */
export function macState(run: Run, node: number, time: number): MacState {
  const { frames, mac } = run.trace;
  const kind = (row: number): string => frames.class.words[frames.class.codes[row]];
  const heard = around(run, node, time);
  const state = (doing: Doing, until: number, row = -1, wants = ""): MacState =>
    ({ doing, until, row, wants });

  const now = heard.filter(({ from, until }) => from <= time && time < until);
  const own = now.find((one) => one.own);
  if (own) return state("sends", own.until, own.row);
  const readable = now.find((one) => time < one.readable);
  if (readable) return state("receives", readable.until, readable.row);
  if (now.length > 0) return state("senses", Math.max(...now.map(({ until }) => until)), now[0].row);

  const over = heard.filter(({ until }) => until <= time);
  const waits = mac && exchange(run, node, time, over, mac);
  if (waits) return waits;

  const deaf = (end: number): boolean =>
    heard.some((one) => one.own && one.from < end && end < one.until);
  let reserved = 0;
  for (const one of over) {
    if (one.own || frames.receiver[one.row] === node && one.decoded || deaf(one.until)) continue;
    const rest = one.decoded ? frames.reserved_ns[one.row] : mac?.eifs_ns ?? 0;
    reserved = Math.max(reserved, one.until + Math.max(0, rest));
  }
  if (reserved > time) return state("reserved", reserved);

  if (!run.state.serves(node, time)) return state("idle", Number.NaN);
  const free = over.reduce((last, { until }) => Math.max(last, until), reserved);
  if (mac && time < free + mac.difs_ns) return state("defers", free + mac.difs_ns);
  let next = nextOwn(run, node, time);
  while (next >= 0 && ["cts", "link_ack"].includes(kind(next))) {
    next = nextOwn(run, node, frames.start_ns[next] + 1);
  }
  return state("backs off", next < 0 ? Number.NaN : frames.start_ns[next], next);
}

/** The frames at a node that matter at a time, in their order. */
function around(run: Run, node: number, time: number): Heard[] {
  const { frames } = run.trace;
  const rows = run.air.window(time - run.air.holds, time + ON_ITS_WAY_NS);
  const found: Heard[] = [];
  for (let row = rows.first; row < rows.end; row++) {
    if (frames.start_ns[row] > time) break;
    const one = at(run, node, row);
    if (one) found.push(one);
  }
  return found;
}

/** What a node owes or waits for in an exchange of its own. */
function exchange(
  run: Run, node: number, time: number, over: readonly Heard[], mac: MacTimes,
): MacState | null {
  const { frames } = run.trace;
  const kind = (row: number): string => frames.class.words[frames.class.codes[row]];
  const last = over.filter((one) => one.own).at(-1);
  const came = over.filter((one) => one.decoded && frames.receiver[one.row] === node).at(-1);

  // An answer, or data behind a CTS, goes out a short interframe space after what it answers.
  if (came && time < came.until + mac.sifs_ns) {
    const next = nextOwn(run, node, came.until);
    const due = came.until + mac.sifs_ns;
    if (next >= 0 && Math.abs(frames.start_ns[next] - due) < ON_ITS_WAY_NS) {
      return { doing: "answers", until: frames.start_ns[next], row: came.row, wants: kind(next) };
    }
  }
  if (!last || came && came.until > last.until) return null;
  const sent = kind(last.row);
  const [wants, wait] = sent === "rts" ? ["cts", mac.cts_wait_ns]
    : sent === "cts" ? ["data", frames.reserved_ns[last.row] - mac.data_sooner_ns]
    : !CONTROL.includes(sent) && mac.acknowledges && frames.receiver[last.row] >= 0
      ? ["link_ack", mac.ack_wait_ns] : ["", 0];
  const until = last.until + wait;
  return time < until ? { doing: "awaits", until, row: last.row, wants } : null;
}

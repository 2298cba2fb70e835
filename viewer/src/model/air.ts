/** Which frames are on the air when, and what became of them at every radio. */

import type { Trace } from "../data/trace";
import { find, group, upTo, type Groups } from "./search";

/** What a reception came to. */
export type Fate = "decoded" | "overheard" | "lost";

export function fateOf(outcome: string): Fate {
  return outcome === "decoded" || outcome === "overheard" ? outcome : "lost";
}

export class Air {
  /** The receptions of each frame, by the frame's row. */
  readonly receptions: Groups;
  /** The fate of each reception's outcome, by the outcome's code. */
  readonly fates: readonly Fate[];
  /** The row of each reception's frame; -1 if that is missing. */
  readonly rowOf: Int32Array;
  readonly #trace: Trace;
  /** How long the longest frame is on the air, in ns. */
  readonly longest: number;
  /** How long before a moment a frame may have begun that matters then: it lasts, or the medium is reserved. */
  readonly holds: number;

  constructor(trace: Trace) {
    this.#trace = trace;
    const { frames, receptions } = trace;
    this.longest = frames.length_ns.reduce((most, length) => Math.max(most, length), 0);
    const reserved = frames.reserved_ns.reduce((most, rest) => Math.max(most, rest), 0);
    this.holds = this.longest + Math.max(reserved, trace.mac?.eifs_ns ?? 0, trace.mac?.ack_wait_ns ?? 0);
    this.rowOf = new Int32Array(receptions.rows);
    let guess = 0;
    for (let i = 0; i < receptions.rows; i++) {
      // What is told together stands together, so the last one's row is a good guess.
      const id = receptions.frame[i];
      if (frames.frame[guess] !== id) guess = Math.max(0, find(frames.frame, id));
      this.rowOf[i] = frames.frame[guess] === id ? guess : -1;
    }
    this.receptions = group(frames.rows, this.rowOf);
    this.fates = receptions.outcome.words.map(fateOf);
  }

  /** Return the row of a frame by its number, or -1. */
  row(frame: number): number {
    return find(this.#trace.frames.frame, frame);
  }

  /** Fill `into` with frames that are on the air between two times, the latest ones if too many. */
  during(from: number, to: number, into: Uint32Array): number {
    const { start_ns, length_ns } = this.#trace.frames;
    const first = upTo(start_ns, from - this.longest - 1);
    let count = 0;
    for (let row = upTo(start_ns, to) - 1; row >= first && count < into.length; row--) {
      if (start_ns[row] + length_ns[row] > from || start_ns[row] >= from) into[count++] = row;
    }
    return count;
  }

  /** The rows of the frames that began between two times. */
  window(from: number, to: number): { first: number; end: number } {
    const { start_ns } = this.#trace.frames;
    return { first: upTo(start_ns, from), end: upTo(start_ns, to) };
  }

  /** Fill `into` with frames of a span of time; if they are too many, with every so many-th. */
  sample(from: number, to: number, into: Uint32Array): number {
    const { start_ns } = this.#trace.frames;
    const first = upTo(start_ns, from - this.longest - 1);
    const rows = upTo(start_ns, to) - first;
    if (rows <= into.length) return this.during(from, to, into);
    // Multiples of the step, so that the same frames stay while the span moves on.
    const step = Math.ceil(rows / into.length);
    let count = 0;
    for (let row = Math.ceil(first / step) * step; row < first + rows; row += step) {
      if (count < into.length) into[count++] = row;
    }
    return count;
  }

  /** Call for every reception of a frame. */
  heard(row: number, what: (node: number, fate: Fate, reception: number) => void): void {
    const { node, outcome } = this.#trace.receptions;
    const { first, rows } = this.receptions;
    for (let i = first[row]; i < first[row + 1]; i++) {
      what(node[rows[i]], this.fates[outcome.codes[rows[i]]], rows[i]);
    }
  }

  /** Return the start of the first frame after `time`, or NaN. */
  next(time: number): number {
    const { start_ns } = this.#trace.frames;
    const at = upTo(start_ns, time);
    return at < start_ns.length ? start_ns[at] : Number.NaN;
  }

  /** Return the start of the last frame that began before `time`, or NaN. */
  previous(time: number): number {
    const { start_ns } = this.#trace.frames;
    let at = upTo(start_ns, time) - 1;
    while (at >= 0 && start_ns[at] >= time) at--;
    return at >= 0 ? start_ns[at] : Number.NaN;
  }
}

/** Every loss of a run, on the air and in the nodes, in the order of time. */

import type { Trace } from "../data/trace";
import type { Air } from "./air";
import { upTo } from "./search";
import { HELD_BACK, REFUSAL } from "./words";

/** How much a loss matters. */
export const BYSTANDER = 0; // a radio for which the frame was not meant
export const MINOR = 1; // nothing in the network: its source had no room, or a copy was not needed
export const MISSED = 2; // the radio that the frame was meant for
export const DROPPED = 3; // a packet is given up

/** Causes that are a refusal where the packet comes from, and a loss elsewhere. */
const FULL = ["queue_full", "source_buffer_full"];
/** Causes of copies that are not needed: another one has arrived, or others have passed it on. */
const NEEDLESS = ["duplicate", ...HELD_BACK];

export class Losses {
  readonly time: Float64Array;
  readonly node: Int32Array;
  readonly flow: Int32Array;
  /** One of the above; from `MISSED` on it is a loss in the network. */
  readonly weight: Uint8Array;
  readonly cause: Uint8Array;
  readonly causes: string[] = [];
  /** The frame's row, or the row of the drop. */
  readonly row: Int32Array;

  constructor(trace: Trace, air: Air) {
    const { receptions, frames, drops } = trace;
    const lost = (i: number): boolean =>
      air.fates[receptions.outcome.codes[i]] === "lost" && air.rowOf[i] >= 0;
    let count = drops.rows;
    for (let i = 0; i < receptions.rows; i++) if (lost(i)) count++;
    const found = {
      time: new Float64Array(count), node: new Int32Array(count), flow: new Int32Array(count),
      weight: new Uint8Array(count), cause: new Uint8Array(count), row: new Int32Array(count),
    };
    const [outcomes, causes] = [this.#codes(receptions.outcome.words), this.#codes(drops.cause.words)];
    const refusals = this.#codes(drops.cause.words.map((word) => `${REFUSAL}${word}`));
    const sources = new Map(trace.flows.map(({ flow, source }) => [flow, source]));
    let at = 0;
    for (let i = 0; i < receptions.rows; i++) {
      if (!lost(i)) continue;
      const frame = air.rowOf[i];
      found.time[at] = receptions.end_ns[i];
      found.node[at] = receptions.node[i];
      found.flow[at] = frames.flow[frame];
      found.weight[at] = frames.receiver[frame] === receptions.node[i] ? MISSED : BYSTANDER;
      found.cause[at] = outcomes[receptions.outcome.codes[i]];
      found.row[at++] = frame;
    }
    for (let i = 0; i < drops.rows; i++) {
      found.time[at] = drops.time_ns[i];
      found.node[at] = drops.node[i];
      found.flow[at] = drops.flow[i];
      const refused = sources.get(drops.flow[i]) === drops.node[i]
        && FULL.includes(drops.cause.words[drops.cause.codes[i]]);
      const minor = refused || NEEDLESS.includes(drops.cause.words[drops.cause.codes[i]]);
      found.weight[at] = minor ? MINOR : DROPPED;
      found.cause[at] = (refused ? refusals : causes)[drops.cause.codes[i]];
      found.row[at++] = i;
    }
    const order = Uint32Array.from({ length: count }, (_, i) => i)
      .sort((a, b) => found.time[a] - found.time[b]);
    const sorted = <T extends Float64Array | Int32Array | Uint8Array>(from: T): T => {
      const into = from.slice() as T;
      for (let i = 0; i < count; i++) into[i] = from[order[i]];
      return into;
    };
    this.time = sorted(found.time);
    this.node = sorted(found.node);
    this.flow = sorted(found.flow);
    this.weight = sorted(found.weight);
    this.cause = sorted(found.cause);
    this.row = sorted(found.row);
  }

  /** Number the words, each once in the whole run. */
  #codes(words: readonly string[]): number[] {
    return words.map((word) => {
      const known = this.causes.indexOf(word);
      return known >= 0 ? known : this.causes.push(word) - 1;
    });
  }

  /** Return the first loss after `time`, of one cause or of any in the network, or -1. */
  next(time: number, cause = ""): number {
    for (let i = upTo(this.time, time); i < this.time.length; i++) {
      if (this.#counts(i, cause)) return i;
    }
    return -1;
  }

  /** Return the last such loss before `time`, or -1. */
  previous(time: number, cause = ""): number {
    for (let i = upTo(this.time, time) - 1; i >= 0; i--) {
      if (this.time[i] < time && this.#counts(i, cause)) return i;
    }
    return -1;
  }

  /** Count what matters by cause, the most frequent first, refusals last. */
  counts(): { cause: string; count: number }[] {
    const found = new Map<string, number>();
    for (let i = 0; i < this.time.length; i++) {
      if (this.weight[i] === BYSTANDER) continue;
      const cause = this.causes[this.cause[i]];
      found.set(cause, (found.get(cause) ?? 0) + 1);
    }
    const refusal = (cause: string): number => Number(cause.startsWith(REFUSAL));
    return [...found].map(([cause, count]) => ({ cause, count }))
      .sort((a, b) => refusal(a.cause) - refusal(b.cause) || b.count - a.count);
  }

  #counts(at: number, cause: string): boolean {
    return cause
      ? this.weight[at] !== BYSTANDER && this.causes[this.cause[at]] === cause
      : this.weight[at] >= MISSED;
  }
}

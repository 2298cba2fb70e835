/** What happened in an interval, in sums: for replays so fast that single frames are no picture. */

import type { Run } from "./run";
import { group, upTo, type Groups } from "./search";

/** At greater speeds than this the map shows sums. */
const FAST = 100;
/** Of how much of the reader's time the sums are, in seconds. */
const SPAN_S = 0.1;

/** A pair of nodes, the second of which got frames of the first. */
export interface Used {
  readonly from: number;
  readonly to: number;
  readonly frames: number;
}

/** Frames of each node, in the order of time, and for how long until each the node was busy with them. */
class Spent {
  readonly #sums: Float64Array;

  /** `nodes` and `rows` say which node is busy with which frame, in the order of the frames. */
  constructor(
    private readonly groups: Groups, private readonly rows: Uint32Array,
    private readonly start: Float64Array, length: Float64Array,
  ) {
    this.#sums = new Float64Array(groups.rows.length + 1);
    for (let g = 0; g + 1 < groups.first.length; g++) {
      let last = 0;
      for (let i = groups.first[g]; i < groups.first[g + 1]; i++) {
        const row = rows[groups.rows[i]];
        const end = start[row] + length[row];
        // Where frames overlap, the node is busy once.
        this.#sums[i + 1] = this.#sums[i] + Math.max(0, end - Math.max(start[row], last));
        last = Math.max(last, end);
      }
    }
  }

  /** How long a node was busy with frames that began between two times. */
  during(node: number, from: number, to: number): number {
    return this.#sums[this.#upTo(node, to)] - this.#sums[this.#upTo(node, from)];
  }

  #upTo(node: number, time: number): number {
    const { first, rows } = this.groups;
    let [low, high] = [first[node], first[node + 1]];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.start[this.rows[rows[middle]]] <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export class Lapse {
  readonly #sent: Spent;
  readonly #heard: Spent;
  readonly #pairs: readonly { readonly from: number; readonly to: number; readonly starts: Float64Array }[];

  constructor(run: Run) {
    const { air, trace: { frames, receptions, nodes } } = run;
    const all = Uint32Array.from({ length: frames.rows }, (_, row) => row);
    this.#sent = new Spent(group(nodes.length, frames.sender), all, frames.start_ns, frames.length_ns);
    const [rows, at] = [new Uint32Array(receptions.rows), new Int32Array(receptions.rows)];
    const [codes, known] = [new Int32Array(receptions.rows).fill(-1), new Map<number, number>()];
    let count = 0;
    for (let row = 0; row < frames.rows; row++) {
      air.heard(row, (node, fate) => {
        [rows[count], at[count]] = [row, node];
        if (fate === "decoded") {
          const pair = frames.sender[row] * nodes.length + node;
          const code = known.get(pair) ?? known.size;
          known.set(pair, code);
          codes[count] = code;
        }
        count++;
      });
    }
    this.#heard = new Spent(group(nodes.length, at.subarray(0, count)), rows, frames.start_ns, frames.length_ns);
    const { first, rows: places } = group(known.size, codes);
    this.#pairs = [...known].map(([pair, code]) => ({
      from: Math.floor(pair / nodes.length), to: pair % nodes.length,
      starts: Float64Array.from(places.subarray(first[code], first[code + 1]), (place) => frames.start_ns[rows[place]]),
    }));
  }

  /** For which share of a span a node sent, and for which it heard others, decoded or not. */
  shares(node: number, from: number, to: number): { sent: number; heard: number } {
    const share = (spent: Spent): number => Math.min(1, spent.during(node, from, to) / Math.max(1, to - from));
    return { sent: share(this.#sent), heard: share(this.#heard) };
  }

  /** Who got frames of whom in a span, and how many. */
  used(from: number, to: number): Used[] {
    const found: Used[] = [];
    for (const { from: sender, to: node, starts } of this.#pairs) {
      const frames = upTo(starts, to) - upTo(starts, from);
      if (frames > 0) found.push({ from: sender, to: node, frames });
    }
    return found;
  }
}

const known = new WeakMap<Run, Lapse>();

/** The sums of a run, made when they are first asked for. */
export function lapseOf(run: Run): Lapse {
  const found = known.get(run) ?? new Lapse(run);
  known.set(run, found);
  return found;
}

/** The span that is shown in sums at a speed, in ns of the run; 0 where single frames are shown. */
export function lapseSpan(speed: number): number {
  return speed > FAST ? speed * SPAN_S * 1e9 : 0;
}

/** Shares of time that a medium is busy differ by these, from each on. */
export const BUSY = [0, 0.05, 0.1, 0.25, 0.4] as const;

/** The class of a share, by its place in `BUSY`. */
export function busyClass(share: number): number {
  return upTo(BUSY, share) - 1;
}

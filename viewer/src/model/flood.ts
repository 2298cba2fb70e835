/** The way of one message through the network: who got it first from whom, who passed it on, who held back, who missed it. */

import type { Run } from "./run";
import { group, upTo, type Groups } from "./search";
import { HELD_BACK } from "./words";

/** A packet of a flow, and the frames that carried it. */
export interface Message {
  /** "flow:packet", as `multihop explain --packet` has it. */
  readonly key: string;
  readonly flow: number;
  readonly packet: number;
  /** When its first frame began. */
  readonly time: number;
  readonly source: number;
  /** The rows of its frames, in the order of time. */
  readonly rows: Uint32Array;
}

/** A node that got a message. */
export interface Arrival {
  readonly node: number;
  /** When it had all of the first copy. */
  readonly time: number;
  /** Who sent that copy; -1 where the message began. */
  readonly from: number;
  /** Over how many hops it came; 0 where it began. */
  readonly hop: number;
}

export interface Flood extends Message {
  /** In the order of time, the source first. */
  readonly arrivals: readonly Arrival[];
  /** By node: when it first sent it. */
  readonly relayed: ReadonlyMap<number, number>;
  /** By node: when it gave up its relay, and never sent one. */
  readonly held: ReadonlyMap<number, { readonly time: number; readonly cause: string }>;
  /** The nodes that never got it, with how many copies were lost there. */
  readonly missed: ReadonlyMap<number, number>;
  /** Those that got it by hops, from the first hop on, and when the last of those had it, and all of fewer hops. */
  readonly waves: readonly { readonly nodes: readonly number[]; readonly time: number }[];
  /** When its last frame ended. */
  readonly end: number;
}

/** One number for a flow and a packet; -1 if it is none. */
function codeOf(flow: number, packet: number): number {
  return flow < 0 || packet < 0 ? -1 : flow * 2 ** 32 + packet;
}

/** All messages of a run. */
export class Messages {
  /** Those that a frame for everyone carried, in the order of their first frames. */
  readonly floods: readonly Message[];
  readonly #run: Run;
  readonly #all: readonly Message[];
  readonly #times: Float64Array;
  readonly #places: ReadonlyMap<number, number>;
  /** Rows of drops by message. */
  #drops: Groups | undefined;
  readonly #known = new Map<Message, Flood>();

  constructor(run: Run) {
    this.#run = run;
    const { flow, packet, receiver, sender, start_ns } = run.trace.frames;
    const places = new Map<number, number>();
    const at = Int32Array.from(flow, (one, row) => {
      const code = codeOf(one, packet[row]);
      if (code < 0) return -1;
      const place = places.get(code) ?? places.size;
      places.set(code, place);
      return place;
    });
    const { first, rows } = group(places.size, at);
    this.#places = places;
    this.#all = Array.from({ length: places.size }, (_, place) => {
      const own = rows.subarray(first[place], first[place + 1]);
      const [row] = own;
      return {
        key: `${flow[row]}:${packet[row]}`, flow: flow[row], packet: packet[row],
        time: start_ns[row], source: sender[row], rows: own,
      };
    });
    this.floods = this.#all.filter((one) => one.rows.some((row) => receiver[row] < 0));
    this.#times = Float64Array.from(this.floods, ({ time }) => time);
  }

  /** The message of a frame; undefined if it carries none. */
  ofFrame(row: number): Message | undefined {
    const { flow, packet } = this.#run.trace.frames;
    return this.#all[this.#places.get(codeOf(flow[row], packet[row])) ?? -1];
  }

  /** The message with a key; undefined if no frame carried one. */
  of(key: string): Message | undefined {
    const [flow, packet] = key.split(":").map(Number);
    return this.#all[this.#places.get(codeOf(flow, packet)) ?? -1];
  }

  /** The last floods that began up to a time, of one flow or (-1) of all, the newest first. */
  upTo(time: number, flow: number, most: number): Message[] {
    const found: Message[] = [];
    for (let at = upTo(this.#times, time) - 1; at >= 0 && found.length < most; at--) {
      if (flow < 0 || this.floods[at].flow === flow) found.push(this.floods[at]);
    }
    return found;
  }

  /** The flood after (1) or before (-1) a message or, if there is none, a time; undefined behind the last. */
  step(by: 1 | -1, from: Message | undefined, time: number, flow: number): Message | undefined {
    const here = from ? this.floods.indexOf(from) : upTo(this.#times, time) - (by > 0 ? 1 : 0);
    for (let at = here + by; at >= 0 && at < this.floods.length; at += by) {
      if (flow < 0 || this.floods[at].flow === flow) return this.floods[at];
    }
    return undefined;
  }

  /** What became of a message. */
  flood(message: Message): Flood {
    const flood = this.#known.get(message) ?? this.#follow(message);
    this.#known.set(message, flood);
    return flood;
  }

  #follow(message: Message): Flood {
    const { air, trace: { frames, receptions, nodes } } = this.#run;
    const copies: { node: number; time: number; from: number }[] = [];
    const lost = new Map<number, number>();
    const relayed = new Map<number, number>();
    let end = 0;
    for (const row of message.rows) {
      const from = frames.sender[row];
      if (from !== message.source && !relayed.has(from)) relayed.set(from, frames.start_ns[row]);
      end = Math.max(end, frames.start_ns[row] + frames.length_ns[row]);
      air.heard(row, (node, fate, reception) => {
        if (fate === "decoded") copies.push({ node, from, time: receptions.end_ns[reception] });
        else if (fate === "lost") lost.set(node, (lost.get(node) ?? 0) + 1);
      });
    }
    const arrivals = new Map<number, Arrival>();
    arrivals.set(message.source, { node: message.source, time: message.time, from: -1, hop: 0 });
    for (const copy of copies.sort((a, b) => a.time - b.time)) {
      if (arrivals.has(copy.node)) continue;
      arrivals.set(copy.node, { ...copy, hop: (arrivals.get(copy.from)?.hop ?? 0) + 1 });
    }
    const missed = nodes.filter(({ node }) => !arrivals.has(node)).map(({ node }) => [node, lost.get(node) ?? 0] as const);
    return {
      ...message, relayed, end, arrivals: [...arrivals.values()], held: this.#held(message, relayed),
      missed: new Map(missed), waves: wavesOf([...arrivals.values()]),
    };
  }

  /** Who gave up its relay of a message and sent none. */
  #held({ flow, packet }: Message, relayed: ReadonlyMap<number, number>): Flood["held"] {
    const { drops } = this.#run.trace;
    const placeOf = (one: number, number: number): number => this.#places.get(codeOf(one, number)) ?? -1;
    this.#drops ??= group(this.#all.length, Int32Array.from(drops.flow, (one, row) => placeOf(one, drops.packet[row])));
    const [{ first, rows }, place] = [this.#drops, placeOf(flow, packet)];
    const found = new Map<number, { time: number; cause: string }>();
    for (const row of rows.subarray(first[place], first[place + 1])) {
      const [node, cause] = [drops.node[row], drops.cause.words[drops.cause.codes[row]]];
      if (HELD_BACK.includes(cause) && !relayed.has(node)) found.set(node, { time: drops.time_ns[row], cause });
    }
    return found;
  }
}

function wavesOf(arrivals: readonly Arrival[]): Flood["waves"] {
  const hops = arrivals.reduce((most, { hop }) => Math.max(most, hop), 0);
  let time = 0;
  return Array.from({ length: hops }, (_, at) => {
    const own = arrivals.filter(({ hop }) => hop === at + 1);
    time = own.reduce((last, one) => Math.max(last, one.time), time);
    return { nodes: own.map(({ node }) => node), time };
  });
}

const known = new WeakMap<Run, Messages>();

/** The messages of a run, found when they are first asked for. */
export function messagesOf(run: Run): Messages {
  const found = known.get(run) ?? new Messages(run);
  known.set(run, found);
  return found;
}

/** What became of the message with a key; null for no such message. */
export function floodOf(run: Run, key: string): Flood | null {
  if (!key) return null;
  const message = messagesOf(run).of(key);
  return message ? messagesOf(run).flood(message) : null;
}

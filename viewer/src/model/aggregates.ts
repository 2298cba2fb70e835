/** Frames that carry several packets (A-MPDU), what their receivers say of them, and the rates of frames. */

import type { Trace } from "../data/trace";
import { find, group, type Groups } from "./search";

/** A sender repeats packets of an aggregate with its next frames: later ones are not looked through, in ns. */
const SOON_NS = 200e6;
/** Answers begin that soon after the end of a frame, in ns, if the MAC's times are not known. */
const SIFS_NS = 16e3;
const SLACK_NS = 10e3;

/** A packet of an aggregate. */
export interface Mpdu {
  readonly flow: number;
  /** Its number in its flow, or -1. */
  readonly packet: number;
  readonly class: string;
  readonly bytes: number;
  /** The row of the next frame that carries it to the same receiver: it had not arrived, or not been acknowledged. */
  readonly again: number;
}

export class Aggregates {
  /** The rates of frames in bit/s, from the slowest on; none where the medium does not say. */
  readonly rates: readonly number[];
  readonly #trace: Trace;
  /** The packets of each frame, by the frame's row. */
  readonly #packets: Groups;

  constructor(trace: Trace) {
    this.#trace = trace;
    const { frames, mpdus } = trace;
    this.#packets = group(frames.rows, Int32Array.from(mpdus.frame, (frame) => find(frames.frame, frame)));
    this.rates = [...new Set(frames.rate_bit_s)].filter((rate) => rate > 0).sort((a, b) => a - b);
  }

  /** How many packets a frame carries in an aggregate; 0 if it is none. */
  count(row: number): number {
    return this.#packets.first[row + 1] - this.#packets.first[row];
  }

  /** The packets of an aggregate, in their order. */
  of(row: number): readonly Mpdu[] {
    const { mpdus } = this.#trace;
    return [...this.#rows(row)].map((at) => ({
      flow: mpdus.flow[at], packet: mpdus.packet[at], class: mpdus.class.words[mpdus.class.codes[at]],
      bytes: mpdus.bytes[at], again: this.#again(row, mpdus.sequence[at], mpdus.flow[at], mpdus.packet[at]),
    }));
  }

  /** The row of the frame that answers another one, or -1: it begins a short interframe space behind its end. */
  answer(row: number): number {
    const { frames, mac } = this.#trace;
    const end = frames.start_ns[row] + frames.length_ns[row];
    const until = end + (mac?.sifs_ns ?? SIFS_NS) + SLACK_NS;
    for (let other = row + 1; other < frames.rows && frames.start_ns[other] <= until; other++) {
      const back = frames.sender[other] === frames.receiver[row] && frames.receiver[other] === frames.sender[row];
      if (back && frames.start_ns[other] >= end && this.#isAnswer(other)) return other;
    }
    return -1;
  }

  /** The row of the frame that this one answers, or -1. */
  answered(row: number): number {
    if (!this.#isAnswer(row)) return -1;
    const { frames } = this.#trace;
    for (let other = row - 1; other >= 0 && frames.start_ns[row] - frames.start_ns[other] <= SOON_NS; other--) {
      if (this.answer(other) === row) return other;
    }
    return -1;
  }

  #rows(row: number): Uint32Array {
    const { first, rows } = this.#packets;
    return rows.subarray(first[row], first[row + 1]);
  }

  #isAnswer(row: number): boolean {
    const { class: words } = this.#trace.frames;
    return ["block_ack", "link_ack"].includes(words.words[words.codes[row]]);
  }

  /** The next frame of the same sender for the same receiver that carries this packet, or -1. */
  #again(row: number, sequence: number, flow: number, packet: number): number {
    const { frames, mpdus } = this.#trace;
    for (let other = row + 1; other < frames.rows; other++) {
      if (frames.start_ns[other] - frames.start_ns[row] > SOON_NS) return -1;
      if (frames.sender[other] !== frames.sender[row] || frames.receiver[other] !== frames.receiver[row]) continue;
      const alone = packet >= 0 && frames.flow[other] === flow && frames.packet[other] === packet;
      if (alone || [...this.#rows(other)].some((at) => mpdus.sequence[at] === sequence)) return other;
    }
    return -1;
  }
}

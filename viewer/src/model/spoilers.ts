/** Who spoils whose frames, and how the sender of a lost frame hears the node that destroyed it. */

import { MISSED } from "./losses";
import type { Run } from "./run";
import { durationWords } from "./words";

/** How a sender hears the node whose frame destroyed its own one. */
export type Relation = "hidden" | "unread" | "near" | "receiver" | "unknown";

export const RELATIONS: Record<Relation, string> = {
  hidden: "hidden", unread: "sensed, not decodable", near: "in range", receiver: "the receiver itself",
  unknown: "unknown",
};

/** A pair that does harm: frames of `sender` for `receiver` that frames of `by` destroyed. */
export interface Spoiler {
  readonly sender: number;
  readonly receiver: number;
  readonly by: number;
  readonly relation: Relation;
  /** When each was lost. */
  readonly times: number[];
}

/** Say how the sender of a frame hears that of another one: as the trace says or, where nodes move, as places do. */
export function relation(run: Run, row: number, other: number): Relation {
  const { frames, hears, range_m, sense_m } = run.trace;
  const [sender, by, time] = [frames.sender[row], frames.sender[other], frames.start_ns[other]];
  if (by === frames.receiver[row]) return "receiver";
  if (hears) {
    const heard = hears[sender]?.get(by);
    return !heard ? "hidden" : heard.decodes ? "near" : "unread";
  }
  if (!(sense_m > 0)) return "unknown";
  const [here, there] = [run.state.place(sender, time), run.state.place(by, time)];
  const apart = Math.hypot(here.x - there.x, here.y - there.y);
  if (apart > sense_m) return "hidden";
  return apart > range_m ? "unread" : "near";
}

/** The row of the frame that destroyed another one where that was meant to go, or -1. */
export function destroyer(run: Run, row: number): number {
  const { frames, receptions } = run.trace;
  let other = -1;
  run.air.heard(row, (node, fate, reception) => {
    if (node === frames.receiver[row] && fate === "lost") other = receptions.other[reception];
  });
  return other < 0 ? -1 : run.air.row(other);
}

/** Say why a frame was lost to another one; "" where no other one did it. */
export function reasonWords(run: Run, row: number): string {
  const other = destroyer(run, row);
  if (other < 0) return "";
  const { frames, nodes } = run.trace;
  const name = (node: number): string => nodes[node]?.label ?? `n${node}`;
  const [sender, by] = [name(frames.sender[row]), name(frames.sender[other])];
  const later = frames.start_ns[other] - frames.start_ns[row];
  const when = `${by} began ${durationWords(Math.abs(later))} ${later < 0 ? "earlier" : "later"}`;
  switch (relation(run, row, other)) {
    case "hidden": return `${when}, and neither ${by} nor ${sender} senses the other: they are hidden from each other`;
    case "unread": return `${when}; ${sender} and ${by} sense each other, but are too far apart to read what reserves the medium`;
    case "near": return `${when}, in range of ${sender}: both had waited for the same moment, or could not wait`;
    case "receiver": return `${by} was sending itself, and hears nothing then`;
    case "unknown": return when;
  }
}

const known = new WeakMap<Run, readonly Spoiler[]>();

/** The pairs that do harm in a run, the worst first. */
export function spoilers(run: Run): readonly Spoiler[] {
  const found = known.get(run) ?? find(run);
  known.set(run, found);
  return found;
}

function find(run: Run): Spoiler[] {
  const { losses, trace: { frames } } = run;
  const found = new Map<string, Spoiler>();
  for (let i = 0; i < losses.time.length; i++) {
    if (losses.weight[i] !== MISSED) continue;
    const row = losses.row[i];
    const other = destroyer(run, row);
    if (other < 0) continue;
    const [sender, receiver, by] = [frames.sender[row], frames.receiver[row], frames.sender[other]];
    const key = `${sender} ${receiver} ${by}`;
    const one = found.get(key)
      ?? { sender, receiver, by, relation: relation(run, row, other), times: [] };
    one.times.push(losses.time[i]);
    found.set(key, one);
  }
  return [...found.values()].sort((a, b) => b.times.length - a.times.length);
}

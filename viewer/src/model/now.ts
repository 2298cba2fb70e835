/** What happens at a moment, in words: the map for those who read it, and who cannot see it. */

import { lapseOf } from "./lapse";
import { DROPPED, MINOR, MISSED } from "./losses";
import { macState } from "./mac";
import type { Run } from "./run";
import { upTo } from "./search";
import { causeWords, classWords, durationWords, spanWords } from "./words";

export interface Happening {
  readonly kind: "frame" | "lost" | "dropped";
  readonly flow: number;
  /** The row of the frame, or -1. */
  readonly row: number;
  readonly node: number;
  readonly text: string;
}

const name = (run: Run, node: number): string =>
  node < 0 ? "all" : run.trace.nodes[node]?.label ?? `n${node}`;

/** Say what a frame is: "data 41 from n3 to n4". */
export function frameWords(run: Run, row: number): string {
  const { frames } = run.trace;
  const kind = classWords(frames.class.words[frames.class.codes[row]]);
  const packet = frames.packet[row] >= 0 ? ` ${frames.packet[row]}` : "";
  return `${kind}${packet} from ${name(run, frames.sender[row])} to ${name(run, frames.receiver[row])}`;
}

/** Say what becomes of a frame where it was meant to go; "" if that is nowhere. */
export function fateWords(run: Run, row: number): string {
  const { frames, receptions } = run.trace;
  let words = "";
  run.air.heard(row, (node, _, reception) => {
    if (node !== frames.receiver[row]) return;
    const outcome = receptions.outcome.words[receptions.outcome.codes[reception]];
    const other = run.air.row(receptions.other[reception]);
    const who = receptions.other[reception] >= 0 && other >= 0
      ? ` with ${name(run, frames.sender[other])}` : "";
    words = outcome === "decoded" ? "" : `${causeWords(outcome)}${who}`;
  });
  return words;
}

/** How many frames and how many losses are said at once. */
const MOST = 6;
/** Of how many nodes sums are said. */
const BUSIEST = 4;

/** List the frames on the air, and the losses since `since`. */
export function happenings(run: Run, time: number, since: number, most = MOST): Happening[] {
  const { frames, drops } = run.trace;
  const { losses } = run;
  const rows = new Uint32Array(most);
  const count = run.air.during(time, time, rows);
  const found: Happening[] = [...rows.subarray(0, count)].reverse().map((row) => {
    const lost = fateWords(run, row);
    return {
      kind: "frame", flow: frames.flow[row], row, node: frames.sender[row],
      text: `${frameWords(run, row)}${lost && ` – will be lost: ${lost}`}`,
    };
  });
  for (let i = upTo(losses.time, time) - 1; i >= 0 && losses.time[i] >= since; i--) {
    if (found.length >= count + most) break;
    const cause = causeWords(losses.causes[losses.cause[i]]);
    const [flow, node, row] = [losses.flow[i], losses.node[i], losses.row[i]];
    const where = name(run, node);
    if (losses.weight[i] === MISSED) {
      const text = `${frameWords(run, row)} is lost: ${fateWords(run, row) || cause}`;
      found.push({ kind: "lost", flow, row, node, text });
    } else if (losses.weight[i] === DROPPED) {
      const packet = drops.packet[row] >= 0 ? `packet ${drops.packet[row]}` : "a packet";
      found.push({ kind: "dropped", flow, row: -1, node, text: `${where} gives up ${packet}: ${cause}` });
    }
  }
  return found;
}

/** Say what happened in a span of time: how many frames and losses, and which nodes were busiest. */
export function sumWords(run: Run, from: number, to: number): string[] {
  const { losses, trace: { nodes } } = run;
  const { first, end } = run.air.window(from, to);
  let lost = 0;
  for (let i = upTo(losses.time, from); i < upTo(losses.time, to); i++) if (losses.weight[i] !== MINOR) lost++;
  const busiest = nodes
    .map(({ node }) => ({ node, ...lapseOf(run).shares(node, from, to) }))
    .sort((a, b) => b.sent + b.heard - a.sent - a.heard)
    .filter(({ sent, heard }) => sent + heard > 0)
    .slice(0, BUSIEST);
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  return [
    `${end - first} frames in the last ${spanWords(to - from)}, with ${lost} losses at nodes`,
    ...busiest.map(({ node, sent, heard }) => `${name(run, node)} sent ${percent(sent)} of it, and heard others ${percent(heard)}`),
  ];
}

/** What a node's radio does at a moment. */
export function radioWords(run: Run, node: number, time: number): string {
  const { frames } = run.trace;
  const rows = new Uint32Array(200);
  const count = run.air.during(time, time, rows);
  let heard = "";
  for (const row of rows.subarray(0, count)) {
    if (frames.sender[row] === node) return `sends ${frameWords(run, row)}`;
    run.air.heard(row, (at, fate) => {
      if (at !== node) return;
      const what = frameWords(run, row);
      if (fate === "lost") heard = `receives ${what}, which is spoilt`;
      else if (!heard) heard = `receives ${what}`;
    });
    run.sensed.by(row, (at) => {
      if (at === node && !heard) heard = `senses ${frameWords(run, row)}`;
    });
  }
  return heard || "hears nothing";
}

/** What a node's MAC does, and for how long still. */
export function macWords(run: Run, node: number, time: number): string {
  const { doing, until, row, wants } = macState(run, node, time);
  const rest = Number.isFinite(until) ? ` for another ${durationWords(until - time)}` : "";
  const soon = Number.isFinite(until) ? ` in ${durationWords(until - time)}` : "";
  switch (doing) {
    case "sends": return `sends${rest}`;
    case "receives": return `receives${rest}`;
    case "senses": return `finds the medium busy${rest}`;
    case "answers": return `sends ${classWords(wants)}${soon}: a short interframe space (SIFS) after ${frameWords(run, row)}`;
    case "awaits": return `waits for ${classWords(wants)} to ${frameWords(run, row)}${rest}`;
    case "reserved": return `keeps quiet, as the medium is reserved (NAV, EIFS)${rest}`;
    case "defers": return `waits until the medium has been free for DIFS${rest}`;
    case "backs off": return `backs off${row >= 0 ? `, and will send ${frameWords(run, row)}${soon}` : ""}`;
    case "idle": return "has nothing to send";
  }
}

/** The packet that a node's MAC has: which, since when, and how often it was sent; "" if it has none. */
export function serviceWords(run: Run, node: number, time: number): string {
  if (!run.state.serves(node, time)) return "";
  const { events, frames } = run.trace;
  const row = run.state.service(node, time);
  const packet = events.packet[row] >= 0 ? `packet ${events.packet[row]}` : "a packet";
  let sent = 0;
  const { first, end } = run.air.window(events.time_ns[row] - 1, time);
  for (let i = first; i < end; i++) {
    const kind = frames.class.words[frames.class.codes[i]];
    if (frames.sender[i] === node && !["cts", "link_ack"].includes(kind)) sent++;
  }
  const times = sent === 1 ? "once" : `${sent} times`;
  return `${packet} for ${durationWords(time - events.time_ns[row])}, on the air ${sent ? times : "not yet"}`;
}

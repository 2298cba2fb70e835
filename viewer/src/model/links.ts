/** Who hears whom, and how strongly: a link for each pair of nodes, and how it is said. */

import type { Hearing, Trace } from "../data/trace";
import { upTo } from "./search";

/** A pair of nodes of which at least one decodes the other's frames. */
export interface Link {
  /** Whose frames the other one decodes. */
  readonly from: number;
  readonly to: number;
  /** Whether it is so in both directions. */
  readonly both: boolean;
  /** The signal in dBm of the direction that is decoded, of the weaker one if both are; NaN if the trace does not say. */
  readonly dbm: number;
}

/** A node that another one hears, or that hears it. */
export interface Neighbour {
  readonly node: number;
  /** How it is heard; undefined if it is not. */
  readonly heard: Hearing | undefined;
  /** How it hears. */
  readonly hears: Hearing | undefined;
}

/** Links differ by how far their signal is above the least that is decoded: from so many dB on. */
export const MARGINS = [0, 3, 6, 12, 20] as const;

/** The class of a margin, by its place in `MARGINS`; -1 if it is not known. */
export function marginClass(margin: number): number {
  return Number.isNaN(margin) ? -1 : Math.max(0, upTo(MARGINS, margin) - 1);
}

/** Every link of a network once. */
export function linksOf({ hears }: Trace): readonly Link[] {
  const found: Link[] = [];
  hears?.forEach((senders, to) => senders.forEach((there, from) => {
    const back = hears[from]?.get(to);
    const both = back?.decodes ?? false;
    // of both directions the one to the higher number stands for the pair
    if (!there.decodes || (both && from > to)) return;
    found.push({ from, to, both, dbm: both && back ? Math.min(there.dbm, back.dbm) : there.dbm });
  }));
  return found;
}

/** The nodes that a node hears, or that hear it, the strongest first; those it only senses too. */
export function neighbours({ hears }: Trace, node: number): readonly Neighbour[] {
  if (!hears?.[node]) return [];
  const found = new Set(hears[node].keys());
  hears.forEach((senders, other) => senders.has(node) && found.add(other));
  const strength = ({ heard, hears: back }: Neighbour): number =>
    Math.max(...[heard, back].map((one) => (one ? (one.decodes ? 1e3 : 0) + (one.dbm || 0) : -1e6)));
  return [...found]
    .map((other) => ({ node: other, heard: hears[node].get(other), hears: hears[other]?.get(node) }))
    .sort((a, b) => strength(b) - strength(a));
}

/** A signal in words: its ratio to noise where the trace knows that, else its power. */
export function signalWords({ noise_dbm }: Trace, dbm: number): string {
  if (Number.isNaN(dbm)) return "signal unknown";
  return Number.isNaN(noise_dbm) ? `${dbm.toFixed(1)} dBm` : `SNR ${(dbm - noise_dbm).toFixed(1)} dB`;
}

/** A neighbour in words: how strong, and what is wrong with the link. */
export function neighbourWords(trace: Trace, { heard, hears }: Neighbour): string {
  const one = heard?.dbm ?? hears?.dbm ?? Number.NaN;
  const strength = heard && hears && Math.abs(heard.dbm - hears.dbm) >= 0.1
    ? `${signalWords(trace, heard.dbm)}, the other way ${signalWords(trace, hears.dbm)}`
    : signalWords(trace, one);
  if (heard?.decodes && hears?.decodes) return strength;
  if (heard?.decodes) return `${strength}, one-way: does not decode this node`;
  return hears?.decodes ? `${strength}, one-way: is not decoded here` : `${strength}, sensed only`;
}

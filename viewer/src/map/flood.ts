/** Draws one message: the tree of first receptions, coloured by hops, and what each node did with it. */

import type { Flood } from "../model/flood";
import type { Place } from "../model/state";
import { scaleColor, type Theme } from "./colors";
import { circle, cross, head, type Pen } from "./pen";

const HELD = [3, 3];

/** So many hops have colours of their own; farther ones have that of the last. */
export const HOPS = 5;

/** The colour of a hop, from the first on: the same in all maps. */
export function hopColor(theme: Theme, hop: number): string {
  return scaleColor(theme, (hop - 1) / (HOPS - 1));
}

/** The colours of nodes at a time: that of its hop for one that has the message, the ink's where it began. */
export function floodFills(flood: Flood, nodes: number, time: number, theme: Theme): string[] {
  const fills = Array.from({ length: nodes }, () => theme.box);
  for (const { node, hop, time: at } of flood.arrivals) {
    if (at <= time) fills[node] = hop === 0 ? theme.ink : hopColor(theme, hop);
  }
  return fills;
}

/** Draw from whom each node has it, as far as the message has come by `time`. */
export function drawTree(pen: Pen, flood: Flood, places: readonly Place[], radius: number, time: number, theme: Theme): void {
  pen.save();
  pen.lineWidth = 2;
  for (const { node, from, hop, time: at } of flood.arrivals) {
    if (at > time || !places[from] || !places[node]) continue;
    pen.strokeStyle = pen.fillStyle = hopColor(theme, hop);
    pen.beginPath();
    pen.moveTo(places[from].x, places[from].y);
    pen.lineTo(places[node].x, places[node].y);
    pen.stroke();
    head(pen, places[from], places[node], radius + 2, 8);
  }
  pen.restore();
}

/** Draw over the nodes who has passed it on, who has held back and, when it is over, who has missed it. */
export function drawDeeds(pen: Pen, flood: Flood, places: readonly Place[], radius: number, time: number, theme: Theme): void {
  pen.save();
  const ring = (node: number, dash: readonly number[]): void => {
    if (!places[node]) return;
    pen.setLineDash([...dash]);
    circle(pen, places[node], radius + 3.5);
    pen.stroke();
  };
  pen.strokeStyle = theme.ink;
  pen.lineWidth = 2;
  for (const [node, at] of flood.relayed) if (at <= time) ring(node, []);
  pen.lineWidth = 1.5;
  for (const [node, { time: at }] of flood.held) if (at <= time) ring(node, HELD);
  pen.setLineDash([]);
  pen.strokeStyle = theme.loss;
  pen.lineWidth = 2.5;
  if (time >= flood.end) for (const node of flood.missed.keys()) if (places[node]) cross(pen, places[node], radius * 0.8);
  if (radius >= 7) numbers(pen, flood, places, time, theme);
  pen.restore();
}

/** The number of hops in each node. */
function numbers(pen: Pen, flood: Flood, places: readonly Place[], time: number, theme: Theme): void {
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillStyle = theme.ground;
  for (const { node, hop, time: at } of flood.arrivals) {
    if (at <= time && places[node]) pen.fillText(String(hop), places[node].x, places[node].y + 0.5);
  }
}

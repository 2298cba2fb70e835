/** Drawn under everything else where the reader asks: who hears whom, and how strongly. */

import type { Run } from "../model/run";
import { linksOf, marginClass, MARGINS, neighbours, type Link } from "../model/links";
import type { Place } from "../model/state";
import { scaleColor, type Theme } from "./colors";
import { head, type Pen } from "./pen";

/** How faint links are that do not belong to the chosen node. */
const OTHERS = 0.12;
const ONE_WAY = [7, 4];
const SENSED = [1, 5];

const known = new WeakMap<Run, readonly Link[]>();

/** The colour of a class of margins; of the unknown it is grey. */
export function marginColor(theme: Theme, at: number): string {
  return at < 0 ? theme.faint : scaleColor(theme, at / (MARGINS.length - 1));
}

/** Draw a line for each pair that decodes frames: dashed, with an arrow to who decodes, if only one does. */
export function drawLinks(pen: Pen, run: Run, places: readonly Place[], node: number, theme: Theme): void {
  const links = known.get(run) ?? linksOf(run.trace);
  known.set(run, links);
  pen.save();
  pen.lineWidth = 1.5;
  const alpha = (own: boolean): number => (node < 0 ? 0.7 : own ? 1 : OTHERS);
  const lines = new Map<string, { path: Path2D; color: string; alpha: number }>();
  for (const { from, to, both, dbm } of links) {
    const color = marginColor(theme, marginClass(dbm - run.trace.decodes_dbm));
    const opaque = alpha(from === node || to === node);
    if (!both) {
      oneWay(pen, places[from], places[to], color, opaque);
      continue;
    }
    const key = `${color} ${opaque}`;
    const line = lines.get(key) ?? { path: new Path2D(), color, alpha: opaque };
    lines.set(key, line);
    line.path.moveTo(places[from].x, places[from].y);
    line.path.lineTo(places[to].x, places[to].y);
  }
  for (const { path, color, alpha: opaque } of lines.values()) {
    pen.strokeStyle = color;
    pen.globalAlpha = opaque;
    pen.stroke(path);
  }
  if (node >= 0) drawSensed(pen, run, places, node, theme);
  pen.restore();
}

function oneWay(pen: Pen, from: Place, to: Place, color: string, alpha: number): void {
  pen.strokeStyle = pen.fillStyle = color;
  pen.globalAlpha = alpha;
  pen.setLineDash(ONE_WAY);
  pen.beginPath();
  pen.moveTo(from.x, from.y);
  pen.lineTo(to.x, to.y);
  pen.stroke();
  pen.setLineDash([]);
  head(pen, from, to, 12, 8);
}

/** Dots to those that are sensed only, in either direction. */
function drawSensed(pen: Pen, run: Run, places: readonly Place[], node: number, theme: Theme): void {
  pen.strokeStyle = theme.faint;
  pen.globalAlpha = 0.8;
  pen.setLineDash(SENSED);
  pen.beginPath();
  for (const { node: other, heard, hears } of neighbours(run.trace, node)) {
    if (heard?.decodes || hears?.decodes) continue;
    pen.moveTo(places[node].x, places[node].y);
    pen.lineTo(places[other].x, places[other].y);
  }
  pen.stroke();
}

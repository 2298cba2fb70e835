/** Draws what happened in an interval: who got how many frames of whom, and how busy each node was. */

import { BUSY, busyClass, lapseOf } from "../model/lapse";
import type { Run } from "../model/run";
import type { Place } from "../model/state";
import { scaleColor, type Theme } from "./colors";
import type { Pen } from "./pen";

/** Links differ by this many widths. */
const WIDTHS = 5;

/** The colour of a class of `BUSY`. */
export function busyColor(theme: Theme, at: number): string {
  return scaleColor(theme, at / (BUSY.length - 1));
}

/** Draw a line for each pair between which frames went, the wider the more. */
export function drawUsed(pen: Pen, run: Run, places: readonly Place[], [from, to]: readonly [number, number], theme: Theme): void {
  const used = lapseOf(run).used(from, to);
  const most = used.reduce((all, { frames }) => Math.max(all, frames), 1);
  const paths = Array.from({ length: WIDTHS }, () => new Path2D());
  for (const { from: sender, to: node, frames } of used) {
    const path = paths[Math.min(WIDTHS - 1, Math.floor((frames / most) * WIDTHS))];
    path.moveTo(places[sender].x, places[sender].y);
    path.lineTo(places[node].x, places[node].y);
  }
  pen.save();
  pen.strokeStyle = theme.faint;
  paths.forEach((path, at) => {
    pen.globalAlpha = 0.25 + (0.5 * at) / (WIDTHS - 1);
    pen.lineWidth = 0.75 + at;
    pen.stroke(path);
  });
  pen.restore();
}

/** The colours of nodes: by the share of the time that they sent or heard others. */
export function busyFills(run: Run, [from, to]: readonly [number, number], theme: Theme): string[] {
  return run.trace.nodes.map((_, node) => {
    const { sent, heard } = lapseOf(run).shares(node, from, to);
    return busyColor(theme, busyClass(sent + heard));
  });
}

/** Draw an arc around each node that is as long as the square root of the share of the time that it sent. */
export function drawSent(
  pen: Pen, run: Run, places: readonly Place[], radius: number, [from, to]: readonly [number, number], theme: Theme,
): void {
  pen.save();
  pen.strokeStyle = theme.ink;
  pen.lineWidth = 3;
  places.forEach((place, node) => {
    const { sent } = lapseOf(run).shares(node, from, to);
    if (sent === 0) return;
    pen.beginPath();
    pen.arc(place.x, place.y, radius + 4, -Math.PI / 2, -Math.PI / 2 + Math.sqrt(sent) * 2 * Math.PI);
    pen.stroke();
  });
  pen.restore();
}

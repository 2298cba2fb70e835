/** Drawn over the map where the reader asks: who spoils whose frames, and where the medium is full. */

import type { Run } from "../model/run";
import { spoilers } from "../model/spoilers";
import type { Place } from "../model/state";
import type { Theme } from "./colors";
import { Arc, circle, type Pen } from "./pen";

/** More pairs than this would hide the map. */
const MOST_PAIRS = 12;
/** From this share of its time on the medium around a node is full. */
const FULL = 0.9;

export interface Drawn {
  readonly run: Run;
  readonly places: readonly Place[];
  readonly radius: number;
}

/** Draw a dashed arrow from each node that does harm to where it does, and a halo where the medium is full now. */
export function drawCauses(pen: Pen, { run, places, radius }: Drawn, time: number, theme: Theme): void {
  pen.save();
  pen.fillStyle = theme.loss;
  pen.globalAlpha = 0.16;
  places.forEach((place, node) => {
    const air = run.state.air(node, time);
    if (!air || air.sending + air.receiving + air.busy < FULL) return;
    circle(pen, place, 2.6 * radius);
    pen.fill();
  });
  const worst = spoilers(run).slice(0, MOST_PAIRS);
  const most = worst[0]?.times.length ?? 1;
  pen.strokeStyle = theme.loss;
  pen.globalAlpha = 0.75;
  for (const { by, receiver, relation, times } of worst) {
    const [from, to] = [places[by], places[receiver]];
    if (!from || !to || by === receiver) continue;
    pen.lineWidth = 1 + 4 * (times.length / most);
    pen.setLineDash(relation === "hidden" ? [2, 4] : [8, 4]);
    const arc = new Arc(from, to);
    arc.stroke(pen);
    pen.setLineDash([]);
    arc.head(pen, 0.97, 7 + pen.lineWidth);
  }
  pen.restore();
}

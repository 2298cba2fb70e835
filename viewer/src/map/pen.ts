/** Shapes that the map is made of. */

import type { Place } from "../model/state";
import type { Corners } from "./shapes";

export type Pen = CanvasRenderingContext2D;

/** How far an arc bends to its left, as a share of its length, and in pixels at most. */
const BEND = 0.28;
const MOST_BEND = 34;

/** The way of a frame: an arc to the left of its direction, so that both directions can be seen. */
export class Arc {
  readonly bend: Place;

  constructor(readonly from: Place, readonly to: Place) {
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const share = Math.min(BEND, MOST_BEND / (length || 1));
    this.bend = {
      x: (from.x + to.x) / 2 + (to.y - from.y) * share * 2,
      y: (from.y + to.y) / 2 - (to.x - from.x) * share * 2,
    };
  }

  at(share: number): Place {
    const [a, b, c] = [(1 - share) ** 2, 2 * share * (1 - share), share ** 2];
    return {
      x: a * this.from.x + b * this.bend.x + c * this.to.x,
      y: a * this.from.y + b * this.bend.y + c * this.to.y,
    };
  }

  /** Draw it from its beginning as far as `share`. */
  stroke(pen: Pen, share = 1): void {
    const end = this.at(share);
    pen.beginPath();
    pen.moveTo(this.from.x, this.from.y);
    pen.quadraticCurveTo(
      this.from.x + (this.bend.x - this.from.x) * share,
      this.from.y + (this.bend.y - this.from.y) * share,
      end.x, end.y,
    );
    pen.stroke();
  }

  /** Draw an arrow's head where `share` of it is done. */
  head(pen: Pen, share: number, size: number): void {
    const [tip, before] = [this.at(share), this.at(Math.max(0, share - 0.02))];
    const angle = Math.atan2(tip.y - before.y, tip.x - before.x);
    pen.beginPath();
    for (const turn of [0, 2.6, -2.6]) {
      pen.lineTo(tip.x + size * Math.cos(angle + turn), tip.y + size * Math.sin(angle + turn));
    }
    pen.closePath();
    pen.fill();
  }

  /** How near a point is to it, in pixels. */
  distance({ x, y }: Place): number {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 1; i < 16; i++) {
      const on = this.at(i / 16);
      least = Math.min(least, Math.hypot(on.x - x, on.y - y));
    }
    return least;
  }
}

/** Draw an arrow's head on a straight line, so many pixels before its end. */
export function head(pen: Pen, from: Place, to: Place, before: number, size: number): void {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const tip = { x: to.x - before * Math.cos(angle), y: to.y - before * Math.sin(angle) };
  pen.beginPath();
  for (const turn of [0, 2.7, -2.7]) {
    pen.lineTo(tip.x + size * Math.cos(angle + turn), tip.y + size * Math.sin(angle + turn));
  }
  pen.closePath();
  pen.fill();
}

export function circle(pen: Pen, { x, y }: Place, radius: number): void {
  pen.beginPath();
  pen.arc(x, y, Math.max(0, radius), 0, 2 * Math.PI);
}

export function cross(pen: Pen, { x, y }: Place, size: number): void {
  pen.beginPath();
  pen.moveTo(x - size, y - size);
  pen.lineTo(x + size, y + size);
  pen.moveTo(x + size, y - size);
  pen.lineTo(x - size, y + size);
  pen.stroke();
}

/** Write on a ground of its own, so that it can be read over lines. */
export function tag(pen: Pen, text: string, { x, y }: Place, color: string, ground: string): void {
  const width = pen.measureText(text).width;
  pen.save();
  pen.globalAlpha *= 0.85;
  pen.fillStyle = ground;
  pen.beginPath();
  pen.roundRect(x - width / 2 - 3, y - 7.5, width + 6, 15, 4);
  pen.fill();
  pen.restore();
  pen.fillStyle = color;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, x, y + 0.5);
}

/** The outline of a node; a disc has no corners. */
export function outline(pen: Pen, { x, y }: Place, radius: number, corners: Corners): void {
  if (corners.length === 0) {
    circle(pen, { x, y }, radius);
    return;
  }
  pen.beginPath();
  for (const [right, down] of corners) pen.lineTo(x + right * radius, y + down * radius);
  pen.closePath();
}

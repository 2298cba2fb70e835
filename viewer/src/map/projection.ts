/** From metres to pixels: the whole network fits, and can be zoomed and moved. */

import type { Place } from "../model/state";

export interface Extent {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

/** Return the rectangle around places. */
export function extentOf(places: readonly Place[]): Extent {
  const xs = places.map(({ x }) => x);
  const ys = places.map(({ y }) => y);
  return {
    left: Math.min(...xs), right: Math.max(...xs), bottom: Math.min(...ys), top: Math.max(...ys),
  };
}

/** Room around the nodes for labels and queues, in pixels. */
export const MARGIN = { x: 44, top: 74, bottom: 56 };
const MOST_ZOOM = 40;

export class Projection {
  #zoom = 1;
  #x = 0;
  #y = 0;
  #extent: Extent;
  #width = 1;
  #height = 1;

  constructor(extent: Extent) {
    this.#extent = extent;
  }

  resize(width: number, height: number): void {
    this.#width = Math.max(1, width);
    this.#height = Math.max(1, height);
  }

  /** Pixels of a metre. */
  get scale(): number {
    const { left, right, bottom, top } = this.#extent;
    const wide = Math.max(1, this.#width - 2 * MARGIN.x) / Math.max(1, right - left);
    const high = Math.max(1, this.#height - MARGIN.top - MARGIN.bottom) / Math.max(1, top - bottom);
    return Math.min(wide, high) * this.#zoom;
  }

  place({ x, y }: Place): Place {
    const { left, right, bottom, top } = this.#extent;
    const middle = (this.#height + MARGIN.top - MARGIN.bottom) / 2;
    return {
      x: this.#width / 2 + (x - (left + right) / 2) * this.scale + this.#x,
      y: middle - (y - (bottom + top) / 2) * this.scale + this.#y,
    };
  }

  move(x: number, y: number): void {
    this.#x += x;
    this.#y += y;
  }

  /** Zoom so that the point under `at` stays where it is. */
  zoom(factor: number, at: Place): void {
    const next = Math.min(MOST_ZOOM, Math.max(1, this.#zoom * factor));
    const real = next / this.#zoom;
    const middle = (this.#height + MARGIN.top - MARGIN.bottom) / 2;
    this.#x = (at.x - this.#width / 2) * (1 - real) + this.#x * real;
    this.#y = (at.y - middle) * (1 - real) + this.#y * real;
    this.#zoom = next;
    if (next === 1) this.fit();
  }

  fit(): void {
    [this.#zoom, this.#x, this.#y] = [1, 0, 0];
  }

  get fitted(): boolean {
    return this.#zoom === 1 && this.#x === 0 && this.#y === 0;
  }
}

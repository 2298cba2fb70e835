/** A canvas that is as sharp as the screen and as large as its place. */

import type { Pen } from "../map/pen";

export interface Sheet {
  readonly pen: Pen;
  readonly width: number;
  readonly height: number;
}

/** Clear a canvas and return it, scaled to CSS pixels; null while it is not shown. */
export function sheetOf(canvas: HTMLCanvasElement): Sheet | null {
  const { clientWidth: width, clientHeight: height } = canvas;
  const pen = canvas.getContext("2d");
  if (!pen || width === 0 || height === 0) return null;
  const ratio = window.devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return { pen, width, height };
}

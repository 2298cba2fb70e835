/** A chart as SVG text, so that what is downloaded is what is seen: means, and bands of confidence around them. */

import type { Mean } from "./statistics";

export interface Curve {
  readonly name: string;
  readonly color: string;
  /** A mean for each place of the axis; null where no run has ended yet. */
  readonly points: readonly (Mean | null)[];
}

export interface Chart {
  readonly title: string;
  /** What stands at the places of the axis below. */
  readonly places: readonly string[];
  readonly axis: string;
  readonly curves: readonly Curve[];
  readonly ink: string;
  readonly line: string;
  readonly ground: string;
}

const [WIDTH, HEIGHT] = [720, 360];
const ROOM = { left: 64, right: 40, top: 40, bottom: 48 };

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Round numbers from 0 up to what is not less than `most`. */
export function ticksTo(most: number): number[] {
  if (!(most > 0)) return [0, 1];
  const raw = most / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= raw * 0.999) ?? raw;
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, at) => at * step);
}

export function drawn({ title, places, axis, curves, ink, line, ground }: Chart): string {
  const tops = curves.flatMap(({ points }) => points.map((one) => (one ? one.mean + (one.half || 0) : 0)));
  const ticks = ticksTo(Math.max(...tops, 0));
  const most = ticks[ticks.length - 1];
  const [width, height] = [WIDTH - ROOM.left - ROOM.right, HEIGHT - ROOM.top - ROOM.bottom];
  const x = (at: number): number => ROOM.left + (places.length < 2 ? width / 2 : (at / (places.length - 1)) * width);
  const y = (value: number): number => ROOM.top + height - (Math.max(0, value) / most) * height;
  const word = (at: number, up: number, text: string, anchor = "middle", size = 12): string =>
    `<text x="${at.toFixed(1)}" y="${up.toFixed(1)}" text-anchor="${anchor}" font-size="${size}">${escaped(text)}</text>`;
  const grid = ticks.map((tick) => `<path d="M${ROOM.left} ${y(tick)}h${width}" stroke="${line}"/>${
    word(ROOM.left - 8, y(tick) + 4, Number(tick.toPrecision(6)).toLocaleString("en"), "end")}`);
  const labels = places.map((place, at) => word(x(at), HEIGHT - 28, place));
  const legend = curves.map(({ name, color }, at) =>
    `<circle cx="${ROOM.left + 6 + at * 150}" cy="32" r="5" fill="${color}"/>${
      word(ROOM.left + 16 + at * 150, 36, name, "start")}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" `
    + `font-family="system-ui, sans-serif" fill="${ink}"><rect width="100%" height="100%" fill="${ground}"/>`
    + word(ROOM.left, 16, title, "start", 14) + grid.join("") + labels.join("") + word(ROOM.left + width / 2, HEIGHT - 8, axis)
    + curves.map((curve) => curveOf(curve, x, y)).join("") + (curves.length > 1 ? legend.join("") : "") + "</svg>";
}

function curveOf({ points, color }: Curve, x: (at: number) => number, y: (value: number) => number): string {
  const there = points.flatMap((mean, at) => (mean && Number.isFinite(mean.mean) ? [{ mean, at }] : []));
  const banded = there.filter(({ mean }) => Number.isFinite(mean.half));
  const place = (at: number, value: number): string => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
  const upper = banded.map(({ mean, at }) => place(at, mean.mean + mean.half));
  const lower = banded.map(({ mean, at }) => place(at, mean.mean - mean.half)).reverse();
  const band = banded.length > 1 ? `<path d="M${[...upper, ...lower].join("L")}Z" fill="${color}" opacity=".18"/>` : "";
  const bars = banded.map(({ mean, at }) =>
    `<path d="M${place(at, mean.mean - mean.half)}L${place(at, mean.mean + mean.half)}" stroke="${color}"/>`);
  const way = there.map(({ mean, at }) => place(at, mean.mean)).join("L");
  const dots = there.map(({ mean, at }) => `<circle cx="${x(at).toFixed(1)}" cy="${y(mean.mean).toFixed(1)}" r="3.5" fill="${color}"/>`);
  return `${band}${bars.join("")}${way ? `<path d="M${way}" fill="none" stroke="${color}" stroke-width="2"/>` : ""}${dots.join("")}`;
}

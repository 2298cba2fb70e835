/** The whole run as a strip: how busy the air is, and where losses are. It is a slider. */

import { html, LitElement, type TemplateResult } from "lit";
import { MISSED } from "../model/losses";
import { clockWords } from "../model/words";
import { sheetOf } from "./canvas";
import type { Session } from "./session";

const BINS = 1200;
/** Room for the name of a run, in pixels. */
const LABEL = 160;
/** From this length on a run has hours. */
const HOURS_NS = 3 * 3600e9;

/** Count times in equal parts of a span. */
export function histogram(
  times: ArrayLike<number>, end: number, counts: (at: number) => boolean = () => true,
): Float32Array {
  const bins = new Float32Array(BINS);
  for (let i = 0; i < times.length; i++) {
    if (counts(i)) bins[Math.min(BINS - 1, Math.max(0, Math.floor((times[i] / end) * BINS)))]++;
  }
  return bins;
}

export class TimeLine extends LitElement {
  session!: Session;
  #busy: Float32Array[] = [];
  #lost: Float32Array[] = [];
  #dragging = false;
  /** The strip without the moment, and what it was drawn for. */
  #still = document.createElement("canvas");
  #drawn = "";

  override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { runs, player } = this.session;
    this.#busy = runs.map(({ trace }) => histogram(trace.frames.start_ns, player.end));
    this.#lost = runs.map(({ losses }) =>
      histogram(losses.time, player.end, (i) => losses.weight[i] >= MISSED));
  }

  /** Less on a small screen, of which it always takes a part. */
  get #height(): number {
    return 16 + (innerHeight < 900 && innerWidth < 600 ? 25 : 40) * this.session.runs.length;
  }

  override render(): TemplateResult {
    const { player } = this.session;
    return html`<canvas style="height: ${this.#height}px"
      role="slider" tabindex="0" aria-label="Time in the run" aria-valuemin="0"
      aria-valuemax=${(player.end / 1e9).toFixed(3)}
      aria-valuenow=${(player.time / 1e9).toFixed(3)}
      aria-valuetext=${`${(player.time / 1e9).toFixed(6)} seconds`}
      @pointerdown=${this.#down} @pointermove=${this.#move} @pointerup=${this.#up}
    ></canvas>`;
  }

  paint(): void {
    const canvas = this.querySelector("canvas");
    const sheet = canvas && sheetOf(canvas);
    if (!sheet) return;
    const { pen, width, height } = sheet;
    const { player, theme } = this.session;
    const drawn = `${canvas.width} ${canvas.height} ${theme.dark}`;
    if (this.#drawn !== drawn) {
      this.#background(pen, width, height);
      this.#still.width = canvas.width;
      this.#still.height = canvas.height;
      this.#still.getContext("2d")?.drawImage(canvas, 0, 0);
      this.#drawn = drawn;
    } else {
      pen.drawImage(this.#still, 0, 0, width, height);
    }
    const x = (player.time / player.end) * width;
    pen.fillStyle = theme.ink;
    pen.fillRect(x - 1, 0, 2, height - 14);
    pen.beginPath();
    pen.arc(x, 5, 5, 0, 2 * Math.PI);
    pen.fill();
    canvas.setAttribute("aria-valuenow", (player.time / 1e9).toFixed(3));
    canvas.setAttribute("aria-valuetext", `${clockWords(player.time)} seconds`);
  }

  /** What does not change while it plays. */
  #background(pen: CanvasRenderingContext2D, width: number, height: number): void {
    const { player, theme, runs } = this.session;
    const row = (height - 14) / runs.length;
    runs.forEach((_, at) => {
      const base = at * row + row * 0.62;
      this.#bars(pen, this.#busy[at], width, { base, most: -row * 0.56 }, theme.line);
      this.#bars(pen, this.#lost[at], width, { base: base + 1, most: row * 0.34 }, theme.loss);
    });
    pen.font = "10.5px system-ui, sans-serif";
    pen.fillStyle = theme.faint;
    pen.textAlign = "left";
    pen.textBaseline = "top";
    if (runs.length > 1) {
      runs.forEach(({ trace }, at) => {
        const { width: wide } = pen.measureText(trace.title);
        pen.fillStyle = theme.ground;
        pen.fillRect(0, at * row, Math.min(LABEL, wide) + 5, 13);
        pen.fillStyle = theme.faint;
        pen.fillText(trace.title, 2, at * row + 1, LABEL);
      });
    }
    pen.textBaseline = "bottom";
    const [unit, size] = player.end >= HOURS_NS ? ["h", 3600e9] : ["s", 1e9];
    const step = niceStep(player.end / size, width / 70);
    for (let at = 0; at <= player.end / size; at += step) {
      const x = (at * size * width) / player.end;
      pen.textAlign = x < 12 ? "left" : x > width - 20 ? "right" : "center";
      pen.fillText(`${Number(at.toFixed(6))} ${unit}`, x, height);
    }
  }

  #bars(
    pen: CanvasRenderingContext2D, bins: Float32Array, width: number,
    { base, most }: { base: number; most: number }, color: string,
  ): void {
    const columns = Math.min(bins.length, Math.floor(width));
    const each = bins.length / columns;
    const sums = new Float32Array(columns);
    bins.forEach((count, i) => {
      sums[Math.min(columns - 1, Math.floor(i / each))] += count;
    });
    const top = sums.reduce((a, b) => Math.max(a, b), 1);
    pen.fillStyle = color;
    sums.forEach((count, i) => {
      if (count === 0) return;
      const high = Math.sign(most) * Math.max(1.5, (count / top) * Math.abs(most));
      pen.fillRect((i * width) / columns, base, Math.max(1, width / columns), high);
    });
  }

  #seek(event: PointerEvent): void {
    const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    this.session.player.seek(((event.clientX - left) / width) * this.session.player.end);
  }

  #down = (event: PointerEvent): void => {
    this.#dragging = true;
    if (event.isTrusted) (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    this.#seek(event);
  };

  #move = (event: PointerEvent): void => {
    if (this.#dragging) this.#seek(event);
  };

  #up = (): void => {
    this.#dragging = false;
  };
}

/** Return 1, 2 or 5 times a power of ten, so that at most `most` steps fit into a span. */
export function niceStep(span: number, most: number): number {
  const least = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((n) => n * power).find((step) => step >= least) ?? 10 * power;
}

customElements.define("time-line", TimeLine);

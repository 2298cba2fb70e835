/** The air around the moment, a lane for each node: who sends, who hears, and what is lost. */

import { html, LitElement, type TemplateResult } from "lit";
import { frameColor } from "../map/scene";
import { lapseSpan } from "../model/lapse";
import { MISSED } from "../model/losses";
import type { Run } from "../model/run";
import { upTo } from "../model/search";
import { durationWords } from "../model/words";
import { sheetOf } from "./canvas";
import type { Session } from "./session";
import { niceStep } from "./timeline";

const MOST_FRAMES = 1500;
/** With more bars than this, only those of the senders are drawn. */
const MOST_BARS = 2500;
/** How long the strip is, in seconds of the reader's time at the present speed. */
const SPAN_S = 7;
const LEAST_NS = 10e6;
const MOST_NS = 2e9;
/** It is longer where frames are, by so many of the longest. */
const MOST_LONGEST = 20;
/** Where the moment stands: more of what was than of what comes. */
const NOW = 0.6;
/** Room for the names of nodes, in pixels. */
const LABELS = { least: 40, most: 104 };
/** How much of the ink of a lane the air has that is only sensed. */
const SENSED = 0.13;
const FONT = "10.5px system-ui, sans-serif";

/** An aggregate is drawn as its packets if each is so wide, in pixels. */
const LEAST_PACKET = 3;

interface Bar {
  readonly left: number;
  readonly width: number;
  readonly y: number;
  readonly thick: number;
}

interface Layout {
  readonly width: number;
  readonly height: number;
  readonly row: number;
  /** Where the lanes begin, behind the names. */
  readonly left: number;
  x(time: number): number;
}

export class AirLanes extends LitElement {
  session!: Session;
  number = 0;
  #rows = new Uint32Array(MOST_FRAMES);
  #left: number = LABELS.least;

  override createRenderRoot(): this {
    return this;
  }

  get run(): Run {
    return this.session.runs[this.number];
  }

  override render(): TemplateResult {
    const rows = this.run.trace.nodes.length;
    const each = this.session.runs.length > 1 ? 11 : 13;
    const height = Math.min(260, Math.max(60, rows * each + 18));
    return html`<canvas
      style="height: ${height}px" role="img"
      aria-label=${`What ${this.run.trace.title} has on the air around the moment, by node`}
      @click=${this.#click}
    ></canvas>`;
  }

  get span(): number {
    const { speed } = this.session.player;
    const wanted = speed * SPAN_S * 1e9;
    // In a time lapse single frames are no picture here either.
    if (lapseSpan(speed) > 0) return wanted;
    return Math.min(Math.max(MOST_NS, MOST_LONGEST * this.run.air.longest), Math.max(LEAST_NS, wanted));
  }

  #layout(width: number, height: number): Layout {
    const begin = this.session.player.time - NOW * this.span;
    const row = (height - 16) / Math.max(1, this.run.trace.nodes.length);
    const left = this.#left;
    const x = (time: number): number => left + ((time - begin) / this.span) * (width - left);
    return { width, height, row, left, x };
  }

  paint(): void {
    const canvas = this.querySelector("canvas");
    const sheet = canvas && sheetOf(canvas);
    if (!sheet) return;
    const { pen } = sheet;
    pen.font = FONT;
    const longest = this.run.trace.nodes.slice(0, 60)
      .reduce((most, { label }) => Math.max(most, pen.measureText(label).width), 0);
    this.#left = Math.min(LABELS.most, Math.max(LABELS.least, Math.ceil(longest) + 12));
    const layout = this.#layout(sheet.width, sheet.height);
    this.#grid(pen, layout);
    pen.save();
    pen.beginPath();
    pen.rect(layout.left, 0, layout.width, layout.height - 14);
    pen.clip();
    const { time } = this.session.player;
    const from = time - NOW * this.span;
    const count = this.run.air.sample(from, from + this.span, this.#rows);
    const { frames, receptions } = this.run.trace;
    const each = 1 + receptions.rows / Math.max(1, frames.rows);
    const detailed = count * each <= MOST_BARS;
    for (let i = count - 1; i >= 0; i--) this.#frame(pen, this.#rows[i], layout, detailed);
    this.#losses(pen, from, layout);
    pen.fillStyle = this.session.theme.ink;
    pen.fillRect(layout.x(time) - 0.75, 0, 1.5, layout.height - 14);
    pen.restore();
  }

  #grid(pen: CanvasRenderingContext2D, { width, height, row, left, x }: Layout): void {
    const { theme, player, focus, chosen } = this.session;
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    const every = Math.ceil(11 / row);
    this.run.trace.nodes.forEach(({ label }, node) => {
      const y = (node + 0.5) * row;
      pen.fillStyle = theme.line;
      if (row > 5) pen.fillRect(left, y - 0.5, width, 0.5);
      const selected = node === focus.node && chosen === this.number;
      pen.fillStyle = selected ? theme.ink : theme.faint;
      if (node % every === 0 || selected) pen.fillText(label, left - 6, y, left - 8);
    });
    const step = niceStep(this.span, (width - left) / 90);
    pen.textAlign = "center";
    pen.fillStyle = theme.faint;
    for (let k = Math.ceil((-NOW * this.span) / step); k * step < (1 - NOW) * this.span; k++) {
      const at = x(player.time + k * step);
      if (at < left + 20 || at > width - 20) continue;
      const sign = k > 0 ? "+" : k < 0 ? "−" : "";
      pen.fillText(k === 0 ? "now" : `${sign}${short(Math.abs(k * step))}`, at, height - 6);
    }
  }

  #frame(
    pen: CanvasRenderingContext2D, row: number, { row: high, x }: Layout, detailed: boolean,
  ): void {
    const { frames } = this.run.trace;
    const { theme, focus } = this.session;
    const [begin, end] = [frames.start_ns[row], frames.start_ns[row] + frames.length_ns[row]];
    const [left, width] = [x(begin), Math.max(1, x(end) - x(begin))];
    const strong = focus.flow < 0 || focus.flow === frames.flow[row];
    const color = frameColor(this.run, row, focus, theme);
    const thick = Math.max(1.5, high * 0.7);
    const bar = (node: number, part: number, fill: string, alpha: number): void => {
      pen.globalAlpha = strong ? alpha : alpha * 0.25;
      pen.fillStyle = fill;
      pen.fillRect(left, (node + 0.5) * high - (thick * part) / 2, width, thick * part);
    };
    bar(frames.sender[row], 1, color, 1);
    this.#packets(pen, row, { left, width, y: (frames.sender[row] + 0.5) * high, thick });
    if (row === focus.frame) {
      pen.strokeStyle = theme.ink;
      pen.lineWidth = 1.5;
      pen.strokeRect(left, (frames.sender[row] + 0.5) * high - thick / 2, width, thick);
    }
    // The medium is not free, though nothing can be read.
    if (detailed) this.run.sensed.by(row, (node) => bar(node, 1, theme.faint, SENSED));
    if (detailed) this.run.air.heard(row, (node, fate) => {
      if (fate === "decoded") bar(node, 0.55, color, 0.5);
      else if (fate === "overheard") bar(node, 0.2, color, 0.5);
      else if (fate === "lost" && node === frames.receiver[row]) bar(node, 0.55, theme.loss, 0.4);
    });
    pen.globalAlpha = 1;
  }

  /** The packets of an aggregate, with a mark under those that are sent again. */
  #packets(pen: CanvasRenderingContext2D, row: number, { left, width, y, thick }: Bar): void {
    const count = this.run.aggregates.count(row);
    if (count === 0 || width < LEAST_PACKET * count) return;
    const { theme } = this.session;
    const packets = this.run.aggregates.of(row);
    const bytes = packets.reduce((sum, packet) => sum + packet.bytes, 0);
    let x = left;
    for (const packet of packets) {
      const wide = (packet.bytes / bytes) * width;
      pen.globalAlpha = 1;
      pen.fillStyle = theme.ground;
      if (x > left) pen.fillRect(x - 0.5, y - thick / 2, 1, thick);
      pen.fillStyle = theme.loss;
      if (packet.again >= 0) pen.fillRect(x + 0.5, y + thick / 4, wide - 1, thick / 4);
      x += wide;
    }
  }

  #losses(pen: CanvasRenderingContext2D, from: number, { row, x }: Layout): void {
    const { losses } = this.run;
    const { theme } = this.session;
    pen.strokeStyle = theme.loss;
    pen.lineWidth = 2;
    const end = upTo(losses.time, from + this.span);
    for (let i = Math.max(end - MOST_FRAMES, upTo(losses.time, from)); i < end; i++) {
      if (losses.weight[i] < MISSED) continue;
      const [at, y, size] = [x(losses.time[i]), (losses.node[i] + 0.5) * row, Math.min(4, row / 2)];
      pen.beginPath();
      pen.moveTo(at - size, y - size);
      pen.lineTo(at + size, y + size);
      pen.moveTo(at + size, y - size);
      pen.lineTo(at - size, y + size);
      pen.stroke();
    }
  }

  #click = (event: MouseEvent): void => {
    const canvas = event.currentTarget as HTMLCanvasElement;
    const { left, top } = canvas.getBoundingClientRect();
    const { row, left: begin } = this.#layout(canvas.clientWidth, canvas.clientHeight);
    const share = (event.clientX - left - begin) / (canvas.clientWidth - begin);
    const { player } = this.session;
    const time = player.time + (share - NOW) * this.span;
    const node = Math.floor((event.clientY - top) / row);
    const count = this.run.air.during(time, time, this.#rows);
    const sent = this.#rows.subarray(0, count)
      .find((one) => this.run.trace.frames.sender[one] === node) ?? -1;
    player.seek(time);
    const inside = node >= 0 && node < this.run.trace.nodes.length;
    this.session.choose({ frame: sent, node: sent >= 0 || !inside ? -1 : node }, this.number);
  };
}

function short(ns: number): string {
  return durationWords(ns).replace(/\.?0+ /, " ");
}

customElements.define("air-lanes", AirLanes);

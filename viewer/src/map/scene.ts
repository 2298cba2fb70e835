/** Draws a run as it is at a moment. What it costs depends on what is on the air, not on the trace. */

import { BYSTANDER, DROPPED, MINOR } from "../model/losses";
import type { Run } from "../model/run";
import { upTo } from "../model/search";
import type { Place } from "../model/state";
import { floodOf, type Flood } from "../model/flood";
import { lapseSpan } from "../model/lapse";
import { causeWords, classWords } from "../model/words";
import { drawCauses } from "./causes";
import { flowColor, rateColor, type Theme } from "./colors";
import { drawDeeds, drawTree, floodFills } from "./flood";
import { busyFills, drawSent, drawUsed } from "./lapse";
import { drawLinks } from "./links";
import { Arc, circle, cross, outline, tag, type Pen } from "./pen";
import type { Projection } from "./projection";
import { rolesOf, shapeOf, type Corners } from "./shapes";

/** What the reader looks at. */
export interface Focus {
  /** A node, or -1. */
  node: number;
  /** The node under the pointer, or -1. */
  hover: number;
  /** Only this flow is drawn in full; -1: all. */
  flow: number;
  /** The row of a frame, or -1. */
  frame: number;
  /** Whether it is drawn who spoils whose frames, and where the medium is full. */
  causes: boolean;
  /** Whether frames have the colours of their rates, and not of their flows. */
  rates: boolean;
  /** Whether it is drawn who hears whom, and how strongly. */
  links: boolean;
  /** The message that alone is drawn, as "flow:packet"; "" for none. */
  message: string;
}

/** Nobody looks at anything. */
export const NOTHING: Readonly<Focus> = {
  node: -1, hover: -1, flow: -1, frame: -1, causes: false, rates: false, links: false, message: "",
};

export interface Moment {
  readonly time: number;
  /** What has passed since the last picture, in ns of the run. */
  readonly passed: number;
  readonly speed: number;
}

/** A frame that was drawn, to be found under the pointer. */
export interface Drawn {
  readonly row: number;
  readonly arc: Arc;
}

/** More frames than this in one picture are lines only. */
const CROWD = 24;
/** More frames than this are not told apart in one picture. */
const MOST_FRAMES = 400;
/** More losses than this are not drawn in one picture. */
const MOST_LOSSES = 120;
/** How long a loss and a drop are seen, in seconds of the reader's time. */
const LOSS_S = 0.6;
const DROP_S = 1.4;
/** More labels than this would hide the map. */
const MOST_LABELS = 8;
const FONT = "11px system-ui, sans-serif";
/** How high the queue of a node is drawn at most, in pixels. */
const QUEUE_HEIGHT = 46;
/** With more nodes than this, only those have names that are ends of flows, until it is zoomed. */
const MOST_NAMES = 60;

/** The colour of a frame: that of its flow or, if asked for, of its rate. */
export function frameColor({ trace: { frames }, aggregates }: Run, row: number, { rates }: Focus, theme: Theme): string {
  return rates
    ? rateColor(theme, aggregates.rates, frames.rate_bit_s[row])
    : flowColor(theme, frames.flow[row]);
}

export class Scene {
  readonly drawn: Drawn[] = [];
  places: Place[] = [];
  #rows = new Uint32Array(MOST_FRAMES);
  #labels = 0;
  /** The longest queue of all runs that are shown, so that their bars can be compared. */
  longest: number;

  /** Of each node. */
  readonly #shapes: readonly Corners[];
  /** The last flow that begins at a node, and the last that ends there. */
  readonly #starts: ReadonlyMap<number, number>;
  readonly #ends: ReadonlyMap<number, number>;

  constructor(readonly run: Run, private readonly projection: Projection) {
    const { flows, nodes } = run.trace;
    this.#starts = new Map(flows.map(({ flow, source }) => [source, flow]));
    this.#ends = new Map(flows.map(({ flow, destination }) => [destination, flow]));
    const roles = rolesOf(nodes);
    this.#shapes = nodes.map(({ role }) => shapeOf(roles, role));
    this.longest = run.state.longest;
  }

  get radius(): number {
    const nodes = this.run.trace.nodes.length;
    return nodes <= 25 ? 9 : nodes <= 80 ? 7 : 5;
  }

  draw(pen: Pen, moment: Moment, focus: Focus, theme: Theme): void {
    const { trace, state } = this.run;
    pen.font = FONT;
    this.#labels = 0;
    this.drawn.length = 0;
    this.places = trace.nodes.map((_, node) => this.projection.place(state.place(node, moment.time)));
    if (focus.links) drawLinks(pen, this.run, this.places, focus.node, theme);
    const flood = floodOf(this.run, focus.message);
    const span = lapseSpan(moment.speed);
    if (flood) this.#flood(pen, flood, moment, focus, theme);
    else if (span > 0) this.#lapse(pen, [Math.max(0, moment.time - span), moment.time], focus, theme);
    else this.#now(pen, moment, focus, theme);
  }

  /** Every frame on the air, as it is. */
  #now(pen: Pen, moment: Moment, focus: Focus, theme: Theme): void {
    this.#routes(pen, moment, focus, theme);
    this.#ranges(pen, focus, theme);
    if (focus.causes) drawCauses(pen, this, moment.time, theme);
    this.#frames(pen, moment, focus, theme);
    this.#nodes(pen, focus, theme, (place, node) => this.#marks(pen, node, place, moment.time, theme));
    this.#losses(pen, moment, focus, theme);
  }

  /** One message alone. */
  #flood(pen: Pen, flood: Flood, moment: Moment, focus: Focus, theme: Theme): void {
    const { time } = moment;
    const { frames } = this.run.trace;
    drawTree(pen, flood, this.places, this.radius, time, theme);
    for (const row of flood.rows) {
      const on = frames.start_ns[row] <= time && frames.start_ns[row] + frames.length_ns[row] > time;
      if (on) this.#frame(pen, row, moment, { ...focus, flow: -1 }, theme);
    }
    pen.globalAlpha = 1;
    const fills = floodFills(flood, this.places.length, time, theme);
    this.#nodes(pen, focus, theme, (place, node) => this.#fill(pen, place, node, fills[node]));
    drawDeeds(pen, flood, this.places, this.radius, time, theme);
  }

  /** What happened in a span of time, in sums. */
  #lapse(pen: Pen, span: readonly [number, number], focus: Focus, theme: Theme): void {
    drawUsed(pen, this.run, this.places, span, theme);
    const fills = busyFills(this.run, span, theme);
    this.#nodes(pen, focus, theme, (place, node) => this.#fill(pen, place, node, fills[node]));
    drawSent(pen, this.run, this.places, this.radius, span, theme);
  }

  #fill(pen: Pen, place: Place, node: number, color: string): void {
    outline(pen, place, this.radius, this.#shapes[node]);
    pen.fillStyle = color;
    pen.fill();
  }

  #shows(flow: number, focus: Focus): boolean {
    return focus.flow < 0 || focus.flow === flow;
  }

  #routes(pen: Pen, { time }: Moment, focus: Focus, theme: Theme): void {
    const { flows } = this.run.trace;
    pen.lineWidth = 5;
    pen.lineCap = "round";
    pen.lineJoin = "round";
    flows.forEach(({ flow, source, destination }, at) => {
      if (!this.#shows(flow, focus)) return;
      const way = this.run.state.way(source, destination, time);
      if (way.length < 2) return;
      pen.strokeStyle = flowColor(theme, flow);
      pen.globalAlpha = focus.flow === flow ? 0.5 : 0.2;
      // Ways that share nodes lie side by side.
      const offset = (at - (flows.length - 1) / 2) * Math.min(6, 18 / flows.length);
      pen.beginPath();
      for (const node of way) pen.lineTo(this.places[node].x, this.places[node].y + offset);
      pen.stroke();
    });
    pen.globalAlpha = 1;
    pen.lineCap = "butt";
  }

  #ranges(pen: Pen, focus: Focus, theme: Theme): void {
    const { range_m, sense_m } = this.run.trace;
    for (const node of new Set([focus.node, focus.hover])) {
      const place = this.places[node];
      if (!place) continue;
      pen.strokeStyle = theme.faint;
      pen.lineWidth = 1;
      for (const [range, dash, name] of [
        [range_m, [], "can be read"], [sense_m, [5, 5], "is sensed"],
      ] as const) {
        if (!(range > 0)) continue;
        pen.setLineDash(dash);
        circle(pen, place, range * this.projection.scale);
        pen.stroke();
        pen.setLineDash([]);
        const spot = this.#rim(pen, place, range * this.projection.scale);
        if (spot) tag(pen, name, spot, theme.faint, theme.ground);
      }
    }
  }

  /** A place on a circle that can be seen: over its middle, or at one of its sides. */
  #rim(pen: Pen, { x, y }: Place, radius: number): Place | undefined {
    const { clientWidth: width, clientHeight: height } = pen.canvas;
    const spots = [-90, -15, -165, -50, -130].map((degrees) => ({
      x: x + radius * Math.cos((degrees * Math.PI) / 180),
      y: y + radius * Math.sin((degrees * Math.PI) / 180),
    }));
    return spots.find((spot) => spot.x > 36 && spot.x < width - 36 && spot.y > 10 && spot.y < height);
  }

  #frames(pen: Pen, moment: Moment, focus: Focus, theme: Theme): void {
    const { time, passed } = moment;
    const count = this.run.air.during(time - passed, time, this.#rows);
    if (count > CROWD) this.#crowd(pen, count, focus, theme);
    else for (let i = count - 1; i >= 0; i--) this.#frame(pen, this.#rows[i], moment, focus, theme);
    pen.globalAlpha = 1;
    pen.setLineDash([]);
  }

  /** Many frames in one picture: a line for each, all of a flow at once. */
  #crowd(pen: Pen, count: number, focus: Focus, theme: Theme): void {
    const { frames } = this.run.trace;
    const lines = new Map<string, Path2D>();
    for (const row of this.#rows.subarray(0, count)) {
      const [from, to] = [this.places[frames.sender[row]], this.places[frames.receiver[row]]];
      if (!from || !to || !this.#shows(frames.flow[row], focus)) continue;
      const color = frameColor(this.run, row, focus, theme);
      const path = lines.get(color) ?? new Path2D();
      lines.set(color, path);
      path.moveTo(from.x, from.y);
      path.lineTo(to.x, to.y);
    }
    pen.lineWidth = 2;
    for (const [color, path] of lines) {
      pen.globalAlpha = color === theme.faint ? 0.4 : 0.9;
      pen.strokeStyle = color;
      pen.stroke(path);
    }
  }

  #frame(pen: Pen, row: number, { time }: Moment, focus: Focus, theme: Theme): void {
    const { frames, range_m } = this.run.trace;
    const sender = this.places[frames.sender[row]];
    if (!sender) return;
    const share = Math.min(1, (time - frames.start_ns[row]) / (frames.length_ns[row] || 1));
    const strong = this.#shows(frames.flow[row], focus);
    const color = frameColor(this.run, row, focus, theme);
    const alpha = strong ? 1 : 0.15;
    pen.fillStyle = pen.strokeStyle = color;
    if (range_m > 0) {
      pen.globalAlpha = alpha * (theme.dark ? 0.09 : 0.06);
      circle(pen, sender, range_m * this.projection.scale);
      pen.fill();
      pen.globalAlpha = alpha * 0.3;
      pen.lineWidth = 1;
      pen.stroke();
    }
    // How much of it has been sent.
    pen.globalAlpha = alpha;
    pen.lineWidth = 3;
    pen.beginPath();
    pen.arc(sender.x, sender.y, this.radius + 4, -Math.PI / 2, -Math.PI / 2 + share * 2 * Math.PI);
    pen.stroke();
    this.#heard(pen, row, share, alpha, focus, theme);
  }

  #heard(
    pen: Pen, row: number, share: number, alpha: number, focus: Focus, theme: Theme,
  ): void {
    const { frames } = this.run.trace;
    const color = frameColor(this.run, row, focus, theme);
    const [sender, receiver] = [this.places[frames.sender[row]], frames.receiver[row]];
    const data = frames.class.words[frames.class.codes[row]] === "data";
    let spoilt = false;
    this.run.air.heard(row, (node, fate) => {
      const place = this.places[node];
      if (node === receiver) spoilt = fate === "lost";
      if (!place || node === receiver) return;
      const lost = fate === "lost";
      pen.strokeStyle = lost ? theme.loss : color;
      pen.globalAlpha = alpha * (lost ? 0.45 : 0.7);
      pen.lineWidth = 1.25;
      pen.setLineDash(lost ? [2, 5] : [1.5, 3.5]);
      const arc = new Arc(sender, place);
      arc.stroke(pen, share);
      // A frame for everyone is found where anybody hears it.
      if (receiver < 0) this.drawn.push({ row, arc });
      pen.setLineDash([]);
      circle(pen, place, this.radius + 3.5);
      pen.stroke();
    });
    const place = this.places[receiver];
    if (!place) return;
    const arc = new Arc(sender, place);
    this.drawn.push({ row, arc });
    pen.globalAlpha = alpha;
    pen.strokeStyle = pen.fillStyle = spoilt ? theme.loss : color;
    pen.lineWidth = (data ? 3 : 1.75) + (focus.frame === row ? 2.5 : 0);
    pen.setLineDash(spoilt ? [6, 4] : []);
    arc.stroke(pen, share);
    pen.setLineDash([]);
    arc.head(pen, share, data ? 8 : 6);
    if (alpha === 1) this.#label(pen, row, arc, theme);
  }

  /** Say what a frame is, at the top of its arc. */
  #label(pen: Pen, row: number, arc: Arc, theme: Theme): void {
    const { frames } = this.run.trace;
    const long = Math.hypot(arc.to.x - arc.from.x, arc.to.y - arc.from.y);
    if (long < 48 || this.#labels >= MOST_LABELS) return;
    this.#labels++;
    const packet = frames.packet[row];
    const name = classWords(frames.class.words[frames.class.codes[row]]);
    const short = name.length * 6 < long * 1.4 ? name : frames.class.words[frames.class.codes[row]];
    pen.globalAlpha = 1;
    tag(pen, packet >= 0 ? `${short} ${packet}` : short, arc.at(0.5), theme.ink, theme.ground);
  }

  /** Draw every node with its name; `what` draws what is in it. */
  #nodes(pen: Pen, focus: Focus, theme: Theme, what: (place: Place, node: number) => void): void {
    const { trace } = this.run;
    const room = this.#spacing();
    this.places.forEach((place, node) => {
      outline(pen, place, this.radius, this.#shapes[node]);
      pen.fillStyle = theme.box;
      pen.fill();
      pen.lineWidth = node === focus.node ? 3.5 : 1.5;
      pen.strokeStyle = node === focus.node ? theme.ink : theme.faint;
      pen.stroke();
      what(place, node);
      const named = this.#starts.has(node) || this.#ends.has(node);
      if (room > 24 || node === focus.node || node === focus.hover || (named && room > 8)) {
        pen.fillStyle = named || node === focus.node ? theme.ink : theme.faint;
        pen.textAlign = "center";
        pen.textBaseline = "top";
        pen.fillText(trace.nodes[node].label, place.x, place.y + this.radius + 6);
      }
    });
  }

  /** Where flows begin and end, and what waits. */
  #marks(pen: Pen, node: number, place: Place, time: number, theme: Theme): void {
    const [start, end] = [this.#starts.get(node), this.#ends.get(node)];
    if (end !== undefined) {
      pen.strokeStyle = flowColor(theme, end);
      pen.lineWidth = this.radius * 0.25;
      circle(pen, place, this.radius * 0.68);
      pen.stroke();
    }
    if (start !== undefined) {
      pen.fillStyle = flowColor(theme, start);
      circle(pen, place, this.radius * (end !== undefined ? 0.4 : 0.6));
      pen.fill();
    }
    this.#queue(pen, node, place, time, theme);
  }

  /** The least room that a node has beside its neighbour in the table, in pixels. */
  #spacing(): number {
    if (this.places.length > MOST_NAMES && this.projection.fitted) return 12;
    const some = this.places.slice(0, 40);
    return some.slice(1).reduce((least, place, at) =>
      Math.min(least, Math.hypot(place.x - some[at].x, place.y - some[at].y)), 1000);
  }

  /** By the square root, so that a short queue can be seen beside a long one. */
  #bar(length: number): number {
    return Math.sqrt(length / Math.max(8, this.longest));
  }

  /** A bar for each flow that waits, side by side over the node. */
  #queue(pen: Pen, node: number, place: Place, time: number, theme: Theme): void {
    const { state, trace } = this.run;
    const sum = state.waiting(node, time);
    if (sum === 0) return;
    const waiting = state.queued.map((flow) => state.queue(node, flow, time));
    const bars = state.queued.map((flow, at) => ({ flow, length: waiting[at] }))
      .filter(({ length }) => length > 0);
    const width = trace.nodes.length > 80 ? 3 : 6;
    const height = trace.nodes.length > 80 ? QUEUE_HEIGHT / 2 : QUEUE_HEIGHT;
    const base = place.y - this.radius - 5;
    let x = place.x - (bars.length * (width + 1)) / 2;
    for (const { flow, length } of bars) {
      const high = this.#bar(length) * height;
      pen.fillStyle = flowColor(theme, flow);
      pen.fillRect(x, base - high, width, high);
      pen.strokeStyle = theme.ground;
      pen.lineWidth = 1;
      pen.strokeRect(x - 0.5, base - high - 0.5, width + 1, high + 1);
      x += width + 1;
    }
    if (trace.nodes.length <= 25) {
      const most = Math.max(...bars.map(({ length }) => length));
      const top = base - this.#bar(most) * height - 9;
      pen.fillStyle = theme.faint;
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.fillText(String(sum), place.x, top);
    }
  }

  #losses(pen: Pen, { time, speed, passed }: Moment, focus: Focus, theme: Theme): void {
    const { losses, trace } = this.run;
    const linger = { loss: Math.max(passed, LOSS_S * 1e9 * speed), drop: DROP_S * 1e9 * speed };
    const end = upTo(losses.time, time);
    const begin = Math.max(end - MOST_LOSSES, upTo(losses.time, time - linger.drop));
    for (let i = begin; i < end; i++) {
      const place = this.places[losses.node[i]];
      const minor = losses.weight[i] === MINOR;
      const dropped = minor || losses.weight[i] === DROPPED;
      const age = (time - losses.time[i]) / (dropped ? linger.drop : linger.loss);
      if (!place || age > 1 || !this.#shows(losses.flow[i], focus)) continue;
      const faded = 1 - age * age;
      if (losses.weight[i] === BYSTANDER) {
        pen.globalAlpha = 0.35 * faded;
        pen.strokeStyle = theme.loss;
        pen.lineWidth = 1.5;
        cross(pen, place, 4);
        continue;
      }
      pen.globalAlpha = faded;
      this.#loss(pen, i, { place, fallen: dropped ? age : 0 }, theme);
      if (minor) continue;
      if (this.#labels < 2 * MOST_LABELS) {
        this.#labels++;
        const words = causeWords(losses.causes[losses.cause[i]]);
        const packet = dropped ? trace.drops.packet[losses.row[i]] : -1;
        const text = packet >= 0 ? `${words}: packet ${packet}` : words;
        const y = place.y + this.radius + (dropped ? 46 : 26);
        tag(pen, text, { x: this.#inside(pen, text, place.x), y }, theme.loss, theme.ground);
      }
    }
    pen.globalAlpha = 1;
  }

  /** Keep the middle of a text where all of it can be seen. */
  #inside(pen: Pen, text: string, x: number): number {
    const half = pen.measureText(text).width / 2 + 6;
    const width = pen.canvas.clientWidth || pen.canvas.width;
    return Math.min(Math.max(x, half), Math.max(half, width - half));
  }

  /** A cross where a frame was lost, a square where a packet was given up, a frame if that is minor. */
  #loss(
    pen: Pen, at: number, { place, fallen }: { place: Place; fallen: number }, theme: Theme,
  ): void {
    pen.strokeStyle = pen.fillStyle = theme.loss;
    const weight = this.run.losses.weight[at];
    const y = place.y + this.radius + 12 + 14 * fallen;
    if (weight === MINOR) {
      // Beside the node: it never came into the network, or was there before.
      pen.lineWidth = 1.5;
      pen.strokeRect(place.x - this.radius - 13, y - 16, 8, 8);
      return;
    }
    pen.lineWidth = 3.5;
    if (weight !== DROPPED) {
      cross(pen, place, this.radius * 0.9);
      return;
    }
    pen.fillRect(place.x - 7, y - 7, 14, 14);
    pen.strokeStyle = theme.ground;
    pen.lineWidth = 2;
    cross(pen, { x: place.x, y }, 3.5);
  }
}

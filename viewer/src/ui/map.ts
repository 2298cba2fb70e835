/** The map of one run: a canvas with pointer, touch, and a sentence for those who do not see it. */

import { html, LitElement, type TemplateResult } from "lit";
import { extentOf, MARGIN, Projection, type Extent } from "../map/projection";
import { Scene } from "../map/scene";
import type { Run } from "../model/run";
import type { Place } from "../model/state";
import { sheetOf } from "./canvas";
import type { Session } from "./session";

/** How near the pointer has to be, in pixels. */
const NEAR = 16;
const ZOOM = 1.25;
/** More flows than this are counted, not named. */
const MOST_NAMED = 12;
/** The least height of a map in pixels, and the most as a share of the window for all maps. */
const LEAST_HEIGHT = { alone: 215, beside: 165 };
const MOST_HEIGHT = 0.6;

export class NetworkMap extends LitElement {
  session!: Session;
  number = 0;
  #scene!: Scene;
  #extent!: Extent;
  #observer = new ResizeObserver(() => this.#resize());
  #projection!: Projection;
  #held = new Map<number, Place>();
  #moved = 0;

  override createRenderRoot(): this {
    return this;
  }

  get run(): Run {
    return this.session.runs[this.number];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { nodes, positions } = this.run.trace;
    const places: Place[] = nodes.map(({ x_m, y_m }) => ({ x: x_m, y: y_m }));
    for (let i = 0; i < positions.rows; i++) {
      places.push({ x: positions.x_m[i], y: positions.y_m[i] });
    }
    const finite = places.filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
    this.#extent = extentOf(finite.length > 0 ? finite : [{ x: 0, y: 0 }]);
    this.#projection = new Projection(this.#extent);
    this.#scene = new Scene(this.run, this.#projection);
    this.#scene.longest = Math.max(...this.session.runs.map(({ state }) => state.longest));
    this.#observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  /** As high as the network needs for its width, within bounds: a chain is flat. */
  #resize(): void {
    const { left, right, bottom, top } = this.#extent;
    const wide = Math.max(1, this.clientWidth - 2 * MARGIN.x);
    const own = ((top - bottom) / Math.max(1, right - left)) * wide + MARGIN.top + MARGIN.bottom;
    const least = this.session.runs.length > 1 ? LEAST_HEIGHT.beside : LEAST_HEIGHT.alone;
    const most = Math.max(least, innerHeight * MOST_HEIGHT / this.session.runs.length);
    const height = Math.min(most, Math.max(least, own));
    this.style.setProperty("--height", `${Math.round(height)}px`);
    this.session.changed();
  }

  override render(): TemplateResult {
    const { trace } = this.run;
    const flows = trace.flows.length > MOST_NAMED ? String(trace.flows.length) : trace.flows.map(({ label }) => label).join(", ");
    return html`<canvas
        role="img"
        aria-label=${`Map of ${trace.title}: ${trace.nodes.length} nodes; flows ${flows}. What `
          + "happens is listed under “Now”."}
        @pointerdown=${this.#down} @pointermove=${this.#move} @pointerup=${this.#up}
        @pointercancel=${this.#up} @pointerleave=${this.#leave} @wheel=${this.#wheel}
      ></canvas>
      <div class="zoom" role="group" aria-label="Zoom">
        <button @click=${() => this.#zoom(ZOOM)} aria-label="Zoom in">+</button>
        <button @click=${() => this.#zoom(1 / ZOOM)} aria-label="Zoom out">−</button>
      </div>`;
  }

  get #canvas(): HTMLCanvasElement {
    return this.querySelector("canvas") as HTMLCanvasElement;
  }

  paint(): void {
    const sheet = this.#canvas && sheetOf(this.#canvas);
    if (!sheet) return;
    this.#projection.resize(sheet.width, sheet.height);
    const { player, focus, theme, chosen } = this.session;
    const mine = chosen === this.number ? focus : { ...focus, node: -1, hover: -1, frame: -1 };
    this.#scene.draw(sheet.pen, player, mine, theme);
  }

  #zoom(factor: number, at?: Place): void {
    const { clientWidth: x, clientHeight: y } = this.#canvas;
    this.#projection.zoom(factor, at ?? { x: x / 2, y: y / 2 });
    this.session.changed();
  }

  #point(event: MouseEvent): Place {
    const { left, top } = this.#canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  #node(at: Place): number {
    let [best, least] = [-1, NEAR];
    this.#scene.places.forEach((place, node) => {
      const distance = Math.hypot(place.x - at.x, place.y - at.y);
      if (distance < least) [best, least] = [node, distance];
    });
    return best;
  }

  #down = (event: PointerEvent): void => {
    this.#held.set(event.pointerId, this.#point(event));
    this.#moved = 0;
    // A pointer that was made by a script cannot be captured.
    if (event.isTrusted) this.#canvas.setPointerCapture(event.pointerId);
  };

  #move = (event: PointerEvent): void => {
    const at = this.#point(event);
    const before = this.#held.get(event.pointerId);
    if (!before) {
      const hover = this.#node(at);
      if (hover !== this.session.focus.hover) this.session.choose({ hover }, this.number);
      return;
    }
    const others = [...this.#held].filter(([id]) => id !== event.pointerId);
    this.#held.set(event.pointerId, at);
    this.#moved += Math.hypot(at.x - before.x, at.y - before.y);
    if (others.length > 0) {
      const [, other] = others[0];
      const spread = (a: Place): number => Math.hypot(a.x - other.x, a.y - other.y) || 1;
      this.#zoom(spread(at) / spread(before), other);
    } else if (!this.#projection.fitted) {
      this.#projection.move(at.x - before.x, at.y - before.y);
      this.session.changed();
    }
  };

  #up = (event: PointerEvent): void => {
    if (this.#held.delete(event.pointerId) && this.#moved < 6) this.#click(this.#point(event));
  };

  #leave = (): void => {
    if (this.session.focus.hover >= 0) this.session.choose({ hover: -1 });
  };

  #click(at: Place): void {
    const node = this.#node(at);
    if (node >= 0) {
      this.session.choose({ node, frame: -1 }, this.number);
      return;
    }
    const near = this.#scene.drawn
      .map(({ row, arc }) => ({ row, distance: arc.distance(at) }))
      .filter(({ distance }) => distance < NEAR)
      .sort((a, b) => a.distance - b.distance);
    this.session.player.pause();
    this.session.choose({ node: -1, frame: near[0]?.row ?? -1 }, this.number);
  }

  #wheel = (event: WheelEvent): void => {
    if (!event.ctrlKey && !event.metaKey && this.#projection.fitted && event.deltaY > 0) return;
    event.preventDefault();
    this.#zoom(event.deltaY < 0 ? ZOOM : 1 / ZOOM, this.#point(event));
  };
}

customElements.define("network-map", NetworkMap);

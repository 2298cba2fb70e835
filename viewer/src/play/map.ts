/** The network as it is made: nodes are added, moved and deleted, and flows drawn from node to node. */

import { html, LitElement, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import type { About, Edit } from "./engine";

export type Tool = "move" | "add" | "flow" | "delete";

const TOOLS: readonly { readonly tool: Tool; readonly name: string; readonly about: string }[] = [
  { tool: "move", name: "Move", about: "Drag a node, or choose it and use the arrow keys." },
  { tool: "add", name: "Add node", about: "Click where the node is to be." },
  { tool: "flow", name: "Draw flow", about: "Click the source, and then the destination." },
  { tool: "delete", name: "Delete", about: "Click a node or a flow." },
];

/** How far an arrow key moves a node, in m; with Shift, five times as far. */
const STEP_M = 10;
/** Around the network, as a share of its size, and at least in m. */
const MARGIN = { share: 0.12, least_m: 60 };

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A node under a pointer: where it is now, where the pointer took hold of it, and whether it has moved at all. */
interface Dragged {
  readonly node: number;
  readonly x: number;
  readonly y: number;
  readonly hold: { readonly x: number; readonly y: number };
  readonly moved: boolean;
}

/** Of a node, in pixels. */
const RADIUS = 7;
/** The greatest height of the map, as a share of the window; the style sheet says the same. */
const MOST_HEIGHT = 0.6;

/** A pointer that trembles moves nothing: less than so many pixels. */
const TREMBLE = 3;

/** Marks of a document need names of their own, also where one is hidden. */
let marks = 0;

const metres = (value: number): string => `${Math.round(value)} m`;

export class NetworkEditor extends LitElement {
  static override properties = { about: { attribute: false }, tool: { state: true }, chosen: { state: true }, fixed: { attribute: false } };
  about: About | null = null;
  tool: Tool = "move";
  /** Whether it is only shown: nodes can be chosen, and nothing changed. */
  fixed = false;
  /** The node that is chosen, or from which a flow is drawn; -1 for none. */
  chosen = -1;
  #dragged: Dragged | null = null;
  /** Where the pointer took hold, in pixels. */
  #from = { x: 0, y: 0 };
  readonly #mark = `arrow-${++marks}`;
  #box: Box = { x: 0, y: 0, width: 1, height: 1 };

  #observer = new ResizeObserver(() => this.requestUpdate());

  override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  override render(): TemplateResult {
    const { about } = this;
    return html`${this.fixed ? nothing : html`<div class="toolbar" role="group" aria-label="Edit the network">
        ${TOOLS.map(({ tool, name, about: title }) => html`<button title=${title}
          aria-pressed=${this.tool === tool} @click=${() => this.#take(tool)}>${name}</button>`)}
        <span class="hint">${this.#hint()}</span>
      </div>`}
      ${about ? this.#network(about) : html`<p class="quiet">The scenario has a mistake: no network to show.</p>`}`;
  }

  #take(tool: Tool): void {
    this.tool = tool;
    this.chosen = -1;
  }

  #hint(): string {
    if (this.tool === "delete" && this.#hasSeveralEnds) return "A flow has several ends: delete in the text.";
    const from = this.about?.nodes[this.chosen]?.label;
    if (this.tool === "flow" && from !== undefined) return `From ${from}: now click the destination.`;
    return TOOLS.find(({ tool }) => tool === this.tool)?.about ?? "";
  }

  #network(about: About): TemplateResult {
    // The picture keeps still while a node is dragged.
    if (!this.#dragged) this.#box = boxOf(about);
    const { x, y, width, height } = this.#box;
    const size = RADIUS * Math.max(width / Math.max(1, this.clientWidth), height / (innerHeight * MOST_HEIGHT));
    return html`<svg class="network" viewBox="${x} ${y} ${width} ${height}" role="group"
        aria-label="Network: ${about.nodes.length} nodes, ${about.flows.length} flows"
        style="--size: ${size}px" @pointerdown=${this.#ground} @pointermove=${this.#drag}
        @pointerup=${this.#drop} @pointercancel=${this.#drop}>
      <defs><marker id=${this.#mark} viewBox="0 0 6 6" refX="5" refY="3" markerWidth="5" markerHeight="5"
        orient="auto"><path d="M0 0 6 3 0 6z"/></marker></defs>
      ${this.#range(about)}
      ${about.flows.map((flow, number) => this.#flow(about, flow, number, size))}
      ${about.nodes.map((_, node) => this.#node(about, node, size))}
    </svg>`;
  }

  #place(about: About, node: number): { x: number; y: number } {
    if (this.#dragged?.node === node) return { x: this.#dragged.x, y: -this.#dragged.y };
    return { x: about.nodes[node].x_m, y: -about.nodes[node].y_m };
  }

  /** How far the chosen node can be decoded. */
  #range(about: About): SVGTemplateResult | typeof nothing {
    if (this.chosen < 0 || about.range_m === null || !about.nodes[this.chosen]) return nothing;
    const { x, y } = this.#place(about, this.chosen);
    return svg`<circle class="range" cx=${x} cy=${y} r=${about.range_m}/>`;
  }

  #flow(about: About, { source, destination, label }: About["flows"][number], number: number, size: number):
      SVGTemplateResult | typeof nothing {
    // A flow to everyone leads to no node.
    if (!about.nodes[source] || !about.nodes[destination]) return nothing;
    const [from, to] = [this.#place(about, source), this.#place(about, destination)];
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
    // To the left of its direction, so that both directions can be seen, and not into the nodes.
    const bend = Math.min(length * 0.18, size * 7);
    const start = { x: from.x + dx * size, y: from.y + dy * size };
    const end = { x: to.x - dx * size * 1.2 + dy * bend * 0.15, y: to.y - dy * size * 1.2 - dx * bend * 0.15 };
    const middle = { x: (from.x + to.x) / 2 + dy * bend, y: (from.y + to.y) / 2 - dx * bend };
    const erases = this.tool === "delete";
    return svg`<path class="flow" data-flow=${number % 6} marker-end="url(#${this.#mark})"
      role=${erases ? "button" : "img"} tabindex=${erases ? 0 : nothing}
      aria-label=${erases ? `Delete flow ${label}` : `Flow ${label}`}
      @pointerdown=${(event: Event) => erases && this.#erase(event, { flow: number })}
      @keydown=${(event: KeyboardEvent) => erases && event.key === "Enter" && this.#erase(event, { flow: number })}
      d="M${start.x} ${start.y}Q${middle.x} ${middle.y} ${end.x} ${end.y}"/>`;
  }

  #node(about: About, node: number, size: number): SVGTemplateResult {
    const { x, y } = this.#place(about, node);
    const { label, x_m, y_m } = about.nodes[node];
    return svg`<g class="node" role="button" tabindex="0" aria-pressed=${this.chosen === node}
        aria-label="Node ${label} at ${metres(x_m)}, ${metres(y_m)}" data-node=${node}
        @pointerdown=${(event: PointerEvent) => this.#press(event, node)}
        @keydown=${(event: KeyboardEvent) => this.#key(event, node)}>
      <circle cx=${x} cy=${y} r=${size}/>
      <circle class="reach" cx=${x} cy=${y} r=${size * 2.2}/>
      <text x=${x} y=${y + size * 2.7} font-size=${size * 1.7}>${label}</text>
    </g>`;
  }

  /** From the pointer to metres. */
  #at(event: PointerEvent): { x: number; y: number } {
    const picture = this.querySelector("svg.network") as SVGSVGElement;
    const matrix = picture.getScreenCTM();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix?.inverse());
    return { x: point.x, y: -point.y };
  }

  #ground = (event: PointerEvent): void => {
    if (this.tool !== "add" || !this.about) return;
    const { x, y } = this.#at(event);
    const names = new Set(this.about.nodes.map(({ label }) => label));
    let number = this.about.nodes.length;
    while (names.has(`n${number}`)) number++;
    this.#edit([{ key: "node[]", value: { name: `n${number}`, x: metres(x), y: metres(y) } }]);
  };

  #press(event: PointerEvent, node: number): void {
    if (this.tool === "add") return;
    event.stopPropagation();
    if (this.tool === "delete") this.#erase(event, { node });
    else if (this.tool === "flow") this.#draw(node);
    else if (this.fixed) this.chosen = node;
    else {
      this.chosen = node;
      const { x_m: x, y_m: y } = (this.about as About).nodes[node];
      this.#dragged = { node, x, y, hold: this.#at(event), moved: false };
      this.#from = { x: event.clientX, y: event.clientY };
      const picture = this.querySelector("svg.network") as SVGSVGElement;
      if (event.isTrusted) picture.setPointerCapture(event.pointerId);
    }
  }

  #drag = (event: PointerEvent): void => {
    const { about } = this;
    if (!this.#dragged || !about) return;
    const { node, hold, moved } = this.#dragged;
    const [at, before] = [this.#at(event), about.nodes[node]];
    const far = Math.hypot(event.clientX - this.#from.x, event.clientY - this.#from.y) > TREMBLE;
    if (!moved && !far) return;
    this.#dragged = { node, hold, moved: true, x: before.x_m + at.x - hold.x, y: before.y_m + at.y - hold.y };
    this.requestUpdate();
  };

  #drop = (): void => {
    const dragged = this.#dragged;
    this.#dragged = null;
    if (dragged?.moved) this.#moveTo(dragged.node, dragged);
    this.requestUpdate();
  };

  #moveTo(node: number, { x, y }: { x: number; y: number }): void {
    this.#edit([{ key: `node[${node}].x`, value: metres(x) }, { key: `node[${node}].y`, value: metres(y) }]);
  }

  /** The first node is the source, the second the destination. */
  #draw(node: number): void {
    const { about, chosen } = this;
    if (!about || chosen < 0 || chosen === node) {
      this.chosen = chosen === node ? -1 : node;
      return;
    }
    this.chosen = -1;
    this.#edit([{ key: "flow[]", value: { from: about.nodes[chosen].label, to: about.nodes[node].label } }]);
  }

  /** Whether a table of the text stands for several flows, so that flows have other numbers there. */
  get #hasSeveralEnds(): boolean {
    const flows = this.about?.scenario["flow"];
    return Array.isArray(flows) && flows.some(({ from, to }: { from?: unknown; to?: unknown }) =>
      [from, to].some((end) => typeof end !== "string" || /^every/.test(end)));
  }

  /** Flows go with their nodes; the last numbers first, so that the others stay. */
  #erase(event: Event, what: { node?: number; flow?: number }): void {
    event.stopPropagation();
    const { about } = this;
    if (!about || this.#hasSeveralEnds) return;
    const doomed = about.flows.map((_, number) => number).filter((number) => number === what.flow
      || about.flows[number].source === what.node || about.flows[number].destination === what.node);
    const edits: Edit[] = doomed.reverse().map((number) => ({ key: `flow[${number}]` }));
    if (what.node !== undefined) edits.push({ key: `node[${what.node}]` });
    this.chosen = -1;
    this.#edit(edits);
  }

  #key(event: KeyboardEvent, node: number): void {
    const { about } = this;
    const ways: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
    };
    const way = ways[event.key];
    if (this.fixed && event.key !== "Enter" && event.key !== " ") return;
    if (way && about) {
      const step = STEP_M * (event.shiftKey ? 5 : 1);
      const { x_m, y_m } = about.nodes[node];
      this.#moveTo(node, { x: x_m + way[0] * step, y: y_m + way[1] * step });
    } else if (event.key === "Delete" || event.key === "Backspace") this.#erase(event, { node });
    else if (event.key === "Enter" || event.key === " ") this.#choose(event, node);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #choose(event: Event, node: number): void {
    if (this.tool === "delete") this.#erase(event, { node });
    else if (this.tool === "flow") this.#draw(node);
    else this.chosen = node;
  }

  #edit(edits: readonly Edit[]): void {
    this.dispatchEvent(new CustomEvent<readonly Edit[]>("network", { detail: edits }));
  }
}

/** The rectangle around a network, with room for names; y grows downwards. */
function boxOf({ nodes }: About): Box {
  const [xs, ys] = [nodes.map(({ x_m }) => x_m), nodes.map(({ y_m }) => -y_m)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const margin = Math.max(MARGIN.least_m, MARGIN.share * Math.max(right - left, bottom - top));
  const width = right - left + 2 * margin;
  const height = Math.max(bottom - top + 2 * margin, width * 0.34);
  return { x: left - margin, y: (top + bottom) / 2 - height / 2, width, height };
}

customElements.define("network-editor", NetworkEditor);

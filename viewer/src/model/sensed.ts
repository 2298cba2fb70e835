/** Who senses a frame that is too weak to be read there: as the trace says or, where nodes move, as places do. */

import type { Trace } from "../data/trace";
import type { Air } from "./air";
import type { State } from "./state";

export class Sensed {
  /** The nodes within the sensing range of each, if nobody moves. */
  readonly #near = new Map<number, readonly number[]>();

  constructor(
    private readonly trace: Trace,
    private readonly air: Air,
    private readonly state: State,
  ) {}

  /** Call for every node that senses a frame and of which the trace says nothing. */
  by(row: number, what: (node: number) => void): void {
    const told = new Set<number>();
    this.air.heard(row, (node) => told.add(node));
    for (const node of this.#around(row)) if (!told.has(node)) what(node);
  }

  #around(row: number): readonly number[] {
    const { frames, hears, nodes, sense_m } = this.trace;
    const sender = frames.sender[row];
    const known = this.state.moves ? undefined : this.#near.get(sender);
    if (known) return known;
    if (hears) {
      const near = nodes.map(({ node }) => node).filter((node) => hears[node]?.has(sender));
      this.#near.set(sender, near);
      return near;
    }
    const here = this.state.place(sender, frames.start_ns[row]);
    const near = nodes.map(({ node }) => node).filter((node) => {
      const there = this.state.place(node, frames.start_ns[row]);
      return node !== sender && Math.hypot(there.x - here.x, there.y - here.y) <= sense_m;
    });
    this.#near.set(sender, near);
    return near;
  }
}

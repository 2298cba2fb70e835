/** Charts over time under the map, one cursor in all of them: the moment of the replay. */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import uPlot from "uplot";
import { flowColor } from "../map/colors";
import type { Session } from "../ui/session";
import { ALL, chartData, type ChartData } from "./data";

const HEIGHT = 132;
/** By which the runs of a chart are told apart, in pixels, and in words. */
const DASHES: readonly (readonly number[])[] = [[], [5, 3], [1.5, 3], [9, 3, 2, 3]];
export const DASH_WORDS = ["solid", "dashed", "dotted", "dash-dotted"];

/** The same chart of all runs: one time axis, a curve for each flow and run. */
interface Merged {
  readonly name: string;
  readonly unit: string;
  readonly data: uPlot.AlignedData;
  readonly curves: { flow: number; run: number; label: string }[];
}

function merge(session: Session, charts: readonly ChartData[]): Merged {
  const tables: uPlot.AlignedData[] = charts.map(({ times, curves }) =>
    // A gap is null: uPlot would take NaN for a value.
    [times, ...curves.map(({ values }) => Array.from(values, (one) => (one >= 0 ? one : null)))]);
  const data = tables.length > 1 ? uPlot.join(tables) : tables[0];
  const curves = charts.flatMap(({ curves }, run) => curves.map(({ flow }) => {
    const { trace } = session.runs[run];
    const name = trace.flows.find((one) => one.flow === flow)?.label ?? (flow === ALL ? "all flows" : "no flow");
    return { flow, run, label: session.runs.length > 1 ? `${name}, ${trace.title}` : name };
  }));
  return { name: charts[0].name, unit: charts[0].unit, data, curves };
}

export class TimeCharts extends LitElement {
  session!: Session;
  #charts: Merged[] = [];
  #plots: uPlot[] = [];
  #node = -2;
  #flow = -2;
  #chosen = -1;
  #dark: boolean | null = null;
  #observer = new ResizeObserver(() => this.#resize());

  override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer.observe(this);
    this.#build();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  /** Compute what is shown anew, if another node is looked at. */
  #build(): void {
    const { runs, focus } = this.session;
    const all = runs.map((run) => chartData(run, focus.node, focus.flow));
    this.#charts = all[0].map((_, at) => merge(this.session, all.map((charts) => charts[at])))
      .filter(({ curves }) => curves.length > 0);
    [this.#node, this.#flow, this.#chosen] = [focus.node, focus.flow, this.session.chosen];
  }

  override render(): TemplateResult | typeof nothing {
    if (this.#charts.length === 0) return nothing;
    return html`${this.#charts.map(({ name, unit, curves }) => html`<figure>
      <figcaption>${name} <span>${unit}</span></figcaption>
      <div class="plot" role="img"
        aria-label=${`${name} in ${unit} over time: ${curves.map((c) => c.label).join("; ")}`}></div>
    </figure>`)}`;
  }

  override updated(): void {
    this.#plots.forEach((plot) => plot.destroy());
    this.#dark = this.session.theme.dark;
    this.#plots = [...this.querySelectorAll<HTMLElement>(".plot")].map((place, at) =>
      new uPlot(this.#options(this.#charts[at], place.clientWidth), this.#charts[at].data, place));
  }

  #options(chart: Merged, width: number): uPlot.Options {
    const { theme, player, focus } = this.session;
    const axis = {
      stroke: theme.faint,
      font: "10.5px system-ui, sans-serif",
      grid: { stroke: theme.line, width: 0.5 },
      ticks: { show: false },
    };
    return {
      width, height: HEIGHT,
      scales: { x: { time: false, range: [0, player.end / 1e9] }, y: { range: fromZero } },
      axes: [{ ...axis, size: 20, gap: 2 }, { ...axis, size: 46, gap: 4 }],
      legend: { show: false },
      cursor: { y: false, points: { size: 5 }, drag: { x: false, y: false } },
      series: [{}, ...chart.curves.map(({ flow, run, label }) => ({
        label,
        stroke: flowColor(theme, flow),
        width: focus.flow === flow ? 2.5 : 1.5,
        alpha: focus.flow < 0 || focus.flow === flow ? 1 : 0.2,
        dash: [...(DASHES[run % DASHES.length] ?? [])],
        // A value with gaps around it is a point.
        points: { show: true, size: 3, filter: alone },
      }))],
      hooks: {
        init: [(plot) => {
          plot.over.append(Object.assign(document.createElement("i"), { className: "now" }));
          plot.over.addEventListener("click", (event) => {
            player.seek(plot.posToVal(event.offsetX, "x") * 1e9);
          });
        }],
        ready: [(plot) => this.#now(plot)],
        setSize: [(plot) => this.#now(plot)],
      },
    };
  }

  /** Put the line of the moment where it belongs: nothing is drawn anew for it. */
  #now(plot: uPlot): void {
    const line = plot.over.querySelector<HTMLElement>(".now");
    const x = plot.valToPos(this.session.player.time / 1e9, "x");
    if (line) line.style.transform = `translateX(${x.toFixed(1)}px)`;
  }

  #resize(): void {
    this.#plots.forEach((plot) => {
      const width = plot.root.parentElement?.clientWidth ?? 0;
      if (width > 0 && width !== plot.width) plot.setSize({ width, height: HEIGHT });
    });
  }

  paint(): void {
    const { focus, chosen, theme } = this.session;
    if (focus.node !== this.#node || focus.flow !== this.#flow || chosen !== this.#chosen) {
      this.#build();
      this.requestUpdate();
    } else if (theme.dark !== this.#dark) {
      this.requestUpdate();
    } else {
      this.#plots.forEach((plot) => this.#now(plot));
    }
  }
}

/** The values that have no neighbour and so no line. */
function alone(plot: uPlot, curve: number, shown: boolean): number[] | null {
  const values = plot.data[curve];
  const there = (at: number): boolean => typeof values[at] === "number";
  if (!shown) return null;
  return [...plot.data[0].keys()].filter((at) => there(at) && !there(at - 1) && !there(at + 1));
}

/** From zero to somewhat more than the greatest value. */
function fromZero(_: uPlot, __: number, most: number): [number, number] {
  return [0, most > 0 ? most * 1.08 : 1];
}

customElements.define("time-charts", TimeCharts);

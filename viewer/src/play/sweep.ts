/** One key over a range, with several seeds and schemes: a chart that fills up while runs end. */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import { DARK, LIGHT } from "../map/colors";
import { drawn } from "./chart";
import { Cancelled, type Engines } from "./client";
import { meanOf, type Mean } from "./statistics";

interface Part {
  readonly name: string;
  readonly title: string;
}

/** What is asked for. */
interface Plan {
  readonly key: string;
  readonly values: readonly string[];
  readonly seeds: number;
  readonly schemes: readonly string[];
}

interface Measure {
  readonly column: string;
  readonly title: string;
  readonly factor: number;
}

const MEASURES: readonly Measure[] = [
  { column: "goodput_bit_s", title: "Goodput (kbit/s)", factor: 1e-3 },
  { column: "end_to_end_delay_mean_s", title: "End-to-end delay, mean (ms)", factor: 1e3 },
  { column: "network_delay_mean_s", title: "Network delay, mean (ms)", factor: 1e3 },
  { column: "overhead", title: "Overhead (bytes on the medium per byte and hop)", factor: 1 },
  { column: "transmissions", title: "Transmissions", factor: 1 },
];
const KEYS = ["traffic.load", "traffic.payload", "topology.hops", "topology.spacing", "radio.bit_error_rate", "duration"];
const MOST_RUNS = 2000;

const BEGIN: Plan = {
  key: "traffic.load", values: ["25 kbit/s", "50 kbit/s", "100 kbit/s", "200 kbit/s", "400 kbit/s"], seeds: 5, schemes: [],
};

export class ScenarioSweep extends LitElement {
  static override properties = {
    text: { attribute: false }, ready: { attribute: false }, plan: { state: true }, measure: { state: true },
    ended: { state: true }, going: { state: true }, said: { state: true },
  };
  engines!: Engines;
  schemes: readonly Part[] = [];
  text = "";
  ready = false;
  plan: Plan = BEGIN;
  measure: Measure = MEASURES[0];
  ended = 0;
  going = false;
  said = "";
  /** The plan of the chart, and the table of runs of each of its places, by scheme and value. */
  #shown: Plan | null = null;
  #found = new Map<string, Record<string, unknown>[]>();
  #stop: AbortController | null = null;

  override createRenderRoot(): this {
    return this;
  }

  override render(): TemplateResult {
    const { plan } = this;
    const runs = this.#runs(plan);
    return html`<form class="fields" @submit=${(event: Event) => { event.preventDefault(); void this.#start(); }}>
        <label><span>key</span><input data-what="key" list="keys" .value=${plan.key} required
          @change=${(event: Event) => this.#plan({ key: valueOf(event) })}></label>
        <datalist id="keys">${KEYS.map((key) => html`<option value=${key}></option>`)}</datalist>
        <label class="wide"><span>values, with commas between</span><input data-what="values" required
          .value=${plan.values.join(", ")} @change=${(event: Event) => this.#plan({
            values: valueOf(event).split(",").map((one) => one.trim()).filter((one) => one !== ""),
          })}></label>
        <label><span>seeds</span><input data-what="seeds" type="number" min="1" max="100" .value=${String(plan.seeds)}
          @change=${(event: Event) => this.#plan({ seeds: Math.max(1, Math.round(Number(valueOf(event))) || 1) })}></label>
        <label><span>schemes</span><select multiple size="4" data-what="schemes"
          @change=${(event: Event) => this.#plan({
            schemes: [...(event.target as HTMLSelectElement).selectedOptions].map(({ value }) => value),
          })}>${this.schemes.map(({ name, title }) => html`<option value=${name}>${title}</option>`)}</select></label>
        <label><span>measure</span><select data-what="measure" @change=${(event: Event) => {
          this.measure = MEASURES.find(({ column }) => column === valueOf(event)) ?? MEASURES[0];
        }}>${MEASURES.map(({ column, title }) => html`<option value=${column}>${title}</option>`)}</select></label>
        <div class="toolbar wide">${this.going
          ? html`<button type="button" class="go" @click=${() => this.#stop?.abort()}>Cancel</button>
            <progress max=${runs} .value=${this.ended} aria-label="Runs that have ended"></progress>`
          : html`<button class="go" ?disabled=${!this.ready}>Run ${runs} runs</button>`}
          <output role="status">${this.said}</output></div>
      </form>
      ${this.#shown ? this.#results(this.#shown) : nothing}`;
  }

  #plan(what: Partial<Plan>): void {
    this.plan = { ...this.plan, ...what };
  }

  #runs({ values, seeds, schemes }: Plan): number {
    return values.length * seeds * Math.max(1, schemes.length);
  }

  async #start(): Promise<void> {
    const { plan } = this;
    if (this.#runs(plan) > MOST_RUNS) {
      this.said = `More than ${MOST_RUNS} runs are for the command line, which keeps what has ended.`;
      return;
    }
    const stop = new AbortController();
    [this.#stop, this.#shown, this.#found] = [stop, plan, new Map()];
    [this.going, this.ended, this.said] = [true, 0, ""];
    const queue = ordersOf(plan);
    const threads = Math.min(queue.length, navigator.hardwareConcurrency || 2);
    try {
      await Promise.all(Array.from({ length: threads }, () => this.#work(queue, stop)));
    } catch (error) {
      stop.abort();
      this.said = error instanceof Cancelled ? "Cancelled: the chart shows the runs that had ended."
        : (error as Error).message;
    }
    [this.going, this.#stop] = [false, null];
  }

  /** One thread's share: a run, as long as there are any. */
  async #work(queue: Order[], { signal }: AbortController): Promise<void> {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { place, changes } = next;
      const { finished } = await this.engines.run({ text: this.text, changes }, { signal });
      const row = Object.fromEntries(Object.entries(finished.tables["runs"]).map(([column, cells]) => [column, cells[0]]));
      this.#found.set(place, [...(this.#found.get(place) ?? []), row]);
      this.ended++;
    }
  }

  #means(scheme: string, plan: Plan): (Mean | null)[] {
    const { column, factor } = this.measure;
    return plan.values.map((value) => {
      const rows = this.#found.get(placeOf(scheme, value));
      return rows ? meanOf(rows.map((row) => Number(row[column] ?? Number.NaN) * factor)) : null;
    });
  }

  #chart(plan: Plan): string {
    const dark = document.documentElement.dataset["theme"] === "dark"
      || (!document.documentElement.dataset["theme"] && matchMedia("(prefers-color-scheme: dark)").matches);
    const theme = dark ? DARK : LIGHT;
    const curves = schemesOf(plan).map((scheme, at) => ({
      name: this.schemes.find(({ name }) => name === scheme)?.title ?? "the scenario’s scheme",
      color: theme.flows[at % theme.flows.length],
      points: this.#means(scheme, plan),
    }));
    return drawn({
      title: this.measure.title, places: plan.values, axis: `${plan.key}, ${plan.seeds} seeds, bands: 95 % confidence`,
      curves, ink: theme.ink, line: theme.line, ground: theme.ground,
    });
  }

  #results(plan: Plan): TemplateResult {
    const chart = this.#chart(plan);
    // The chart escapes every text that it is given.
    return html`<div class="chart" role="img" aria-label="${this.measure.title} over ${plan.key}">${unsafeHTML(chart)}</div>
      <div class="toolbar">
        <button @click=${() => save("sweep.svg", chart, "image/svg+xml")}>SVG</button>
        <button @click=${() => void savePicture(chart)}>PNG</button>
        <button @click=${() => save("sweep.csv", this.#csv(plan), "text/csv")}>CSV</button>
      </div>
      <table><caption>${this.measure.title}: mean ± half of the 95 % confidence interval</caption>
        <thead><tr><td></td>${plan.values.map((value) => html`<th scope="col">${value}</th>`)}</tr></thead>
        <tbody>${schemesOf(plan).map((scheme) => html`<tr><th scope="row">${scheme || "scenario"}</th>
          ${this.#means(scheme, plan).map((mean) => html`<td>${mean ? words(mean) : "…"}</td>`)}</tr>`)}</tbody></table>
      <p class="hint">The same on the command line, with the scenario saved as scenario.toml:<br><code>${commandOf(plan)}</code></p>`;
  }

  #csv(plan: Plan): string {
    const rows = [...this.#found].flatMap(([place, found]) => found.map((row) => {
      const [scheme, value] = place.split("\n");
      return [scheme || row["scheme"], value, row["seed"], ...MEASURES.map(({ column }) => row[column]), row["fingerprint"]];
    }));
    const head = ["scheme", plan.key, "seed", ...MEASURES.map(({ column }) => column), "fingerprint"];
    const cell = (one: unknown): string => {
      const text = String(one ?? "");
      return /[",\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text;
    };
    return [head, ...rows].map((row) => row.map(cell).join(",")).join("\n") + "\n";
  }
}

interface Order {
  readonly place: string;
  readonly changes: Readonly<Record<string, unknown>>;
}

const valueOf = (event: Event): string => (event.target as HTMLInputElement).value.trim();
const placeOf = (scheme: string, value: string): string => `${scheme}\n${value}`;
const schemesOf = ({ schemes }: Plan): readonly string[] => (schemes.length > 0 ? schemes : [""]);

/** A value as a scenario has it: a number, a switch or a text. */
function typed(value: string): unknown {
  if (value === "true" || value === "false") return value === "true";
  return value !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
}

/** All runs, the first seeds of all places first, so that the chart is whole early. */
function ordersOf(plan: Plan): Order[] {
  const seeds = Array.from({ length: plan.seeds }, (_, at) => at + 1);
  return seeds.flatMap((seed) => plan.values.flatMap((value) => schemesOf(plan).map((scheme) => ({
    place: placeOf(scheme, value),
    changes: { ...(scheme ? { scheme: { name: scheme } } : {}), seed, [plan.key]: typed(value) },
  }))));
}

/** As a shell reads it. */
const quoted = (text: string): string => (/^[\w.,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

function commandOf({ key, values, seeds, schemes }: Plan): string {
  const vary = [`--vary ${quoted(`${key}=${values.join(",")}`)}`];
  if (schemes.length > 0) vary.push(`--vary scheme.name=${schemes.join(",")}`);
  return `multihop sweep scenario.toml ${vary.join(" ")} --seeds ${seeds}`;
}

function words({ mean, half }: Mean): string {
  if (!Number.isFinite(mean)) return "–";
  const digits = (value: number): string => Number(value.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 6 });
  return Number.isFinite(half) ? `${digits(mean)} ± ${digits(half)}` : digits(mean);
}

function save(name: string, what: string | Blob, type = ""): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(what instanceof Blob ? what : new Blob([what], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

async function savePicture(chart: string): Promise<void> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(chart)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width * 2, image.height * 2];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => {
    if (blob) save("sweep.png", blob);
  });
}

customElements.define("scenario-sweep", ScenarioSweep);

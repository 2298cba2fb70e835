/** A network in a lesson: what its reader may change, a run of it, its replay, and what came of all runs. */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import type { Network } from "./book";
import { Cancelled, type Engines } from "./client";
import type { About, Checked, Edit } from "./engine";
import { choiceOf, written, type Choice } from "./keys";
import "./map";
import { measured, measureName, type Done } from "./results";
import type { Schema } from "./schema";
import { MOST_BYTES, runAll, runsOf, stage } from "./show";
import { pack } from "./share";

type Values = Readonly<Record<string, unknown>>;

/** What the reader has run: the values of the keys, and the runs side by side. */
interface Attempt {
  readonly values: Values;
  readonly done: readonly Done[];
}

/** Earlier attempts are for comparison; more would hide the last one. */
const MOST_ATTEMPTS = 4;

export class LessonNetwork extends LitElement {
  static override properties = {
    about: { state: true }, values: { state: true }, share: { state: true }, said: { state: true }, wrong: { state: true }, attempts: { state: true },
  };
  network!: Network;
  engines!: Engines;
  schema!: Schema;
  about: About | null = null;
  /** The keys that the reader has changed. */
  values: Values = {};
  /** How much of a run is done; null if none goes on. */
  share: number | null = null;
  said = "";
  /** Whether the keys go together with no run. */
  wrong = false;
  attempts: readonly Attempt[] = [];
  #stop: AbortController | null = null;

  override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#check();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop?.abort();
  }

  #changes(run: number): Values {
    return { ...this.network.runs[run].set, ...this.values };
  }

  /** Look whether all runs are possible as they are now. */
  async #check(): Promise<void> {
    const { text, runs } = this.network;
    try {
      for (const [at] of [...runs.entries()].reverse()) {
        const { about } = await this.engines.ask<Checked>({ call: "check", text, changes: this.#changes(at) });
        this.about = about;
      }
      [this.said, this.wrong] = ["", false];
    } catch (error) {
      this.said = (error as Error).message;
      this.wrong = true;
    }
  }

  async #run(): Promise<void> {
    const { text, runs } = this.network;
    const stop = new AbortController();
    this.#stop = stop;
    const { values } = this;
    const most_bytes = Math.round(MOST_BYTES / runs.length);
    [this.share, this.said] = [0, ""];
    try {
      const outcomes = await runAll(this.engines, runs.map((_, at) => ({ text, changes: this.#changes(at), most_bytes })), {
        signal: stop.signal,
        told: (share) => {
          this.share = share;
        },
      });
      this.share = null;
      const done = outcomes.map((outcome, at) => ({ title: runs[at].title || outcome.about.scheme, outcome }));
      this.attempts = [...this.attempts, { values, done }].slice(-MOST_ATTEMPTS);
      await this.#show(done);
    } catch (error) {
      stop.abort();
      this.said = error instanceof Cancelled ? "The run was cancelled." : (error as Error).message;
    }
    [this.share, this.#stop] = [null, null];
  }

  async #show(done: readonly Done[]): Promise<void> {
    const runs = await runsOf(done);
    await this.updateComplete;
    const place = this.querySelector(".replay");
    const manifest = { title: "", runs: [], view: this.network.view };
    if (place) stage(runs, { place, manifest, kept: null, growing: false });
  }

  override render(): TemplateResult {
    const going = this.share !== null;
    const { about } = this;
    return html`<div class="toolbar">
        ${about ? this.network.change.map((change) => this.#control(choiceOf(this.schema, about, change))) : nothing}
        ${going ? html`<button class="go" @click=${() => this.#stop?.abort()}>Cancel</button>
          <progress max="1" .value=${this.share ?? 0} aria-label="Progress of the run"></progress>`
        : html`<button class="go" ?disabled=${this.about === null || this.wrong}
            @click=${() => void this.#run()}>Run</button>`}
        <button @click=${() => void this.#open()}>Open in the playground</button>
        <output role="status">${this.said}</output>
      </div>
      ${this.attempts.length > 0 ? this.#table() : nothing}
      <div class="replay">${this.attempts.length > 0 ? nothing
        : html`<network-editor .fixed=${true} .about=${this.about}></network-editor>`}</div>`;
  }

  #control({ key, name, about, unit, given, values, number }: Choice): TemplateResult {
    const label = html`${name}${unit ? html` <small>${unit}</small>` : nothing}`;
    if (values === null) {
      return html`<label title=${about}>${label} <input data-key=${key} .value=${given} autocomplete="off" spellcheck="false"
        inputmode=${number ? "decimal" : "text"} @change=${(event: Event) => {
          const text = (event.target as HTMLInputElement).value.trim();
          this.#set(key, text === "" ? undefined : written(text, number));
        }}></label>`;
    }
    return html`<label title=${about}>${label} <select data-key=${key} @change=${(event: Event) =>
      this.#set(key, values[(event.target as HTMLSelectElement).selectedIndex])}>
      ${values.map((value) => html`<option .selected=${String(value) === given}>${String(value)}</option>`)}</select></label>`;
  }

  /** Change a key; without a value it is what the lesson says. */
  #set(key: string, value: unknown): void {
    const { [key]: _, ...others } = this.values;
    this.values = value === undefined ? others : { ...others, [key]: value };
    void this.#check();
  }

  #table(): TemplateResult {
    const { show } = this.network;
    const keys = [...new Set(this.attempts.flatMap(({ values }) => Object.keys(values)))];
    return html`<div class="results" tabindex="0" role="region" aria-label="Results"><table>
      <thead><tr><th scope="col">Run</th>${[...keys, ...show.map(measureName)].map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${this.attempts.map(({ values, done }) => done.map(({ title, outcome }) => html`<tr>
        <th scope="row">${title}</th>${keys.map((key) => html`<td>${String(values[key] ?? "–")}</td>`)}
        ${show.map((column) => html`<td>${measured(outcome, column)}</td>`)}</tr>`))}</tbody>
    </table></div>`;
  }

  /** Take the scenario of the first run to the playground. */
  async #open(): Promise<void> {
    const edits = Object.entries(this.#changes(0)).flatMap(([key, value]) => editsOf(key, value));
    const text = await this.engines.ask<string>({ call: "edit", text: this.network.text, edits });
    location.hash = `s=${await pack({ text, beside: [] })}`;
  }
}

/** A table replaces what is there, key by key. */
function editsOf(key: string, value: unknown): Edit[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [{ key, value }];
  return [{ key }, ...Object.entries(value).map(([name, inner]) => ({ key: `${key}.${name}`, value: inner as unknown }))];
}

customElements.define("lesson-network", LessonNetwork);

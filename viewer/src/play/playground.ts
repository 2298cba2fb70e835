/** Scenarios are made, run and shared here: text and form, the network, the replay, results. */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import "./play.css";
import type { Manifest } from "../data/source";
import { loadTrace } from "../data/trace";
import { prepare } from "../model/run";
import type { TraceView } from "../ui/app";
import { lessonOf } from "./book";
import { Cancelled, type Engines } from "./client";
import { ScenarioError, type Checked, type Edit } from "./engine";
import { readFolder } from "./folder";
import "./form";
import "./map";
import { readPlaces, scenarioOf } from "./places";
import { resultsOf, type Done } from "./results";
import type { Schema } from "./schema";
import type { SoFar } from "./run";
import { pack, unpack } from "./share";
import { MOST_BYTES, runAll, runsOf, stage } from "./show";
import "./sweep";
import { ScenarioText, type Remark } from "./text";

/** More replays cannot be seen together. */
const MOST_BESIDE = 3;
/** So long nothing is typed before the text is checked, in ms. */
const PAUSE_MS = 150;

/** A scheme, and what it is called. */
export interface Part {
  readonly name: string;
  readonly title: string;
}

type View = "network" | "replay" | "sweep";

const VIEWS: readonly { readonly view: View; readonly name: string }[] = [
  { view: "network", name: "Network" }, { view: "replay", name: "Replay" }, { view: "sweep", name: "Sweep" },
];

export class PlayGround extends LitElement {
  static override properties = {
    checked: { state: true }, error: { state: true }, view: { state: true }, byText: { state: true },
    share: { state: true }, done: { state: true }, beside: { state: true }, said: { state: true },
  };
  manifest!: Manifest;
  engines!: Engines;
  schema!: Schema;
  schemes!: readonly Part[];
  text = "";
  checked: Checked | null = null;
  error: Error | null = null;
  view: View = "network";
  byText = false;
  /** How much of a run is done; null if none goes on. */
  share: number | null = null;
  done: readonly Done[] = [];
  /** The schemes beside that of the scenario. */
  beside: readonly string[] = [];
  said = "";
  /** The scenario of the results. */
  #ran = "";
  #editor: ScenarioText | null = null;
  #replay: TraceView | null = null;
  #stop: AbortController | null = null;
  #timer = 0;
  #asked = 0;
  #kept = "";

  override createRenderRoot(): this {
    return this;
  }

  override firstUpdated(): void {
    this.#editor = new ScenarioText(this.querySelector(".text") as HTMLElement, this.text, (text) => {
      this.text = text;
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => void this.#check(), PAUSE_MS);
    });
    addEventListener("hashchange", () => void this.#open());
    void this.#open();
  }

  /** Open what the address has; a link that was made of a replay leads to the replay. */
  async #open(): Promise<void> {
    if (lessonOf(location.hash) !== null && this.checked) return;
    const parts = new URLSearchParams(location.hash.slice(1));
    const letters = parts.get("s");
    if (letters !== null && `s=${letters}` === this.#kept) return;
    const shared = letters === null ? null : await unpack(letters);
    if (letters !== null && shared === null) this.said = "The link is damaged: it holds no scenario.";
    if (shared) this.beside = this.schemes.map(({ name }) => name).filter((name) => shared.beside.includes(name)).slice(0, MOST_BESIDE);
    await this.#take(shared?.text ?? (this.text || (this.manifest.templates?.[0]?.text ?? "")));
    if (shared && parts.has("t") && this.checked && !this.error) await this.#run(true);
  }

  async #take(text: string): Promise<void> {
    this.text = text;
    this.#editor?.show(text);
    await this.#check();
  }

  async #check(): Promise<void> {
    clearTimeout(this.#timer);
    const asked = ++this.#asked;
    const { text } = this;
    let remarks: Remark[] = [];
    try {
      const checked = await this.engines.check(text);
      if (asked !== this.#asked) return;
      [this.checked, this.error] = [checked, null];
      remarks = checked.notes.map(({ line, said }) => ({ line, severity: "warning", said }));
    } catch (error) {
      if (asked !== this.#asked) return;
      this.error = error as Error;
      if (error instanceof ScenarioError) remarks = [{ line: error.line, severity: "error", said: error.message }];
    }
    this.#editor?.remark(remarks);
    this.#kept = `s=${await pack({ text, beside: this.beside })}`;
    if (this.#replay && this.#replay.kept !== null) this.#replay.kept = this.#kept;
    if (asked === this.#asked) this.#address();
  }

  /** Keep the scenario in the address, with the moment of a replay only while it is of this scenario. */
  #address(): void {
    if (lessonOf(location.hash) !== null) return;
    const known = new URLSearchParams(location.hash.slice(1));
    if (`s=${known.get("s") ?? ""}` !== this.#kept) history.replaceState(null, "", `#${this.#kept}`);
  }

  /** Change keys in the text. Nodes and flows are listed first if only a topology stands for them. */
  async #edit(edits: readonly Edit[], network = false): Promise<void> {
    try {
      const text = network
        ? await this.engines.ask<string>({ call: "explicit", text: this.text })
        : this.text;
      await this.#take(await this.engines.ask<string>({ call: "edit", text, edits }));
    } catch (error) {
      this.error = error as Error;
    }
  }

  /** Run the scenario; its replay is shown while the run goes on, unless a link leads to a moment of it. */
  async #run(atMoment = false): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    const schemes = [undefined, ...this.beside];
    const { text } = this;
    const most_bytes = Math.round(MOST_BYTES / schemes.length);
    const orders = schemes.map((scheme) => ({ text, changes: changesOf(scheme), most_bytes }));
    [this.share, this.said] = [0, ""];
    try {
      const outcomes = await runAll(this.engines, orders, {
        signal: stop.signal,
        told: (share) => {
          this.share = share;
        },
        ...(atMoment ? {} : { grown: (all: readonly SoFar[]) => this.#show(all, stop.signal) }),
      });
      await this.#show(outcomes, stop.signal);
      // Reading the whole trace takes a while, in which the run can be cancelled too.
      if (stop.signal.aborted) throw new Cancelled("the run was cancelled");
      this.done = outcomes.map((outcome) => ({ title: this.#title(outcome.about.scheme), outcome }));
      this.#ran = text;
    } catch (error) {
      stop.abort();
      if (error instanceof Cancelled) this.said = "The run was cancelled.";
      else this.error = error as Error;
    }
    [this.share, this.#stop] = [null, null];
    this.#replay?.settle();
  }

  #title(scheme: string): string {
    return this.schemes.find(({ name }) => name === scheme)?.title ?? scheme;
  }

  /** Show what there is of runs; with the first of it the results of other runs go. */
  async #show(all: readonly SoFar[], signal: AbortSignal): Promise<void> {
    const growing = all.some(({ now_s }) => now_s !== null);
    const runs = await runsOf(all.map((outcome) => ({ title: this.#title(outcome.about.scheme), outcome })));
    const place = this.querySelector(".replay");
    if (signal.aborted || !place) return;
    const first = !this.#replay?.growing;
    if (growing && first) {
      this.done = [];
      history.replaceState(null, "", `#${this.#kept}`);
    }
    const manifest: Manifest = { title: this.manifest.title, runs: [] };
    this.#replay = stage(runs, { place, manifest, kept: this.#kept, growing });
    if (first) this.view = "replay";
  }

  protected override updated(): void {
    if (this.#replay) this.#replay.hidden = this.view !== "replay";
  }

  override render(): TemplateResult {
    return html`
      <header>
        <h1>multihop <small>playground</small></h1>
        <div class="tools">
          <label>Template <select data-what="template" @change=${(event: Event) => this.#template(event)}>
            <option value="">choose …</option>
            ${(this.manifest.templates ?? []).map(({ name, title }) => html`<option value=${name}>${title}</option>`)}
          </select></label>
          ${this.manifest.lessons ? html`<a class="button" href="#lesson=">Lessons</a>` : nothing}
          <label class="button" title="A scenario (TOML), or nodes with places (CSV, JSON, GeoJSON)">Open <input type="file"
            accept=".toml,.csv,.json,.geojson" @change=${(event: Event) => void this.#file(event)}></label>
          <label class="button" title="A folder that 'multihop run --trace' has written">Open trace <input type="file" webkitdirectory
            @change=${(event: Event) => void this.#folder(event)}></label>
          <button @click=${() => this.#save()}>Save</button>
          <button @click=${() => void this.#copy()}>Copy link</button>
          <button @click=${() => this.#turn()} aria-label="Light or dark">◐</button>
        </div>
      </header>
      <div class="bench" role="main" data-view=${this.view}>
        <section class="scenario" aria-label="Scenario">
          ${this.#tabs()}
          <div class="text" ?hidden=${!this.byText}></div>
          <scenario-form ?hidden=${this.byText} .schema=${this.schema} .wrong=${this.#wrong()}
            .scenario=${this.checked?.about.scenario ?? {}} .effective=${this.checked?.about.effective ?? {}}
            @form=${({ detail }: CustomEvent<readonly Edit[]>) => void this.#edit(detail)}></scenario-form>
          ${this.#remarks()}
        </section>
        <section class="middle" aria-label="Network and replay">
          ${this.#bar()}
          <network-editor ?hidden=${this.view !== "network"} .about=${this.checked?.about ?? null}
            @network=${({ detail }: CustomEvent<readonly Edit[]>) => void this.#edit(detail, true)}></network-editor>
          <div class="replay" ?hidden=${this.view !== "replay"}><p class="quiet"
            ?hidden=${this.done.length > 0 || this.#replay !== null}>Nothing has been run yet.</p></div>
          <scenario-sweep ?hidden=${this.view !== "sweep"} .engines=${this.engines} .schemes=${this.schemes}
            .text=${this.text} .ready=${this.error === null}></scenario-sweep>
        </section>
        <section class="results" aria-label="Results" tabindex=${this.done.length > 2 ? 0 : nothing} ?hidden=${this.view === "sweep"}>
          ${this.done.length > 0 && this.#ran !== this.text
            ? html`<p class="hint" role="status">The scenario has changed since this run.</p>` : nothing}
          ${this.done.length > 0 ? resultsOf(this.done) : html`<p class="quiet">Results stand here after a run.</p>`}
          ${this.#command()}
        </section>
      </div>`;
  }

  #tabs(): TemplateResult {
    const tab = (name: string, byText: boolean): TemplateResult => html`<button aria-pressed=${this.byText === byText}
      @click=${() => { this.byText = byText; }}>${name}</button>`;
    return html`<div class="toolbar" role="group" aria-label="Scenario as">${tab("Form", false)}${tab("Text", true)}</div>`;
  }

  #bar(): TemplateResult {
    return html`<div class="toolbar">${this.view === "sweep" ? nothing : this.#runs()}
      <span class="views" role="group" aria-label="Show">${VIEWS.map(({ view, name }) => html`<button
        aria-pressed=${this.view === view} ?disabled=${view === "replay" && this.done.length === 0 && !this.#replay}
        @click=${() => { this.view = view; }}>${name}</button>`)}</span>
      <output role="status">${this.said}</output>
    </div>`;
  }

  #runs(): TemplateResult {
    return html`${this.share === null
        ? html`<button class="go" ?disabled=${this.error !== null || !this.checked} @click=${() => void this.#run()}>Run</button>`
        : html`<button class="go" @click=${() => this.#stop?.abort()}>Cancel</button>
          <progress max="1" .value=${this.share} aria-label="Progress of the run"></progress>`}
      <details class="menu" @keydown=${(event: KeyboardEvent) => {
        if (event.key === "Escape") (event.currentTarget as HTMLDetailsElement).open = false;
      }}><summary>beside ${this.beside.length === 0 ? "no other scheme" : this.beside.map((name) => this.#title(name)).join(", ")}</summary>
        <fieldset><legend>At most ${MOST_BESIDE} schemes beside that of the scenario</legend>
          ${this.schemes.map(({ name, title }) => html`<label><input type="checkbox" value=${name}
            .checked=${this.beside.includes(name)} ?disabled=${!this.beside.includes(name) && this.beside.length >= MOST_BESIDE}
            @change=${() => this.#compare(name)}>${title}</label>`)}</fieldset>
      </details>`;
  }

  #wrong(): string {
    return this.error instanceof ScenarioError ? this.error.key ?? "" : "";
  }

  #remarks(): TemplateResult | typeof nothing {
    const { error, checked } = this;
    if (error) {
      const line = error instanceof ScenarioError ? error.line : null;
      return html`<div class="troubles" role="alert"><p>${error.message}</p>
        ${line === null ? nothing : html`<button @click=${() => this.#goTo(line)}>To line ${line}</button>`}</div>`;
    }
    const notes = checked?.notes ?? [];
    return notes.length === 0 ? nothing
      : html`<div class="troubles note" role="status">${notes.map(({ said }) => html`<p>${said}</p>`)}</div>`;
  }

  #goTo(line: number): void {
    this.byText = true;
    void this.updateComplete.then(() => this.#editor?.goTo(line));
  }

  #command(): TemplateResult {
    const schemes = [this.checked?.about.scheme ?? "", ...this.beside].join(",");
    const line = this.beside.length > 0 ? `multihop compare scenario.toml --schemes ${schemes}` : "multihop run scenario.toml";
    return html`<p class="hint">The same on the command line: <kbd>Save</kbd>, and then<br><code>${line}</code></p>`;
  }

  #template(event: Event): void {
    const menu = event.target as HTMLSelectElement;
    const found = this.manifest.templates?.find(({ name }) => name === menu.value);
    menu.value = "";
    this.view = "network";
    if (found) void this.#take(found.text);
  }

  async #file(event: Event): Promise<void> {
    const [file] = taken(event);
    if (!file) return;
    try {
      const text = await file.text();
      this.view = "network";
      await this.#take(/\.toml$/i.test(file.name) ? text : scenarioOf(readPlaces(text, file.name), file.name));
      this.said = "";
    } catch (error) {
      this.said = `${file.name}: ${(error as Error).message}`;
    }
  }

  /** Show a trace of the reader's own. It stands beside no scenario and no results. */
  async #folder(event: Event): Promise<void> {
    const files = taken(event);
    const place = this.querySelector(".replay");
    if (files.length === 0 || !place) return;
    this.#stop?.abort();
    try {
      const source = await readFolder(files);
      const runs = [prepare(await loadTrace(source))];
      const manifest: Manifest = { title: source.title, runs: [] };
      this.#replay = stage(runs, { place, manifest, kept: null, growing: false });
      [this.done, this.view, this.said] = [[], "replay", `The replay is that of the folder: ${source.title}.`];
    } catch (error) {
      this.said = (error as Error).message;
    }
  }

  #save(): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([this.text], { type: "application/toml" }));
    link.download = "scenario.toml";
    link.click();
    URL.revokeObjectURL(link.href);
  }

  async #copy(): Promise<void> {
    await this.#check();
    try {
      await navigator.clipboard.writeText(location.href);
      this.said = "The link is copied: the whole scenario is in it.";
    } catch {
      this.said = "The link is in the address bar.";
    }
  }

  #compare(scheme: string): void {
    const { beside } = this;
    this.beside = beside.includes(scheme) ? beside.filter((one) => one !== scheme) : [...beside, scheme];
    void this.#check();
  }

  #turn(): void {
    const root = document.documentElement;
    if (this.#replay) this.#replay.session.turn();
    else {
      const dark = root.dataset["theme"] ? root.dataset["theme"] === "dark"
        : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset["theme"] = dark ? "light" : "dark";
    }
  }
}

/** Take the files that were chosen, so that the same ones can be chosen again. */
function taken(event: Event): File[] {
  const input = event.target as HTMLInputElement;
  const files = [...input.files ?? []];
  input.value = "";
  return files;
}

/** What makes the scenario one of another scheme: the parameters of its own go. */
const changesOf = (scheme: string | undefined): Record<string, unknown> =>
  (scheme === undefined ? {} : { scheme: { name: scheme } });

customElements.define("play-ground", PlayGround);

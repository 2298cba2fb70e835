/** The page: maps, the clock's controls, lanes, charts, and what stands beside them. */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { DASH_WORDS, type TimeCharts } from "../charts/charts";
import type { Manifest } from "../data/source";
import type { Run } from "../model/run";
import { clockWords, speedWords, SPEEDS } from "../model/words";
import "./inspector";
import type { TraceInspector } from "./inspector";
import { KEY_NAMES, KEYS, press } from "./keys";
import "./lanes";
import type { AirLanes } from "./lanes";
import { follow, linkOf } from "./link";
import { legend } from "./legend";
import "./map";
import type { NetworkMap } from "./map";
import { Session } from "./session";
import "./timeline";
import type { TimeLine } from "./timeline";

/** How often words change while it plays, in ms: faster cannot be read. */
const WORDS_MS = 120;

type Painted = NetworkMap | AirLanes | TimeLine | TimeCharts;

export class TraceView extends LitElement {
  manifest!: Manifest;
  runs!: Run[];
  session!: Session;
  /** Whether another page has it within, with a header of its own. */
  embedded = false;
  /** What that page keeps in the address; null if the address is not for this replay. */
  kept: string | null = "";
  /** Whether the runs go on, so that there is more to come. */
  growing = false;
  /** The session that this one goes on with, of the same runs when they were shorter. */
  resumes: Session | null = null;
  #ended = new AbortController();
  #dirty = true;
  #last = 0;
  #spoken = 0;
  #said = "";
  /** How long the last pictures took, in ms; read by the measurement of the guide. */
  readonly pictures: number[] = [];

  override createRenderRoot(): this {
    return this;
  }

  /** The runs have ended, and there is no more to come. */
  settle(): void {
    this.growing = false;
    this.session.player.growing = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.session = new Session(this.runs);
    const { kept } = this;
    this.session.player.growing = this.growing;
    if (this.resumes) this.session.resume(this.resumes);
    else follow(this.session, (kept === null ? "" : location.hash) || this.manifest.view || "");
    this.resumes = null;
    this.session.addEventListener("change", () => {
      this.#dirty = true;
      this.#words();
      if (this.kept !== null) history.replaceState(null, "", linkOf(this.session, this.kept));
    });
    const { signal } = this.#ended;
    if (kept !== null) addEventListener("hashchange", () => follow(this.session, location.hash), { signal });
    addEventListener("keydown", this.#key, { signal });
    addEventListener("resize", () => {
      this.#dirty = true;
    }, { signal });
    requestAnimationFrame(this.#frame);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#ended.abort();
  }

  override firstUpdated(): void {
    new ResizeObserver(() => {
      this.#dirty = true;
    }).observe(this);
  }

  #frame = (now: number): void => {
    if (this.#ended.signal.aborted) return;
    const { player } = this.session;
    player.tick(Math.min(100, now - this.#last));
    this.#last = now;
    if (player.playing || this.#dirty) {
      this.#dirty = false;
      const begin = performance.now();
      this.querySelectorAll<HTMLElement & Painted>("[data-painted]").forEach((part) => part.paint());
      if (player.playing) {
        this.pictures.push(performance.now() - begin);
        if (this.pictures.length > 2000) this.pictures.shift();
      }
      if (now - this.#spoken > WORDS_MS && player.playing) {
        this.#spoken = now;
        this.#words();
      }
    }
    requestAnimationFrame(this.#frame);
  };

  #words(): void {
    this.requestUpdate();
    this.querySelector<TraceInspector>("trace-inspector")?.requestUpdate();
  }

  #key = (event: KeyboardEvent): void => {
    const help = this.querySelector("dialog");
    // One of several replays in a page heeds keys only where they are pressed.
    const elsewhere = this.kept === null && !this.contains(event.target as Node);
    if (help?.open || this.hidden || elsewhere) return;
    if (event.key === "?") help?.showModal();
    else if (press(this.session, event)) event.preventDefault();
  };

  override render(): TemplateResult {
    const { runs } = this.session;
    const { lesson, title } = this.manifest;
    return html`
      ${this.embedded ? nothing : html`<header>
        <h1>${title}${runs.length > 1 ? nothing : html` <small>${runs[0].trace.title}</small>`}</h1>
        <div class="tools">
          <button @click=${this.#share}>${this.#said || "Copy link"}</button>
          <button @click=${() => this.session.turn()}>${this.session.theme.dark ? "Light" : "Dark"}</button>
          <button @click=${() => this.querySelector("dialog")?.showModal()}>Help <kbd>?</kbd></button>
        </div>
      </header>`}
      ${this.#troubles()}
      <div class="main" role=${this.embedded ? nothing : "main"}>
        ${lesson ? html`<p class="lesson">${lesson}</p>` : nothing}
        <div class="stage">
          ${legend(this.session)}
          <div class="maps" data-runs=${runs.length}>
            ${runs.map(({ trace }, number) => html`<section class="run" aria-label=${trace.title}>
              ${runs.length > 1 ? html`<h2>${trace.title}</h2>` : nothing}
              <network-map data-painted .session=${this.session} .number=${number}></network-map>
              <air-lanes data-painted .session=${this.session} .number=${number}></air-lanes>
            </section>`)}
          </div>
        </div>
        <div class="transport">
          <time-line data-painted .session=${this.session}></time-line>
          ${this.#controls()}
        </div>
        ${runs.length > 1 ? html`<p class="hint">In the charts, ${runs
          .map(({ trace }, at) => `${DASH_WORDS[at % DASH_WORDS.length]} is ${trace.title}`).join(", ")}.</p>` : nothing}
        <time-charts data-painted .session=${this.session}></time-charts>
        <trace-inspector .session=${this.session}></trace-inspector>
      </div>
      ${this.#help()}`;
  }

  #troubles(): TemplateResult | typeof nothing {
    const { runs } = this.session;
    const all = runs.flatMap(({ trace }) => trace.troubles.map((text) =>
      (runs.length > 1 ? `${trace.title}: ${text}` : text)));
    return all.length === 0 ? nothing : html`<div class="troubles" role="status">
      ${all.map((text) => html`<p>${text}</p>`)}</div>`;
  }

  #controls(): TemplateResult {
    const { session } = this;
    const { player } = session;
    const lost = session.runs.some(({ losses }) => losses.next(-1) >= 0);
    return html`<div class="controls" role="group" aria-label="Clock">
      <button class="play" @click=${() => player.toggle()}
        aria-label=${player.playing ? "Pause" : "Play"}>${player.playing ? "❚❚" : "▶"}</button>
      <button @click=${() => session.step(-1)} aria-label="To the frame before">◂ Frame</button>
      <button @click=${() => session.step(1)} aria-label="To the next frame">Frame ▸</button>
      <button class="loss" ?disabled=${!lost} @click=${() => session.jump(-1)}
        aria-label="To the loss before">◂ Loss</button>
      <button class="loss" ?disabled=${!lost} @click=${() => session.jump(1)}
        aria-label="To the next loss">Loss ▸</button>
      <label class="speed">Speed
        <select @change=${(event: Event) =>
          player.pace(Number((event.target as HTMLSelectElement).value))}>
          ${[...new Set([...SPEEDS, player.speed])].sort((a, b) => a - b).map((speed) => html`
            <option value=${speed} ?selected=${speed === player.speed}
              .selected=${speed === player.speed}>${speedWords(speed)}</option>`)}
        </select></label>
      <output class="clock">${clockWords(player.time)} s</output>
    </div>`;
  }

  #help(): TemplateResult {
    return html`<dialog aria-label="Keys">
      <h2>Keys</h2>
      <dl>${KEYS.map(({ keys, about }) => html`<div>
        <dt>${keys.map((key) => html`<kbd>${KEY_NAMES[key] ?? key}</kbd> `)}</dt><dd>${about}</dd></div>`)}
        <div><dt><kbd>?</kbd></dt><dd>this list</dd></div>
      </dl>
      <p>Click a node for its queues and its MAC, a frame for its headers. The wheel or two fingers
        zoom the map. The link in the address bar leads to just what you see.</p>
      <form method="dialog"><button>Close</button></form>
    </dialog>`;
  }

  #share = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(location.href);
      this.#said = "Copied";
    } catch {
      this.#said = "See the address bar";
    }
    this.requestUpdate();
    setTimeout(() => {
      this.#said = "";
      this.requestUpdate();
    }, 1500);
  };
}

customElements.define("trace-view", TraceView);

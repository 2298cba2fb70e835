/** Beside the map: what happens now, the node and the frame that are looked at, and all losses. */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { flowColor } from "../map/colors";
import { decode, type Header } from "../model/header";
import { messagesOf } from "../model/flood";
import { lapseSpan } from "../model/lapse";
import { neighbours, neighbourWords, type Neighbour } from "../model/links";
import { fateWords, frameWords, happenings, macWords, radioWords, serviceWords, sumWords } from "../model/now";
import type { Run } from "../model/run";
import { upTo } from "../model/search";
import { RELATIONS, reasonWords, spoilers, type Spoiler } from "../model/spoilers";
import { bitRateWords, causeWords, classWords, clockWords, durationWords, eventWords, timerWords } from "../model/words";
import { messageSection } from "./message";
import type { Session } from "./session";

const MOST_EVENTS = 8;
const MOST_SPOILERS = 6;

const row = (name: string, value: unknown): TemplateResult =>
  html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

export class TraceInspector extends LitElement {
  session!: Session;
  /** The headers of the frame that is looked at, once they are read. */
  #headers: Header[] = [];
  #headerOf = "";

  override createRenderRoot(): this {
    return this;
  }

  override render(): TemplateResult {
    return html`${this.#now()}${messageSection(this.session)}${this.#node()}${this.#frame()}${this.#losses()}`;
  }

  #swatch(flow: number): TemplateResult {
    return html`<i class="swatch" style="background: ${flowColor(this.session.theme, flow)}"></i>`;
  }

  #now(): TemplateResult {
    const { runs, player } = this.session;
    const [since, span] = [player.time - 0.6e9 * player.speed, lapseSpan(player.speed)];
    return html`<section class="now" aria-live=${player.playing ? "off" : "polite"}>
      <h2>Now <span class="clock">${clockWords(player.time)} s</span></h2>
      ${runs.map((run, number) => {
        const title = runs.length > 1 ? html`<h3>${run.trace.title}</h3>` : nothing;
        if (span > 0) {
          const words = sumWords(run, Math.max(0, player.time - span), player.time);
          return html`${title}<ul>${words.map((one) => html`<li>${one}</li>`)}</ul>`;
        }
        const found = happenings(run, player.time, since);
        return html`${title}
          <ul>${found.length === 0 ? html`<li class="quiet">The air is quiet.</li>` : found.map((one) => html`
            <li class=${one.kind}>
              <button @click=${() => this.session.choose(
                one.row >= 0 ? { frame: one.row, node: -1 } : { node: one.node, frame: -1 }, number)}>
                ${one.kind === "frame" ? this.#swatch(one.flow) : html`<i class="mark"></i>`}${one.text}
              </button></li>`)}</ul>`;
      })}
    </section>`;
  }

  #node(): TemplateResult {
    const { session } = this;
    const { run, focus } = session;
    const { nodes } = run.trace;
    return html`<section>
      <h2>Node</h2>
      <select aria-label="Node" @change=${(event: Event) =>
        session.choose({ node: Number((event.target as HTMLSelectElement).value), frame: -1 })}>
        <option value="-1" ?selected=${focus.node < 0}>none: click one, or choose</option>
        ${nodes.map(({ node, label, role, scheme }) => html`<option value=${node} ?selected=${focus.node === node}>
          ${[label, ...[role, scheme].filter(Boolean).map((word) => `(${word})`)].join(" ")}</option>`)}
      </select>
      ${focus.node >= 0 && nodes[focus.node] ? this.#nodeRows(run, focus.node) : nothing}
    </section>`;
  }

  #nodeRows(run: Run, node: number): TemplateResult {
    const { time } = this.session.player;
    const { state, trace } = run;
    const { x, y } = state.place(node, time);
    const waiting = state.queued
      .map((flow) => ({ flow, length: state.queue(node, flow, time) }))
      .filter(({ length }) => length > 0);
    const { events } = trace;
    const air = state.air(node, time);
    const served = serviceWords(run, node, time);
    const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
    return html`<dl>
        ${row("place", `${x.toFixed(0)} m, ${y.toFixed(0)} m`)}
        ${row("radio", radioWords(run, node, time))}
        ${row("MAC", macWords(run, node, time))}
        ${served ? row("it has", served) : nothing}
        ${state.timers(node, time).map(({ timer, due }) =>
          row(`${timerWords(timer)} timer`, due > time ? `in ${durationWords(due - time)}` : "now"))}
        ${air ? row("its air", `sends ${percent(air.sending)}, receives ${percent(air.receiving)}, `
          + `finds it busy otherwise ${percent(air.busy)} of this interval`) : nothing}
        ${row("queue", waiting.length === 0 ? "empty" : waiting.map(({ flow, length }) =>
          html`<span>${this.#swatch(flow)}${length} of ${this.#flow(run, flow)}</span> `))}
        ${trace.flows.map(({ flow, destination }) => {
          const next = state.next(node, destination, time);
          return destination === node || next < 0 ? nothing
            : row(`to ${trace.nodes[destination]?.label ?? destination}`,
              html`${this.#swatch(flow)}by ${trace.nodes[next]?.label ?? next}`);
        })}
      </dl>
      ${this.#neighbours(run, node)}
      <h3>Last events</h3>
      <ol class="events">${state.events(node, time, MOST_EVENTS).map((at) => html`<li>
        <button @click=${() => this.session.player.seek(events.time_ns[at])}>
          <span class="clock">${clockWords(events.time_ns[at])}</span>
          ${eventWords(events.event.words[events.event.codes[at]])}
          ${events.packet[at] >= 0 ? `packet ${events.packet[at]}` : ""}
          ${causeWords(events.cause.words[events.cause.codes[at]])}
        </button></li>`)}</ol>`;
  }

  /** Who hears a node and whom it hears, where the trace says so. */
  #neighbours(run: Run, node: number): TemplateResult | typeof nothing {
    const { trace } = run;
    const found = neighbours(trace, node);
    if (found.length === 0) return nothing;
    const { session } = this;
    const bad = (one: Neighbour): boolean => !one.heard?.decodes || !one.hears?.decodes;
    return html`<h3>Neighbours: ${found.filter((one) => one.heard?.decodes || one.hears?.decodes).length}
        <button aria-pressed=${session.focus.links} @click=${() =>
          session.choose({ links: !session.focus.links })}>on the map</button></h3>
      <ul class="packets">${found.map((one) => html`<li class=${bad(one) ? "quiet" : nothing}>
        <button @click=${() => session.choose({ node: one.node, frame: -1 })}>${trace.nodes[one.node]?.label ?? one.node}</button>
        ${neighbourWords(trace, one)}</li>`)}</ul>`;
  }

  #flow(run: Run, flow: number): string {
    return run.trace.flows.find((one) => one.flow === flow)?.label ?? "no flow";
  }

  #frame(): TemplateResult | typeof nothing {
    const { run, focus, chosen } = this.session;
    if (focus.frame < 0 || focus.frame >= run.trace.frames.rows) return nothing;
    const { frames, receptions, nodes } = run.trace;
    const at = focus.frame;
    void this.#readHeader(run, `${chosen} ${at}`, at);
    const heard: TemplateResult[] = [];
    run.air.heard(at, (node, fate, reception) => {
      const outcome = receptions.outcome.words[receptions.outcome.codes[reception]];
      heard.push(html`<li class=${fate}>${nodes[node]?.label ?? node}: ${causeWords(outcome)}</li>`);
    });
    const [fate, reason] = [fateWords(run, at), reasonWords(run, at)];
    return html`<section>
      <h2>Frame ${frames.frame[at]}</h2>
      <dl>
        ${row("what", html`${this.#swatch(frames.flow[at])}${frameWords(run, at)}`)}
        ${row("class", classWords(frames.class.words[frames.class.codes[at]]))}
        ${row("flow", frames.flow[at] < 0 ? "none" : this.#flow(run, frames.flow[at]))}
        ${row("begins", html`<span class="clock">${clockWords(frames.start_ns[at])} s</span>`)}
        ${row("lasts", durationWords(frames.length_ns[at]))}
        ${row("length", `${frames.bytes[at]} B`)}
        ${frames.rate_bit_s[at] > 0 ? row("rate", bitRateWords(frames.rate_bit_s[at])) : nothing}
        ${this.#message(run, at)}
        ${this.#answers(run, at)}
        ${fate ? row("lost", html`<b class="lost">${fate}</b>`) : nothing}
        ${reason ? row("why", `${reason}.`) : nothing}
      </dl>
      ${this.#packets(run, at)}
      ${heard.length > 0 ? html`<h3>At the radios</h3><ul class="heard">${heard}</ul>` : nothing}
      ${this.#headers.map(({ name, fields }) => html`<h3>${name}</h3>
        <dl>${fields.map((one) => row(one.name, html`<code>${one.value}</code>`))}</dl>`)}
    </section>`;
  }

  /** A button that leads to a frame. */
  #link(run: Run, at: number): TemplateResult {
    const { frames } = run.trace;
    return html`<button @click=${() => {
      this.session.choose({ node: -1, frame: at });
      this.session.player.seek(frames.start_ns[at]);
    }}>frame ${frames.frame[at]}</button>`;
  }

  /** The message that a frame carries. */
  #message(run: Run, at: number): TemplateResult | typeof nothing {
    const message = messagesOf(run).ofFrame(at);
    return message ? row("message", html`<button @click=${() => this.session.watch(message.key)}>the way of
      packet ${message.packet}</button>`) : nothing;
  }

  /** What answers a frame, and what it answers. */
  #answers(run: Run, at: number): TemplateResult | typeof nothing {
    const [answer, answered] = [run.aggregates.answer(at), run.aggregates.answered(at)];
    if (answered >= 0) return row("answers", this.#link(run, answered));
    if (answer >= 0) return row("answered by", this.#link(run, answer));
    return run.aggregates.count(at) > 0 ? row("answered by", "nothing") : nothing;
  }

  /** The packets of a frame of several. */
  #packets(run: Run, at: number): TemplateResult | typeof nothing {
    const packets = run.aggregates.of(at);
    if (packets.length === 0) return nothing;
    const again = packets.filter((packet) => packet.again >= 0).length;
    return html`<h3>${packets.length} packets (A-MPDU), ${again === 0 ? "none" : again} sent again</h3>
      <ol class="packets">${packets.map((packet) => html`<li>
        ${this.#swatch(packet.flow)}${classWords(packet.class)}
        ${packet.packet >= 0 ? `packet ${packet.packet}` : ""} ${packet.bytes} B
        ${packet.again >= 0 ? html`<b class="lost">again in</b> ${this.#link(run, packet.again)}` : nothing}
      </li>`)}</ol>`;
  }

  async #readHeader(run: Run, key: string, at: number): Promise<void> {
    if (this.#headerOf === key) return;
    this.#headerOf = key;
    this.#headers = [];
    const headers = decode(await run.trace.header(at), run.trace.layouts);
    if (this.#headerOf !== key) return;
    this.#headers = headers;
    this.requestUpdate();
  }

  #losses(): TemplateResult {
    const { session } = this;
    const { runs } = session;
    return html`<section>
      <h2>Losses</h2>
      ${runs.map((run, number) => {
        const counts = run.losses.counts();
        return html`${runs.length > 1 ? html`<h3>${run.trace.title}</h3>` : nothing}
        ${counts.length === 0 ? html`<p class="quiet">None.</p>` : html`<ul class="causes">
          ${counts.map(({ cause, count }) => html`<li>
            <button aria-pressed=${session.cause === cause} @click=${() => {
              session.chosen = number;
              session.cause = session.cause === cause ? "" : cause;
              if (session.cause) session.jump(1);
              session.changed();
            }}><i class="mark"></i>${causeWords(cause)} <b>${count}</b></button></li>`)}
        </ul>`}
        ${this.#spoilers(run, number)}`;
      })}
      <p class="hint">Choose a cause to jump through its losses only.</p>
    </section>`;
  }

  #spoilers(run: Run, number: number): TemplateResult | typeof nothing {
    const { session } = this;
    const worst = spoilers(run).slice(0, MOST_SPOILERS);
    if (worst.length === 0) return nothing;
    const name = (node: number): string => run.trace.nodes[node]?.label ?? `n${node}`;
    return html`<h3>Who spoils whose frames
        <button aria-pressed=${session.focus.causes} @click=${() =>
          session.choose({ causes: !session.focus.causes })}>on the map</button></h3>
      <ul class="causes">${worst.map((one) => html`<li>
        <button @click=${() => this.#visit(run, number, one)}>
          ${`${name(one.by)} destroys ${name(one.sender)} → ${name(one.receiver)} (${RELATIONS[one.relation]})`}
          <b>${one.times.length}</b></button></li>`)}
      </ul>`;
  }

  /** Go to the next frame that a pair has spoilt, or to the first. */
  #visit(run: Run, number: number, { times, receiver }: Spoiler): void {
    const { session } = this;
    const { losses } = run;
    const time = times[upTo(times, session.player.time)] ?? times[0];
    for (let i = upTo(losses.time, time) - 1; i >= 0 && losses.time[i] === time; i--) {
      if (losses.node[i] !== receiver) continue;
      session.player.pause();
      session.choose({ node: -1, frame: losses.row[i] }, number);
      session.player.seek(time);
      return;
    }
  }
}

customElements.define("trace-inspector", TraceInspector);

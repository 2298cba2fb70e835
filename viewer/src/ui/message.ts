/** Beside the map: the messages to everyone, and what became of the one that is looked at. */

import { html, nothing, type TemplateResult } from "lit";
import { hopColor } from "../map/flood";
import { messagesOf, type Flood, type Message } from "../model/flood";
import type { Run } from "../model/run";
import { causeWords, clockWords, spanWords } from "../model/words";
import type { Session } from "./session";

const MOST_MESSAGES = 6;
/** The address of the page has times to the microsecond. */
const LINK_NS = 1e3;
/** More nodes than this are counted, not named. */
const MOST_NAMED = 12;

const nameOf = (run: Run, node: number): string => run.trace.nodes[node]?.label ?? `n${node}`;

/** "text n3, packet 7". */
function messageWords(run: Run, { flow, packet }: Message): string {
  return `${run.trace.flows.find((one) => one.flow === flow)?.label ?? `flow ${flow}`}, packet ${packet}`;
}

/** The section; nothing in a run without messages to everyone, as long as none is looked at. */
export function messageSection(session: Session): TemplateResult | typeof nothing {
  const { flood, focus, player, run } = session;
  const messages = messagesOf(run);
  if (!flood && messages.floods.length === 0) return nothing;
  const last = messages.upTo(player.time, focus.flow, MOST_MESSAGES);
  return html`<section class="messages">
    <h2>Messages to everyone</h2>
    ${last.length > 0 ? html`<ul class="list">${last.map((one) => html`<li>
      <button aria-pressed=${one.key === focus.message} @click=${() => session.watch(one.key === focus.message ? "" : one.key)}>
        <span class="clock">${(one.time / 1e9).toFixed(1)} s</span>
        <span>${messageWords(run, one)}</span>
        <b>${messages.flood(one).arrivals.length - 1} of ${run.trace.nodes.length - 1}</b>
      </button></li>`)}</ul>` : html`<p class="quiet">None so far.</p>`}
    <p class="hint">Choose one to see its way alone: to how many others it came stands beside it.</p>
    ${flood ? floodRows(session, run, flood) : nothing}
  </section>`;
}

function floodRows(session: Session, run: Run, flood: Flood): TemplateResult {
  const { player, theme } = session;
  const row = (name: string, value: unknown): TemplateResult => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  const from = flood.time;
  const got = flood.arrivals.length - 1;
  return html`<h3>${messageWords(run, flood)}
      <button @click=${() => session.watch("")}>show all</button></h3>
    <dl>
      ${row("from", nameOf(run, flood.source))}
      ${row("begins", html`<span class="clock">${clockWords(from)} s</span>`)}
      ${row("got it", `${got} of ${run.trace.nodes.length - 1} others`)}
      ${row("frames", `${flood.rows.length}, the last one ends after ${spanWords(flood.end - from)}`)}
      ${row("passed on by", `${flood.relayed.size} nodes`)}
      ${flood.held.size > 0 ? row("held back by", heldWords(flood)) : nothing}
      ${flood.missed.size > 0 ? row("never got by", missedWords(run, flood)) : nothing}
    </dl>
    <ol class="events waves">${flood.waves.map(({ nodes, time }, at) => html`<li>
      <button aria-current=${Math.abs(player.time - time) < LINK_NS ? "step" : nothing} @click=${() => {
        player.pause();
        player.seek(time);
      }}><i class="swatch" style="background: ${hopColor(theme, at + 1)}"></i>
        ${at + 1} ${at === 0 ? "hop" : "hops"}: ${nodes.length} ${nodes.length === 1 ? "node" : "nodes"} by ${spanWords(time - from)}
      </button></li>`)}</ol>`;
}

function heldWords({ held }: Flood): string {
  const causes = new Set([...held.values()].map(({ cause }) => causeWords(cause)));
  return `${held.size} nodes (${[...causes].join(", ")})`;
}

function missedWords(run: Run, { missed }: Flood): string {
  const named = [...missed.keys()].slice(0, MOST_NAMED).map((node) => nameOf(run, node)).join(", ");
  const more = missed.size > MOST_NAMED ? ` and ${missed.size - MOST_NAMED} more` : "";
  const hit = [...missed.values()].filter((lost) => lost > 0).length;
  return `${missed.size} nodes: ${named}${more}. At ${hit} of them copies were lost; to the others none came.`;
}

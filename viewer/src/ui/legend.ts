/** What the signs and colours of the map mean: of what it shows now. */

import { html, nothing, type TemplateResult } from "lit";
import { flowColor, rateColor } from "../map/colors";
import { HOPS, hopColor } from "../map/flood";
import { busyColor } from "../map/lapse";
import { marginColor } from "../map/links";
import type { Flood } from "../model/flood";
import { BUSY, lapseSpan } from "../model/lapse";
import { MARGINS, signalWords } from "../model/links";
import { bitRateWords, spanWords } from "../model/words";
import { roleLegend } from "./roles";
import type { Session } from "./session";

/** More flows than this are a list to choose from. */
const MOST_FLOWS = 16;

const sign = (color: string, text: string): TemplateResult =>
  html`<li><i class="swatch" style="background: ${color}"></i>${text}</li>`;

export function legend(session: Session): TemplateResult {
  const { focus, player, run } = session;
  const { flood } = session;
  const span = lapseSpan(player.speed);
  return html`<div class="legend">
    ${flows(session)}
    ${roleLegend(run.trace.nodes)}
    ${focus.links ? links(session) : nothing}
    ${flood ? waves(session, flood) : span > 0 ? sums(session, span) : html`
      ${focus.rates ? rates(session) : nothing}${SIGNS}`}
  </div>`;
}

function flows(session: Session): TemplateResult {
  const { focus, runs, theme } = session;
  const { flows: all } = runs[0].trace;
  if (all.length > MOST_FLOWS) {
    return html`<label class="speed">Flow
      <select @change=${(event: Event) => session.choose({ flow: Number((event.target as HTMLSelectElement).value) })}>
        <option value="-1" .selected=${focus.flow < 0}>all ${all.length}</option>
        ${all.map(({ flow, label }) => html`<option value=${flow} .selected=${focus.flow === flow}>${label}</option>`)}
      </select></label>`;
  }
  return html`<ul class="flows" aria-label="Flows">${all.map(({ flow, label }) => html`<li>
    <button aria-pressed=${focus.flow === flow} @click=${() =>
      session.choose({ flow: focus.flow === flow ? -1 : flow })}>
      <i class="swatch" style="background: ${flowColor(theme, flow)}"></i>${label}
    </button></li>`)}</ul>`;
}

const SIGNS = html`<ul class="signs" aria-label="Signs">
  <li><svg viewBox="0 0 26 14"><path d="M2 11 Q12 0 22 8" class="sent"/><path d="m24 10-6-1 4-4z" class="tip"/></svg>on the air</li>
  <li><svg viewBox="0 0 26 14"><path d="M2 11 Q12 0 24 9" class="over"/></svg>overheard</li>
  <li><svg viewBox="0 0 26 14"><path d="m8 2 10 10m0-10-10 10" class="cross"/></svg>lost on the air</li>
  <li><svg viewBox="0 0 26 14"><rect x="6" width="14" height="14" class="drop"/><path d="m10 4 6 6m0-6-6 6" class="white"/></svg>packet given up</li>
  <li><svg viewBox="0 0 26 14"><path d="M7 13V5M13 13V1M19 13V8" class="bars"/></svg>packets waiting</li>
</ul>`;

function rates({ runs, theme }: Session): TemplateResult {
  const { rates: all } = runs[0].aggregates;
  return html`<ul class="signs" aria-label="Rates">
    ${all.map((rate) => sign(rateColor(theme, all, rate), bitRateWords(rate)))}
    ${all.length === 0 ? html`<li>The medium does not say its rates.</li>` : nothing}</ul>`;
}

/** The least signal of each colour. */
function links({ run: { trace }, theme }: Session): TemplateResult {
  const known = !Number.isNaN(trace.decodes_dbm);
  const why = trace.hears ? "The trace does not say how strong signals are."
    : "The trace does not say who hears whom: nodes move or have wires, or it is old, or they are more than 150.";
  return html`<ul class="signs" aria-label="Links">
    ${trace.hears && known ? MARGINS.map((margin, at) => sign(marginColor(theme, at),
      `from ${signalWords(trace, trace.decodes_dbm + margin)}${at === 0 ? ", the least that is decoded" : ""}`))
    : html`<li>${why}</li>`}
    ${trace.hears ? html`<li><svg viewBox="0 0 26 14"><path d="M2 7H19" class="dash"/><path d="m25 7-7-4v8z" class="tip"/></svg>one-way</li>` : nothing}
  </ul>`;
}

function waves({ theme }: Session, flood: Flood): TemplateResult {
  return html`<ul class="signs" aria-label="Waves">
    ${sign(theme.ink, "where it began")}
    ${flood.waves.slice(0, HOPS).map((_, at) => sign(hopColor(theme, at + 1), at === 0 ? "1 hop"
      : `${at + 1} hops${at + 1 === HOPS && flood.waves.length > HOPS ? " or more" : ""}`))}
    <li><svg viewBox="0 0 26 14"><circle cx="13" cy="7" r="6" class="ring"/></svg>passed on</li>
    <li><svg viewBox="0 0 26 14"><circle cx="13" cy="7" r="6" class="ring held"/></svg>held back</li>
    <li><svg viewBox="0 0 26 14"><path d="m8 2 10 10m0-10-10 10" class="cross"/></svg>never got it</li>
  </ul>`;
}

function sums({ theme }: Session, span: number): TemplateResult {
  const percent = (share: number): string => `${Math.round(share * 100)}`;
  return html`<ul class="signs" aria-label="Sums">
    <li>The last ${spanWords(span)}. Sends or hears others:</li>
    ${BUSY.map((from, at) => sign(busyColor(theme, at), at + 1 < BUSY.length
      ? `${percent(from)} to ${percent(BUSY[at + 1])} %` : `over ${percent(from)} %`))}
    <li><svg viewBox="0 0 26 14"><path d="M13 2A5 5 0 0 1 18 7" class="bars"/></svg>sends</li>
    <li><svg viewBox="0 0 26 14"><path d="M2 7H24" class="bars"/></svg>frames between two</li>
  </ul>`;
}

/** The scenario as a form, which is made from its JSON Schema: units, bounds and what each key means come from there. */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Edit } from "./engine";
import { fieldsOf, optionsOf, switched, type Effective, type Field, type Schema, type Scenario } from "./schema";

/** What stands open, and what is for those who look for it. */
const SECTIONS: readonly { readonly name: string; readonly title: string; readonly open: boolean }[] = [
  { name: "topology", title: "Topology", open: true },
  { name: "scheme", title: "Scheme", open: true },
  { name: "traffic", title: "Traffic", open: true },
  { name: "", title: "Run", open: false },
  { name: "routing", title: "Routing", open: false },
  { name: "radio", title: "Radio", open: false },
  { name: "mac", title: "MAC", open: false },
  { name: "mobility", title: "Mobility", open: false },
];

/** So many keys of a section are all shown. */
const FEW = 5;

export class ScenarioForm extends LitElement {
  static override properties = { schema: { attribute: false }, scenario: { attribute: false }, effective: { attribute: false }, wrong: { attribute: false } };
  schema: Schema | null = null;
  /** What was given, as JSON. */
  scenario: Scenario = {};
  /** What holds where nothing is given and another key decides. */
  effective: Effective = {};
  /** The key of a mistake. */
  wrong = "";

  override createRenderRoot(): this {
    return this;
  }

  override render(): TemplateResult | typeof nothing {
    const { schema } = this;
    return schema === null ? nothing : html`${SECTIONS.map(({ name, title, open }) => html`
      <details ?open=${open}><summary>${title}${this.#summary(schema, name)}</summary>
        <div class="fields">${this.#kind(schema, name)}${this.#fields(schema, name)}</div>
      </details>`)}`;
  }

  /** All keys of a section; of many, those that are given, and the others for those who want more. */
  #fields(schema: Schema, section: string): TemplateResult {
    const fields = fieldsOf(schema, this.scenario, section, this.effective);
    const shown = fields.length <= FEW ? fields : fields.filter(({ given, key }) => given !== "" || this.wrong === key);
    const others = fields.filter((field) => !shown.includes(field));
    return html`${repeat(shown, ({ key }) => key, (field) => this.#field(field))}
      ${others.length === 0 ? nothing : html`<details class="wide more"><summary>${others.length} more</summary>
        <div class="fields">${repeat(others, ({ key }) => key, (field) => this.#field(field))}</div></details>`}`;
  }

  /** Which scheme, topology and so on: seen when the section is closed. */
  #summary(schema: Schema, section: string): TemplateResult | typeof nothing {
    const options = section ? optionsOf(schema, this.scenario, section, this.effective) : null;
    return options ? html` <small>${options.chosen}</small>` : nothing;
  }

  #kind(schema: Schema, section: string): TemplateResult | typeof nothing {
    const options = section ? optionsOf(schema, this.scenario, section, this.effective) : null;
    if (!options) return nothing;
    const { key, all, chosen, none } = options;
    const about = all.find(({ value }) => value === chosen)?.about ?? "";
    return html`<label class="wide" title=${about}><span>${key}</span>
      <select data-key="${section}.${key}" @change=${(event: Event) =>
        this.#edit(switched(schema, this.scenario, section, (event.target as HTMLSelectElement).value))}>
        ${none || chosen === "" ? html`<option value="" .selected=${chosen === ""}>–</option>` : nothing}
        ${all.map(({ value, title }) => html`<option value=${value} ?selected=${value === chosen}
          .selected=${value === chosen}>${title === value ? value : `${value} – ${title}`}</option>`)}
      </select></label>`;
  }

  #field(field: Field): TemplateResult {
    const { key, name, about, unit } = field;
    const wrong = this.wrong === key;
    return html`<label title=${about} class=${wrong ? "wrong" : ""}><span>${name}${unit
      ? html` <small>${unit}</small>` : nothing}</span>${this.#control(field, wrong)}</label>`;
  }

  #control({ key, choices, given, fallback, number }: Field, wrong: boolean): TemplateResult {
    if (choices) {
      return html`<select data-key=${key} aria-invalid=${wrong} @change=${(event: Event) => {
        const { value } = event.target as HTMLSelectElement;
        this.#set(key, value === "" ? undefined : value === "true" ? true : value === "false" ? false : value);
      }}><option value="" .selected=${given === ""}>${fallback ? `(${fallback})` : "–"}</option>
        ${choices.map((choice) => html`<option value=${choice} .selected=${choice === given}>${choice}</option>`)}
      </select>`;
    }
    return html`<input data-key=${key} .value=${given} placeholder=${fallback} aria-invalid=${wrong}
      inputmode=${number ? "decimal" : "text"} autocomplete="off" spellcheck="false"
      @change=${(event: Event) => {
        const text = (event.target as HTMLInputElement).value.trim();
        const plain = number && text !== "" && Number.isFinite(Number(text));
        this.#set(key, text === "" ? undefined : plain ? Number(text) : text);
      }}>`;
  }

  #set(key: string, value: unknown): void {
    this.#edit([value === undefined ? { key } : { key, value }]);
  }

  #edit(edits: readonly Edit[]): void {
    this.dispatchEvent(new CustomEvent<readonly Edit[]>("form", { detail: edits }));
  }
}

customElements.define("scenario-form", ScenarioForm);

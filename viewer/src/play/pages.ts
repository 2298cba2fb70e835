/** The pages of the playground: the playground itself, and its lessons. The address says which one is seen. */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import type { Manifest } from "../data/source";
import { lessonOf } from "./book";
import { Engines, getModule } from "./client";
import "./lessons";
import "./playground";
import type { Part } from "./playground";
import type { Schema } from "./schema";

export class PlayPages extends LitElement {
  static override properties = { lesson: { state: true } };
  manifest!: Manifest;
  engines!: Engines;
  schema!: Schema;
  schemes!: readonly Part[];
  /** The lesson that is open, "" for their list, null for the playground. */
  lesson: string | null = null;

  override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.manifest.lessonsFirst && location.hash === "") history.replaceState(null, "", "#lesson=");
    this.#follow();
    addEventListener("hashchange", this.#follow);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("hashchange", this.#follow);
  }

  #follow = (): void => {
    this.lesson = this.manifest.lessons ? lessonOf(location.hash) : null;
    scrollTo(0, 0);
  };

  override render(): TemplateResult {
    const { manifest, engines, schema, schemes, lesson } = this;
    return html`<play-ground ?hidden=${lesson !== null} .manifest=${manifest} .engines=${engines} .schema=${schema}
        .schemes=${schemes}></play-ground>
      ${manifest.lessons ? html`<lesson-book ?hidden=${lesson === null} .book=${manifest.lessons} .engines=${engines}
        .schema=${schema} .name=${lesson}></lesson-book>` : nothing}`;
  }
}

customElements.define("play-pages", PlayPages);

/** Make the page. */
export async function open(manifest: Manifest): Promise<HTMLElement> {
  if (manifest.offline && "serviceWorker" in navigator) void navigator.serviceWorker.register("sw.js");
  const engines = new Engines(await getModule());
  const schema = await engines.ask<Schema>({ call: "schema" });
  const { schemes } = await engines.ask<{ schemes: readonly Part[] }>({ call: "parts" });
  return Object.assign(new PlayPages(), { manifest, engines, schema, schemes });
}

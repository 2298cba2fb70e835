/** The list of lessons, and one lesson: text, networks to run, exercises. */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import { getLesson, type Book, type Lesson, type Part } from "./book";
import type { Engines } from "./client";
import "./lesson";
import type { Schema } from "./schema";

export class LessonBook extends LitElement {
  static override properties = { name: { attribute: false }, lesson: { state: true }, error: { state: true } };
  book!: Book;
  engines!: Engines;
  schema!: Schema;
  /** The lesson that is open; "" for the list, null for nothing. */
  name: string | null = null;
  lesson: Lesson | null = null;
  error = "";

  override createRenderRoot(): this {
    return this;
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("name")) return;
    [this.lesson, this.error] = [null, ""];
    if (this.name) void this.#open(this.name);
  }

  async #open(name: string): Promise<void> {
    try {
      const lesson = await getLesson(name);
      if (name !== this.name) return;
      this.lesson = lesson;
      await this.updateComplete;
      // Who uses a keyboard or hears the page is led to its beginning.
      this.querySelector<HTMLElement>("h2")?.focus();
    } catch (error) {
      if (name === this.name) this.error = (error as Error).message;
    }
  }

  override render(): TemplateResult | typeof nothing {
    if (this.name === null) return nothing;
    return html`
      <header>
        <h1>multihop <small>lessons</small></h1>
        <nav class="tools" aria-label="Pages">
          ${this.name === "" ? nothing : html`<a href="#lesson=">All lessons</a>`}
          <a href="#">Playground</a>
        </nav>
      </header>
      <div class="book" role="main">${this.#page()}</div>`;
  }

  #page(): TemplateResult {
    if (this.error) return html`<div class="troubles" role="alert"><p>${this.error}</p></div>`;
    if (this.name === "") return this.#list();
    return this.lesson === null ? html`<p class="quiet" role="status">Reading the lesson</p>` : this.#lesson(this.lesson);
  }

  #list(): TemplateResult {
    const { title, html: text, pages } = this.book;
    return html`<h2>${title}</h2>${unsafeHTML(text)}
      <ol class="list">${pages.map((page) => html`<li><a href="#lesson=${page.name}">${page.title}</a></li>`)}</ol>`;
  }

  #lesson({ name, title, parts }: Lesson): TemplateResult {
    const { pages } = this.book;
    const at = pages.findIndex((page) => page.name === name);
    const link = (to: number, word: string): TemplateResult | typeof nothing => (pages[to]
      ? html`<a href="#lesson=${pages[to].name}">${word}: ${pages[to].title}</a>` : nothing);
    return html`<h2 tabindex="-1">${title}</h2>
      ${parts.map((part) => this.#part(part))}
      <nav class="around" aria-label="Lessons before and after">${link(at - 1, "Before")} ${link(at + 1, "Next")}</nav>`;
  }

  #part(part: Part): TemplateResult {
    if ("html" in part) return html`${unsafeHTML(part.html)}`;
    if ("exercise" in part) {
      const { question, answer } = part.exercise;
      return html`<section class="exercise" aria-label="Exercise"><h3>Exercise</h3>${unsafeHTML(question)}
        <details><summary>Answer</summary>${unsafeHTML(answer)}</details></section>`;
    }
    return html`<lesson-network .network=${part.network} .engines=${this.engines} .schema=${this.schema}></lesson-network>`;
  }
}

customElements.define("lesson-book", LessonBook);

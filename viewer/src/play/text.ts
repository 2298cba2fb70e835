/** The scenario as text, with mistakes at their lines. */

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { tags } from "@lezer/highlight";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";

/** Something to be said at a line, counted from 1. */
export interface Remark {
  readonly line: number | null;
  readonly severity: "error" | "warning";
  readonly said: string;
}

const THEME = EditorView.theme({
  "&": { fontSize: "13px", backgroundColor: "var(--ground)", color: "var(--text)", height: "100%" },
  "&.cm-focused": { outline: "2px solid #2f81f7", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--box)", color: "var(--faint)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-tooltip": { backgroundColor: "var(--box)", color: "var(--text)", border: "1px solid var(--line)" },
});

/** Colours of the page, which keep their contrast with both grounds. */
const COLORS = HighlightStyle.define([
  { tag: tags.comment, color: "var(--faint)" },
  { tag: [tags.string, tags.number, tags.bool, tags.atom], color: "var(--code)" },
  { tag: tags.heading, fontWeight: "600" },
]);

export class ScenarioText {
  readonly #view: EditorView;
  #quiet = false;

  /** `changed` is told when somebody has typed. */
  constructor(parent: HTMLElement, text: string, changed: (text: string) => void) {
    const told = EditorView.updateListener.of((update) => {
      if (update.docChanged && !this.#quiet) changed(update.state.doc.toString());
    });
    const label = EditorView.contentAttributes.of({ "aria-label": "Scenario in TOML" });
    this.#view = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(), history(), drawSelection(), bracketMatching(), highlightActiveLine(), lintGutter(),
          StreamLanguage.define(toml), syntaxHighlighting(COLORS), THEME, label, told,
          EditorView.lineWrapping, keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        ],
      }),
    });
  }

  /** Show another text. The cursor stays where it can. */
  show(text: string): void {
    const { state } = this.#view;
    if (state.doc.toString() === text) return;
    this.#quiet = true;
    this.#view.dispatch({
      changes: differenceOf(state.doc.toString(), text),
    });
    this.#quiet = false;
  }

  remark(remarks: readonly Remark[]): void {
    const { doc } = this.#view.state;
    const diagnostics = remarks.map(({ line, severity, said }): Diagnostic => {
      const { from, to } = doc.line(Math.min(doc.lines, Math.max(1, line ?? 1)));
      return { from, to, severity, message: said };
    });
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
  }

  /** Go to a line. */
  goTo(line: number): void {
    const { doc } = this.#view.state;
    const { from } = doc.line(Math.min(doc.lines, Math.max(1, line)));
    this.#view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    this.#view.focus();
  }
}

/** The one piece in which two texts differ. */
function differenceOf(before: string, after: string): { from: number; to: number; insert: string } {
  let from = 0;
  while (from < before.length && from < after.length && before[from] === after[from]) from++;
  let [to, end] = [before.length, after.length];
  while (to > from && end > from && before[to - 1] === after[end - 1]) [to, end] = [to - 1, end - 1];
  return { from, to, insert: after.slice(from, end) };
}

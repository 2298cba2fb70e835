/** The engine in a thread of its own. */

import { Engine, EngineFailure, ScenarioError, type Question } from "./engine";
import { runWhole, type Files, type Order, type SoFar } from "./run";

/** What the page sends: the module first, then questions and runs, one at a time; parts of traces if it wants them. */
export type Sent =
  | { readonly kind: "module"; readonly module: WebAssembly.Module }
  | { readonly kind: "ask"; readonly question: Question }
  | { readonly kind: "run"; readonly order: Order; readonly parts: boolean };

/** What comes back: how far a run is, and in the end an answer or what is wrong. */
export type Told =
  | { readonly kind: "progress"; readonly share: number }
  | { readonly kind: "part"; readonly part: SoFar }
  | { readonly kind: "answer"; readonly answer: unknown }
  | { readonly kind: "refused"; readonly message: string; readonly line: number | null;
      readonly key: string | null; readonly said: string }
  | { readonly kind: "failed"; readonly message: string };

let compiled: WebAssembly.Module;
let engine: Engine | null = null;

const tell = (told: Told, move: Transferable[] = []): void => self.postMessage(told, { transfer: move });

async function answer(sent: Exclude<Sent, { kind: "module" }>): Promise<void> {
  engine ??= new Engine(compiled);
  if (sent.kind === "ask") {
    tell({ kind: "answer", answer: engine.ask(sent.question) });
    return;
  }
  const part = (one: SoFar): void => tell({ kind: "part", part: one }, buffersOf(one.files));
  const outcome = await runWhole(engine, sent.order, {
    progress: ({ now_s, end_s }) => tell({ kind: "progress", share: now_s / end_s }),
    ...(sent.parts ? { part } : {}),
  });
  tell({ kind: "answer", answer: outcome }, buffersOf(outcome.files));
}

const buffersOf = (files: Files): Transferable[] => Object.values(files).flat().map(({ buffer }) => buffer);

function refuse(error: unknown): void {
  if (error instanceof ScenarioError) {
    const { reason, line, key, message } = error;
    tell({ kind: "refused", message: reason, line, key, said: message });
    return;
  }
  // The next question finds a new engine.
  if (error instanceof EngineFailure) engine = null;
  tell({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
}

self.addEventListener("message", ({ data }: MessageEvent<Sent>) => {
  if (data.kind === "module") compiled = data.module;
  else void answer(data).catch(refuse);
});

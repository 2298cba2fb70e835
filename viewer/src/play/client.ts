/** The page's side of the engine: threads that answer questions, and that runs take and give back. */

import { EngineFailure, ScenarioError, type Checked, type Question } from "./engine";
import { joined, type Files, type Order, type Outcome, type SoFar } from "./run";
import type { Sent, Told } from "./worker";

const MISSING = "The page has no engine. Build it with 'make web' (Rust with rustup), and start 'multihop playground' again.";

/** Get the engine's module. */
export async function getModule(path = "engine.wasm"): Promise<WebAssembly.Module> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(MISSING);
  return WebAssembly.compile(await answer.arrayBuffer());
}

type Waiting = {
  done(answer: unknown): void;
  fail(error: Error): void;
  watch: Watch;
};

/** A thread with an engine. It does one thing at a time. */
class Thread {
  readonly #worker: Worker;
  #waiting: Waiting | null = null;

  constructor(module: WebAssembly.Module) {
    this.#worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Told>) => this.#hear(data));
    this.#worker.addEventListener("error", ({ message }) =>
      this.#end((waiting) => waiting.fail(new EngineFailure(message || "a thread could not be started"))));
    this.#send({ kind: "module", module });
  }

  send(sent: Sent, watch: Watch = {}): Promise<unknown> {
    return new Promise((done, fail) => {
      this.#waiting = { done, fail, watch };
      this.#send(sent);
    });
  }

  end(): void {
    this.#worker.terminate();
  }

  #send(sent: Sent): void {
    this.#worker.postMessage(sent);
  }

  #hear(told: Told): void {
    if (told.kind === "progress") this.#waiting?.watch.told?.(told.share);
    else if (told.kind === "part") this.#waiting?.watch.grown?.(told.part);
    else if (told.kind === "answer") this.#end(({ done }) => done(told.answer));
    else if (told.kind === "failed") this.#end(({ fail }) => fail(new EngineFailure(told.message)));
    else {
      const { message, line, key, said } = told;
      this.#end(({ fail }) => fail(new ScenarioError(message, line, key, said)));
    }
  }

  #end(how: (waiting: Waiting) => void): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting) how(waiting);
  }
}

/** What a run that was cancelled ends with. */
export class Cancelled extends Error {}

export interface Watch {
  readonly told?: (share: number) => void;
  /** Told all that there is of the run while it goes on. */
  readonly grown?: (part: SoFar) => void;
  readonly signal?: AbortSignal;
}

/** All threads. One answers questions, one after the other; one checks; each run has one of its own. */
export class Engines {
  readonly #asked: Thread;
  #checker: Thread;
  #checking = false;
  readonly #idle: Thread[] = [];
  #queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly module: WebAssembly.Module) {
    this.#asked = new Thread(module);
    this.#checker = new Thread(module);
  }

  /** Check a scenario. An earlier check that still goes on is given up, with its thread: it is never answered. */
  async check(text: string): Promise<Checked> {
    if (this.#checking) {
      this.#checker.end();
      this.#checker = new Thread(this.module);
    }
    const thread = this.#checker;
    this.#checking = true;
    try {
      return await thread.send({ kind: "ask", question: { call: "check", text } }) as Checked;
    } finally {
      if (thread === this.#checker) this.#checking = false;
    }
  }

  ask<T>(question: Question): Promise<T> {
    const asked = this.#queue.then(() => this.#asked.send({ kind: "ask", question }));
    this.#queue = asked.catch(() => undefined);
    return asked as Promise<T>;
  }

  /** Run a scenario. A run that is cancelled takes its thread along, at whatever moment. */
  async run(order: Order, { told, grown, signal }: Watch = {}): Promise<Outcome> {
    const thread = this.#idle.pop() ?? new Thread(this.module);
    const cancelled = new Promise<never>((_, fail) => {
      signal?.addEventListener("abort", () => {
        thread.end();
        fail(new Cancelled("the run was cancelled"));
      }, { once: true });
    });
    if (signal?.aborted) throw new Cancelled("the run was cancelled");
    let files: Files = {};
    const watch: Watch = {
      ...(told ? { told } : {}),
      grown: (part) => {
        files = joined(files, part.files);
        grown?.({ ...part, files });
      },
    };
    const outcome = await Promise.race([thread.send({ kind: "run", order, parts: grown !== undefined }, watch), cancelled])
      .catch((error: unknown) => {
        if (error instanceof ScenarioError) this.#idle.push(thread);
        else thread.end();
        throw error;
      });
    this.#idle.push(thread);
    const whole = outcome as Outcome;
    return { ...whole, files: joined(files, whole.files) };
  }
}

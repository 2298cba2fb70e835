/**
 * The engine, which is a WebAssembly module: questions and answers in JSON, parts of a trace as bytes. It runs
 * wherever it was loaded and blocks until it has answered, so a page has it in a worker.
 */

/** What is wrong with a scenario, as on the command line. */
export class ScenarioError extends Error {
  constructor(readonly reason: string, readonly line: number | null, readonly key: string | null, said: string) {
    super(said);
  }
}

/** The engine has failed and can answer nothing more: another one has to be made. */
export class EngineFailure extends Error {}

export type Question = { readonly call: string } & Readonly<Record<string, unknown>>;

interface Exports {
  readonly memory: WebAssembly.Memory;
  multihop_input(length: number): number;
  multihop_call(): void;
  multihop_output(): number;
  multihop_output_length(): number;
}

interface Refusal {
  readonly message: string;
  readonly said: string;
  readonly line?: number | null;
  readonly key?: string | null;
}

/** Memory runs out here without a word from the engine. */
const NO_WORDS = "the engine has stopped; the scenario may need more memory than a page has";

export class Engine {
  readonly #exports: Exports;
  #failed: string | null = null;

  constructor(module: WebAssembly.Module) {
    this.#exports = new WebAssembly.Instance(module, {}).exports as unknown as Exports;
  }

  /** Ask what is answered in JSON. Throws a `ScenarioError` if the answer is that something is wrong. */
  ask<T>(question: Question): T {
    const text = new TextDecoder().decode(this.#call(question));
    const answer = JSON.parse(text) as { ok?: T; error?: Refusal };
    if (answer.error) {
      const { message, said, line = null, key = null } = answer.error;
      throw new ScenarioError(message, line, key, said);
    }
    return answer.ok as T;
  }

  /** Take what there is of a table of a run's trace: a Parquet file, or nothing. */
  take(run: number, table: string): Uint8Array<ArrayBuffer> {
    return this.#call({ call: "take", run, table });
  }

  #call(question: Question): Uint8Array<ArrayBuffer> {
    if (this.#failed !== null) throw new EngineFailure(this.#failed);
    const asked = new TextEncoder().encode(JSON.stringify(question));
    const at = this.#exports.multihop_input(asked.length);
    new Uint8Array(this.#exports.memory.buffer, at, asked.length).set(asked);
    try {
      this.#exports.multihop_call();
    } catch (error) {
      this.#failed = this.#lastWords() || NO_WORDS;
      throw new EngineFailure(this.#failed, { cause: error });
    }
    return this.#output();
  }

  #output(): Uint8Array<ArrayBuffer> {
    const length = this.#exports.multihop_output_length();
    return new Uint8Array(this.#exports.memory.buffer, this.#exports.multihop_output(), length).slice();
  }

  /** What the engine has left of its panic. */
  #lastWords(): string {
    try {
      return new TextDecoder().decode(this.#output());
    } catch {
      return "";
    }
  }
}

/** A node, flow and so on of a scenario, as `run.json` of a trace has them. */
export interface About {
  readonly scenario: Record<string, unknown>;
  readonly scheme: string;
  readonly seed: number;
  readonly duration_ns: number;
  readonly range_m: number | null;
  readonly sense_range_m: number | null;
  readonly nodes: readonly { node: number; x_m: number; y_m: number; label: string; role: string | null }[];
  readonly flows: readonly { flow: number; source: number; destination: number; label: string }[];
  /** What holds of keys whose default another key decides: the MAC of a scheme, its routing. */
  readonly effective: Readonly<Record<string, string>>;
}

export interface Note {
  readonly key: string;
  readonly line: number | null;
  readonly said: string;
}

export interface Checked {
  readonly about: About;
  readonly notes: readonly Note[];
}

export interface Progress {
  readonly now_s: number;
  readonly end_s: number;
  readonly events: number;
  readonly over: boolean;
}

export type Cell = number | string | null;
export type Columns = Readonly<Record<string, readonly Cell[]>>;

export interface Finished {
  readonly tables: Readonly<Record<string, Columns>>;
  readonly rows: Readonly<Record<string, number>> | null;
  readonly cut: boolean;
}

export interface Edit {
  readonly key: string;
  readonly value?: unknown;
}

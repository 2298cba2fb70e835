/** The engine as a module and as Python's extension: where they are, and what the latter says. */

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { Engine } from "../../src/play/engine";

const PYTHON = process.env["MULTIHOP_PYTHON"] ?? "python3";
export const MODULE = process.env["MULTIHOP_MODULE"]
  ?? new URL("../../../python/multihop/viewing/engine.wasm", import.meta.url).pathname;
/** Whether there is a module to test. */
export const HAS_MODULE = existsSync(MODULE);

export interface Known {
  readonly name: string;
  readonly text: string;
  readonly changes: Record<string, unknown>;
  readonly fingerprint: string;
}

let compiled: WebAssembly.Module | undefined;

/** A new engine. */
export function engine(): Engine {
  compiled ??= new WebAssembly.Module(readFileSync(MODULE));
  return new Engine(compiled);
}

/** Run scenarios with the engine of Python. */
export function native(): Known[] {
  const program = new URL("native.py", import.meta.url).pathname;
  const { stdout, stderr, status } = spawnSync(PYTHON, [program], { encoding: "utf-8", maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`${program} has failed: ${stderr}`);
  return JSON.parse(stdout) as Known[];
}

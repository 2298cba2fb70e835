// Answers, on a line each, how much CPU time the engine's module needs for runs that stand on a line each of the
// input: {"scenario": {...}, "duration": "10 s"}. benches/web.py asks, and compares it with the native engine.
//     node tools/bench.mjs python/multihop/viewing/engine.wasm
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { transformWithEsbuild } from "vite";

const glue = new URL("../src/play/engine.ts", import.meta.url);
const { code } = await transformWithEsbuild(readFileSync(glue, "utf8"), "engine.ts");
const { Engine } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
const engine = new Engine(new WebAssembly.Module(readFileSync(process.argv[2])));

/** Seconds of user CPU time of a whole run, and its fingerprint. */
function measured({ scenario, duration }) {
  const changes = { ...scenario, warmup: "0 s", duration };
  const before = process.cpuUsage();
  const { run } = engine.ask({ call: "start", text: "", changes });
  while (!engine.ask({ call: "step", run, events: 1_000_000 }).over);
  const { tables } = engine.ask({ call: "finish", run });
  const seconds = process.cpuUsage(before).user / 1e6;
  engine.ask({ call: "cancel", run });
  return { seconds, fingerprint: tables.runs.fingerprint[0] };
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(measured(JSON.parse(line))));
}

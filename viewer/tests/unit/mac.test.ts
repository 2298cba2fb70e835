/**
 * What the page says of MACs is worked out from frames; the engine's own meters of air time, which stand in the
 * same trace, say how much of every tenth of a second it should come to.
 */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTable } from "../../src/data/parquet";
import { OPTIONAL, SCHEMA, type TableName } from "../../src/data/schema";
import type { Trace } from "../../src/data/trace";
import { macState, type Doing, type MacTimes } from "../../src/model/mac";
import { macWords, serviceWords } from "../../src/model/now";
import { prepare } from "../../src/model/run";
import { TRACE } from "./sample";

const TRACES = new URL("../browser/traces/", import.meta.url).pathname;

async function read(name: string): Promise<Trace> {
  const folder = join(TRACES, name);
  const run = JSON.parse(readFileSync(join(folder, "run.json"), "utf8")) as {
    mac: MacTimes; nodes: Trace["nodes"]; flows: Trace["flows"]; duration_ns: number; sense_range_m: number;
  };
  const tables: Partial<Record<TableName, unknown>> = {};
  for (const table of Object.keys(SCHEMA) as TableName[]) {
    const file = join(folder, `${table}.parquet`);
    // these traces are older than aggregates and rates
    const files = OPTIONAL[table] === "all" && !existsSync(file) ? [] : [new Uint8Array(readFileSync(file)).buffer];
    const { table: found, troubles } = await readTable(table, files);
    expect(troubles).toEqual([]);
    tables[table] = found;
  }
  const { mac, nodes, flows, duration_ns: end_ns, sense_range_m: sense_m } = run;
  return { ...TRACE, ...(tables as unknown as Trace), mac, nodes, flows, end_ns, sense_m };
}

const STEP_NS = 100_000;
const INTERVAL_NS = 1e8;
const KINDS: Partial<Record<Doing, "sending" | "receiving" | "busy">> = {
  sends: "sending", receives: "receiving", senses: "busy", answers: "busy", awaits: "busy", reserved: "busy",
};

describe("the MAC's state", () => {
  it.each(["cxcc", "rts", "udp"])("comes to what the engine's meters have counted: %s", async (name) => {
    const run = prepare(await read(name));
    const { end_ns, nodes } = run.trace;
    const seen = new Set<Doing>();
    for (const node of [0, 1, 3, nodes.length - 1]) {
      // Of what is on the air when the run ends it is not known what would have become of it: the last is left out.
      for (let begin = 0; begin + 2 * INTERVAL_NS <= end_ns; begin += INTERVAL_NS) {
        const spent = { sending: 0, receiving: 0, busy: 0 };
        for (let time = begin; time < begin + INTERVAL_NS; time += STEP_NS) {
          const { doing } = macState(run, node, time);
          seen.add(doing);
          const kind = KINDS[doing];
          if (kind) spent[kind] += STEP_NS / INTERVAL_NS;
        }
        const told = run.state.air(node, begin);
        for (const kind of ["sending", "receiving", "busy"] as const) {
          expect(Math.abs(spent[kind] - (told?.[kind] ?? Number.NaN)),
            `node ${node} at ${begin / 1e9} s, ${kind}: ${spent[kind]} and ${told?.[kind]}`).toBeLessThan(0.03);
        }
      }
    }
    const acknowledged: Doing[] = run.trace.mac?.acknowledges ? ["awaits", "answers"] : [];
    for (const doing of ["sends", "receives", "senses", "reserved", "defers", "backs off", "idle", ...acknowledged]) {
      expect([...seen], name).toContain(doing);
    }
  });

  it("is said in words, with how long it lasts", () => {
    const run = prepare(TRACE);
    const MS = 1e6;
    expect(macWords(run, 0, 3 * MS)).toBe("sends for another 2.000 ms");
    expect(macWords(run, 0, 5.2 * MS)).toBe("waits for link acknowledgment to data 10 from n0 to n1 for another 300.0 µs");
    expect(serviceWords(run, 0, 3 * MS)).toBe("packet 10 for 2.000 ms, on the air not yet");
    expect(serviceWords(run, 0, 8 * MS)).toBe("");
    expect(macWords(run, 2, 8 * MS)).toBe("has nothing to send");
    // It has sensed a frame that it cannot read, and keeps quiet for EIFS.
    expect(macState(run, 2, 5.1 * MS)).toMatchObject({ doing: "reserved", until: 5.4 * MS });
    expect(run.state.timers(0, 5 * MS)).toEqual([
      { timer: "hop", due: 20 * MS }, { timer: "transport", due: 30 * MS },
    ]);
    expect(run.state.timers(0, 12 * MS)).toEqual([{ timer: "transport", due: 30 * MS }]);
    expect(run.state.timers(1, 12 * MS)).toEqual([]);
  });
});

/** The engine as a page has it, beside the one that Python has. */

import { afterEach, describe, expect, it, vi } from "vitest";
import { loadTrace } from "../../src/data/trace";
import { Engine, EngineFailure, ScenarioError, type Checked, type Progress } from "../../src/play/engine";
import { joined, runWhole, type Files } from "../../src/play/run";
import { sourceOf } from "../../src/play/source";
import { engine, HAS_MODULE, native } from "./native";

const TEXT = `warmup = "1 s"
duration = "3 s"
[topology]
kind = "chain"
hops = 3
[scheme]
name = "udp"
[traffic]
load = "400 kbit/s"
start = "0.1 s"
`;

describe.skipIf(!HAS_MODULE)("the engine as a module", { timeout: 300_000 }, () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("gives the fingerprints of the native engine", async () => {
    const known = native();
    expect(known.length).toBeGreaterThan(70);
    const one = engine();
    for (const { name, text, changes, fingerprint } of known) {
      const { finished } = await runWhole(one, { text, changes });
      expect(finished.tables["runs"]["fingerprint"], name).toEqual([fingerprint]);
    }
  });

  it("writes a trace that the page reads", async () => {
    const outcome = await runWhole(engine(), { text: TEXT, most_bytes: 1e8 });
    const trace = await loadTrace(sourceOf("udp", outcome));
    expect(trace.troubles).toEqual([]);
    expect(trace.frames.rows).toBe(outcome.finished.rows?.["frames"]);
    expect(trace.drops.rows).toBeGreaterThan(0);
    expect(trace.nodes.map(({ label }) => label)).toEqual(["n0", "n1", "n2", "n3"]);
    expect(trace.range_m).toBe(250);
    expect(trace.mac?.slot_ns).toBe(20_000);
    expect((await trace.header(0)).length).toBeGreaterThan(0);
  });

  it("tells parts of a trace while a run goes on, which make the same trace together", async () => {
    const text = TEXT.replace("3 s", "40 s");
    // Slices that last what they are to last, however fast the machine is.
    let clock_ms = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (clock_ms += 30));
    const whole = await runWhole(engine(), { text, most_bytes: 1e9 });
    let files: Files = {};
    const ends: number[] = [];
    const rest = await runWhole(engine(), { text, most_bytes: 1e9 }, {
      part: (part) => {
        files = joined(files, part.files);
        ends.push(part.now_s ?? Number.NaN);
      },
    });
    expect(ends.length).toBeGreaterThan(1);
    expect(ends).toEqual([...ends].sort((a, b) => a - b));
    expect(rest.finished).toEqual(whole.finished);
    vi.restoreAllMocks();
    const [first, second] = await Promise.all([whole, { ...rest, files: joined(files, rest.files) }]
      .map((outcome) => loadTrace(sourceOf("udp", outcome))));
    expect(second.troubles).toEqual([]);
    expect(second.frames).toEqual(first.frames);
    expect(second.queues).toEqual(first.queues);
    expect(second.series).toEqual(first.series);
  });

  it("says that a trace was cut, and keeps the results", async () => {
    const whole = await runWhole(engine(), { text: TEXT });
    const cut = await runWhole(engine(), { text: TEXT, most_bytes: 1000 });
    expect(cut.finished.cut).toBe(true);
    expect(cut.finished.tables).toEqual(whole.finished.tables);
    const trace = await loadTrace(sourceOf("udp", cut));
    expect(trace.troubles.join(" ")).toMatch(/cut off/);
  });

  it("refuses scenarios with line and key, and goes on", () => {
    const one = engine();
    const wrong = (text: string): ScenarioError => {
      try {
        one.ask({ call: "check", text });
      } catch (error) {
        if (error instanceof ScenarioError) return error;
        throw error;
      }
      throw new Error(`accepted: ${text}`);
    };
    expect(wrong(TEXT.replace("hops", "hopps"))).toMatchObject({ line: 5, key: "topology.hopps" });
    expect(wrong("a = = 1").message).toMatch(/^line 1: not valid TOML/);
    const file = `${TEXT}[mobility]\nkind = "ns2"\nfile = "walk.ns2"\n`;
    expect(wrong(file).key).toBe("mobility.file");
    expect(one.ask<Checked>({ call: "check", text: TEXT }).about.nodes.length).toBe(4);
  });

  it("survives whatever is done to a text", () => {
    const one = engine();
    let seed = 1;
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const pieces = ["0", "-1", "1e308", "\"\"", "\"nan s\"", "[", "]", "=", "\n", "\"1 km\"", "\u{1f4e1}", "\"18446744073709551615 ns\""];
    for (let i = 0; i < 1500; i++) {
      const [from, cut] = [random(TEXT.length), random(12)];
      const text = TEXT.slice(0, from) + pieces[random(pieces.length)] + TEXT.slice(from + cut);
      try {
        one.ask({ call: "check", text });
      } catch (error) {
        expect(error, text).toBeInstanceOf(ScenarioError);
      }
    }
  });

  it("survives whatever a form or a map sends", () => {
    const one = engine();
    const keys = ["seed", "duration", "topology.hops", "topology.kind", "scheme.name", "traffic.load", "node[]", "node[0]",
      "node[1].x", "flow[9]", "mac.cw_min", "a.b.c", "", ".", "[", "topology[0]", "link[]", "radio.sense_range"];
    const values: unknown[] = [0, -1, 1.5, 1e300, true, "", "5 s", "-3 m", "\"'\n#", [], [1, "a"], {}, { x: "1 m" }, null, undefined];
    let text = TEXT;
    for (const [at, key] of [...keys, ...keys].entries()) {
      for (const value of values) {
        const edits = [value === undefined ? { key } : { key, value }];
        for (const question of [{ call: "edit", text, edits }, { call: "explicit", text }]) {
          try {
            const after = one.ask<string>(question);
            // Some changes stay, so that the next ones meet another text.
            if (at % 3 === 0) text = after;
          } catch (error) {
            expect(error, JSON.stringify(question)).toBeInstanceOf(ScenarioError);
          }
        }
      }
      if (at % 6 === 5) text = TEXT;
    }
  });

  it("can be left at any moment of a run, and begins another", async () => {
    const one = engine();
    for (const events of [0, 1, 500, 3000]) {
      const { run } = one.ask<{ run: number }>({ call: "start", text: TEXT, most_bytes: 1e6 });
      const progress = one.ask<Progress>({ call: "step", run, events });
      expect(progress.events).toBe(events);
      expect(one.ask({ call: "cancel", run })).toBe(true);
    }
    expect((await runWhole(one, { text: TEXT })).finished.cut).toBe(false);
  });

  it("turns a failure of the engine into words", () => {
    const one = engine();
    const huge = TEXT.replace("hops = 3", "hops = 4000000000");
    const ask = (): unknown => one.ask({ call: "check", text: huge });
    let said: unknown;
    try {
      ask();
    } catch (error) {
      said = error;
    }
    expect(said).toBeInstanceOf(Error);
    // Either it is refused in words, or the engine is gone and says so from then on.
    if (said instanceof EngineFailure) expect(ask).toThrow(EngineFailure);
    else expect(said).toBeInstanceOf(ScenarioError);
    expect(engine()).toBeInstanceOf(Engine);
  });
});

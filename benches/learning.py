#!/usr/bin/env python3
"""How many control steps a second environments for learning do, beside the engine alone.

The network is a chain of ten hops, and a step 100 ms of it. For each load, the same simulated time
is done in turn by the engine with nothing around it (`run`), by one environment, by 64 in the
threads of one process, by 64 whose steps end when the source has sent a packet, and by 64 in as
many processes as there are cores, which send their arrays through pipes. Ratios are of the turns of
one session, by CPU time but for the last. `--json` prints the numbers, and `--out FILE` keeps them:
the table of docs/guides/speed.md is made of benches/learning.json.

Of ns3-gym and ns3-ai no count of steps a second is published, only that ns3-ai's transmissions take
a 15th of ns3-gym's (docs/guides/speed.md has the source). The processes with pipes stand for them.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import statistics
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from multihop import Scenario, _multihop as engine, gym

HOPS, STEP_S = 10, 0.1
MANY = 64
WARMUP_S = 2
CORES = os.cpu_count() or 1
# What the source offers: nearly nothing, half of what the chain can carry, and more than it can.
LOADS = ("2 kbit/s", "50 kbit/s", "200 kbit/s")


def chain(load: str, seconds: float) -> Scenario:
    """Return the network."""
    return Scenario.from_dict(
        {
            "warmup": f"{WARMUP_S} s",
            "duration": f"{seconds:g} s",
            "topology": {"kind": "chain", "hops": HOPS},
            "scheme": {"name": "udp"},
            "traffic": {"kind": "cbr", "load": load, "payload": "512 B"},
        }
    )


def task(load: str, steps: int, event: str | None = None) -> gym.Task:
    """Return what the sender of the chain is to do, at an event or when 100 ms are over."""
    length = f"{STEP_S} s"
    step = length if event is None else gym.Event(event, length)
    return gym.Task(chain(load, STEP_S * steps), step=step)


class Speed(NamedTuple):
    """Steps a second, and a second of CPU time."""

    wall: float
    cpu: float

    @classmethod
    def of(cls, steps: float, work: Callable[[], None]) -> Speed:
        """Do work of so many steps."""
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        return cls(steps / (time.perf_counter() - wall), steps / (time.process_time() - cpu))


def alone(load: str, steps: int) -> Speed:
    """Return the speed of the engine, as if it stopped after each step."""
    scenario = chain(load, STEP_S * steps).json
    # The warm-up is simulated as well.
    return Speed.of(steps + WARMUP_S / STEP_S, lambda: engine.run(scenario) and None)


def stepped(load: str, steps: int, count: int, threads: int, event: str | None = None) -> Speed:
    """Return the speed of so many environments, without their resets."""
    env = gym.VectorEnvironment(task(load, steps, event), count, threads)
    env.reset(seed=1)
    # The shortest pace: the source is held back by nothing but its load.
    actions = np.zeros((env.num_envs, 1), np.float32)

    def work() -> None:
        # Steps are no longer than 100 ms, so that no episode ends before that.
        for _ in range(steps):
            env.step(actions)

    return Speed.of(count * steps, work)


def serve(pipe: Connection, load: str, steps: int, count: int) -> None:
    """Step some environments of a process of its own."""
    env = gym.VectorEnvironment(task(load, steps), count, 1)
    env.reset(seed=1)
    pipe.send(None)
    while (actions := pipe.recv()) is not None:
        pipe.send(env.step(actions)[:4])


def in_processes(load: str, steps: int, count: int) -> Speed:
    """Return the speed of so many environments, spread over processes, whose CPU is not known."""
    context = multiprocessing.get_context("spawn")
    share = count // CORES
    pipes = []
    for _ in range(CORES):
        here, there = context.Pipe()
        context.Process(target=serve, args=(there, load, steps, share), daemon=True).start()
        pipes.append(here)
    for pipe in pipes:
        pipe.recv()
    actions = np.zeros((share, 1), np.float32)
    begin = time.perf_counter()
    for _ in range(steps):
        for pipe in pipes:
            pipe.send(actions)
        for pipe in pipes:
            pipe.recv()
    took = time.perf_counter() - begin
    for pipe in pipes:
        pipe.send(None)
    return Speed(CORES * share * steps / took, math.nan)


def measured(load: str, turns: int, steps: int) -> dict[str, Any]:
    """Measure in turn, and return the medians."""
    ways = {
        "engine": lambda: alone(load, steps * 4),
        "one": lambda: stepped(load, steps * 4, 1, 1),
        "many": lambda: stepped(load, steps, MANY, CORES),
        "events": lambda: stepped(load, steps, MANY, CORES, "sent"),
        "processes": lambda: in_processes(load, steps, MANY),
    }
    rows = [{name: way() for name, way in ways.items()} for _ in range(turns)]
    found: dict[str, Any] = {"load": load}
    for name in ways:
        found[name] = statistics.median(row[name].wall for row in rows)
        # That of other processes is not known.
        if name != "processes":
            found[f"{name}_cpu"] = statistics.median(row[name].cpu for row in rows)
    for name in ("one", "many"):
        ratios = (row[name].cpu / row["engine"].cpu for row in rows)
        found[f"{name}_of_engine"] = statistics.median(ratios)
    ratios = (row["many"].wall / row["processes"].wall for row in rows)
    found["threads_of_processes"] = statistics.median(ratios)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--note", default="", help="what else is to be known of this measurement")
    given = parser.parse_args()
    rows = [measured(load, given.turns, given.steps) for load in LOADS]
    kept = {
        "turns": given.turns,
        "steps": given.steps,
        "cores": CORES,
        # What else ran: times by the clock mean little beside it.
        "load_average": round(os.getloadavg()[1], 1),
        "note": given.note,
        "rows": rows,
    }
    if given.out is not None:
        given.out.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    if given.json:
        print(json.dumps(kept, indent=1))
        return
    table = Table(title=f"Control steps of {STEP_S * 1e3:g} ms, chain of {HOPS} hops")
    cpu = ("engine", "1", f"{MANY}", f"{MANY}, at events", "1 / engine", f"{MANY} / engine")
    wall = (f"{MANY} in {CORES} threads", "in processes", "threads / processes")
    for name in ("load", *(f"{one} (a CPU s)" for one in cpu), *(f"{one} (a s)" for one in wall)):
        table.add_column(name, justify="right")
    for row in rows:
        speeds = (
            f"{row[name]:,.0f}" for name in ("engine_cpu", "one_cpu", "many_cpu", "events_cpu")
        )
        ratios = (f"{row[name]:.2f}" for name in ("one_of_engine", "many_of_engine"))
        walls = (f"{row[name]:,.0f}" for name in ("many", "processes"))
        table.add_row(row["load"], *speeds, *ratios, *walls, f"{row['threads_of_processes']:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""How fast a mesh is: CPU of a day of Meshtastic nodes with their default traffic, and of 30 days.

Beside it stand the meshes that Meshtasticator, the simulator of Meshtastic's community, has run:
the same places, messages and rules. What it took is stored, `meshtasticator.json`. `--json` prints
the numbers for other programs.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console
from rich.table import Table

from multihop import _multihop as engine
from multihop_validation import store
from multihop_validation.meshtasticator import MESSAGES, cases

STORED = json.loads((Path(__file__).resolve().parent / "meshtasticator.json").read_text())
DAY_S = 24 * 3600
# Nodes, the side of their square in km, and the CPU in s that a day may cost.
DAYS = {100: (12, 2.0), 1_000: (38, 60.0)}
# So many days of 100 nodes may take so many seconds on all cores: their CPU, spread over these.
SEEDS, SEEDS_BAR_S = 30, 60.0
# How many times as fast as the other program a mesh is to be, and the columns of both times.
TIMES_BAR, CPU = 500, ("cpu_s", "own_cpu_s")


def mesh(nodes: int, side_km: int, seed: int = 1) -> dict[str, Any]:
    """Return a day of nodes at random places."""
    side = f"{side_km} km"
    return {
        "seed": seed,
        "warmup": "0 s",
        "duration": f"{DAY_S} s",
        "series_interval": "1 h",
        "topology": {"kind": "random", "nodes": nodes, "flows": 0, "width": side, "height": side},
        "radio": {"propagation": "log-distance", "transmit_power": "1 W"},
        "mac": {"kind": "lora", "preset": "long-fast"},
        "scheme": {"name": "meshtastic"},
        "traffic": {"kind": "meshtastic"},
    }


def cpu_s(scenario: dict[str, Any]) -> tuple[float, int]:
    """Run a scenario: user CPU seconds, and how many frames were put on the air."""
    text = json.dumps(scenario)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    runs = engine.run(text)["runs"]
    after = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    return after - before, int(runs["transmissions"][0])


def beside(repeats: int) -> list[dict[str, Any]]:
    """Run each mesh whose times are stored with all of its seeds, the slowest first there."""
    messages = store.table(store.DATA, MESSAGES)
    found = []
    for case in cases(store.DATA):
        theirs, ours = 0.0, 0.0
        for seed, stored_s in STORED["cpu_s"][case.name].items():
            of_run = messages.filter(name=case.name, seed=int(seed))
            rows = of_run.select(pl.col("time_ms") / 1e3, "origin").rows()
            scenario = case.scenario(int(seed), rows).to_dict()
            ours += statistics.median(cpu_s(scenario)[0] for _ in range(repeats))
            theirs += stored_s
        found.append({
            "mesh": case.name, "nodes": len(case.place["nodes"]),
            "simulated_s": case.duration_s * len(case.seeds),
            "cpu_s": theirs, "own_cpu_s": ours, "ratio": theirs / ours,
        })  # fmt: skip
    return sorted(found, key=lambda one: -one["cpu_s"] / one["simulated_s"])


def measure(repeats: int) -> dict[str, Any]:
    """Measure days of two sizes, 30 days on all cores, and the meshes beside the stored ones."""
    days = []
    for nodes, (side, bar) in DAYS.items():
        runs = [cpu_s(mesh(nodes, side)) for _ in range(repeats if nodes == 100 else 1)]
        seconds = statistics.median(run[0] for run in runs)
        days.append({"nodes": nodes, "cpu_s": seconds, "frames": runs[0][1], "bar_s": bar})
    begin, before = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF).ru_utime
    cores = os.cpu_count() or 1
    with ThreadPoolExecutor(cores) as pool:
        texts = [json.dumps(mesh(100, DAYS[100][0], seed)) for seed in range(1, SEEDS + 1)]
        list(pool.map(engine.run, texts))
    wall_s = time.monotonic() - begin
    spread_s = (resource.getrusage(resource.RUSAGE_SELF).ru_utime - before) / cores
    return {
        "days": days,
        "seeds": {
            "runs": SEEDS, "cores": cores, "wall_s": wall_s, "cpu_per_core_s": spread_s,
            "bar_s": SEEDS_BAR_S,
        },
        "beside": {
            **{key: STORED[key] for key in ("program", "made", "what")}, "meshes": beside(repeats)
        },
    }  # fmt: skip


def show(found: dict[str, Any], console: Console) -> None:
    """Print the numbers."""
    table = Table(title="A day of a Meshtastic mesh with its default traffic")
    for column in ("nodes", "frames", "CPU (s)", "target (s)", ""):
        table.add_column(column, justify="right")
    for day in found["days"]:
        met = "met" if day["cpu_s"] <= day["bar_s"] else "missed"
        cells = (f"{day['nodes']:,}", f"{day['frames']:,}", f"{day['cpu_s']:.2f}")
        table.add_row(*cells, f"{day['bar_s']:g}", met)
    console.print(table)
    seeds, beside = found["seeds"], found["beside"]
    met = "met" if seeds["cpu_per_core_s"] <= seeds["bar_s"] else "missed"
    console.print(
        f"{seeds['runs']} such days of 100 nodes on {seeds['cores']} cores: "
        f"{seeds['cpu_per_core_s']:.1f} s of CPU on each (target {seeds['bar_s']:g} s: {met}), "
        f"{seeds['wall_s']:.1f} s in all"
    )
    table = Table(title=f"The same meshes in {beside['program']} (stored), CPU of all seeds")
    for column in ("mesh", "nodes", "simulated (h)", "there (s)", "here (s)", "times as fast"):
        table.add_column(column, justify="right")
    for one in beside["meshes"]:
        cells = (one["mesh"], str(one["nodes"]), f"{one['simulated_s'] / 3600:g}")
        spent = (f"{one['cpu_s']:.3f}", f"{one['own_cpu_s']:.4f}", f"{one['ratio']:.0f}")
        table.add_row(*cells, *spent)
    console.print(table)
    ratios = [one["ratio"] for one in beside["meshes"]]
    all_there, all_here = (sum(one[key] for one in beside["meshes"]) for key in CPU)
    fast = sum(ratio >= TIMES_BAR for ratio in ratios)
    console.print(
        f"{len(ratios)} meshes: {all_there / all_here:.0f} times as fast in all, "
        f"{min(ratios):.0f} to {max(ratios):.0f} by mesh (target {TIMES_BAR}: {fast} of them)"
    )


def main() -> int:
    """Parse the arguments, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", "--repeats", type=int, default=5, help="runs per case (5)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args()
    found = measure(args.repeats)
    if args.json:
        print(json.dumps(found, indent=2))
    else:
        show(found, Console())
    return 0


if __name__ == "__main__":
    sys.exit(main())

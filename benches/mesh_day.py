#!/usr/bin/env python3
"""How fast a mesh is: CPU of a day of Meshtastic nodes with their default traffic, and of 30 days.

Beside it stands what Meshtasticator, the simulator of Meshtastic's community, took for half an
hour, which is stored: `meshtasticator.json`. `--json` prints the numbers for other programs.
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

from rich.console import Console
from rich.table import Table

from multihop import _multihop as engine

STORED = json.loads((Path(__file__).resolve().parent / "meshtasticator.json").read_text())
DAY_S = 24 * 3600
# Nodes, the side of their square in km, and the CPU in s that a day may cost.
DAYS = {100: (12, 2.0), 1_000: (38, 60.0)}
# So many days of 100 nodes may take so many seconds on all cores: their CPU, spread over these.
SEEDS, SEEDS_BAR_S = 30, 60.0


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


def like_stored() -> dict[str, Any]:
    """Return a mesh as that of the stored time, under the same program's rules."""
    scenario = mesh(STORED["nodes"], DAYS[STORED["nodes"]][0])
    everyone = {"from": "every node", "to": "everyone"}
    return scenario | {
        "duration": f"{STORED['simulated_s']} s",
        "scheme": {"name": "meshtastic", "rules": "meshtasticator-corrected"},
        "traffic": {"kind": "poisson", "interval": "900 s", "payload": "40 B"},
        "flow": [everyone],
    }


def cpu_s(scenario: dict[str, Any]) -> tuple[float, int]:
    """Run a scenario: user CPU seconds, and how many frames were put on the air."""
    text = json.dumps(scenario)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    runs = engine.run(text)["runs"]
    after = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    return after - before, int(runs["transmissions"][0])


def measure(repeats: int) -> dict[str, Any]:
    """Measure days of two sizes, 30 days on all cores, and half an hour beside the stored one."""
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
    half_hour = statistics.median(cpu_s(like_stored())[0] for _ in range(repeats))
    return {
        "days": days,
        "seeds": {
            "runs": SEEDS, "cores": cores, "wall_s": wall_s, "cpu_per_core_s": spread_s,
            "bar_s": SEEDS_BAR_S,
        },
        "beside": {
            **STORED, "own_cpu_s": half_hour, "ratio": STORED["cpu_s"] / half_hour
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
    console.print(
        f"{beside['simulated_s'] / 60:g} minutes of {beside['nodes']} nodes: "
        f"{beside['own_cpu_s']:.3f} s of CPU, {beside['program']} {beside['cpu_s']:g} s (stored): "
        f"{beside['ratio']:.0f} times as fast"
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

"""What a trace costs: CPU time without one, with rows that nobody keeps, and with one on disk."""

from __future__ import annotations

import json
import resource
import statistics
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from multihop import Scenario, _multihop as engine, run

# Long enough for parts of every table to become one file.
SIMULATED_S = {"chain": 600.0, "150 nodes": 100.0}
SETUP_S = 0.01
# What a trace may cost, in the CPU time of the run.
BAR = 2.0


def cpu_seconds(call: Callable[[], object]) -> float:
    """Return the CPU time of a call, of all threads, system included."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    call()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def ways(keys: dict[str, Any], seconds: float) -> dict[str, Callable[[], object]]:
    """Return the three ways to run a scenario."""
    text = json.dumps(keys | {"warmup": "0 s", "duration": f"{seconds} s"})
    scenario = Scenario(text)
    return {
        "none": partial(run, scenario),
        "observed": partial(engine.run_observed, text),
        "written": partial(on_disk, scenario),
    }


def on_disk(scenario: Scenario) -> int:
    """Run a scenario with a trace on disk, and return how many rows it has."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace"
        run(scenario, trace=path)
        return sum(json.loads((path / "run.json").read_text())["tables"].values())


def measure(cases: dict[str, dict[str, Any]], repeats: int) -> list[dict[str, Any]]:
    """Measure every case in all ways, in turn, set-up subtracted."""
    rows = []
    for title, keys in cases.items():
        seconds = SIMULATED_S[title]
        short, long = ways(keys, SETUP_S), ways(keys, seconds)
        found: dict[str, list[float]] = {way: [] for way in long}
        count = long["written"]()
        for _ in range(repeats):
            for way, call in long.items():
                found[way].append(cpu_seconds(call) - cpu_seconds(short[way]))
        medians = {way: statistics.median(times) for way, times in found.items()}
        rows.append({"case": title, "simulated_s": seconds, "rows": count, **medians})
    return rows


def show(rows: list[dict[str, Any]], console: Console) -> None:
    """Print what traces cost."""
    table = Table(title="Traces: CPU per simulated second, and per row of the trace")
    for column in ("case", "rows per s", "none", "observed", "written", "ratio", f"bar: {BAR:g}"):
        table.add_column(column, justify="left" if column == "case" else "right")
    for row in rows:
        ratio = row["written"] / row["none"]
        times = [
            f"{row[name] / row['simulated_s'] * 1e3:.2f} ms, {row[name] / row['rows'] * 1e9:.0f} ns"
            for name in ("none", "observed", "written")
        ]
        verdict = "met" if ratio <= BAR else "missed"
        per_second = f"{row['rows'] / row['simulated_s']:,.0f}"
        table.add_row(row["case"], per_second, *times, f"{ratio:.1f}", verdict)
    console.print(table)

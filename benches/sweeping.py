#!/usr/bin/env python3
"""What a sweep costs beside its runs: CPU time over the engine's own, and peak memory.

The same runs are done by the engine alone, one after another, by `sweep` with the machine's
threads, and by `sweep --on` a Dask cluster of two workers, in turn. The CPU time of every process
counts: of a cluster the client's, the scheduler's and the workers', from the first run to the last.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cluster import cluster
from rich.console import Console
from rich.table import Table

from multihop import Scenario
from multihop import _multihop as engine
from multihop.sweeping.sweeps import Means, Point, points, sweep_points

RUNS, MEMORY_RUNS = 10_000, 20_000
OVERHEAD_BAR = 0.05
MEMORY_BAR_MB = 1000.0
IDLE_S = 5
# A run of about 5 ms.
CHAIN = Scenario.from_dict(
    {
        "warmup": "5 s",
        "duration": "70 s",
        "topology": {"kind": "chain", "hops": 4},
        "scheme": {"name": "cxcc"},
        "traffic": {"load": "100 kbit/s"},
    }
)


def cpu(process: int | None = None) -> float:
    """Return the CPU seconds of this process, or of another one."""
    if process is None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        return used.ru_utime + used.ru_stime
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def grid(runs: int) -> list[Point]:
    """List the runs."""
    return points(CHAIN, {"seed": range(runs)})


def alone(runs: int) -> float:
    """Do the runs with nothing around them."""
    scenarios = [point.scenario.json for point in grid(runs)]
    begin = cpu()
    for scenario in scenarios:
        engine.run(scenario)
    return cpu() - begin


def swept(runs: int, means: Means, *processes: int) -> float:
    """Do the runs as a sweep."""
    with tempfile.TemporaryDirectory() as out:
        begin = cpu() + sum(map(cpu, processes))
        sweep_points(grid(runs), out, means=means)
        return cpu() + sum(map(cpu, processes)) - begin


def idle(*processes: int) -> float:
    """Return the CPU seconds that a cluster takes each second while it does nothing."""
    begin = sum(map(cpu, processes))
    time.sleep(IDLE_S)
    return (sum(map(cpu, processes)) - begin) / IDLE_S


def overhead(runs: int, repeats: int) -> list[dict[str, Any]]:
    """Measure both ways, in turn with the engine alone.

    A cluster's processes are busy with themselves all the time; on a machine that others use, where
    the same work takes longer, that is more. `idle_per_s` says how much.
    """
    idling = 0.0
    swept(10, Means(progress=False))  # what is loaded once
    ways: dict[str, list[float]] = {"engine alone": [], "threads": []}
    with tempfile.TemporaryDirectory() as folder:
        if find_spec("distributed") is None:
            _measure(runs, repeats, ways)
        else:
            with cluster(Path(folder)) as (address, processes):
                means = Means(on=address, progress=False)
                swept(10, means)
                idling = idle(*(process.pid for process in processes))
                ways["Dask, two workers"] = []
                _measure(runs, repeats, ways, means, *(process.pid for process in processes))
    ours = statistics.median(ways["engine alone"])
    return [
        {
            "way": way,
            "ms_per_run": statistics.median(seconds) / runs * 1e3,
            "overhead": statistics.median(seconds) / ours - 1,
            "all_s": seconds,
            "idle_per_s": idling if way.startswith("Dask") else 0.0,
        }
        for way, seconds in ways.items()
    ]


def _measure(
    runs: int, repeats: int, ways: dict[str, list[float]], on: Means = Means(), *processes: int
) -> None:
    for _ in range(repeats):
        ways["engine alone"].append(alone(runs))
        ways["threads"].append(swept(runs, Means(progress=False)))
        if processes:
            ways["Dask, two workers"].append(swept(runs, on, *processes))


def memory(runs: int) -> float:
    """Return the peak memory in MB of a process that sweeps so many runs."""
    program = (
        "import resource, sys; sys.path.insert(0, sys.argv[1]); import sweeping; "
        "sweeping.swept(int(sys.argv[2]), sweeping.Means(progress=False)); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(Path(__file__).parent), str(runs)],
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def show(rows: list[dict[str, Any]], peak_mb: float, console: Console) -> None:
    """Print the table."""
    table = Table(title="CPU of a sweep, each run of a chain of 4 hops")
    for column in ("way", "per run", "overhead", f"bar: {OVERHEAD_BAR:.0%}"):
        table.add_column(column, justify="left" if column == "way" else "right")
    for row in rows:
        verdict = "met" if row["overhead"] <= OVERHEAD_BAR else "missed"
        table.add_row(row["way"], f"{row['ms_per_run']:.3f} ms", f"{row['overhead']:.1%}", verdict)
    console.print(table)
    if rows[-1]["idle_per_s"]:
        console.print(f"the cluster takes {rows[-1]['idle_per_s']:.1%} of a core while it is idle")
    verdict = "met" if peak_mb < MEMORY_BAR_MB else "missed"
    console.print(f"peak memory of a sweep of {MEMORY_RUNS} runs: {peak_mb:.0f} MB ({verdict})")


def main() -> int:
    """Parse the arguments, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", "--repeats", type=int, default=3, help="measurements (3)")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"runs of each ({RUNS})")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args()
    rows, peak_mb = overhead(args.runs, args.repeats), memory(MEMORY_RUNS)
    if args.json:
        print(json.dumps({"overhead": rows, "peak_memory_20000_runs_mb": peak_mb}, indent=2))
    else:
        show(rows, peak_mb, Console())
    return 0


if __name__ == "__main__":
    sys.exit(main())

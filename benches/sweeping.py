#!/usr/bin/env python3
"""What a sweep costs beside its runs: CPU time over the engine's own, and peak memory.

The same runs are done, in turn, by `sweep` with the machine's threads and by `sweep --on` a Dask
cluster of two workers, and each time by the engine with nothing around it, in as many threads or
processes: two cores that share a cache take longer over the same runs than one does. The CPU time
of every process counts: of a cluster the client's, the scheduler's and the workers', from the
first run to the last.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cluster import cluster
from rich.console import Console
from rich.table import Table

from multihop import Scenario, _multihop as engine
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


def alone(runs: int, threads: int) -> float:
    """Do the runs in so many threads with nothing around them."""
    scenarios = [point.scenario.json for point in grid(runs)]
    begin = cpu()
    with ThreadPoolExecutor(threads) as pool:
        shares = (scenarios[first::threads] for first in range(threads))
        list(pool.map(lambda share: [engine.run(scenario) and None for scenario in share], shares))
    return cpu() - begin


def apart(runs: int, processes: int) -> float:
    """Do the runs in so many processes with nothing around them."""
    program = f"import sweeping; print(sweeping.alone({runs // processes}, 1))"
    started = [
        subprocess.Popen(
            [sys.executable, "-c", program],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parent,
        )
        for _ in range(processes)
    ]
    return sum(float(process.communicate()[0]) for process in started)


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
    """Measure every way in turn with the engine alone.

    A cluster's processes are busy with themselves all the time; on a machine that others use, where
    the same work takes longer, that is more. `idle_per_s` says how much.
    """
    swept(10, Means(progress=False))  # what is loaded once
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        threads = os.cpu_count() or 1
        pairs = {
            "threads": (lambda: alone(runs, threads), lambda: swept(runs, Means(progress=False)))
        }
        idling = 0.0
        if find_spec("distributed") is not None:
            address, processes = stack.enter_context(cluster(Path(folder)))
            means = Means(on=address, progress=False)
            those = [process.pid for process in processes]
            swept(10, means)
            idling = idle(*those)
            pairs["Dask, two workers"] = (
                lambda: apart(runs, 2),
                lambda: swept(runs, means, *those),
            )
        found: dict[str, list[tuple[float, float]]] = {way: [] for way in pairs}
        for _ in range(repeats):
            for way, (engine_alone, whole) in pairs.items():
                found[way].append((engine_alone(), whole()))
    return [
        _row(way, runs, times, idling if "Dask" in way else 0.0) for way, times in found.items()
    ]


def _row(way: str, runs: int, times: list[tuple[float, float]], idling: float) -> dict[str, Any]:
    ours, whole = (statistics.median(column) for column in zip(*times, strict=True))
    return {
        "way": way,
        "engine_ms_per_run": ours / runs * 1e3,
        "ms_per_run": whole / runs * 1e3,
        "overhead": whole / ours - 1,
        "all_s": times,
        "idle_per_s": idling,
    }


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
    for column in ("way", "engine", "per run", "overhead", f"bar: {OVERHEAD_BAR:.0%}"):
        table.add_column(column, justify="left" if column == "way" else "right")
    for row in rows:
        verdict = "met" if row["overhead"] <= OVERHEAD_BAR else "missed"
        times = (f"{row[each]:.3f} ms" for each in ("engine_ms_per_run", "ms_per_run"))
        table.add_row(row["way"], *times, f"{row['overhead']:.1%}", verdict)
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

"""Many runs of ns-2 into CSV files: the command line that the scripts of whole runs share."""

from __future__ import annotations

import argparse
import csv
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

Run = TypeVar("Run")
Simulate = Callable[[Run], dict[str, object]]

DEFAULT_OUT = Path(__file__).resolve().parents[2] / "docs" / "validation" / "data"
NO_NS = "ns-2 is not installed: apt-get install ns2"


def write_csv(
    path: Path, runs: Sequence[Run], simulate: Simulate[Run], columns: Sequence[str], jobs: int
) -> None:
    """Simulate the runs and write their rows in order."""
    with path.open("w", newline="") as file, ThreadPoolExecutor(jobs) as pool:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for row in pool.map(simulate, runs):
            writer.writerow(row)
            file.flush()


def main(
    about: str,
    known: Mapping[str, Sequence[Run]],
    simulate: Simulate[Run],
    columns: Sequence[str],
) -> int:
    """Parse the arguments and write the files."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("names", nargs="*", help="files to make, without .csv; default: all")
    parser.add_argument("-o", "--out", type=Path, default=DEFAULT_OUT, help="output folder")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="simulations at a time")
    parser.add_argument("--list", action="store_true", help="show the names and stop")
    args = parser.parse_args()
    if args.list:
        for name, runs in known.items():
            print(f"{name:18} {len(runs):4} runs")
        return 0
    unknown = set(args.names) - set(known)
    if unknown:
        parser.error(f"unknown: {' '.join(sorted(unknown))}; known: {' '.join(known)}")
    if shutil.which("ns") is None:
        print(NO_NS, file=sys.stderr)
        return 3
    args.out.mkdir(parents=True, exist_ok=True)
    for name in args.names or known:
        write_csv(args.out / f"{name}.csv", known[name], simulate, columns, args.jobs)
        print(f"{name}: {len(known[name])} runs", flush=True)
    return 0

#!/usr/bin/env python3
"""Draw which packets of a transfer a wire loses, and write every change of ns-2's window.

    python3 draw_losses.py -o FOLDER --seed 1 --count 60
    MULTIHOP_LOSSES=FOLDER cargo test -p multihop-schemes --test tcp_window -- --nocapture

It writes one file for each TCP, in the form of crates/schemes/tests/data/losses_*.txt; the tests
compare change by change. Lists are of five kinds: a few packets, a burst (and what follows it),
each packet with a probability, and the first of all.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

WIRE = Path(__file__).resolve().parents[2] / "crates/schemes/tests/data/wired.tcl"
TCPS = {
    "tahoe": ("Agent/TCP", "Agent/TCPSink"),
    "reno": ("Agent/TCP/Reno", "Agent/TCPSink"),
    "newreno": ("Agent/TCP/Newreno", "Agent/TCPSink"),
    "sack": ("Agent/TCP/Sack1", "Agent/TCPSink/Sack1"),
    "vegas": ("Agent/TCP/Vegas", "Agent/TCPSink"),
}
WINDOW, DELAY_MS, LINES = 20, 52.3, 160


def drawn(source: random.Random) -> list[int]:
    """Which packets are lost, counted from 0 as they are sent."""
    kind = source.choice(("few", "burst", "tail", "each", "first"))
    if kind == "few":
        return sorted(source.sample(range(1, 150), source.randint(1, 5)))
    if kind == "each":
        chance = source.choice((0.02, 0.05, 0.1, 0.2))
        return [number for number in range(1, 400) if source.random() < chance]
    if kind == "first":
        return sorted(source.sample(range(14), source.randint(1, 4)))
    begin = source.randint(1, 80)
    burst = list(range(begin, begin + source.randint(2, 12)))
    if kind == "tail":
        burst += sorted(source.sample(range(burst[-1] + 1, burst[-1] + 60), source.randint(1, 4)))
    return burst


def windows(tcp: str, lost: str) -> str:
    """Every change of ns-2's window, as far as they are compared: 0.1 ms later, so much more."""
    with tempfile.NamedTemporaryFile("r", suffix=".txt") as trace:
        told = ["ns", str(WIRE), *TCPS[tcp], lost, str(WINDOW), trace.name, str(DELAY_MS)]
        subprocess.run(told, check=True, capture_output=True)
        rows = [line.split() for line in trace][:LINES]
    times = [0, *(round(float(row[0]) * 1e4) for row in rows)]
    sizes = [0, *(round(float(row[-1]) * 1e3) for row in rows)]
    steps = zip(pairwise(times), pairwise(sizes), strict=True)
    return " ".join(f"{at - before}{size - last:+d}" for (before, at), (last, size) in steps)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--out", type=Path, required=True, help="folder of the files")
    parser.add_argument("--seed", type=int, default=1, help="which lists are drawn")
    parser.add_argument("--count", type=int, default=60, help="how many lists")
    given = parser.parse_args(arguments)
    if not shutil.which("ns"):
        print("ns-2 is not installed: apt-get install ns2", file=sys.stderr)
        return 1
    source = random.Random(given.seed)
    lists = [" ".join(map(str, drawn(source))) for _ in range(given.count)]
    given.out.mkdir(parents=True, exist_ok=True)
    for tcp in TCPS:
        cases = (f"drop {lost}: {windows(tcp, lost)}" for lost in lists)
        (given.out / f"losses_{tcp}.txt").write_text("\n".join(cases) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

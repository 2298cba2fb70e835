#!/usr/bin/env python3
"""Follow one two-hop TCP flow of ns-2 step by step: no loss, or chosen losses before the sink.

    python3 run_steps.py [-o tcp_steps.csv]

docs/validation/data/README_tcp.md explains the columns.
"""

from __future__ import annotations

import argparse
import csv
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
DEFAULT_OUT = HERE.parent.parent / "docs" / "validation" / "data" / "tcp_steps.csv"
NO_NS = "ns-2 is not installed: apt-get install ns2"
COLUMNS = ("tcp", "sink", "lose", "seed", "event", "time", "seqno", "cwnd")
SEEDS = 50
TCPS = ("Newreno", "Sack1", "Reno", "Tahoe", "Vegas")
# which arrivals at the sink are thrown away: number of ACKs that are written
LOSSES = {"": 200, "40": 120, "40 42 44": 120, "40 60": 120}
CASES = (
    *((tcp, "plain", lose) for lose in LOSSES for tcp in TCPS),
    ("Newreno", "delack", ""),
    ("Newreno", "delack", "40"),
)


@dataclass(frozen=True, order=True)
class Step:
    """One event at the source; `order` puts cause before effect at the same time."""

    time: float
    order: int
    event: str
    seqno: int = -1
    cwnd: str = ""


def simulate(tcp: str, sink: str, lose: str, seed: int) -> list[Step] | None:
    """Run ns-2 once; return the steps, or nothing when a packet was lost on the way."""
    with tempfile.TemporaryDirectory() as folder:
        trace, changes = Path(folder) / "run.tr", Path(folder) / "cwnd"
        command = ["ns", str(HERE / "chain_tcp.tcl"), "-trace", str(trace)]
        options = {"hops": 2, "rp": "STATIC", "tcp": tcp, "sink": sink, "lose": lose, "seed": seed}
        options |= {"dur": 12, "cwndfile": changes}
        for name, value in options.items():
            command += [f"-{name}", str(value)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
        said = next(x for x in done.stdout.splitlines() if x.startswith("RESULT "))
        begin = float(dict(word.split("=", 1) for word in said.split()[1:])["tm"])
        lines = trace.read_text().splitlines()
        windows = changes.read_text().splitlines()
    steps = []
    for line in lines:
        word = line.split()
        if word[0] == "D" and word[6] in ("tcp", "ack") and word[4] != "COL":
            return None
        if word[2:4] != ["_0_", "AGT"]:
            continue
        seqno = int(line.rpartition("[")[2].split()[0])
        time = round(float(word[1]) - begin, 9)
        if word[0] == "s":
            steps.append(Step(time, 2, "send", seqno))
        else:
            steps.append(Step(time, 0, "ack", seqno))
    acks = [step.time for step in steps if step.event == "ack"]
    first = ""
    for line in windows:
        word = line.split()
        time = round(float(word[0]) - begin, 9)
        if time < -1e-5:
            first = word[-1]
            continue
        # the record has 10 us: take the time of the ACK that was the reason
        near = min(acks, key=lambda ack: abs(ack - time))
        steps.append(Step(near if abs(near - time) < 1.1e-5 else time, 1, "cwnd", -1, word[-1]))
    steps.append(Step(0.0, -1, "cwnd", -1, first))
    return sorted(steps)


def main() -> int:
    """Parse the arguments and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--out", type=Path, default=DEFAULT_OUT, help="CSV file")
    args = parser.parse_args()
    if shutil.which("ns") is None:
        print(NO_NS, file=sys.stderr)
        return 3
    with args.out.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for case in CASES:
            for seed in range(1, SEEDS + 1):
                if steps := simulate(*case, seed):
                    break
            else:
                raise RuntimeError(f"{case}: every seed lost a packet")
            seen: Counter[str] = Counter()
            for step in steps:
                seen[step.event] += 1
                if seen["ack"] > LOSSES[case[2]]:
                    break
                seqno = "" if step.seqno < 0 else step.seqno
                writer.writerow((*case, seed, step.event, f"{step.time:.9f}", seqno, step.cwnd))
    return 0


if __name__ == "__main__":
    sys.exit(main())

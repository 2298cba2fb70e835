#!/usr/bin/env python3
"""Run the AODV probes of ns-2 and write what each node sent, received and lost.

    python3 run_aodv.py [-o aodv_micro.csv]

docs/validation/data/README_tcp.md explains the columns.
"""

from __future__ import annotations

import argparse
import csv
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
DEFAULT_OUT = HERE.parent.parent / "docs" / "validation" / "data" / "aodv_micro.csv"
NO_NS = "ns-2 is not installed: apt-get install ns2"
COLUMNS = (
    *("case", "seed", "time", "node", "event", "layer", "reason", "kind", "size", "uid"),
    *("ttl", "next", "hops", "id", "dest", "dest_seq", "origin", "origin_seq"),
)
EVENTS = {"s": "send", "r": "receive", "f": "forward", "D": "drop"}
KINDS = {"(REQUEST)": "RREQ", "(REPLY)": "RREP", "(ERROR)": "RERR"}
# case: (options, seeds, begin and end of the records that are written)
CASES: dict[str, tuple[dict[str, object], int, float, float]] = {
    "search": ({"mode": "search", "pkt": 100, "dur": 60}, 1, 0.0, 60.0),
    "discover5": ({"dur": 1.5}, 10, 0.0, 1.5),
    "break_source": ({"move": "1 10"}, 1, 9.0, 30.0),
    "break_middle": ({"move": "3 10"}, 1, 9.0, 30.0),
    "break_end": ({"move": "5 10"}, 1, 9.0, 30.0),
    "break_return": ({"move": "3 10 14"}, 1, 9.0, 30.0),
    "detour_source": ({"move": "1 10", "detour": 1}, 1, 0.0, 15.0),
    "detour_middle": ({"move": "2 10", "detour": 2}, 1, 0.0, 15.0),
    "detour_end": ({"move": "4 10", "detour": 4}, 1, 0.0, 15.0),
}
IP = re.compile(r"\[(-?\d+):-?\d+ (-?\d+):-?\d+ (\d+) (-?\d+)\]")
RREQ = re.compile(r"\[0x2 (\d+) (\d+) \[(\d+) (\d+)\] \[(\d+) (\d+)\]\]")
REPLY = re.compile(r"\[0x[48] (\d+) \[(\d+) (\d+)\]")


def record(line: str) -> dict[str, object] | None:
    """Return one trace line as a row, or nothing when it is of no interest."""
    word = line.split()
    if len(word) < 8 or word[0] not in EVENTS:
        return None
    event, time, node, layer, reason, uid, kind, size = word[0], *word[1:8]
    kind = KINDS.get(word[-1], "DATA" if kind == "cbr" else kind)
    if kind not in ("DATA", *KINDS.values()):
        return None
    wanted = {
        "AGT": event in "sr",
        "RTR": kind in ("RREP", "RERR") or (kind == "RREQ" and event != "r"),
    }
    if event != "D" and not wanted.get(layer, False):
        return None
    header = IP.search(line)
    assert header is not None, line
    row: dict[str, object] = {
        "time": f"{float(time):.6f}",
        "node": node.strip("_"),
        "event": EVENTS[event],
        "layer": layer,
        "reason": "" if reason == "---" and event != "D" else reason,
        "kind": kind,
        "size": size,
        "uid": uid,
        "ttl": header[3],
        "next": header[4],
    }
    if kind == "RREQ" and (found := RREQ.search(line)):
        names = ("hops", "id", "dest", "dest_seq", "origin", "origin_seq")
        row |= zip(names, found.groups(), strict=True)
    elif kind in ("RREP", "RERR") and (found := REPLY.search(line)):
        row |= zip(("hops", "dest", "dest_seq"), found.groups(), strict=True)
    return row


def rows(case: str) -> Iterator[dict[str, object]]:
    """Run one case with each of its seeds and yield its rows."""
    options, seeds, begin, end = CASES[case]
    for seed in range(1, seeds + 1):
        with tempfile.TemporaryDirectory() as folder:
            trace = Path(folder) / "aodv.tr"
            command = ["ns", str(HERE / "micro_aodv.tcl"), "-trace", str(trace)]
            for name, value in (options | {"seed": seed}).items():
                command += [f"-{name}", str(value)]
            subprocess.run(command, cwd=folder, capture_output=True, check=True)
            lines = trace.read_text().splitlines()
        for line in lines:
            row = record(line)
            if row is not None and begin <= float(str(row["time"])) <= end:
                yield {"case": case, "seed": seed} | row


def main() -> int:
    """Parse the arguments and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--out", type=Path, default=DEFAULT_OUT, help="CSV file")
    args = parser.parse_args()
    if shutil.which("ns") is None:
        print(NO_NS, file=sys.stderr)
        return 3
    with args.out.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for case in CASES:
            writer.writerows(rows(case))
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Count the instructions of some fixed runs, and refuse more of them than before.

Counts repeat within 0.001 %, where times spread by 10 to 30 %: this is the gate, `make bench` the
report. callgrind counts; the engine is built as it ships, without Python. Counts depend on the
compiler, so `instructions.json` names the one that they were taken with; another compiler, or no
valgrind, skips the gate and says so.

    make count                                  compare
    benches/instructions.py --update            store, after a change that is meant to cost or save
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench import TRAFFIC, UDP, chain, grid, random150, tcp150

HERE = Path(__file__).resolve().parent
STORED = HERE / "instructions.json"
RTS = {"rts_cts": True}
# More than this share above the stored count fails. Less is good news, and to be stored.
TOLERANCE = 0.02


def runs() -> dict[str, dict[str, Any]]:
    """Return the runs that are counted: title and scenario."""
    size = {"width": "5500 m", "height": "5500 m"}
    crowd = {"kind": "random", "nodes": 2000, "flows": 5} | size
    return {
        "chain of 10 hops, RTS/CTS, 20 s": timed(chain(UDP, RTS), "20 s"),
        "150 nodes, RTS/CTS, 5 s": timed(random150(UDP, RTS), "5 s"),
        "150 nodes, NewReno, AODV, 5 s": timed(tcp150({}), "5 s"),
        "13 x 13 grid, WXCP, 5 s": timed(grid("wxcp"), "5 s"),
        "2,000 flows of one pair, NewReno, 2 s": timed(crowded(2000), "2 s"),
        "set-up of 2,000 nodes": timed(
            {"topology": crowd, "scheme": UDP, "traffic": TRAFFIC}, "1 ms"
        ),
    }


def traced() -> dict[str, dict[str, Any]]:
    """Return the runs that are counted with a trace."""
    return {
        "chain of 10 hops, traced, 20 s": timed(chain(UDP, {}), "20 s"),
        "150 nodes, traced, 5 s": timed(random150(UDP, {}), "5 s"),
    }


def crowded(flows: int) -> dict[str, Any]:
    """Return two nodes with so many flows, nearly all of them idle at any time."""
    return {
        "topology": {"kind": "chain", "hops": 1},
        "scheme": {"name": "newreno"},
        "traffic": {"load": "200 bit/s", "payload": "100 B", "start": "0 s", "start_jitter": "4 s"},
        "flow": [{"from": "n0", "to": "n1"}] * flows,
    }


def timed(scenario: dict[str, Any], duration: str) -> dict[str, Any]:
    """Return `scenario` without a warm-up."""
    return scenario | {"warmup": "0 s", "duration": duration, "series_interval": "1 s"}


def compiler() -> str:
    """Return the compiler's version and its target."""
    told = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
    found = dict(line.split(": ", 1) for line in told.splitlines() if ": " in line)
    return f"rustc {found['release']} {found['host']}"


def build() -> str:
    """Build the program that runs a scenario, and return its path."""
    command = ["cargo", "build", "--release", "-p", "multihop-sim", "--example", "run"]
    done = subprocess.run(
        [*command, "--message-format=json"],
        cwd=HERE.parent,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    messages = [json.loads(line) for line in done.stdout.splitlines()]
    return next(str(message["executable"]) for message in messages if message.get("executable"))


def count(program: str, scenario: dict[str, Any], *, trace: bool = False) -> int:
    """Return how many instructions one run takes."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as traces:
        tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/counts"]
        done = subprocess.run(
            [*tool, program, *([traces] if trace else [])],
            input=json.dumps(scenario),
            capture_output=True,
            text=True,
            check=False,
        )
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or collected is None:
        raise SystemExit(f"the run under valgrind failed:\n{done.stderr}")
    return int(collected[1])


def judge(title: str, before: int | None, now: int) -> bool:
    """Print a run's count beside the stored one; return whether it is allowed."""
    if before is None:
        print(f"{title}: {now:,}, and none is stored; run benches/instructions.py --update")
        return False
    change = now / before - 1
    allowed = change <= TOLERANCE
    verdict = "met" if allowed else f"missed: more than {TOLERANCE:.0%} above"
    print(f"{title}: {now:,} instructions, {change:+.2%} to {before:,} ({verdict})")
    return allowed


def main() -> int:
    """Count, and compare or store."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="store the counts as they are now")
    update = parser.parse_args().update
    stored = json.loads(STORED.read_text())
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is not installed (Debian: apt-get install valgrind)")
        return int(update)
    if compiler() != stored["compiler"] and not update:
        print(f"skipped: the counts are of {stored['compiler']}, this is {compiler()}")
        return 0
    program = build()
    counts = {title: count(program, scenario) for title, scenario in runs().items()}
    for title, scenario in traced().items():
        counts[title] = count(program, scenario, trace=True)
    if update:
        STORED.write_text(json.dumps({"compiler": compiler(), "counts": counts}, indent=2) + "\n")
    known = json.loads(STORED.read_text())["counts"]
    verdicts = [judge(title, known.get(title), now) for title, now in counts.items()]
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())

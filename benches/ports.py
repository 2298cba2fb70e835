#!/usr/bin/env python3
"""Many nodes with Ethernet ports and `babeld`: lateness and memory of the medium emulator.

    python benches/ports.py --nodes 50 --minutes 2

Nodes are a grid with `babeld` in each. Once there is a route between two opposite corners, or after
a minute, one pings the other five times a second. The end is a line of JSON: lateness of the
emulator's events in this time, resident memory of its process and of all ports at the beginning and
at the end, and how many pings were answered within a second.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from daemons import ANSWER_WITHIN_S, PING_EACH_S, PINGS, first_answer, pings, program
from on_linux import resident_kb

from multihop import Scenario
from multihop.lab import Lab, Options

COLUMNS = 10


def scenario(nodes: int) -> Scenario:
    """Return a grid of so many nodes, ten in a row."""
    grid = {"kind": "grid", "rows": nodes // COLUMNS, "columns": COLUMNS, "horizontal_flows": 1}
    return Scenario.from_dict(
        {
            "topology": {**grid, "spacing": "200 m"},
            "mac": {"data_rate": "11 Mbit/s"},
            "scheme": {"name": "udp"},
            "traffic": {"load": "1 kbit/s"},
        }
    )


def weights(lab: Lab) -> dict[str, int]:
    """Return the resident memory of the emulator, and that of all ports, in kB."""
    ports = lab.processes("multihop-ether", "port")
    [ether] = set(lab.processes("multihop-ether")) - set(ports)
    return {"ether_kb": resident_kb(ether), "ports_kb": sum(map(resident_kb, ports))}


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=50, help="a multiple of ten")
    parser.add_argument("--minutes", type=float, default=2.0)
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        options = Options(ports="ethernet", respawn_s=-1.0)
        lab = stack.enter_context(Lab.up(scenario(given.nodes), f"ports-{os.getpid()}", options))
        for node in lab.namespaces:
            words = ["babeld", "-I", f"{folder}/{node}.pid", "-S", f"{folder}/{node}.state"]
            words += ["-L", f"{folder}/{node}.log", "-C", "default type wireless", "mesh0"]
            stack.enter_context(program(lab, node, words, folder / f"{node}.out"))
        here, *_, there = lab.namespaces
        ping = [sys.executable, "-S", "-u", "-c", PINGS, lab.addresses[there], str(PING_EACH_S)]
        seen = folder / "pings"
        stack.enter_context(program(lab, here, ping, seen))
        first = first_answer(seen, time.monotonic())
        begun, before = time.monotonic(), weights(lab)
        time.sleep(60 * given.minutes)
        ended, after = time.monotonic() - ANSWER_WITHIN_S, weights(lab)
        kept = [answered for at, answered in pings(seen) if begun <= at < ended]
        row = {"nodes": given.nodes, "minutes": given.minutes, "first_route_s": first}
        row |= {"begun": before, "ended": after, "lag": lab.status()["ether"]["lag"]}
        row["versions"] = lab.plan.versions
        row |= {"pings": len(kept), "answered": sum(kept), "load": os.getloadavg()[0]}
        print(json.dumps(row))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Make the ns-2 reference data over DSR (docs/validation/data/ns2_dsr_*.csv) again.

    python3 run_dsr.py                        every file, into docs/validation/data
    python3 run_dsr.py -o FOLDER ns2_dsr_tcp  one file, into FOLDER
    python3 run_dsr.py --list                 names and number of runs

One CSV row is one run of ns-2; docs/validation/data/README_dsr.md explains the columns.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import batch
from observed import HERE, add_one, command, observe, records, runs

# Packets per second: around the knees of chains of 3 to 8 hops, and beyond.
SLOW = (18, 19, 20, 21, 22, 23, 24, 25, 26, 30, 35, 50)
FAST = (18, 25, 30, 32, 34, 36, 38, 40, 42, 45, 50)
# Hops, and packets per second beyond what that chain carries, for what takes many runs to see.
BEYOND = ((5, 25), (5, 26), (6, 30), (7, 50), (8, 35), (8, 50))
WANTED = re.compile(r"^(?:D|[sf] \S+ \S+ RTR .* DSR )")


@dataclass(frozen=True)
class Run:
    """The parameters of one simulation."""

    traffic: str = "cbr"
    topo: str = "chain"
    hops: int = 5
    pps: int = 0
    pkt: int = 1000
    rate: str = "1Mb"
    rts: int = 0
    rp: str = "DSR"
    prewarm: int = 1
    warm: int = 10
    dur: int = 60
    spare: int = 1
    seed: int = 1

    def command(self, trace: Path) -> list[str]:
        """Return the ns command line."""
        options: dict[str, object] = asdict(self) | {"rtrtrace": 1, "trace": trace}
        for name in ("traffic", "topo", "hops", "pps"):
            del options[name]
        script = "chain"
        if self.topo == "chain":
            options |= {"topo": "chain", "hops": self.hops}
        else:
            options |= {
                "scen": HERE / f"{self.topo}.json",
                "move": HERE / f"{self.topo}.ns_movements",
            }
        if self.traffic == "cbr":
            options["pps"] = self.pps
            script = "chain_cbr" if self.topo == "chain" else "random_cbr"
        else:
            options |= {"tcp": self.traffic, "topo": "chain" if self.topo == "chain" else "file"}
            script = "chain_tcp"
        return command(script, options)


@dataclass
class Counters:
    """Trace records inside the measurement window, summed over all nodes."""

    routing_tx: int = 0
    mac_ret: int = 0
    ifq_full: int = 0
    ifq_arp: int = 0
    rtr_timeout: int = 0
    rtr_no_route: int = 0
    rtr_other: int = 0

    def drop(self, layer: str, reason: str, kind: str) -> None:
        """Count one drop record."""
        if layer == "MAC" and reason == "RET" and kind != "RTS":
            self.mac_ret += 1
        elif layer == "IFQ":
            self.ifq_arp += reason == "ARP"
            self.ifq_full += reason != "ARP"
        elif layer == "RTR" and kind != "DSR":
            name = {"TOUT": "rtr_timeout", "NRTE": "rtr_no_route"}.get(reason, "rtr_other")
            add_one(self, name)


def count(lines: Iterable[str], begin: float, end: float) -> Counters:
    """Count the records of [begin, end]."""
    counters = Counters()
    for word in records(lines, WANTED, begin, end):
        if word[0] == "D":
            counters.drop(word[3], word[4], word[6])
        else:
            counters.routing_tx += 1
    return counters


COLUMNS = (*asdict(Run()), "goodput_kbps", "per_flow_kbps", *asdict(Counters()))


def experiments() -> dict[str, list[Run]]:
    """Return the runs behind each CSV file."""
    chains = (3, 4, 5, 6, 7, 8)
    cold = Run(prewarm=0)
    tcp = Run(rate="2Mb", prewarm=0, warm=0, dur=120)
    moving = Run(topo="mobile100", hops=0, pkt=512, prewarm=0, dur=90)
    beyond = [Run(hops=hops, pps=pps) for hops, pps in BEYOND]
    return {
        "ns2_dsr_chain": [
            *runs(10, Run(), hops=chains, pps=SLOW),
            *runs(10, Run(rate="2Mb"), hops=chains, pps=FAST),
        ],
        "ns2_dsr_cold": list(runs(40, cold, hops=(5,), pps=SLOW[:10])),
        "ns2_dsr_tcp": list(runs(10, tcp, traffic=("Newreno", "Vegas"), hops=(1, 2, *chains))),
        "ns2_dsr_mobile": [
            *runs(10, moving, pps=(4,)),
            *runs(60, moving, pps=(8,)),
            *runs(20, replace(moving, traffic="Newreno", pkt=1000)),
        ],
        "ns2_dsr_beyond": [run for case in beyond for run in runs(80, case)],
        "ns2_dsr_zero": [run for case in beyond for run in runs(80, replace(case, spare=0))],
    }


def simulate(run: Run) -> dict[str, object]:
    """Run ns-2 once and return the CSV row."""
    said, counters = observe(run.command, count)
    names = ("goodput_kbps", "per_flow_kbps")
    return asdict(run) | {name: said[name] for name in names} | asdict(counters)


if __name__ == "__main__":
    sys.exit(batch.main(__doc__, experiments(), simulate, COLUMNS))

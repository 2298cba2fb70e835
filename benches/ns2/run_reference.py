#!/usr/bin/env python3
"""Make the ns-2 reference data in docs/validation/data again.

    python3 run_reference.py                       every file, into docs/validation/data
    python3 run_reference.py -o FOLDER ns2_cross   one file, into FOLDER
    python3 run_reference.py --list                names and number of runs

One CSV row is one run of ns-2; docs/validation/data/README.md explains the columns, and how
`python -m multihop_validation.record` keeps them.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import batch
import nstrace
from observed import command, observe

COLUMNS = (
    "topo",
    "hops",
    "sources",
    "load",
    "pkt",
    "rate",
    "rts",
    "rp",
    "prop",
    "seed",
    "goodput_kbps",
    "delay_ms",
    "netdelay_ms",
    "per_flow_kbps",
    "mac_ret_data",
    "mac_col",
    "mac_col_rts",
    "mac_col_cts",
    "mac_col_data",
    "mac_col_ack",
    "ifq_full",
    "rtr_cbk",
)
SOURCES = {"chain": 1, "bichain": 2, "cross": 2, "bicross": 4, "random": 5}


@dataclass(frozen=True)
class Run:
    """The parameters of one simulation."""

    topo: str
    load: int
    rts: int
    hops: int = 10
    pkt: int = 512
    rate: str = "1Mb"
    rp: str = "STATIC"
    prop: str = "tworay"
    seed: int = 1
    senders: int = 0
    prewarm: int = 1

    @property
    def sources(self) -> int:
        """Number of CBR sources."""
        return self.senders or SOURCES[self.topo]

    def command(self, trace: Path) -> list[str]:
        """Return the ns command line."""
        options: dict[str, object] = {
            "load": self.load,
            "pkt": self.pkt,
            "rate": self.rate,
            "rts": self.rts,
            "rp": self.rp,
            "prop": self.prop,
            "seed": self.seed,
            "prewarm": self.prewarm,
            "warm": 10,
            "dur": 60,
            "srcmac": 1,
            "trace": trace,
        }
        if self.topo == "random":
            script = "random_cbr"
        else:
            script = "chain_cbr"
            options |= {"topo": self.topo, "hops": self.hops}
        if self.senders:
            options["senders"] = self.senders
        return command(script, options)


def grid(
    topos: str, loads: str, seeds: int = 5, rts: tuple[int, ...] = (0, 3000), **fixed: Any
) -> Iterator[Run]:
    """Yield the runs of every combination, the seed varying fastest."""
    for topo, mode, load in itertools.product(topos.split(), rts, loads.split()):
        for seed in range(1, seeds + 1):
            yield replace(Run(topo, int(load), mode, seed=seed), **fixed)


def experiments() -> dict[str, list[Run]]:
    """Return the runs behind each CSV file."""
    both = "chain bichain"
    saturated = itertools.product(("1Mb", "2Mb"), (512, 1000), (1, 2, 4, 6, 8, 10))
    return {
        "cxcc_fig8": list(grid(both, "10 20 30 40 50 60 70 80 100 120 150 200 300 400")),
        "sat_chain": [
            run
            for rate, pkt, hops in saturated
            for run in grid("chain", "2000", 2, rate=rate, pkt=pkt, hops=hops)
        ],
        "shadow_chain": list(grid("chain", "20 60 100 200 400", 3, prop="shadowing")),
        "ns2_cross": list(grid("cross bicross", "20 40 60 70 80 100 150 200 300 400")),
        "ns2_bichain_hops": [
            run
            for hops in (4, 6, 8)
            for run in grid("bichain", "30 60 90 120 150 200 300 400", hops=hops)
        ],
        "ns2_2mbit": list(grid(both, "50 100 150 200 250 300 400 600", pkt=1000, rate="2Mb")),
        "ns2_fine": list(grid(both, "75 80 85 90 160 170 180 190")),
        "ns2_shadow": list(grid(both, "20 40 60 80 100 150 200 300 400", 3, prop="shadowing")),
        "ns2_saturation": [
            run
            for senders in (2, 5, 10, 20, 30)
            for run in grid("star", "1000", 3, senders=senders, hops=1)
        ],
        "ns2_random": list(grid("random", "5 10 20 40 60 80 100 200 400", rp="TUNNEL", hops=0)),
        # Many seeds: phases of periodic sources, and points that stood out with few seeds.
        "ns2_phase": [
            *grid("bichain", "10 20 30", 60),
            *grid("bicross", "20", 60),
            *grid("bichain", "30 60", 60, hops=4),
            *grid("bichain", "30", 60, hops=6),
            *grid("bichain", "20", 60, prop="shadowing"),
        ],
        "ns2_overload": [
            *grid("bichain", "300 400", 240, rts=(3000,), hops=6),
            *grid("bichain", "300", 60, rts=(3000,)),
            *grid("bichain", "400", 60, rts=(0,)),
            *grid("chain", "2000", 40, rts=(0,), pkt=1000),
            *grid("chain", "2000", 40, rts=(0,), pkt=1000, rate="2Mb"),
            *grid("bichain", "200", 40, rts=(3000,), hops=6),
            *grid("bichain", "400", 40, rts=(0,), hops=8),
            *grid("bichain", "300", 40, rts=(0,), prop="shadowing"),
            *grid("bichain", "160", 40, rts=(0,)),
            *grid("bichain", "400", 40, rts=(0,), pkt=1000, rate="2Mb"),
            *grid("bicross", "150", 40, rts=(0,)),
            *grid("random", "200", 40, rts=(3000,), rp="TUNNEL", hops=0),
        ],
        # Without a word before the load starts: ARP's questions meet the traffic.
        "ns2_cold": [
            run
            for hops in (5, 8)
            for run in grid("chain", "280 320 336 352", prewarm=0, pkt=1000, rate="2Mb", hops=hops)
        ],
        "ns2_tunnel": list(grid("bichain", "40 60 80 100 200 400", rp="TUNNEL")),
    }


def mean_ms(values: list[float]) -> str:
    """Return the mean in milliseconds, or nothing."""
    return f"{1000 * sum(values) / len(values):.3f}" if values else ""


def simulate(run: Run) -> dict[str, object]:
    """Run ns-2 once and return the CSV row."""
    said, summary = observe(run.command, nstrace.summarise)
    row = asdict(run) | asdict(summary.counters)
    row |= {"sources": run.sources, "per_flow_kbps": said["per_flow_kbps"]}
    row |= {
        "goodput_kbps": said["goodput_kbps"],
        "delay_ms": mean_ms(summary.delays),
        "netdelay_ms": mean_ms(summary.net_delays),
    }
    return row


if __name__ == "__main__":
    sys.exit(batch.main(__doc__, experiments(), simulate, COLUMNS))

#!/usr/bin/env python3
"""Make the ns-2 TCP reference data (docs/validation/data/ns2_tcp_*.csv) again.

    python3 run_tcp.py                        every file, into docs/validation/data
    python3 run_tcp.py -o FOLDER ns2_tcp_two  one file, into FOLDER
    python3 run_tcp.py --list                 names and number of runs

One CSV row is one run of ns-2; docs/validation/data/README_tcp.md explains the columns.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import batch
from observed import HERE, add_one, command, observe, records, runs

HOPS = (1, 2, 3, 4, 6, 8, 12, 16)
WINDOWS = (1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 32)
SAID = (
    *("goodput_kbps", "per_flow_kbps", "udp_kbps", "cwnd_mean", "win_mean", "cwnd_event_mean"),
    *("cwnd_events", "per_flow_cwnd", "tx_pkts", "rexmit_pkts", "timeouts", "per_flow_timeouts"),
    "cwnd_cuts",
)
MESSAGES = {"(REQUEST)": "rreq", "(REPLY)": "rrep", "(ERROR)": "rerr"}
WANTED = re.compile(r"^(?:D|[sf] \S+ \S+ RTR .* AODV )")


@dataclass(frozen=True)
class Run:
    """The parameters of one simulation."""

    tcp: str = "Newreno"
    hops: int = 8
    topo: str = "chain"
    nflows: int = 1
    sink: str = "plain"
    window: int = 20
    pkt: int = 1000
    segment: int = 0
    rate: str = "2Mb"
    rts: int = 0
    rp: str = "AODV"
    minrto: float = 0.2
    udp: str = ""
    timing: str = "dsss"
    seed: int = 1
    scen: str = "random150"
    move: str = ""
    start: float = 5
    stagger: float = 0
    gather: int = 0
    warm: float = 0
    dur: float = 120

    def command(self, trace: Path) -> list[str]:
        """Return the ns command line."""
        options: dict[str, object] = asdict(self) | {"rtrtrace": 1, "trace": trace}
        for name in ("hops", "segment", "scen", "move"):
            del options[name]
        if self.topo == "chain":
            options["hops"] = self.hops
        elif self.topo == "grid":
            options["side"] = self.hops + 1
        else:
            options["scen"] = HERE / f"{self.scen}.json"
        if self.move:
            options["move"] = HERE / f"{self.move}.ns_movements"
        if self.tcp == "Vegas":
            options["vegashdr"] = self.segment - self.pkt if self.segment else 40
        return command("chain_tcp", options)


@dataclass
class Counters:
    """Trace records inside the measurement window, summed over all nodes."""

    mac_ret_tcp: int = 0
    mac_ret_ack: int = 0
    mac_ret_other: int = 0
    mac_col: int = 0
    ifq_full: int = 0
    ifq_arp: int = 0
    rtr_cbk: int = 0
    rtr_other: int = 0
    rreq: int = 0
    rrep: int = 0
    rerr: int = 0

    def drop(self, layer: str, reason: str, kind: str) -> None:
        """Count one drop record."""
        if layer == "MAC" and reason == "COL":
            self.mac_col += 1
        elif layer == "MAC" and reason == "RET" and kind != "RTS":
            name = f"mac_ret_{kind if kind in ('tcp', 'ack') else 'other'}"
            add_one(self, name)
        elif layer == "IFQ" and reason == "---":
            self.ifq_full += 1
        elif layer == "IFQ" and reason == "ARP":
            self.ifq_arp += 1
        elif layer == "RTR" and kind != "AODV":
            name = "rtr_cbk" if reason == "CBK" else "rtr_other"
            add_one(self, name)


def count(lines: Iterable[str], begin: float, end: float) -> Counters:
    """Count the records of [begin, end]."""
    counters = Counters()
    for word in records(lines, WANTED, begin, end):
        if word[0] == "D":
            counters.drop(word[3], word[4], word[6])
        elif word[-1] in MESSAGES:
            name = MESSAGES[word[-1]]
            add_one(counters, name)
    return counters


COLUMNS = (
    *("topo", "hops", "nflows", "tcp", "sink", "window", "pkt", "segment", "rate", "rts", "rp"),
    *("minrto", "udp", "timing", "seed"),
    *SAID,
    *asdict(Counters()),
)


def experiments() -> dict[str, list[Run]]:
    """Return the runs behind each CSV file."""
    static = Run(rp="STATIC")
    lengths = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16)
    stock = Run("Vegas", segment=1000)
    network = Run(topo="file", hops=0, nflows=5, pkt=512, rate="1Mb")
    tcps = ("Newreno", "Vegas", "Sack1", "Reno", "Tahoe")
    lattice = Run(topo="grid", hops=8, nflows=16)
    # 802.11g beside older stations
    mixed = Run(pkt=1024, rate="54Mb", timing="mixed")
    # four flows over four shared hops, one after another; the last 30 s, with all of them
    dumbbell = replace(
        mixed, topo="file", scen="dumbbell4", hops=6, nflows=4, start=0, stagger=10, warm=30, dur=30
    )
    mobile = replace(
        mixed, topo="file", scen="mobile200", move="mobile200", hops=0, nflows=5, start=1, dur=60
    )
    # cases of other files, some of which chance had set apart, with other seeds
    long = (
        *(replace(Run(), pkt=1460, window=window) for window in (12, 32)),
        *(Run(window=8), Run(nflows=2), replace(mixed, hops=10), Run(hops=16)),
    )
    return {
        "ns2_tcp_aodv": [
            *runs(40, Run(), tcp=("Newreno", "Vegas"), hops=lengths),
            *runs(10, stock, hops=lengths),
        ],
        "ns2_tcp_static": [
            *runs(5, static, tcp=tcps, hops=HOPS),
            *runs(5, replace(stock, rp="STATIC"), hops=HOPS),
        ],
        "ns2_tcp_window": [
            *runs(40, Run(), pkt=(512, 1000, 1460), window=WINDOWS),
            *runs(40, Run(pkt=512, sink="delack"), window=WINDOWS),
        ],
        "ns2_tcp_udp": list(runs(5, Run(pkt=512, udp="7 6 250"), window=range(1, 7))),
        "ns2_tcp_two": list(runs(40, Run(nflows=2), hops=HOPS)),
        "ns2_tcp_random": [
            *runs(15, network, rts=(0, 3000)),
            *runs(3, replace(network, rp="TUNNEL"), rts=(0, 3000)),
        ],
        "ns2_tcp_grid": [
            *runs(15, lattice, tcp=("Newreno", "Vegas"), pkt=(512, 1000, 1460)),
            *runs(15, Run(topo="grid", hops=12), nflows=(2, 4, 6, 8, 10, 12)),
        ],
        "ns2_tcp_mixed": [
            *runs(5, replace(mixed, rp="STATIC"), rate=("1Mb", "11Mb", "54Mb"), hops=(1, 4)),
            *runs(40, mixed, tcp=("Newreno", "Vegas"), hops=(1, 2, 4, 6, 10)),
        ],
        "ns2_tcp_dumbbell": list(runs(10, dumbbell, tcp=("Newreno", "Vegas", "Sack1", "Tahoe"))),
        "ns2_tcp_mobile": list(runs(40, mobile, tcp=("Newreno", "Vegas"))),
        "ns2_tcp_gathered": list(runs(40, replace(mobile, gather=1), tcp=("Newreno", "Vegas"))),
        "ns2_tcp_long": [replace(case, seed=seed) for case in long for seed in range(41, 241)],
    }


def simulate(run: Run) -> dict[str, object]:
    """Run ns-2 once and return the CSV row."""
    said, counters = observe(run.command, count)
    row = asdict(run) | {name: said[name] for name in SAID} | asdict(counters)
    return row | {"segment": run.segment or run.pkt + 40}


if __name__ == "__main__":
    sys.exit(batch.main(__doc__, experiments(), simulate, COLUMNS))

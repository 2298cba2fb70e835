"""The ns-2 reference: its CSV files, and the same cases as scenarios of this simulator."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from multihop.scenario.form import Scenario

from . import networks, store
from .store import ROOT

NETWORKS = ROOT / "benches" / "ns2"
RANDOM_NETWORK = NETWORKS / "random150.json"

# Measured as in ns-2: sources start within 0.5 s after 1 s, 10 s are discarded, 60 s measured.
START_S, WARMUP_S, DURATION_S = 1, 11, 60

FILES = (
    *(
        "cxcc_fig8",
        "ns2_fine",
        "ns2_phase",
        "ns2_overload",
        "ns2_cross",
        "ns2_bichain_hops",
        "ns2_2mbit",
    ),
    "ns2_cold",
    *("sat_chain", "ns2_tunnel", "ns2_random", "shadow_chain", "ns2_shadow", "ns2_saturation"),
)
# Files of runs in which ns-2's nodes have to ask for addresses.
COLD = {"ns2_cold"}
TOPOLOGIES = {
    "chain": "chain",
    "bichain": "bidirectional-chain",
    "cross": "cross",
    "bicross": "bidirectional-cross",
    "star": "star",
}
RATES = {
    "1Mb": "1 Mbit/s",
    "2Mb": "2 Mbit/s",
    "5.5Mb": "5.5 Mbit/s",
    "11Mb": "11 Mbit/s",
    "54Mb": "54 Mbit/s",
}


@dataclass(frozen=True, order=True)
class Case:
    """One point of one curve: everything that decides a run but the seed."""

    topology: str
    hops: int
    sources: int
    packet: int
    rate: str
    propagation: str
    routing: str
    rts: bool
    load: float
    arp: str = "off"

    @property
    def offered(self) -> float:
        """Offered load of all sources together in kbit/s."""
        return self.sources * self.load

    def scenario(self, seed: int, starts: Sequence[float] | None = None) -> Scenario:
        """Return this simulator's scenario.

        With `starts`, each source's delay in s, the sources start at these times; without, at
        random times of this simulator.
        """
        tables: dict[str, Any] = {
            "name": f"{self.topology} {self.load:g}",
            "seed": seed,
            "warmup": f"{WARMUP_S} s",
            "duration": f"{DURATION_S} s",
            # ns-2 had these slots and preambles at every rate.
            "mac": {"timing": "dsss", "rts_cts": self.rts, "data_rate": RATES[self.rate]},
            "routing": {"arp": self.arp},
            "scheme": {"name": "udp"},
            "traffic": {
                "load": f"{self.load:g} kbit/s",
                "payload": f"{self.packet} B",
                "start": f"{START_S} s",
                "start_jitter": "0.5 s" if starts is None else "0 s",
            },
        }
        if self.propagation == "shadowing":
            tables["radio"] = {"propagation": "log-normal-shadowing"}
        if starts is None and self.topology in TOPOLOGIES:
            return Scenario.from_dict(tables | {"topology": self._topology()})
        places, routes = self.network()
        tables["topology"] = {"kind": "explicit"}
        tables["node"] = networks.nodes(places)
        tables["flow"] = [{"from": f"n{route[0]}", "to": f"n{route[-1]}"} for route in routes]
        for flow, start in zip(tables["flow"], starts or (), strict=starts is not None):
            flow["start"] = f"{START_S + start:.9f} s"
        return Scenario.from_dict(tables)

    def network(self) -> networks.Network:
        """Return the nodes' places and the flows' routes."""
        if self.topology == "random":
            return networks.from_file(RANDOM_NETWORK)
        if self.topology == "star":
            return networks.star(self.sources)
        shape = networks.line if self.topology in ("chain", "bichain") else networks.cross
        return shape(self.hops, both=self.topology.startswith("bi"))

    def _topology(self) -> dict[str, Any]:
        kind = {"kind": TOPOLOGIES[self.topology]}
        if self.topology == "star":
            return kind | {"senders": self.sources, "radius": f"{networks.RADIUS_M:g} m"}
        return kind | {"hops": self.hops, "spacing": f"{networks.SPACING_M:g} m"}


@dataclass
class Measured:
    """Goodput in kbit/s and delay in ms, run by run."""

    seeds: list[int] = field(default_factory=list)
    goodput: list[float] = field(default_factory=list)
    delay: list[float] = field(default_factory=list)

    def add(self, seed: int, goodput: float, delay: float) -> None:
        """Note a run."""
        self.seeds.append(seed)
        self.goodput.append(goodput)
        self.delay.append(delay)


def read(folder: Path, names: Iterable[str] = FILES) -> dict[Case, Measured]:
    """Read runs of ns-2; a run that stands in two files counts once."""
    runs: dict[Case, dict[int, tuple[float, float]]] = defaultdict(dict)
    for name in names:
        for row in store.rows(folder, name):
            # From the first frame at the source to reception; where ns-2's trace cannot tell
            # the first frame of a packet, from application to application.
            delays = (row["netdelay_ms"], row["delay_ms"], math.nan)
            delay = next(delay for delay in delays if delay is not None)
            case = replace(_case(row), arp="ns2" if name in COLD else "off")
            runs[case][row["seed"]] = (row["goodput_kbps"], delay)
    measured = {case: Measured() for case in sorted(runs)}
    for case, runs_of_case in measured.items():
        for seed in sorted(runs[case]):
            runs_of_case.add(seed, *runs[case][seed])
    return measured


def _case(row: Mapping[str, Any]) -> Case:
    return Case(
        topology=row["topo"],
        hops=row["hops"],
        sources=row["sources"],
        packet=row["pkt"],
        rate=row["rate"],
        propagation=row["prop"],
        routing=row["rp"],
        rts=row["rts"] == 0,
        load=float(row["load"]),
    )

"""DSR beside ns-2: the reference data, the same cases as scenarios, the comparison."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from multihop._multihop import Cancel
from multihop.running.runner import simulate, spread
from multihop.scenario.form import Scenario

from . import networks, store
from .compare import Comparison, Estimate
from .reference import NETWORKS, RATES

# Goodput as fractions of the reference; two standard errors of the difference also count.
BELOW, BEYOND = 0.07, 0.15
# A point lies beyond the knee if ns-2 delivers less than this share of what is offered.
KNEE = 0.98
FILES = ("chain", "beyond", "zero", "cold", "tcp", "mobile")
SCHEMES = {"cbr": "udp", "Newreno": "newreno", "Vegas": "vegas"}
# ns-2's DSR has a queue of its own, which holds one packet more (of every class) than that of AODV.
# TCP's acknowledgments are a class before data.
QUEUE = {"DSR": 50, "AODV": 49}


@dataclass(frozen=True, order=True)
class Case:
    """One point: everything that decides a run but the seed."""

    file: str
    topology: str
    hops: int
    traffic: str
    rate: str
    pps: int
    packet: int
    routing: str
    prewarmed: bool

    @property
    def offered(self) -> float:
        """What all sources offer, in kbit/s; nothing for transfers."""
        return self.flows * self.pps * self.packet * 8 / 1e3

    @property
    def flows(self) -> int:
        """How many flows there are."""
        return 1 if self.topology == "chain" else len(self._nodes()["flow"])

    @property
    def times(self) -> tuple[float, float, float]:
        """When the sources start, when measuring begins, and how long it lasts, in s."""
        if self.traffic != "cbr":
            return (5, 5, 120) if self.topology == "chain" else (5, 15, 90)
        start = 9 if self.prewarmed else 1
        return start, start + 10, 60 if self.topology == "chain" else 90

    def scenario(self, seed: int) -> Scenario:
        """Return this simulator's scenario."""
        start, warmup, duration = self.times
        traffic: dict[str, Any] = {"payload": f"{self.packet} B", "start": f"{start} s"}
        scheme = {"name": SCHEMES[self.traffic], "queue_limit": QUEUE[self.routing]}
        if self.traffic == "cbr":
            load = f"{self.pps * self.packet * 8} bit/s"
            traffic |= {"kind": "cbr", "load": load, "start_jitter": "0.5 s"}
        else:
            traffic |= {"kind": "ftp", "start_jitter": "0 s"}
            scheme |= {"acknowledgments_first": self.routing == "DSR"}
        tables: dict[str, Any] = {
            "name": f"{self.topology} {self.hops} {self.traffic} {self.pps}",
            "seed": seed,
            "warmup": f"{warmup} s",
            "duration": f"{duration} s",
            "mac": {"rts_cts": True, "data_rate": RATES[self.rate]},
            "routing": {
                "kind": self.routing.lower(),
                "arp": "off" if self.prewarmed else "ns2",
            },
            "scheme": scheme,
            "traffic": traffic,
        }
        return Scenario.from_dict(tables | self._nodes())

    def _nodes(self) -> dict[str, Any]:
        if self.topology == "chain":
            chain: dict[str, Any] = {"topology": {"kind": "chain", "hops": self.hops}}
            if self.prewarmed:
                # Three lone packets before the load, as ns-2's, which fill its ARP tables: the
                # route is known then, and the flow established.
                lone = {"load": f"{self.packet * 16} bit/s", "start": "0.5 s", "lifetime": "1.5 s"}
                ends = {"from": "n0", "to": f"n{self.hops}"}
                chain["flow"] = [ends | lone | {"start_jitter": "0 s"}]
            return chain
        return networks.tables(NETWORKS / f"{self.topology}.json")


@dataclass(frozen=True)
class Point:
    """A case, and its goodput in kbit/s by ns-2 and by this simulator."""

    case: Case
    goodput: Comparison

    @property
    def beyond(self) -> bool:
        """Whether it lies beyond the knee, in ns-2."""
        return beyond(self.case, self.goodput.reference.mean)


def beyond(case: Case, goodput: float) -> bool:
    """Whether ns-2 delivers markedly less than is offered."""
    return case.traffic == "cbr" and goodput < KNEE * case.offered


def read(folder: Path, names: Iterable[str] = FILES) -> dict[Case, list[float]]:
    """Read the goodput of ns-2's runs in kbit/s."""
    runs: dict[Case, list[float]] = defaultdict(list)
    for name in names:
        for row in store.rows(folder, f"ns2_dsr_{name}"):
            runs[_case(name, row)].append(row["goodput_kbps"])
    return dict(sorted(runs.items()))


def _case(file: str, row: Mapping[str, Any]) -> Case:
    return Case(
        file=file,
        topology=row["topo"],
        hops=row["hops"],
        traffic=row["traffic"],
        rate=row["rate"],
        pps=row["pps"],
        packet=row["pkt"],
        routing=row["rp"],
        prewarmed=row["prewarm"] == 1,
    )


def measure(
    cases: Mapping[Case, int], *, workers: int | None = None, progress: bool = True
) -> dict[Case, list[float]]:
    """Run every case with the seeds 1, 2, ... to its count; its goodput in kbit/s, run by run."""
    jobs = [(case, seed) for case, count in cases.items() for seed in range(1, count + 1)]
    found = [0.0] * len(jobs)

    def job(index: int, cancel: Cancel) -> None:
        case, seed = jobs[index]
        runs = simulate(case.scenario(seed), cancel=cancel).runs
        found[index] = float(runs["goodput_bit_s"][0]) / 1e3

    spread(job, len(jobs), workers=workers, progress=progress, title="DSR validation")
    measured: dict[Case, list[float]] = defaultdict(list)
    for (case, _), goodput in zip(jobs, found, strict=True):
        measured[case].append(goodput)
    return measured


def points(reference: Mapping[Case, list[float]], ours: Mapping[Case, list[float]]) -> list[Point]:
    """Compare every case."""
    found = []
    for case, runs in reference.items():
        theirs = Estimate.of(runs)
        bar = BEYOND if beyond(case, theirs.mean) else BELOW
        found.append(Point(case, Comparison(theirs, Estimate.of(ours[case]), bar)))
    return found

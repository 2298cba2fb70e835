"""TCP and AODV beside ns-2: the reference data, the same cases as scenarios, the comparison."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from multihop._multihop import Cancel
from multihop.results.result import Result
from multihop.running.runner import simulate, spread
from multihop.scenario.form import Scenario

from . import networks, store
from .compare import Comparison, Estimate
from .reference import NETWORKS, RATES

# Goodput over fixed routes in chains, and otherwise, as fractions of the reference. Otherwise two
# standard errors of the difference also count, because runs differ much between seeds.
FIXED, AODV = 0.03, 0.07
FILES = (
    *("static", "aodv", "window", "udp", "two", "random", "grid"),
    *("mixed", "dumbbell", "mobile", "gathered", "long"),
)
SCHEMES = {
    "Newreno": "newreno",
    "Vegas": "vegas",
    "Sack1": "sack",
    "Reno": "reno",
    "Tahoe": "tahoe",
}
SIDES = {"lattice": 9, "grid": 13}
TIMINGS = {"dsss": "dsss", "mixed": "erp-mixed"}
# The networks of the files whose topology is one, beside the scripts of ns-2.
NETWORK_OF = {
    "random": "random150",
    "dumbbell": "dumbbell4",
    "mobile": "mobile200",
    "gathered": "mobile200",
}
COLD = {"mobile"}


class Times(NamedTuple):
    """When the first flow starts, how much later each further one, and what is measured, in s."""

    start: int
    stagger: int
    warmup: int
    duration: int


MINUTE = Times(1, 0, 1, 60)
TIMES = {"dumbbell": Times(0, 10, 30, 30), "mobile": MINUTE, "gathered": MINUTE}
LONG = Times(5, 0, 5, 120)
HEADERS = 40
STEPS = "ours_tcp_steps"
# What is compared: our column of the flows, ns-2's column, how flows make one number.
QUANTITIES = {
    "goodput": ("goodput_bit_s", "goodput_kbps"),
    "window": ("window_mean", "cwnd_mean"),
    "window of changes": ("window_change_mean", "cwnd_event_mean"),
    "retransmissions": ("segment_retransmissions", "rexmit_pkts"),
    "timeouts": ("retransmission_timeouts", "timeouts"),
}


@dataclass(frozen=True, order=True)
class Case:
    """One point: everything that decides a run but the seed."""

    file: str
    topology: str
    hops: int
    flows: int
    tcp: str
    sink: str
    window: int
    packet: int
    rate: str
    rts: bool
    routing: str
    udp: str
    timing: str

    @property
    def bar(self) -> float:
        """How far goodput may be from the reference's, as a fraction."""
        return FIXED if self.routing == "STATIC" else AODV

    @property
    def arp(self) -> str:
        """How addresses are learnt: nodes that move ask in ns-2, unless they stood together."""
        return "ns2" if self.file in COLD else "off"

    @property
    def times(self) -> Times:
        """When its flows start, and when they are measured."""
        return TIMES.get(self.file, LONG)

    def scenario(self, seed: int) -> Scenario:
        """Return this simulator's scenario."""
        scheme: dict[str, Any] = {"name": SCHEMES[self.tcp], "window_limit": self.window}
        if self.sink == "delack":
            scheme["delayed_ack"] = True
        tables: dict[str, Any] = {
            "name": f"{self.tcp} {self.hops} hops",
            "seed": seed,
            "warmup": f"{self.times.warmup} s",
            "duration": f"{self.times.duration} s",
            "mac": {
                "timing": TIMINGS[self.timing],
                "rts_cts": self.rts,
                "data_rate": RATES[self.rate],
            },
            "routing": {"kind": "aodv" if self.routing == "AODV" else "fixed", "arp": self.arp},
            "scheme": scheme,
            "traffic": {
                "kind": "ftp",
                "payload": f"{self.packet} B",
                "start": f"{self.times.start} s",
                "start_jitter": "0 s",
                "stagger": f"{self.times.stagger} s",
            },
        }
        return Scenario.from_dict(tables | self._network())

    def _network(self) -> dict[str, Any]:
        if self.topology == "network":
            return networks.tables(NETWORKS / f"{NETWORK_OF[self.file]}.json")
        if self.topology in SIDES:
            side, half = SIDES[self.topology], self.flows // 2
            lines = {"rows": side, "columns": side}
            flows = {"horizontal_flows": half, "vertical_flows": half}
            return {"topology": {"kind": "grid"} | lines | flows}
        chain: dict[str, Any] = {"topology": {"kind": "chain", "hops": self.hops}}
        more = [{"from": "n0", "to": f"n{self.hops}"} for _ in range(self.flows - 1)]
        if self.udp:
            source, end, load = self.udp.split()
            udp = {"kind": "cbr", "load": f"{load} kbit/s", "transport": "datagram"}
            more.append({"from": f"n{source}", "to": f"n{end}", **udp})
        return chain | ({"flow": more} if more else {})


@dataclass
class Runs:
    """What was measured of a case, run by run: a list for every quantity."""

    values: dict[str, list[float]] = field(
        default_factory=lambda: {name: [] for name in QUANTITIES}
    )

    @property
    def count(self) -> int:
        """How many runs there were."""
        return len(self.values["goodput"])

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, float]]) -> Runs:
        """Return the runs that `rows` has given."""
        runs = cls()
        for row in rows:
            runs.add(row)
        return runs

    def add(self, values: Mapping[str, float]) -> None:
        """Note a run."""
        for name, value in values.items():
            self.values[name].append(value)

    def rows(self) -> list[dict[str, float]]:
        """Return every quantity of every run."""
        runs = zip(*self.values.values(), strict=True)
        return [dict(zip(self.values, run, strict=True)) for run in runs]


def read(folder: Path, names: Iterable[str] = FILES) -> dict[Case, Runs]:
    """Read runs of ns-2.

    Stock Vegas of ns-2 counts no headers; only runs are read whose segments have them.
    """
    runs: dict[Case, Runs] = defaultdict(Runs)
    for name in names:
        for row in store.rows(folder, f"ns2_tcp_{name}"):
            if row["segment"] == row["pkt"] + HEADERS:
                values = {key: float(row[theirs]) for key, (_, theirs) in QUANTITIES.items()}
                runs[_case(name, row)].add(values)
    return dict(sorted(runs.items()))


def _case(file: str, row: Mapping[str, Any]) -> Case:
    topology = {"file": "network", "chain": "chain"}.get(row["topo"])
    if topology is None:
        topology = "lattice" if row["nflows"] == 16 else "grid"
    return Case(
        file=file,
        topology=topology,
        hops=row["hops"],
        flows=row["nflows"],
        tcp=row["tcp"],
        sink=row["sink"],
        window=row["window"],
        packet=row["pkt"],
        rate=row["rate"],
        rts=row["rts"] == 0,
        routing=row["rp"],
        udp=row["udp"],
        timing=row["timing"],
    )


def measure(
    cases: Mapping[Case, int], *, workers: int | None = None, progress: bool = True
) -> dict[Case, Runs]:
    """Run every case with the seeds 1, 2, ... to its count."""
    jobs = [(case, seed) for case, count in cases.items() for seed in range(1, count + 1)]
    found: list[dict[str, float]] = [{} for _ in jobs]

    def job(index: int, cancel: Cancel) -> None:
        case, seed = jobs[index]
        found[index] = _values(case, simulate(case.scenario(seed), cancel=cancel))

    spread(job, len(jobs), workers=workers, progress=progress, title="TCP validation")
    measured: dict[Case, Runs] = {case: Runs() for case in cases}
    for (case, _), values in zip(jobs, found, strict=True):
        measured[case].add(values)
    return measured


def _values(case: Case, result: Result) -> dict[str, float]:
    flows = result.flows.head(case.flows)
    totals = {"goodput_bit_s", "segment_retransmissions", "retransmission_timeouts"}
    values = {}
    for name, (ours, _) in QUANTITIES.items():
        column = flows[ours].cast(pl.Float64)
        total = column.sum() if ours in totals else column.fill_nan(0).mean()
        values[name] = float(total) if isinstance(total, int | float) else 0.0
    values["goodput"] /= 1e3
    return values


@dataclass(frozen=True)
class Point:
    """A case, and each of its quantities by ns-2 and by this simulator."""

    case: Case
    quantities: dict[str, Comparison]

    @property
    def goodput(self) -> Comparison:
        """The quantity that has a bar."""
        return self.quantities["goodput"]


def points(reference: Mapping[Case, Runs], ours: Mapping[Case, Runs]) -> list[Point]:
    """Compare every case."""
    return [
        Point(
            case,
            {
                name: Comparison(
                    Estimate.of(runs.values[name]),
                    Estimate.of(ours[case].values[name]),
                    case.bar if name == "goodput" else None,
                )
                for name in QUANTITIES
            },
        )
        for case, runs in reference.items()
    ]


@dataclass(frozen=True)
class Steps:
    """The window of one flow over two hops, change by change, by ns-2 and by this simulator."""

    tcp: str
    reference: Sequence[float]
    ours: Sequence[float]

    @property
    def same(self) -> bool:
        """Whether every value is the same, to the thousandth of a packet."""
        pairs = itertools.zip_longest(self.reference, self.ours, fillvalue=-1.0)
        return all(abs(theirs - ours) < 1.5e-3 for theirs, ours in pairs)


def steps(folder: Path) -> list[Steps]:
    """Compare the windows over the first 200 acknowledgments of a lossless flow."""
    windows: dict[str, list[float]] = defaultdict(list)
    for row in store.rows(folder, "tcp_steps"):
        if row["event"] == "cwnd" and row["sink"] == "plain" and not row["lose"]:
            windows[row["tcp"]].append(row["cwnd"])
    found = []
    for tcp, reference in windows.items():
        case = Case(
            "steps", "chain", 2, 1, tcp, "plain", 20, 1000, "2Mb", True, "STATIC", "", "dsss"
        )
        events = simulate(case.scenario(1), events=True).events
        assert events is not None, "the run was traced"
        changes = events.filter(pl.col("event") == "window")["value"].to_list()
        found.append(Steps(tcp, reference, changes[: len(reference)]))
    return found


def keep_steps(folder: Path, found: Sequence[Steps]) -> None:
    """Record the windows of both simulators."""
    columns = {
        "tcp": [steps.tcp for steps in found],
        "reference": [list(steps.reference) for steps in found],
        "ours": [list(steps.ours) for steps in found],
    }
    store.record(folder, STEPS, pl.DataFrame(columns))


def kept_steps(folder: Path) -> list[Steps]:
    """Read the windows of both simulators."""
    return [Steps(**row) for row in store.rows(folder, STEPS)]

"""WAKE beside ns-2: its rules over ns-2's own MAC, and the same chains as scenarios."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from multihop._multihop import Cancel
from multihop.running.runner import simulate, spread
from multihop.scenario.form import Scenario
from multihop_papers.wake.setup import CHAIN

from . import store
from .compare import Comparison, Estimate

FILE = "ns2_wake"
# Goodput and delay, as fractions of the reference.
BAR = 0.10
# ns-2 2.35 counts four addresses in a data frame.
MAC_HEADER = "34 B"
# Of fewer pairs of frames a share says little.
FEW = 100


@dataclass(frozen=True)
class Case:
    """A one-way chain at overload, and what of WAKE's rules is on."""

    hops: int
    spacing_m: int
    hold: float
    clearance: float
    cw_min: int
    widening: int

    @property
    def rules(self) -> str:
        """What is on or off, in words."""
        if not self.hold and not self.clearance and self.cw_min > 3:
            return "none of hold, clearance, small window"
        off = [
            name
            for name, is_off in (
                ("no hold", not self.hold),
                ("no clearance", not self.clearance),
                ("802.11's window", self.cw_min > 3),
            )
            if is_off
        ]
        return ", ".join(off) or f"rules 1 to {4 + self.widening}"

    def scenario(self, seed: int, warmup: str = "10 s", duration: str = "30 s") -> Scenario:
        """Return this simulator's scenario: without trains, which one-way traffic has none of."""
        return Scenario.from_file(CHAIN).with_(
            **{
                "name": f"wake beside ns-2, {self.rules}",
                "seed": seed,
                "warmup": warmup,
                "duration": duration,
                "topology.hops": self.hops,
                "topology.spacing": f"{self.spacing_m} m",
                "mac.header": MAC_HEADER,
                "scheme.hold": self.hold,
                "scheme.clearance": self.clearance,
                "scheme.cw_min": self.cw_min,
                "scheme.widening": self.widening,
                "scheme.train": 1,
                # as in wake.tcl, which has no rule 9
                "scheme.spacing": 1.2,
                "scheme.first_packets": 0,
            }
        )


class Values(NamedTuple):
    """What one run has found: goodput in kbit/s, mean delay in ms."""

    goodput: float
    delay: float


@dataclass(frozen=True)
class Runs:
    """The runs of ns-2 of a case."""

    values: tuple[Values, ...]
    # Of the pairs of frames on the air together three hops apart; None where there are few.
    upstream_first: float | None


@dataclass(frozen=True)
class Point:
    """A case by ns-2 and by this simulator."""

    case: Case
    goodput: Comparison
    delay: Comparison
    upstream_first: float | None


def read(folder: Path) -> dict[Case, Runs]:
    """Read ns-2's runs, case by case."""
    rows: dict[Case, list[dict[str, Any]]] = defaultdict(list)
    for row in store.rows(folder, FILE):
        rows[_case(row)].append(row)
    return {case: _runs(own) for case, own in rows.items()}


def _case(row: Mapping[str, Any]) -> Case:
    return Case(
        hops=row["hops"],
        spacing_m=row["dist"],
        hold=row["hold"],
        clearance=row["clear"],
        cw_min=row["cw"],
        widening=row["wide"],
    )


def _runs(rows: Sequence[Mapping[str, Any]]) -> Runs:
    pairs = sum(row["pairs"] for row in rows)
    # Runs without pairs have no share.
    first = sum(row["pairs"] * row["upstream_first"] for row in rows if row["pairs"])
    values = tuple(Values(row["goodput_kbps"], row["delay_ms"]) for row in rows)
    return Runs(values, first / pairs if pairs >= FEW else None)


def measure(
    cases: Iterable[Case], seeds: int, *, workers: int | None = None, progress: bool = True
) -> dict[Case, list[Values]]:
    """Run every case with so many seeds."""
    jobs = [(case, seed) for case in cases for seed in range(1, seeds + 1)]
    found = [Values(0.0, 0.0)] * len(jobs)

    def job(index: int, cancel: Cancel) -> None:
        case, seed = jobs[index]
        runs = simulate(case.scenario(seed), cancel=cancel).runs
        goodput, delay = runs["goodput_bit_s"].item(), runs["network_delay_mean_s"].item()
        found[index] = Values(float(goodput) / 1e3, float(delay) * 1e3)

    spread(job, len(jobs), workers=workers, progress=progress, title="WAKE validation")
    measured: dict[Case, list[Values]] = defaultdict(list)
    for (case, _), values in zip(jobs, found, strict=True):
        measured[case].append(values)
    return measured


def points(reference: Mapping[Case, Runs], ours: Mapping[Case, Sequence[Values]]) -> list[Point]:
    """Compare every case."""
    found = []
    for case, runs in reference.items():
        goodput, delay = (
            Comparison(
                Estimate.of([value[at] for value in runs.values]),
                Estimate.of([value[at] for value in ours[case]]),
                BAR,
            )
            for at in range(2)
        )
        found.append(Point(case, goodput, delay, runs.upstream_first))
    return found

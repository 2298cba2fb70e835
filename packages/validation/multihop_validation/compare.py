"""Compare two sets of runs: means, standard errors, difference, verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from multihop._multihop import Cancel
from multihop.results.result import Result
from multihop.running.runner import simulate, spread

from .reference import Case, Measured
from .starts import start_times

# Goodput below and beyond the knee, and delay below it, as fractions of the reference.
BELOW, BEYOND, DELAY = 0.03, 0.10, 0.10
# The knee is the largest load of which ns-2 delivers this fraction.
DELIVERED_AT_KNEE = 0.98
# How many standard errors of the difference of means count as noise.
NOISE = 2.0


class Verdict(Enum):
    """What a comparison says."""

    INSIDE = "inside"
    NOISE = "noise"
    OUTSIDE = "OUTSIDE"
    NO_BAR = "-"


@dataclass(frozen=True)
class Estimate:
    """A mean over seeds and its standard error."""

    mean: float
    error: float
    count: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Estimate:
        """Estimate from one value per seed; a seed without a value is left out."""
        known = np.array([value for value in values if not math.isnan(value)])
        if not len(known):
            return cls(math.nan, math.nan, 0)
        error = float(np.std(known, ddof=1)) / math.sqrt(len(known)) if len(known) > 1 else 0.0
        return cls(float(np.mean(known)), error, len(known))


@dataclass(frozen=True)
class Comparison:
    """The same quantity, by ns-2 and by this simulator; `bar` is None where there is no bar."""

    reference: Estimate
    ours: Estimate
    bar: float | None

    @property
    def difference(self) -> float:
        """Ours less the reference, as a fraction of the reference; infinite if that is nothing."""
        if self.reference.mean == 0:
            return math.inf if self.ours.mean else 0.0
        return self.ours.mean / self.reference.mean - 1.0

    @property
    def standard_errors(self) -> float:
        """The difference in standard errors of the difference of means."""
        error = math.hypot(self.reference.error, self.ours.error)
        difference = self.ours.mean - self.reference.mean
        return difference / error if error > 0 else math.copysign(math.inf, difference)

    @property
    def verdict(self) -> Verdict:
        """Whether the difference keeps to the bar, or may be noise."""
        if self.bar is None or math.isnan(self.difference):
            return Verdict.NO_BAR
        if abs(self.difference) <= self.bar:
            return Verdict.INSIDE
        return Verdict.NOISE if abs(self.standard_errors) <= NOISE else Verdict.OUTSIDE


@dataclass(frozen=True)
class Row:
    """One point of a curve."""

    case: Case
    goodput: Comparison
    delay: Comparison


class Starts(Enum):
    """When the sources of this simulator's runs start."""

    AS_REFERENCE = "as in the reference's runs, in turn"
    OWN = "at random times of this simulator"


def measure(
    reference: Mapping[Case, Measured],
    counts: Mapping[Case, int],
    *,
    starts: Starts = Starts.AS_REFERENCE,
    workers: int | None = None,
    progress: bool = True,
) -> dict[Case, Measured]:
    """Run every case of the reference with the seeds 1, 2, ... to its count."""
    jobs = [
        (case, seed, runs.seeds[(seed - 1) % len(runs.seeds)])
        for case, runs in reference.items()
        for seed in range(1, counts[case] + 1)
    ]
    found: list[tuple[float, float]] = [(math.nan, math.nan)] * len(jobs)

    def job(index: int, cancel: Cancel) -> None:
        case, seed, like = jobs[index]
        times = start_times(like, case.sources) if starts is Starts.AS_REFERENCE else None
        result = simulate(case.scenario(seed, times), cancel=cancel)
        found[index] = (result.runs["goodput_bit_s"].item() / 1e3, _delay(case, result))

    spread(job, len(jobs), workers=workers, progress=progress, title="validation")
    measured = {case: Measured() for case in reference}
    for (case, seed, _), values in zip(jobs, found, strict=True):
        measured[case].add(seed, *values)
    return measured


def _delay(case: Case, result: Result) -> float:
    """Return the mean delay in ms over the same stretch as the reference's."""
    which = "end_to_end" if case.routing == "TUNNEL" else "network"
    return float(result.runs[f"{which}_delay_mean_s"].item()) * 1e3


def knee(curve: Mapping[Case, Measured]) -> float:
    """Return the largest load that ns-2 still delivers; 0 if it delivers none of the loads."""
    delivered = [
        case.load
        for case, runs in curve.items()
        if np.mean(runs.goodput) >= DELIVERED_AT_KNEE * case.offered
    ]
    return max(delivered, default=0.0)


def compare(reference: Mapping[Case, Measured], ours: Mapping[Case, Measured]) -> list[Row]:
    """Compare the points of one curve, which differ in load only."""
    limit = knee(reference)
    rows = []
    for case, runs in reference.items():
        below = case.load <= limit
        goodput = Comparison(
            Estimate.of(runs.goodput),
            Estimate.of(ours[case].goodput),
            BELOW if below else BEYOND,
        )
        delay = Comparison(
            Estimate.of(runs.delay), Estimate.of(ours[case].delay), DELAY if below else None
        )
        rows.append(Row(case, goodput, delay))
    return rows

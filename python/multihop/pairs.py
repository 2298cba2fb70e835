"""Schemes against one of them: how many times as much, how sure that is, and how large an effect.

Runs with the same seed are pairs: the same network, the same starts of flows. Intervals are
bootstrapped over the pairs (Efron, Tibshirani: An Introduction to the Bootstrap, 1993, chapter 13:
percentiles). The effect size is Cohen's d of paired samples: the mean of the differences over
their standard deviation (Cohen: Statistical Power Analysis, 1988, 2.3.5).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from .errors import SweepError

if TYPE_CHECKING:
    from .comparison import Measure
    from .stats import Values

RESAMPLES = 4000
# The resamples are the same each time, so the intervals are, too.
SEED = 1
PERCENTILES = (2.5, 97.5)
# With fewer pairs a bootstrap is too sure of itself.
FEW = 10
FEW_NOTE = f"with fewer than {FEW} seeds the intervals are too narrow"


class Pair(NamedTuple):
    """A scheme against the baseline: one measure, at one combination of the other keys.

    `ratio` is mean over mean, `low` to `high` its 95 % interval, `effect` Cohen's d, `higher` the
    share of the seeds in which the scheme has more. What cannot be known is `None`.
    """

    where: dict[str, Any]
    measure: str
    scheme: str
    baseline: str
    seeds: int
    ratio: float | None
    low: float | None
    high: float | None
    effect: float | None
    higher: float | None

    @property
    def words(self) -> str:
        """Say it in a sentence."""
        place = "".join(f"{key} = {value}, " for key, value in self.where.items())
        about = f"{place}{self.measure}: "
        if self.ratio is None:
            return f"{about}{self.scheme} cannot be compared with {self.baseline}"
        if self.low is None or self.high is None:
            return f"{about}{self.scheme} is {self.ratio:.2g} times {self.baseline}, of one seed"
        span = times(self.low, self.high)
        if self.low <= 1 <= self.high:
            return f"{about}no difference shown between {self.scheme} and {self.baseline} ({span})"
        return f"{about}{self.scheme} is {span} {self.baseline}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        values = self._asdict()
        return {**values.pop("where"), **values, "words": self.words}


def times(low: float, high: float) -> str:
    """Write an interval with as many digits as it takes to tell its ends apart."""
    for digits in (2, 3, 4):
        ends = f"{low:.{digits}g}", f"{high:.{digits}g}"
        if ends[0] != ends[1] and "1" not in ends:
            return f"{ends[0]} to {ends[1]} times"
    return f"{ends[0]} times" if ends[0] == ends[1] else f"{ends[0]} to {ends[1]} times"


def against(
    runs: pl.DataFrame, baseline: str, where: Sequence[str], measures: Sequence[Measure]
) -> list[Pair]:
    """Set every scheme of `runs` against the baseline, wherever both have runs.

    `runs` has the columns of `where`, `scheme`, `seed` and those of the measures.
    """
    schemes = runs["scheme"].unique(maintain_order=True).to_list()
    if baseline not in schemes:
        raise SweepError(
            f"there is no '{baseline}' to compare with; there are: {'; '.join(schemes)}"
        )
    if len(schemes) == 1:
        raise SweepError(f"there is nothing but '{baseline}' to compare")
    found = []
    for _, group in runs.group_by(where, maintain_order=True) if where else [((), runs)]:
        place = {key: group[key][0] for key in where}
        base = group.filter(scheme=baseline)
        for scheme in schemes:
            joined = group.filter(scheme=scheme).join(base, on="seed", suffix="_base")
            if scheme == baseline or joined.is_empty():
                continue
            for measure in measures:
                values = joined.select(measure.column, f"{measure.column}_base").to_numpy()
                known = np.asarray(values, dtype=float)
                known = known[np.isfinite(known).all(axis=1)]
                numbers = _statistics(known[:, 0], known[:, 1])
                found.append(Pair(place, measure.name, scheme, baseline, len(known), **numbers))
    return found


def _statistics(one: Values, base: Values) -> Mapping[str, float | None]:
    """Compare pairs of values."""
    count = len(one)
    nothing = dict.fromkeys(("ratio", "low", "high", "effect", "higher"))
    if count == 0 or base.mean() == 0:
        return nothing
    found: dict[str, float | None] = nothing | {
        "ratio": float(one.mean() / base.mean()),
        "higher": float((one > base).mean()),
    }
    if count > 1:
        drawn = np.random.default_rng(SEED).integers(count, size=(RESAMPLES, count))
        means = base[drawn].mean(axis=1)
        ratios = one[drawn].mean(axis=1)[means != 0] / means[means != 0]
        found["low"], found["high"] = map(float, np.percentile(ratios, PERCENTILES))
        differences = one - base
        deviation = float(differences.std(ddof=1))
        # Equal up to rounding: there is no effect to speak of, or nothing but it.
        if deviation > 1e-12 * math.fabs(float(base.mean())):
            found["effect"] = float(differences.mean()) / deviation
    return found


def readable(pairs: Sequence[Pair]) -> tuple[list[str], list[list[str]]]:
    """Return header and rows for people."""
    keys = list(pairs[0].where) if pairs else []
    header = [*keys, "measure", "scheme", "times baseline", "95 %", "effect", "seeds"]
    return header, [
        [
            *(str(pair.where[key]) for key in keys),
            pair.measure,
            pair.scheme,
            "-" if pair.ratio is None else f"{pair.ratio:.3g}",
            "-" if pair.low is None else f"{pair.low:.3g} to {pair.high:.3g}",
            "-" if pair.effect is None else f"{pair.effect:.1f}",
            str(pair.seeds),
        ]
        for pair in pairs
    ]

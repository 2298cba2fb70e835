"""Schemes against one of them: how many times as much, how sure that is, and how large an effect.

Runs with the same seed are pairs: the same network, the same starts of flows. The test is Student's
paired t test of the logarithms of the ratios ("Student": The probable error of a mean, Biometrika
6, 1908), so an interval is one of the ratios' geometric mean. All verdicts of a report hold
together, by Holm's correction. The effect size is Cohen's d of the logarithms: their mean over
their standard deviation (Cohen: Statistical Power Analysis, 1988, 2.3.5).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from ..engine.errors import SweepError
from ..statistics.intervals import ALPHA, FIXED, Bounds, Design, Estimate, holm

if TYPE_CHECKING:
    from ..sweeping.seeds import Decided, Rule, Until
    from .measures import Measure

# With fewer pairs there is no verdict.
FEW = 10
TEST = "paired t test of log ratios"

MORE = "more"
LESS = "less"
SMALLER = "within the margin"
NONE = "no difference shown"


class Pair(NamedTuple):
    """A scheme against the baseline: one measure, at one combination of the other keys.

    `ratio` is the geometric mean of the ratios, `low` to `high` its 95 % interval, `effect` Cohen's
    d of their logarithms, `higher` the share of the seeds in which the scheme has more. `p` is the
    test's, `p_all` that of all verdicts of the report together. `verdict` is one of `MORE`, `LESS`,
    `SMALLER` and `NONE`. What cannot be known is `None`, and `why` says why there is no verdict.
    """

    where: dict[str, Any]
    measure: str
    scheme: str
    baseline: str
    seeds: int
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    effect: float | None = None
    higher: float | None = None
    p: float | None = None
    p_all: float | None = None
    p_margin: float | None = None
    verdict: str | None = None
    why: str = ""

    @property
    def words(self) -> str:
        """Say it in a sentence."""
        place = "".join(f"{key} = {value}, " for key, value in self.where.items())
        about = f"{place}{self.measure}: "
        both = f"{self.scheme} and {self.baseline}"
        if self.ratio is None:
            return f"{about}no ratio of {self.scheme} to {self.baseline}: {self.why}"
        if self.low is None or self.high is None:
            return f"{about}{self.scheme} is {self.ratio:.2g} times {self.baseline}, of one seed"
        span = times(self.low, self.high)
        if self.verdict is None or self.p_all is None:
            return f"{about}{self.scheme} is {span} {self.baseline}; no verdict: {self.why}"
        if self.verdict == SMALLER:
            return f"{about}{both} differ by less than the margin ({span})"
        sure = f"p {_p(self.p_all)}"
        if self.verdict == NONE:
            open_ = "no difference shown" if self.p_margin is None else "undecided"
            return f"{about}{open_} between {both} ({span}, {sure})"
        return f"{about}{self.scheme} is {span} {self.baseline} ({sure})"

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


def _p(value: float) -> str:
    """Write a p value as papers do."""
    return "< 0.001" if value < 0.001 else f"= {value:.2g}"


class Judged(NamedTuple):
    """How pairs are judged: how the seeds were chosen, and which differences do not matter.

    A `margin` of 0.05 is a ratio of 1.05 or its inverse.
    """

    design: Design = FIXED
    margin: float | None = None

    @classmethod
    def by(cls, rule: Rule | Until | Decided | None) -> Judged:
        """Judge as the rule demands that chose the seeds; only one about verdicts has a margin."""
        return cls() if rule is None else cls(rule.design, getattr(rule, "margin", None))

    @property
    def about(self) -> str:
        """Name the test, so that it can be cited."""
        margin = "" if self.margin is None else f", margin {self.margin * 100:g} %"
        return f"{TEST}, two-sided{margin}"


# Seeds that are chosen beforehand, and no margin.
BEFOREHAND = Judged()


def against(
    runs: pl.DataFrame,
    baseline: str,
    where: Sequence[str],
    measures: Sequence[Measure],
    judged: Judged = BEFOREHAND,
) -> list[Pair]:
    """Set every scheme of `runs` against the baseline, wherever both have runs.

    `runs` has the columns of `where`, `scheme`, `seed` and those of the measures, and `flows` if a
    measure's bounds depend on their number.
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
            joined = group.filter(scheme=scheme).join(base, on="seed", suffix="_base").sort("seed")
            if scheme == baseline or joined.is_empty():
                continue
            for measure in measures:
                both = joined.select(measure.column, f"{measure.column}_base").rows()
                bare = Pair(place, measure.name, scheme, baseline, len(both))
                found.append(_compared(bare, both, measure.bounds(group), judged))
    return _decided(found)


def _compared(bare: Pair, both: Sequence[tuple[Any, Any]], bounds: Bounds, judged: Judged) -> Pair:
    """Compare pairs of values; a verdict is left to all pairs of the report."""
    known = [(float(a), float(b)) for a, b in both if _is_number(a) and _is_number(b)]
    if known:
        bare = bare._replace(higher=sum(a > b for a, b in known) / len(known))
    # Equal up to rounding is equal.
    usable = [round(math.log(a / b), 12) for a, b in known if a > 0 and b > 0]
    if len(usable) < len(both):
        lacking = len(both) - len(usable)
        return bare._replace(
            why=f"in {lacking} of {len(both)} seeds one of them is zero or does not exist, and has "
            "no logarithm"
        )
    estimates = judged.design.estimates(usable)
    if not estimates:
        return bare._replace(ratio=math.exp(usable[0]), why="one seed")
    last = estimates[-1]
    low, high = _span(estimates)
    found = bare._replace(ratio=math.exp(last.mean), effect=_effect(last))
    if math.isfinite(bounds.high) and bounds.low > 0:  # no ratio lies outside of these
        low, high = max(low, bounds.low / bounds.high), min(high, bounds.high / bounds.low)
    found = found._replace(low=low, high=high)
    if len(usable) < FEW:
        return found._replace(why=f"{len(usable)} seeds, and {FEW} are needed")
    p = min(one.p() for one in estimates)
    if judged.margin is None:
        return found._replace(p=p)
    outside = min(one.p_outside(math.log1p(judged.margin)) for one in estimates)
    return found._replace(p=p, p_margin=outside)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _span(estimates: Sequence[Estimate]) -> tuple[float, float]:
    """Return what the intervals of all looks have in common; that of the last if they disagree."""
    low = max(one.mean - one.half for one in estimates)
    high = min(one.mean + one.half for one in estimates)
    if low > high:
        low, high = (estimates[-1].mean + side * estimates[-1].half for side in (-1, 1))
    return math.exp(low), math.exp(high)


def _effect(found: Estimate) -> float | None:
    """Return Cohen's d; equal up to rounding, there is no effect to speak of, or nothing but it."""
    return found.mean / (found.error * math.sqrt(found.size)) if found.error else None


def _decided(pairs: Sequence[Pair]) -> list[Pair]:
    """Give every pair with a test its verdict, which holds for all of them together."""
    tested = [at for at, pair in enumerate(pairs) if pair.p is not None]
    differing = holm([pairs[at].p or 0.0 for at in tested])
    within = holm([1.0 if (p := pairs[at].p_margin) is None else p for at in tested])
    found = list(pairs)
    for at, p_all, p_margin in zip(tested, differing, within, strict=True):
        pair = pairs[at]
        verdict = NONE
        if p_all <= ALPHA:
            verdict = MORE if (pair.ratio or 0.0) > 1 else LESS
        elif p_margin <= ALPHA:
            verdict = SMALLER
        margin = None if pair.p_margin is None else p_margin
        found[at] = pair._replace(p_all=p_all, p_margin=margin, verdict=verdict)
    return found


def about(pairs: Sequence[Pair], judged: Judged) -> str:
    """Say how pairs were judged."""
    verdicts = sum(pair.p is not None for pair in pairs)
    if not verdicts:
        return f"no verdicts; intervals: 95 % each, {TEST}"
    return f"{judged.about}; 5 % for all {verdicts} verdicts together (Holm); intervals: 95 % each"


def readable(pairs: Sequence[Pair]) -> tuple[list[str], list[list[str]]]:
    """Return header and rows for people."""
    keys = list(pairs[0].where) if pairs else []
    header = [*keys, "measure", "scheme", "times baseline", "95 %", "effect", "p (Holm)"]
    return [*header, "verdict", "seeds"], [
        [
            *(str(pair.where[key]) for key in keys),
            pair.measure,
            pair.scheme,
            "-" if pair.ratio is None else f"{pair.ratio:.3g}",
            "-" if pair.low is None else f"{pair.low:.3g} to {pair.high:.3g}",
            "-" if pair.effect is None else f"{pair.effect:.1f}",
            "-" if pair.p_all is None else _p(pair.p_all).removeprefix("= "),
            pair.verdict or "-",
            str(pair.seeds),
        ]
        for pair in pairs
    ]

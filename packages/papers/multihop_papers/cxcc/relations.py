"""What CXCC's words count as, and the measures that its claims share.

The paper's words need bounds before they can be judged. Beside the rules of all papers
(`papers/rules.py`) there are those that only these figures need:

- the optimum is the highest mean throughput of either UDP curve, at the optimal load;
- a curve has a maximum only if it rises to it: its lowest load brings less than three quarters of
  it. Where the load does not matter, nothing is close to a maximum, and nothing keeps one;
- high load is at least twice the optimal load, low load at most half of it;
- a curve collapses if, at the highest load, less than half of its own maximum is left, and it
  regulates itself if at least half is;
- "alike" and "near" are within 25 %, "largely" is by at least 25 %, "at almost all loads" is on
  four fifths of the axis, "mostly" on half of it;
- "on so much of the axis" counts the loads at which the order is sure, and may be (`axis`);
- overheads count the preambles, as ns-2 does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from multihop.reproducing.judging import (
    Compared,
    Estimate,
    Numbers,
    below,
    estimates,
    share,
    together,
)
from multihop.reproducing.rules import STATED
from multihop.reproducing.spec import Claim, Data, Study, StudyData
from multihop.statistics.stats import Mask, Values

from .setup import BOTH_UDP

COLLAPSE = 0.5
ALMOST_ALL = 0.8
MOSTLY = 0.5

GOODPUT = "goodput_bit_s"
DELAY = "network_delay_mean_s"
OVERHEAD = "overhead_with_preambles"


def peak(curve: Values) -> float:
    """Return a curve's maximum; NaN, which no claim holds for, if it does not rise to it."""
    highest = float(curve.max())
    return highest if curve[0] < (1 - STATED) * highest else math.nan


def optimum(data: StudyData) -> tuple[float, float]:
    """Return UDP's best throughput in bit/s and the load at which it is reached."""
    udp = [variant for variant in BOTH_UDP if variant in data.study.variants]
    best: Values = np.max([data.mean(variant, GOODPUT) for variant in udp], axis=0)
    return peak(best), float(data.x[int(np.argmax(best))])


def high(data: StudyData) -> Mask:
    """Select the high loads."""
    return data.x >= 2 * optimum(data)[1]


def low(data: StudyData) -> Mask:
    """Select the low loads."""
    return data.x <= optimum(data)[1] / 2


def level(data: StudyData, variant: str, column: str, where: Mask) -> float:
    """Return a column's mean over some loads; NaN if there are none."""
    return float(data.mean(variant, column)[where].mean()) if where.any() else math.nan


def ratio(data: StudyData, column: str, over: str, under: str, where: Mask) -> float:
    """Return how many times `over` is `under`, averaged over some loads; NaN if there are none."""
    ratios = (data.mean(over, column) / data.mean(under, column))[where]
    return float(ratios.mean()) if where.any() else math.nan


def extremes(values: Values) -> tuple[float, float]:
    """Return the least and the greatest value; NaN, which no claim holds for, if there are none."""
    return (float(values.min()), float(values.max())) if values.size else (math.nan, math.nan)


def first(data: StudyData, curve: Values, load: float) -> float:
    """Return a curve's value at the first load that is as high; NaN if none was run."""
    there = curve[data.x >= load]
    return float(there[0]) if there.size else math.nan


def share_of_axis(data: StudyData, where: Mask) -> float:
    """Return the part of the axis of loads on which something is so."""
    return float(np.trapezoid(where.astype(float), data.x) / (data.x[-1] - data.x[0]))


def axis(data: StudyData, compared: Sequence[Compared]) -> Estimate:
    """Return on which part of the axis comparisons hold, one for each load."""
    return share(compared, lambda where: share_of_axis(data, where))


def by_load(
    data: Data, study: Study, own: str, others: Sequence[str], column: str, bound: float = 1.0
) -> list[Compared]:
    """Compare at each load: a curve lies below a part of each of some others."""
    size = len(data.studies[study.name].x)

    def measure(part: Data) -> list[float]:
        found = part.studies[study.name]
        mean = found.mean(own, column)
        return [float(value) for other in others for value in mean / found.mean(other, column)]

    found = [below(one, bound) for one in estimates(data, measure, log=True)]
    return [together(found[at::size]) for at in range(size)]


def factors(
    data: Data, measure: Numbers, names: Sequence[str]
) -> tuple[list[tuple[Estimate, str]], list[float]]:
    """Return numbers of positive quantities with their names, and their values alone."""
    found = estimates(data, measure, log=True)
    return list(zip(found, names, strict=True)), [one.value for one in found]


def titles(study: Study, variants: Sequence[str]) -> list[str]:
    """Return the curves' names."""
    return [title(study, variant) for variant in variants]


def beyond(data: StudyData, variant: str) -> Values:
    """Return the throughput at the loads beyond the optimal one."""
    return data.mean(variant, GOODPUT)[data.x > optimum(data)[1]]


def title(study: Study, variant: str) -> str:
    """Return a curve's name."""
    return study.variants[variant].title


def each(data: StudyData, variants: Sequence[str], values: Sequence[float]) -> str:
    """Write a value for each of some curves."""
    return "; ".join(
        f"{title(data.study, variant)} {value:.2f}"
        for variant, value in zip(variants, values, strict=True)
    )


def too(claim: Claim, where: str) -> Claim:
    """Claim the same of a topology that the paper has no figure of, but names."""
    return replace(claim, text=f"{where}: {claim.text}")

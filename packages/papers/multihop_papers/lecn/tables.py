"""What LECN says of its tables, and of its thresholds, as claims about measured ones.

The bounds stand in `relations.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from multihop.reproducing.judging import (
    Compared,
    above,
    between,
    difference,
    estimates,
    finding,
    higher,
    ratio,
)
from multihop.reproducing.rules import CLOSE, Measure, like, stated
from multihop.reproducing.spec import Claim, Data, Finding, Study, StudyData
from multihop.statistics.stats import Mask, Values

from .relations import ADJACENT, PRESENTED, relative, title
from .setup import HEADERS, TCP, THINNING, THRESHOLDS, THROUGHPUT

# ---- tables 1 and 2, and thresholds --------------------------------------------------------------


def best(data: StudyData, variant: str) -> tuple[int, float]:
    """Return the best window and the throughput that it gives, in a study over windows."""
    mean = data.mean(variant, THROUGHPUT)
    at = int(np.argmax(mean))
    return int(data.x[at]), float(mean[at])


def peak(data: StudyData, variant: str) -> Values:
    """Return the throughput that the best window gives with each seed."""
    top: Values = data.values(variant, THROUGHPUT)[np.argmax(data.mean(variant, THROUGHPUT))]
    return top


def _best(data: StudyData, variant: str, chosen: Mask, what: str) -> list[Compared]:
    """Compare: the best of some chosen windows gives more than each of the others."""
    rows, mean = data.values(variant, THROUGHPUT), data.mean(variant, THROUGHPUT)
    own = rows[int(np.argmax(np.where(chosen, mean, -np.inf)))]
    return [
        higher(own, row, f"{what} over {x:g}")
        for row, x, is_chosen in zip(rows, data.x, chosen, strict=True)
        if not is_chosen
    ]


def best_windows(
    text: str, studies: Sequence[Study], variant: str, paper: str, note: str = ""
) -> Claim:
    """Claim the best windows, one a study."""
    expected = [int(window) for window in paper.split()]

    def judge(data: Data) -> Finding:
        found, shares, compared = [], [], []
        for study, wanted in zip(studies, expected, strict=True):
            measured = data.studies[study.name]
            window, most = best(measured, variant)
            found.append(window)
            shares.append(measured.mean(variant, THROUGHPUT)[measured.x == wanted] / most)
            near = np.abs(measured.x - wanted) <= ADJACENT
            compared += _best(measured, variant, near, f"a window near {wanted}")
        at_papers = " ".join(f"{float(share[0]):.3f}" for share in shares)
        text = f"{' '.join(map(str, found))}; the paper's give {at_papers} of the maximum"
        return finding(text, compared)

    return Claim(
        text,
        f"{paper}, equal or adjacent: the best of these is better than every other window",
        judge,
        note,
    )


def larger_with_thinning(studies: Sequence[Study], note: str = "") -> Claim:
    """Claim that thinning makes the best window larger, and what it gains with small packets most.

    The studies are in the order of the packet size.
    """

    def both(data: Data) -> list[list[tuple[int, float]]]:
        return [
            [best(data.studies[study.name], variant) for variant in (TCP, THINNING)]
            for study in studies
        ]

    def measure(data: Data) -> list[float]:
        pairs = both(data)
        gains = [thinned[1] / plain[1] for plain, thinned in pairs]
        windows = [float(thinned[0] - plain[0]) for plain, thinned in pairs]
        return [*windows, gains[0], gains[0] - max(gains[1:])]

    def judge(data: Data) -> Finding:
        pairs = both(data)
        gains = [thinned[1] / plain[1] for plain, thinned in pairs]
        text = "; ".join(
            f"window {plain[0]} to {thinned[0]}, {gain - 1:+.1%}"
            for (plain, thinned), gain in zip(pairs, gains, strict=True)
        )
        *windows, gain, lead = estimates(data, measure)
        compared = [above(one, 0, "the difference of the best windows") for one in windows]
        return finding(text, [*compared, above(gain, 1, "the gain"), above(lead, 0, "its lead")])

    return Claim(
        "thinning has the larger best window, and uses the network better, small packets above all",
        "a larger best window with every packet size, and the largest gain with the smallest",
        judge,
        note,
    )


def throughputs(text: str, numbers: str, measure: Measure, note: str = "") -> Claim:
    """Claim throughputs in kbit/s, headers counted."""
    return replace(stated(text, numbers, " kbit/s", measure, note), calibrated=HEADERS)


def most(studies: Sequence[Study], variant: str) -> Callable[[Data], list[float]]:
    """Measure the largest throughput in kbit/s of each study over windows."""
    return lambda data: [best(data.studies[study.name], variant)[1] / 1e3 for study in studies]


def best_thresholds(text: str, variant: str, note: str = "") -> Claim:
    """Claim that LECN delivers most with the thresholds that the paper presents."""

    def judge(data: Data) -> Finding:
        measured = data.studies[THRESHOLDS.name]
        at, most = best(measured, variant)
        shares = measured.mean(variant, THROUGHPUT) / most
        each = " ".join(f"{x:g}: {share:.2f}" for x, share in zip(measured.x, shares, strict=True))
        presented = np.isin(measured.x, PRESENTED)
        compared = _best(measured, variant, presented, "the best of 40 to 60 ms")
        return finding(f"{at} ms; of the maximum, by ms {each}", compared)

    return Claim(
        f"{text}, the thresholds of 40 and 60 ms perform best",
        "the best of 40 to 60 ms is better than every other threshold",
        judge,
        note,
    )


# ---- table 3 -------------------------------------------------------------------------------------


def order(text: str, study: Study, variants: Sequence[str], note: str = "") -> Claim:
    """Claim an order from the lowest, at every packet size."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        means = np.array([measured.mean(variant, THROUGHPUT) for variant in variants])
        compared = [
            higher(one, other, f"{title(study, upper)} over {title(study, lower)} with {size:g} B")
            for lower, upper in pairwise(variants)
            for one, other, size in zip(
                measured.values(upper, THROUGHPUT),
                measured.values(lower, THROUGHPUT),
                measured.x,
                strict=True,
            )
        ]
        found = "; ".join(
            f"{size:g} B: {' < '.join(like(value / 1e3, '0.0') for value in column)}"
            if bool((np.diff(column) > 0).all())
            else f"{size:g} B: {', '.join(like(value / 1e3, '0.0') for value in column)}"
            for size, column in zip(measured.x, means.T, strict=True)
        )
        return finding(f"{found} kbit/s", compared)

    names = " < ".join(title(study, variant) for variant in variants)
    return Claim(text, f"{names} at every packet size", judge, note)


def similar(text: str, study: Study, pair: tuple[str, str], third: str, note: str = "") -> Claim:
    """Claim that two variants are alike at every packet size, more than a third is like them."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        one, other, far = (measured.mean(name, THROUGHPUT) for name in (*pair, third))
        near = [
            between(ratio(a, b), CLOSE, 2 - CLOSE, f"the ratio with {size:g} B")
            for a, b, size in zip(
                *(measured.values(name, THROUGHPUT) for name in pair), measured.x, strict=True
            )
        ]
        apart, further = (
            np.abs(relative(measured, name, pair[1])).mean(axis=0) for name in (pair[0], third)
        )
        text = " ".join(f"{ratio:.2f}" for ratio in one / other)
        beside = " ".join(f"{ratio:.2f}" for ratio in far / other)
        contrast = above(difference(further, apart), 0, "how much nearer")
        return finding(f"ratios {text}; of {title(study, third)} {beside}", [*near, contrast])

    return Claim(
        text,
        f"within {1 - CLOSE:.0%} at every packet size, and on the mean nearer than "
        f"{title(study, third)} is",
        judge,
        note,
    )

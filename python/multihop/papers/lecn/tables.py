"""What LECN says of its tables, and of its thresholds, as claims about measured ones.

The bounds stand in `relations.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from ...stats import Values
from ..rules import CLOSE, Measure, like, stated
from ..spec import Claim, Data, Finding, Study, StudyData
from .relations import ADJACENT, PRESENTED, relative, surely, title
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


def _peaks(data: StudyData, variant: str) -> bool:
    """Find whether the best is better than the smallest and the largest."""
    rows = data.values(variant, THROUGHPUT)
    return all(surely(peak(data, variant) - end) for end in (rows[0], rows[-1]))


def best_windows(
    text: str, studies: Sequence[Study], variant: str, paper: str, note: str = ""
) -> Claim:
    """Claim the best windows, one a study."""
    expected = [int(window) for window in paper.split()]

    def judge(data: Data) -> Finding:
        found, shares, peaks = [], [], []
        for study, wanted in zip(studies, expected, strict=True):
            measured = data.studies[study.name]
            peaks.append(_peaks(measured, variant))
            window, most = best(measured, variant)
            found.append(window)
            shares.append(measured.mean(variant, THROUGHPUT)[measured.x == wanted] / most)
        near = (abs(a - b) <= ADJACENT for a, b in zip(found, expected, strict=True))
        holds = all(peaks) and all(near)
        at_papers = " ".join(f"{float(share[0]):.3f}" for share in shares)
        return Finding(
            holds, f"{' '.join(map(str, found))}; the paper's give {at_papers} of the maximum"
        )

    return Claim(
        text,
        f"{paper}, equal or adjacent, and better than the smallest and the largest window with "
        "95 % confidence",
        judge,
        note,
    )


def larger_with_thinning(studies: Sequence[Study], note: str = "") -> Claim:
    """Claim that thinning makes the best window larger, and what it gains with small packets most.

    The studies are in the order of the packet size.
    """

    def judge(data: Data) -> Finding:
        pairs = [
            [best(data.studies[study.name], variant) for variant in (TCP, THINNING)]
            for study in studies
        ]
        gains = [thinned[1] / plain[1] for plain, thinned in pairs]
        larger = all(thinned[0] > plain[0] for plain, thinned in pairs)
        text = "; ".join(
            f"window {plain[0]} to {thinned[0]}, {gain - 1:+.1%}"
            for (plain, thinned), gain in zip(pairs, gains, strict=True)
        )
        return Finding(larger and gains[0] > max(1, *gains[1:]), text)

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
        holds = at in PRESENTED and _peaks(measured, variant)
        return Finding(holds, f"{at} ms; of the maximum, by ms {each}")

    return Claim(
        f"{text}, the thresholds of 40 and 60 ms perform best",
        "the best is 40 to 60 ms, and better than 0 and 100 ms with 95 % confidence",
        judge,
        note,
    )


# ---- table 3 -------------------------------------------------------------------------------------


def order(text: str, study: Study, variants: Sequence[str], note: str = "") -> Claim:
    """Claim an order from the lowest, at every packet size."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        means = np.array([measured.mean(variant, THROUGHPUT) for variant in variants])
        sure = all(
            surely(relative(measured, higher, lower).mean(axis=0))
            for lower, higher in pairwise(variants)
        )
        found = "; ".join(
            f"{size:g} B: {' < '.join(like(value / 1e3, '0.0') for value in column)}"
            if bool((np.diff(column) > 0).all())
            else f"{size:g} B: {', '.join(like(value / 1e3, '0.0') for value in column)}"
            for size, column in zip(measured.x, means.T, strict=True)
        )
        return Finding(sure and bool((np.diff(means, axis=0) > 0).all()), f"{found} kbit/s")

    names = " < ".join(title(study, variant) for variant in variants)
    return Claim(
        text, f"{names} at every packet size, on the mean with 95 % confidence", judge, note
    )


def similar(text: str, study: Study, pair: tuple[str, str], third: str, note: str = "") -> Claim:
    """Claim that two variants are alike at every packet size, more than a third is like them."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        one, other, far = (measured.mean(name, THROUGHPUT) for name in (*pair, third))
        near = bool((np.abs(one / other - 1) <= 1 - CLOSE).all())
        apart, further = (
            np.abs(relative(measured, name, pair[1])).mean(axis=0) for name in (pair[0], third)
        )
        text = " ".join(f"{ratio:.2f}" for ratio in one / other)
        beside = " ".join(f"{ratio:.2f}" for ratio in far / other)
        return Finding(
            near and surely(further - apart), f"ratios {text}; of {title(study, third)} {beside}"
        )

    return Claim(
        text,
        f"within {1 - CLOSE:.0%} at every packet size, and on the mean nearer than "
        f"{title(study, third)} is, with 95 % confidence",
        judge,
        note,
    )

"""What LECN says of its curves and tables, as claims about measured ones.

Beside the rules of all papers (`papers/rules.py`) there are those that only these need:

- a best window is the paper's if it is equal or adjacent: one packet more or less;
- "below 4 hops" is 1 to 3, and "beyond" is every chain of more than 4 hops;
- "alike" is within 10 % at every length, "near the optimum" at least 0.9 of it on the mean over
  the lengths beyond, "slightly below" also less than all of it;
- a window is "far smaller" if it is less than half, at every length beyond;
- "almost everywhere" is at 80 % of the lengths;
- throughputs count the 40 B of TCP and IP headers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...stats import Mask, Values
from ..rules import CLOSE, STATED, like, off
from ..spec import Claim, Data, Finding, Study, StudyData
from .setup import LENGTHS, THROUGHPUT, WINDOW

ADJACENT = 1
SHORT = 4
FAR_SMALLER = 0.5
ALMOST_EVERYWHERE = 0.8


def beyond(data: StudyData) -> Mask:
    """Select the chains of more than 4 hops."""
    return data.x > SHORT


def short(data: StudyData) -> Mask:
    """Select the chains of less than 4 hops."""
    return data.x < SHORT


def optimum(search: StudyData) -> tuple[Values, Values, list[str]]:
    """Return the largest throughput of all windows at each length, those windows, and by name."""
    windows = search.variants
    means = np.array([search.mean(window, THROUGHPUT) for window in windows])
    best = [windows[index] for index in means.argmax(axis=0)]
    return means.max(axis=0), np.array([float(window) for window in best]), best


def title(study: Study, variant: str) -> str:
    """Return a curve's name."""
    return study.variants[variant].title


# ---- tables 1 and 2 -----------------------------------------------------------------------------


def best(data: StudyData, variant: str) -> tuple[int, float]:
    """Return the best window and the throughput that it gives, in a study over windows."""
    mean = data.mean(variant, THROUGHPUT)
    at = int(np.argmax(mean))
    return int(data.x[at]), float(mean[at])


def best_windows(
    text: str, studies: Sequence[Study], variant: str, paper: str, note: str = ""
) -> Claim:
    """Claim the best windows, one a study."""
    expected = [int(window) for window in paper.split()]

    def judge(data: Data) -> Finding:
        found, shares = [], []
        for study, wanted in zip(studies, expected, strict=True):
            measured = data.studies[study.name]
            window, most = best(measured, variant)
            found.append(window)
            shares.append(measured.mean(variant, THROUGHPUT)[measured.x == wanted] / most)
        holds = all(abs(a - b) <= ADJACENT for a, b in zip(found, expected, strict=True))
        at_papers = " ".join(f"{float(share[0]):.3f}" for share in shares)
        return Finding(
            holds, f"{' '.join(map(str, found))}; the paper's give {at_papers} of the maximum"
        )

    return Claim(text, f"{paper}, equal or adjacent", judge, note)


def most(studies: Sequence[Study], variant: str) -> Callable[[Data], list[float]]:
    """Measure the largest throughput in kbit/s of each study over windows."""
    return lambda data: [best(data.studies[study.name], variant)[1] / 1e3 for study in studies]


# ---- figures 6 and 7 ----------------------------------------------------------------------------


def alike_below(plain: str, marked: Sequence[str], note: str = "") -> Claim:
    """Claim that LECN makes no difference in short chains."""

    def judge(data: Data) -> Finding:
        measured = data.studies[LENGTHS.name]
        reference = measured.mean(plain, THROUGHPUT)
        worst = max(
            off(value, float(known))
            for variant in marked
            for value, known in zip(
                measured.mean(variant, THROUGHPUT)[short(measured)],
                reference[short(measured)],
                strict=True,
            )
        )
        return Finding(worst <= 1 - CLOSE, f"at most {worst:.1%} apart")

    return Claim(
        "below 4 hops TCP with and without LECN are alike",
        f"within {1 - CLOSE:.0%} at 1 to 3 hops, both thresholds",
        judge,
        note,
    )


def ahead_beyond(plain: str, marked: Sequence[str], note: str = "") -> Claim:
    """Claim that LECN is ahead in longer chains."""

    def judge(data: Data) -> Finding:
        measured = data.studies[LENGTHS.name]
        return _above(measured, marked, (plain,), beyond(measured))

    return Claim(
        "beyond 4 hops TCP with LECN outperforms TCP without",
        "higher at every length beyond 4, both thresholds",
        judge,
        note,
    )


def _above(data: StudyData, higher: Sequence[str], lower: Sequence[str], where: Mask) -> Finding:
    """Find whether some curves are above others at all of some lengths."""
    gains = {
        (title(data.study, over), title(data.study, under)): (
            data.mean(over, THROUGHPUT) / data.mean(under, THROUGHPUT)
        )[where]
        for over in higher
        for under in lower
    }
    text = "; ".join(
        f"{over} / {under} {gain.min():.2f} to {gain.max():.2f}"
        for (over, under), gain in gains.items()
    )
    return Finding(all(bool((gain > 1).all()) for gain in gains.values()), text)


def near_optimum(search: Study, marked: Sequence[str], *, below: bool, note: str = "") -> Claim:
    """Claim that LECN comes close to the optimum, or, if `below`, slightly below it."""

    def judge(data: Data) -> Finding:
        measured = data.studies[LENGTHS.name]
        top, _, _ = optimum(data.studies[search.name])
        shares = {
            variant: (measured.mean(variant, THROUGHPUT) / top)[beyond(measured)]
            for variant in marked
        }
        means = [float(share.mean()) for share in shares.values()]
        holds = min(means) >= CLOSE and (not below or max(means) < 1)
        text = "; ".join(
            f"{title(LENGTHS, variant)} {share.mean():.2f} ({share.min():.2f} to {share.max():.2f})"
            for variant, share in shares.items()
        )
        return Finding(holds, text)

    return Claim(
        "LECN achieves a bit less than the maximum"
        if below
        else "LECN's throughput is close to the maximum",
        f"mean over the lengths beyond 4 at least {CLOSE} of it"
        + (" and less than 1" if below else "")
        + ", both thresholds",
        judge,
        note,
    )


def smaller_windows(plain: str, marked: Sequence[str], *, far: bool, note: str = "") -> Claim:
    """Claim that LECN keeps the window small: smaller than without, or `far` smaller."""
    bound = FAR_SMALLER if far else 1.0

    def judge(data: Data) -> Finding:
        measured = data.studies[LENGTHS.name]
        where = beyond(measured)
        ratios = {
            variant: (measured.mean(variant, WINDOW) / measured.mean(plain, WINDOW))[where]
            for variant in marked
        }
        text = "; ".join(
            f"{title(LENGTHS, variant)} {ratio.min():.2f} to {ratio.max():.2f}"
            for variant, ratio in ratios.items()
        )
        return Finding(all(bool((ratio < bound).all()) for ratio in ratios.values()), text)

    return Claim(
        "its windows are far smaller" if far else "LECN suppresses the growth of TCP's window",
        f"mean window less than {bound:g} of that without LECN at every length beyond 4",
        judge,
        note,
    )


# ---- figure 8 -----------------------------------------------------------------------------------


def first_almost_everywhere(variant: str, others: Sequence[str], note: str = "") -> Claim:
    """Claim that a curve is above all others at almost all lengths."""

    def judge(data: Data) -> Finding:
        measured = data.studies[LENGTHS.name]
        highest = np.max([measured.mean(other, THROUGHPUT) for other in others], axis=0)
        ahead = measured.mean(variant, THROUGHPUT) > highest
        not_at = " ".join(f"{length:g}" for length in measured.x[~ahead])
        text = f"at {ahead.mean():.0%} of the lengths" + (f"; not at {not_at}" if not_at else "")
        return Finding(bool(ahead.mean() >= ALMOST_EVERYWHERE), text)

    return Claim(
        f"{title(LENGTHS, variant)} outperforms all others in almost all cases",
        f"first at {ALMOST_EVERYWHERE:.0%} of the lengths",
        judge,
        note,
    )


def twice(variant: str, plain: str, note: str = "") -> Claim:
    """Claim that a curve has twice the throughput of another in longer chains."""

    def judge(data: Data) -> Finding:
        measured = data.studies[LENGTHS.name]
        gain = measured.mean(variant, THROUGHPUT) / measured.mean(plain, THROUGHPUT)
        gain = gain[beyond(measured)]
        mean = float(gain.mean())
        text = f"{mean:.2f} times ({gain.min():.2f} to {gain.max():.2f})"
        return Finding(off(mean, 2) <= STATED, text)

    return Claim(
        f"it achieves twice the throughput of {title(LENGTHS, plain)}",
        f"mean over the lengths beyond 4: 2 times, within {STATED:.0%}",
        judge,
        note,
    )


def above(text: str, higher: str, lower: Sequence[str], note: str = "") -> Claim:
    """Claim that a curve is above others in longer chains."""

    def judge(data: Data) -> Finding:
        measured = data.studies[LENGTHS.name]
        return _above(measured, (higher,), lower, beyond(measured))

    return Claim(text, "higher at every length beyond 4", judge, note)


def above_only_between(
    text: str, higher: str, lower: str, between: tuple[int, int], note: str = ""
) -> Claim:
    """Claim that a curve is above another at moderate lengths, and not at others."""
    low, high = between

    def judge(data: Data) -> Finding:
        measured = data.studies[LENGTHS.name]
        ahead = measured.mean(higher, THROUGHPUT) > measured.mean(lower, THROUGHPUT)
        moderate = (measured.x >= low) & (measured.x <= high)
        at = " ".join(f"{length:g}" for length in measured.x[ahead]) or "no"
        return Finding(bool((ahead == moderate).all()), f"higher at {at} hops")

    return Claim(text, f"higher at {low} to {high} hops, and only there", judge, note)


# ---- table 3 ------------------------------------------------------------------------------------


def order(text: str, study: Study, variants: Sequence[str], note: str = "") -> Claim:
    """Claim an order from the lowest, at every packet size."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        means = np.array([measured.mean(variant, THROUGHPUT) for variant in variants])
        found = "; ".join(
            f"{size:g} B: {' < '.join(like(value / 1e3, '0.0') for value in column)}"
            if bool((np.diff(column) > 0).all())
            else f"{size:g} B: {', '.join(like(value / 1e3, '0.0') for value in column)}"
            for size, column in zip(measured.x, means.T, strict=True)
        )
        return Finding(bool((np.diff(means, axis=0) > 0).all()), f"{found} kbit/s")

    names = " < ".join(title(study, variant) for variant in variants)
    return Claim(text, f"{names} at every packet size", judge, note)


def similar(text: str, study: Study, one: str, other: str, note: str = "") -> Claim:
    """Claim that two variants are alike at every packet size."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        pairs = zip(measured.mean(one, THROUGHPUT), measured.mean(other, THROUGHPUT), strict=True)
        ratios = [float(a / b) for a, b in pairs]
        text = "ratios " + " ".join(f"{ratio:.2f}" for ratio in ratios)
        return Finding(all(off(ratio, 1) <= 1 - CLOSE for ratio in ratios), text)

    return Claim(text, f"within {1 - CLOSE:.0%} at every packet size", judge, note)

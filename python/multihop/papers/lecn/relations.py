"""What LECN says of its curves and tables, as claims about measured ones.

Beside the rules of all papers (`papers/rules.py`) there are those that only these need:

- a best window is the paper's if it is equal or adjacent: one packet more or less; it has to be
  better than the smallest and the largest one that were tried, with 95 % confidence, since where
  the window makes no difference no window is best;
- "below 4 hops" is 1 to 3, and "beyond" is every chain of more than 4 hops;
- "alike" is within 10 % at every length, and less than the mean difference beyond: what makes no
  difference anywhere is not alike in short chains only;
- "near the optimum" is at least 0.9 of it on the mean over the lengths beyond, and more than
  without LECN, "slightly below" also less than all of it;
- a window is "far smaller" if it is less than half, at every length beyond;
- "almost everywhere" is at 80 % of the lengths;
- one thing "coincides" with another or "corresponds" to it if their correlation is at least 0.5:
  what Cohen (Statistical Power Analysis for the Behavioral Sciences, 1988, 3.2) calls large, a
  quarter of the variance;
- throughputs count the 40 B of TCP and IP headers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...stats import Mask, Values, confidence
from ..rules import CLOSE, STATED, off
from ..spec import Claim, Data, Finding, Study, StudyData
from .setup import LENGTHS, THINNING, THROUGHPUT, WINDOW

ADJACENT = 1
SHORT = 4
FAR_SMALLER = 0.5
ALMOST_EVERYWHERE = 0.8
COINCIDES = 0.5
# LECN's thresholds between those that the paper presents, in ms.
PRESENTED = range(40, 61)


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


def surely(differences: Values) -> bool:
    """Find whether the mean of differences, one for each seed, is above 0 with 95 % confidence.

    Of a single one nothing is sure.
    """
    return len(differences) > 1 and bool(differences.mean() > confidence(differences))


def title(study: Study, variant: str) -> str:
    """Return a curve's name."""
    return study.variants[variant].title


def relative(data: StudyData, one: str, other: str) -> Values:
    """Return by which part a variant is above another: a row for each x, an entry for each seed."""
    ratio: Values = data.values(one, THROUGHPUT) / data.values(other, THROUGHPUT)
    return ratio - 1


# ---- figures 6 and 7 ----------------------------------------------------------------------------


def alike_below(plain: str, marked: Sequence[str], note: str = "") -> Claim:
    """Claim that LECN makes no difference in short chains."""

    def judge(data: Data) -> Finding:
        measured = data.studies[LENGTHS.name]
        reference = measured.mean(plain, THROUGHPUT)
        apart = np.abs([measured.mean(variant, THROUGHPUT) / reference - 1 for variant in marked])
        worst = float(apart[:, short(measured)].max())
        beside = apart[:, beyond(measured)].mean(axis=1)
        text = " ".join(f"{value:.1%}" for value in beside)
        holds = worst <= 1 - CLOSE and worst < beside.min()
        return Finding(holds, f"at most {worst:.1%} apart, beyond {text} on the mean")

    return Claim(
        "below 4 hops TCP with and without LECN are alike, beyond they are not",
        f"within {1 - CLOSE:.0%} at 1 to 3 hops, both thresholds, and less than on the mean over "
        "the lengths beyond 4",
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


def near_optimum(search: Study, plain: str, marked: Sequence[str], note: str = "") -> Claim:
    """Claim that LECN brings TCP close to the optimum, or, with thinning, slightly below it."""
    below = plain == THINNING

    def judge(data: Data) -> Finding:
        measured = data.studies[LENGTHS.name]
        top, _, _ = optimum(data.studies[search.name])
        shares = {
            variant: (measured.mean(variant, THROUGHPUT) / top)[beyond(measured)]
            for variant in (*marked, plain)
        }
        *means, _ = [float(share.mean()) for share in shares.values()]
        boosted = all(
            surely(relative(measured, variant, plain)[beyond(measured)].mean(axis=0))
            for variant in marked
        )
        holds = boosted and min(means) >= CLOSE and (not below or max(means) < 1)
        text = "; ".join(
            f"{title(LENGTHS, variant)} {share.mean():.2f} ({share.min():.2f} to {share.max():.2f})"
            for variant, share in shares.items()
        )
        return Finding(holds, text)

    return Claim(
        "LECN achieves a bit less than the maximum"
        if below
        else "LECN boosts the throughput close to the maximum",
        f"mean over the lengths beyond 4 at least {CLOSE} of it"
        + (" and less than 1" if below else "")
        + ", both thresholds, and more than without LECN with 95 % confidence",
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


def small_is_better(search: Study, plain: str, note: str = "") -> Claim:
    """Claim that TCP would have to keep its window smaller than it does."""

    def judge(data: Data) -> Finding:
        measured = data.studies[LENGTHS.name]
        where = beyond(measured)
        top, windows, _ = optimum(data.studies[search.name])
        ratio = (windows / measured.mean(plain, WINDOW))[where]
        gain = float((top / measured.mean(plain, THROUGHPUT))[where].mean())
        text = f"{ratio.min():.2f} to {ratio.max():.2f} of it, {gain:.2f} times the throughput"
        return Finding(bool((ratio < 1).all()) and gain > 2 - CLOSE, text)

    return Claim(
        "TCP needs to keep the window size small in order to achieve better performance",
        "the best window limit is less than TCP's mean window at every length beyond 4, and "
        f"delivers on the mean more than {1 - CLOSE:.0%} more",
        judge,
        note,
    )


def varies_with_length(search: Study, note: str = "") -> Claim:
    """Claim that no window limit does for every length."""

    def judge(data: Data) -> Finding:
        measured = data.studies[search.name]
        top, _, best = optimum(measured)
        worst = {
            window: float((measured.mean(window, THROUGHPUT) / top).min())
            for window in measured.variants
        }
        widest = max(worst, key=worst.__getitem__)
        text = f"best {' '.join(best)}; of all, {widest} gives at least {worst[widest]:.2f}"
        return Finding(worst[widest] < CLOSE, text)

    return Claim(
        "the optimal window limit varies with the number of hops",
        f"no window gives {CLOSE} of the optimum at every length",
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

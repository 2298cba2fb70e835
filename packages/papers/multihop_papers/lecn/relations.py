"""What LECN says of its curves and tables, as claims about measured ones.

Beside the rules of all papers (`papers/rules.py`) there are those that only these need:

- a best window is the paper's if it is equal or adjacent: a packet more or less; the best of these
  has to be better than every other one that was tried, since where the window makes no difference
  no window is best;
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

from multihop.reproducing import judging
from multihop.reproducing.judging import (
    Compared,
    above,
    at_least,
    at_most,
    below,
    estimate,
    estimates,
    finding,
    higher,
    mean,
    opposite,
    share,
    stated_within,
    together,
)
from multihop.reproducing.rules import CLOSE, STATED
from multihop.reproducing.spec import Claim, Data, Finding, Study, StudyData
from multihop.statistics.stats import Mask, Values

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

    def apart(data: Data) -> list[float]:
        measured = data.studies[LENGTHS.name]
        reference = measured.mean(plain, THROUGHPUT)
        off = np.abs([measured.mean(variant, THROUGHPUT) / reference - 1 for variant in marked])
        beside = off[:, beyond(measured)].mean(axis=1)
        return [float(off[:, short(measured)].max()), *map(float, beside)]

    def contrasts(data: Data) -> list[float]:
        worst, *beside = apart(data)
        return [worst, *(value - worst for value in beside)]

    def judge(data: Data) -> Finding:
        worst, *beside = apart(data)
        text = " ".join(f"{value:.1%}" for value in beside)
        most, *far = estimates(data, contrasts)
        compared = [at_most(most, 1 - CLOSE, "the largest difference below 4 hops")]
        compared += [above(one, 0, "how much more they differ beyond") for one in far]
        return finding(f"at most {worst:.1%} apart, beyond {text} on the mean", compared)

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


def _above(data: StudyData, upper: Sequence[str], lower: Sequence[str], where: Mask) -> Finding:
    """Find whether some curves are above others at all of some lengths."""
    compared, texts = [], []
    for over in upper:
        for under in lower:
            gain = (data.mean(over, THROUGHPUT) / data.mean(under, THROUGHPUT))[where]
            names = f"{title(data.study, over)} / {title(data.study, under)}"
            texts.append(f"{names} {gain.min():.2f} to {gain.max():.2f}")
            compared += [
                one for one, chosen in zip(_orders(data, over, under), where, strict=True) if chosen
            ]
    return finding("; ".join(texts), compared)


def _orders(data: StudyData, over: str, under: str) -> list[Compared]:
    """Compare at each length: one curve is above another."""
    names = f"{title(data.study, over)} / {title(data.study, under)}"
    rows = zip(data.values(over, THROUGHPUT), data.values(under, THROUGHPUT), strict=True)
    return [
        higher(one, other, f"{names} over {x:g} hops")
        for (one, other), x in zip(rows, data.x, strict=True)
    ]


def near_optimum(search: Study, plain: str, marked: Sequence[str], note: str = "") -> Claim:
    """Claim that LECN brings TCP close to the optimum, or, with thinning, slightly below it."""
    less = plain == THINNING

    def shares(data: Data) -> dict[str, Values]:
        measured = data.studies[LENGTHS.name]
        top, _, _ = optimum(data.studies[search.name])
        return {
            variant: (measured.mean(variant, THROUGHPUT) / top)[beyond(measured)]
            for variant in (*marked, plain)
        }

    def judge(data: Data) -> Finding:
        measured = data.studies[LENGTHS.name]
        text = "; ".join(
            f"{title(LENGTHS, variant)} {one.mean():.2f} ({one.min():.2f} to {one.max():.2f})"
            for variant, one in shares(data).items()
        )
        means = estimates(data, lambda part: [one.mean() for one in shares(part).values()])
        compared = []
        for variant, one in zip(marked, means, strict=False):
            name = title(LENGTHS, variant)
            gain = relative(measured, variant, plain)[beyond(measured)].mean(axis=0)
            compared.append(at_least(one, CLOSE, f"{name}'s share"))
            compared.append(above(mean(gain), 0, f"{name}'s gain"))
            if less:
                compared.append(below(one, 1, f"{name}'s share"))
        return finding(text, compared)

    return Claim(
        "LECN achieves a bit less than the maximum"
        if less
        else "LECN boosts the throughput close to the maximum",
        f"mean over the lengths beyond 4 at least {CLOSE} of it"
        + (" and less than 1" if less else "")
        + ", both thresholds, and more than without LECN",
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
        rows = {
            variant: zip(
                measured.values(variant, WINDOW)[where],
                measured.values(plain, WINDOW)[where],
                measured.x[where],
                strict=True,
            )
            for variant in marked
        }
        compared = [
            below(judging.ratio(one, other), bound, f"{title(LENGTHS, variant)} over {x:g} hops")
            for variant, pairs in rows.items()
            for one, other, x in pairs
        ]
        return finding(text, compared)

    return Claim(
        "its windows are far smaller" if far else "LECN suppresses the growth of TCP's window",
        f"mean window less than {bound:g} of that without LECN at every length beyond 4",
        judge,
        note,
    )


def small_is_better(search: Study, plain: str, note: str = "") -> Claim:
    """Claim that TCP would have to keep its window smaller than it does."""

    def measure(data: Data) -> list[float]:
        measured = data.studies[LENGTHS.name]
        where = beyond(measured)
        top, windows, _ = optimum(data.studies[search.name])
        ratios = (windows / measured.mean(plain, WINDOW))[where]
        gain = (top / measured.mean(plain, THROUGHPUT))[where].mean()
        return [*map(float, ratios), float(gain)]

    def judge(data: Data) -> Finding:
        *parts, gain = estimates(data, measure, log=True)
        low, high = (end(one.value for one in parts) for end in (min, max))
        text = f"{low:.2f} to {high:.2f} of it, {gain.value:.2f} times the throughput"
        compared = [below(one, 1, "the best limit over the window") for one in parts]
        return finding(text, [*compared, above(gain, 2 - CLOSE, "the throughputs' ratio")])

    return Claim(
        "TCP needs to keep the window size small in order to achieve better performance",
        "the best window limit is less than TCP's mean window at every length beyond 4, and "
        f"delivers on the mean more than {1 - CLOSE:.0%} more",
        judge,
        note,
    )


def varies_with_length(search: Study, note: str = "") -> Claim:
    """Claim that no window limit does for every length."""

    def least(data: Data) -> dict[str, float]:
        measured = data.studies[search.name]
        top, _, _ = optimum(measured)
        return {
            window: float((measured.mean(window, THROUGHPUT) / top).min())
            for window in measured.variants
        }

    def judge(data: Data) -> Finding:
        _, _, best = optimum(data.studies[search.name])
        worst = least(data)
        widest = max(worst, key=worst.__getitem__)
        text = f"best {' '.join(best)}; of all, {widest} gives at least {worst[widest]:.2f}"
        return finding(text, [below(estimate(data, lambda part: max(least(part).values())), CLOSE)])

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
        each = zip(*(_orders(measured, variant, other) for other in others), strict=True)
        found = share([together(parts) for parts in each], lambda where: float(where.mean()))
        return finding(text, [at_least(found, ALMOST_EVERYWHERE, "the share")])

    return Claim(
        f"{title(LENGTHS, variant)} outperforms all others in almost all cases",
        f"first at {ALMOST_EVERYWHERE:.0%} of the lengths",
        judge,
        note,
    )


def twice(variant: str, plain: str, note: str = "") -> Claim:
    """Claim that a curve has twice the throughput of another in longer chains."""

    def times(data: Data) -> float:
        measured = data.studies[LENGTHS.name]
        gain = measured.mean(variant, THROUGHPUT) / measured.mean(plain, THROUGHPUT)
        return float(gain[beyond(measured)].mean())

    def judge(data: Data) -> Finding:
        measured = data.studies[LENGTHS.name]
        gain = measured.mean(variant, THROUGHPUT) / measured.mean(plain, THROUGHPUT)
        gain = gain[beyond(measured)]
        text = f"{gain.mean():.2f} times ({gain.min():.2f} to {gain.max():.2f})"
        return finding(text, [stated_within(estimate(data, times), 2, STATED)])

    return Claim(
        f"it achieves twice the throughput of {title(LENGTHS, plain)}",
        f"mean over the lengths beyond 4: 2 times, within {STATED:.0%}",
        judge,
        note,
    )


def outperforms(text: str, upper: str, lower: Sequence[str], note: str = "") -> Claim:
    """Claim that a curve is above others in longer chains."""

    def judge(data: Data) -> Finding:
        measured = data.studies[LENGTHS.name]
        return _above(measured, (upper,), lower, beyond(measured))

    return Claim(text, "higher at every length beyond 4", judge, note)


def above_only_between(
    text: str, upper: str, lower: str, ends: tuple[int, int], note: str = ""
) -> Claim:
    """Claim that a curve is above another at moderate lengths, and not at others."""
    low, high = ends

    def judge(data: Data) -> Finding:
        measured = data.studies[LENGTHS.name]
        ahead = measured.mean(upper, THROUGHPUT) > measured.mean(lower, THROUGHPUT)
        moderate = (measured.x >= low) & (measured.x <= high)
        at = " ".join(f"{length:g}" for length in measured.x[ahead]) or "no"
        orders = zip(_orders(measured, upper, lower), moderate, strict=True)
        compared = [one if expected else opposite(one) for one, expected in orders]
        return finding(f"higher at {at} hops", compared)

    return Claim(text, f"higher at {low} to {high} hops, and only there", judge, note)

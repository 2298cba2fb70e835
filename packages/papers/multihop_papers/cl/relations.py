"""What CL says of its figures, as claims about measured ones: chains.

Beside the rules of all papers (`papers/rules.py`) there are those that only this one needs:

- "flat" is that no rate beyond the first one with 90 % of the maximum has less than 90 % of it;
  what is flat has risen before, from less than half;
- "falls" or "slides" is that at the highest rate less than 90 % of the maximum is left;
- "slightly" above the optimal rate is at most 10 % above it;
- a "sharper slope" is a larger share lost at twice the optimal rate;
- "excessive" is the highest rate, 1200 kbit/s, and "stabilizes" that the last two rates that were
  tried differ by less than 10 %;
- "almost constant" is within 10 % of the mean over the chains of more than 4 nodes, with which the
  route is longer than the distance at which radios can send at the same time, and "decrease" that
  over the longest chain less than 90 % is left of what the shortest of them carries;
- "greatly" is by at least 25 %, "similar" within 10 %;
- throughput with acknowledgments counts what was acknowledged.

What the paper says of hidden terminals and packet losses is in `hidden.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from multihop.reproducing.judging import (
    Estimate,
    above,
    at_least,
    at_most,
    below,
    between,
    estimate,
    falling,
    finding,
    ratio,
    stated_within,
)
from multihop.reproducing.rules import CLOSE, STATED, stated
from multihop.reproducing.spec import Claim, Data, Finding, Study, StudyData
from multihop.statistics.stats import Values

from .measures import best, throughput
from .setup import CL, CL_ACK, TCP

SHORT = 4
RISEN = 0.5
SLIGHTLY = 1.1
TWICE = 2.0
GREATLY = 1 + STATED
# "Within 10 %", as the ends of a ratio.
WITHIN = (CLOSE, 2 - CLOSE)


def _curves(data: StudyData, lengths: Sequence[int] = ()) -> dict[int, Values]:
    """Return the curve of each length that was run: a row for each rate, an entry for each seed."""
    run = [int(name) for name in data.variants]
    return {
        length: throughput(data, str(length)) for length in run if not lengths or length in lengths
    }


def _long(data: StudyData) -> list[int]:
    return [length for length in _curves(data) if length > SHORT]


def _of_curve(data: Data, study: Study, length: int, part: Callable[[Values], float]) -> Estimate:
    """Estimate a part of something of the curve of a length, from its means over the seeds."""

    def measure(left: Data) -> float:
        return part(throughput(left.studies[study.name], str(length)).mean(axis=1))

    return estimate(data, measure, log=True)


def _left(means: Values) -> float:
    """Return which part of the maximum is left at the highest rate."""
    return float(means[-1] / means.max())


def _least(means: Values) -> float:
    """Return the least part of the maximum at the knee and beyond it."""
    knee = int(np.argmax(means >= CLOSE * means.max()))
    return float(means[knee:].min() / means.max())


def _first(means: Values) -> float:
    """Return which part of the maximum is reached at the lowest rate."""
    return float(means[0] / means.max())


def _lost_at(data: StudyData, length: int, factor: float) -> float:
    """Return which part of the maximum is lost at a multiple of the optimal rate."""
    means = throughput(data, str(length)).mean(axis=1)
    at = int(np.argmax(means))
    return 1 - float(np.interp(data.x[at] * factor, data.x, means) / means[at])


# ---- figures 2 and 3 -----------------------------------------------------------------------------


def flat_up_to_four(study: Study, note: str = "") -> Claim:
    """Claim that short chains keep what they reach."""

    def judge(data: Data) -> Finding:
        compared, parts = [], []
        for length in _curves(data.studies[study.name], (2, 3, 4)):
            least = _of_curve(data, study, length, _least)
            start = _of_curve(data, study, length, _first)
            compared += [
                at_least(least, CLOSE, f"what {length} nodes keep"),
                below(start, RISEN, f"what {length} nodes have at the lowest rate"),
            ]
            parts.append(f"{length} nodes {least.value:.2f}")
        return finding(f"least beyond the knee, of the maximum: {', '.join(parts)}", compared)

    return Claim(
        "with 2, 3 and 4 nodes the throughput increases up to a certain point and then stays flat",
        f"beyond the knee at least {CLOSE:g} of the maximum, less than half at the lowest rate",
        judge,
        note,
    )


def falls_beyond_four(study: Study, note: str = "") -> Claim:
    """Claim that longer chains lose throughput beyond their optimum."""

    def judge(data: Data) -> Finding:
        left = {
            length: _of_curve(data, study, length, _left)
            for length in _long(data.studies[study.name])
        }
        text = ", ".join(f"{length} nodes {one.value:.2f}" for length, one in left.items())
        return finding(
            f"left at the highest rate: {text}",
            [below(one, CLOSE, f"{length} nodes") for length, one in left.items()],
        )

    return Claim(
        "with more than 4 nodes DCF fails to schedule packets optimally: the throughput decreases",
        f"less than {CLOSE:g} of the maximum left at the highest rate with each length",
        judge,
        note,
    )


def up_to(study: Study, note: str = "") -> Claim:
    """Claim the largest loss of all chains and rates."""

    def measure(data: Data) -> list[float]:
        curves = _curves(data.studies[study.name]).values()
        losses = [1 - curve.mean(1)[best(curve) :].min() / curve.mean(1).max() for curve in curves]
        return [100 * float(max(losses))]

    return stated(
        "a decrease of up to 55 % of the optimal throughput may be experienced",
        "55",
        " %",
        measure,
        note,
    )


def slightly_above(study: Study, note: str = "") -> Claim:
    """Claim the largest loss close to the optimal rate."""

    def measure(data: Data) -> list[float]:
        measured = data.studies[study.name]
        losses = [0.0]
        for curve in _curves(measured).values():
            at = best(curve)
            near = (measured.x > measured.x[at]) & (measured.x <= SLIGHTLY * measured.x[at])
            means = curve.mean(axis=1)
            losses += [1 - float(value / means[at]) for value in means[near]]
        return [100 * max(losses)]

    claim = stated(
        "slightly increasing the sending rate over the optimal value may decrease throughput by up "
        "to 55 %",
        "55",
        " %",
        measure,
        note,
    )
    return Claim(
        claim.text, f"{claim.expected}, at most 10 % above the optimal rate", claim.judge, note
    )


def left_at_excess(study: Study, paper: str, note: str = "") -> Claim:
    """Claim what is left at excessive rates over the longest chain."""

    def judge(data: Data) -> Finding:
        longest = max(_curves(data.studies[study.name]))
        steady = _of_curve(data, study, longest, lambda means: float(means[-1] / means[-2]))
        last = _of_curve(data, study, longest, lambda means: float(means[-1] / 1e3))
        return finding(
            f"{last.value / steady.value:.0f} and {last.value:.0f} kbit/s, {longest} nodes",
            [
                between(steady, *WITHIN, "the last rate over the one before"),
                stated_within(last, float(paper), STATED, "kbit/s"),
            ],
        )

    return Claim(
        f"an excessive sending rate results in stabilization of the throughput at {paper} kbit/s",
        f"{paper} kbit/s, within {STATED:.0%}, at the highest rate over the longest chain; the "
        "rate before it within 10 % of that",
        judge,
        note,
    )


def shorter_is_higher(study: Study, note: str = "") -> Claim:
    """Claim that the lines of shorter chains lie higher."""

    def judge(data: Data) -> Finding:
        curves = _curves(data.studies[study.name])
        means = [curves[length].mean(axis=0) for length in sorted(curves)]
        text = " ".join(
            f"{length}: {mean.mean() / 1e3:.0f}"
            for length, mean in zip(sorted(curves), means, strict=True)
        )
        names = [f"{length} nodes" for length in sorted(curves)]
        return finding(f"mean over the rates by nodes, kbit/s: {text}", falling(means, names))

    return Claim(
        "higher lines represent chains of shorter length",
        "on the mean over all rates more than the next longer chain",
        judge,
        note,
    )


def slides_with_three(study: Study, note: str = "") -> Claim:
    """Claim that with acknowledgments already 3 nodes lose throughput."""

    def judge(data: Data) -> Finding:
        left = _of_curve(data, study, 3, _left)
        return finding(f"{left.value:.2f} of the maximum left", [below(left, CLOSE)])

    return Claim(
        "the throughput slides from the optimal level even for the chain of 3 nodes",
        f"less than {CLOSE:g} of the maximum left at the highest rate",
        judge,
        note,
    )


def sharper_from_four(study: Study, note: str = "") -> Claim:
    """Claim that from 4 nodes on hidden terminals make the slope sharper."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        three = _lost_at(measured, SHORT - 1, TWICE)
        compared, parts = [], []
        for length in (length for length in _curves(measured) if length >= SHORT):
            parts.append(f"{length} nodes {_lost_at(measured, length, TWICE):.0%}")

            def more(left: Data, length: int = length) -> float:
                one, other = (_lost_at(left.studies[study.name], n, TWICE) for n in (length, 3))
                return one - other

            compared.append(above(estimate(data, more), 0, f"{length} nodes less 3"))
        text = f"lost at twice the optimal rate: 3 nodes {three:.0%}, {', '.join(parts)}"
        return finding(text, compared)

    return Claim(
        "the slope for chains of 4 and more nodes is sharper than for the chain of 3 nodes",
        "a larger share lost at twice the optimal rate with each length",
        judge,
        note,
    )


# ---- figure 4 ------------------------------------------------------------------------------------


def _rows(data: StudyData, one: str, other: str) -> dict[float, Estimate]:
    """Return the ratio of the throughputs of two schemes for each number of nodes."""
    pairs = zip(data.x, throughput(data, one), throughput(data, other), strict=True)
    return {float(x): ratio(own, reference) for x, own, reference in pairs}


def _at_lengths(ratios: dict[float, Estimate]) -> str:
    return ", ".join(f"{x:g}: {one.value - 1:+.0%}" for x, one in ratios.items())


def cl_first(study: Study, note: str = "") -> Claim:
    """Claim that CL is first over every chain."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        compared, parts = [], []
        for name in (CL_ACK, TCP):
            title, ratios = study.variants[name].title, _rows(measured, CL, name)
            compared += [
                above(one, 1, f"CL over {title}, {x:g} nodes") for x, one in ratios.items()
            ]
            parts.append(f"over {title} {_at_lengths(ratios)}")
        return finding("; ".join(parts), compared)

    return Claim("CL outperforms both CL_ack and TCP", "more over every chain", judge, note)


def ack_above_tcp(study: Study, note: str = "") -> Claim:
    """Claim that CL_ack is far above TCP over chains of 4 and more nodes."""

    def judge(data: Data) -> Finding:
        ratios = _rows(data.studies[study.name], CL_ACK, TCP)
        compared = [
            at_least(one, GREATLY, f"{x:g} nodes") for x, one in ratios.items() if x >= SHORT
        ]
        return finding(_at_lengths(ratios), compared)

    return Claim(
        "CL_ack greatly outperforms TCP for chains of 4 and more nodes",
        f"by at least {GREATLY - 1:.0%} over each",
        judge,
        note,
    )


def similar_over_short(study: Study, note: str = "") -> Claim:
    """Claim that CL_ack and TCP are alike over short routes, and only there (4.2).

    The paper points to figure 4, which counts nodes, and over 4 of them says the opposite (4.1).
    """

    def beyond(data: Data) -> float:
        """Return how far they are apart over longer chains, on the mean."""
        ratios = _rows(data.studies[study.name], CL_ACK, TCP)
        return float(np.mean([abs(one.value - 1) for x, one in ratios.items() if x >= SHORT]))

    def judge(data: Data) -> Finding:
        ratios = _rows(data.studies[study.name], CL_ACK, TCP)
        near = [(x, one) for x, one in ratios.items() if x < SHORT]
        far = estimate(data, beyond)
        apart = ", ".join(f"{x:g} nodes {abs(one.value - 1):.0%}" for x, one in near)
        return finding(
            f"{apart} apart, beyond {far.value:.0%}",
            [
                *(between(one, *WITHIN, f"CL_ack over TCP, {x:g} nodes") for x, one in near),
                above(far, 1 - CLOSE, "the distance beyond"),
            ],
        )

    return Claim(
        "for routes of 2 to 3 hops the performance of TCP and CBR-ACK is similar (4.2)",
        "within 10 % over 2 and over 3 nodes, which figure 4 counts; over longer chains more than "
        "10 % apart on the mean",
        judge,
        note,
    )


def constant_and_falling(study: Study, note: str = "") -> Claim:
    """Claim that CL does not depend on the length, and the others do."""

    def long(data: Data, name: str) -> Values:
        measured = data.studies[study.name]
        means: Values = throughput(measured, name)[measured.x > SHORT].mean(axis=1)
        return means

    def apart(data: Data) -> float:
        means = long(data, CL)
        return float(np.abs(means / means.mean() - 1).max())

    def judge(data: Data) -> Finding:
        compared = [at_most(estimate(data, apart), 1 - CLOSE, "CL's distance from its mean")]
        parts = []
        for name in (CL, CL_ACK, TCP):
            title, means = study.variants[name].title, long(data, name)
            parts.append(f"{title} {' '.join(f'{value / 1e3:.0f}' for value in means)}")
            if name == CL:
                continue

            def left(part: Data, name: str = name) -> float:
                means = long(part, name)
                return float(means[-1] / means[0])

            found = estimate(data, left, log=True)
            compared.append(below(found, CLOSE, f"what {title} keeps"))
        return finding(f"from 5 nodes on, kbit/s: {'; '.join(parts)}", compared)

    return Claim(
        "CL stays almost constant as the number of nodes increases, TCP and CL_ack decrease",
        "with more than 4 nodes CL within 10 % of its mean; the others at least 10 % lower with "
        "the most nodes than with 5",
        judge,
        note,
    )

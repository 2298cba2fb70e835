"""What CL says of its figures, as claims about measured ones: chains.

Beside the rules of all papers (`papers/rules.py`) there are those that only this one needs:

- "flat" is that no rate beyond the first one with 90 % of the maximum has less than 90 % of it;
  what is flat has risen before, from less than half;
- "falls" or "slides" is that at the highest rate less than 90 % of the maximum is left, and that
  the difference is more than chance, with 95 % confidence over the seeds;
- "slightly" above the optimal rate is at most 10 % above it;
- a "sharper slope" is a larger share lost at twice the optimal rate;
- "excessive" is the highest rate, 1200 kbit/s, and "stabilizes" that the last two rates that were
  tried differ by less than 10 %;
- "almost constant" is within 10 % of the mean over the chains of more than 4 nodes, with which the
  route is longer than the distance at which radios can send at the same time;
- "greatly" is by at least 25 %, "similar" within 10 %;
- throughput with acknowledgments counts what was acknowledged.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ...stats import Values
from ..rules import CLOSE, STATED, stated
from ..spec import Claim, Data, Finding, Study, StudyData
from .measures import best, surely, throughput
from .setup import CL, CL_ACK, TCP

SHORT = 4
RISEN = 0.5
SLIGHTLY = 1.1
TWICE = 2.0
GREATLY = 1 + STATED


def _curves(data: StudyData, lengths: Sequence[int] = ()) -> dict[int, Values]:
    """Return the curve of each length that was run: a row for each rate, an entry for each seed."""
    run = [int(name) for name in data.variants]
    return {
        length: throughput(data, str(length)) for length in run if not lengths or length in lengths
    }


def _long(data: StudyData) -> dict[int, Values]:
    return {length: curve for length, curve in _curves(data).items() if length > SHORT}


def _left(curve: Values) -> float:
    """Return which part of the maximum is left at the highest rate."""
    means = curve.mean(axis=1)
    return float(means[-1] / means.max())


def _falls(curve: Values) -> bool:
    return _left(curve) < CLOSE and surely(curve[best(curve)] - curve[-1])


def _lost_at(data: StudyData, curve: Values, factor: float) -> Values:
    """Return which part of the maximum is lost at a multiple of the optimal rate, by seed."""
    at = best(curve)
    rate = data.x[at] * factor
    there = [float(np.interp(rate, data.x, run)) for run in curve.T]
    lost: Values = 1 - np.array(there) / curve[at].mean()
    return lost


# ---- figures 2 and 3 -----------------------------------------------------------------------------


def flat_up_to_four(study: Study, note: str = "") -> Claim:
    """Claim that short chains keep what they reach."""

    def judge(data: Data) -> Finding:
        curves = _curves(data.studies[study.name], (2, 3, 4))
        holds, parts = True, []
        for length, curve in curves.items():
            means = curve.mean(axis=1)
            knee = int(np.argmax(means >= CLOSE * means.max()))
            least = float(means[knee:].min() / means.max())
            holds &= least >= CLOSE and means[0] < RISEN * means.max()
            parts.append(f"{length} nodes {least:.2f}")
        return Finding(holds, f"least beyond the knee, of the maximum: {', '.join(parts)}")

    return Claim(
        "with 2, 3 and 4 nodes the throughput increases up to a certain point and then stays flat",
        f"beyond the knee at least {CLOSE:g} of the maximum, less than half at the lowest rate",
        judge,
        note,
    )


def falls_beyond_four(study: Study, note: str = "") -> Claim:
    """Claim that longer chains lose throughput beyond their optimum."""

    def judge(data: Data) -> Finding:
        curves = _long(data.studies[study.name])
        text = ", ".join(f"{length} nodes {_left(curve):.2f}" for length, curve in curves.items())
        return Finding(all(map(_falls, curves.values())), f"left at the highest rate: {text}")

    return Claim(
        "with more than 4 nodes DCF fails to schedule packets optimally: the throughput decreases",
        f"less than {CLOSE:g} of the maximum left at the highest rate with each length, with 95 % "
        "confidence",
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
        curves = _curves(data.studies[study.name])
        means = curves[max(curves)].mean(axis=1) / 1e3
        steady = abs(means[-1] / means[-2] - 1) < 1 - CLOSE
        near = abs(means[-1] / float(paper) - 1) <= STATED
        return Finding(
            bool(steady and near),
            f"{means[-2]:.0f} and {means[-1]:.0f} kbit/s, {max(curves)} nodes",
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
        means = {length: curve.mean(axis=0) for length, curve in curves.items()}
        higher = [surely(means[one] - means[other]) for one, other in pairwise(sorted(means))]
        text = " ".join(f"{length}: {value.mean() / 1e3:.0f}" for length, value in means.items())
        return Finding(all(higher), f"mean over the rates by nodes, kbit/s: {text}")

    return Claim(
        "higher lines represent chains of shorter length",
        "on the mean over all rates more than the next longer chain, with 95 % confidence",
        judge,
        note,
    )


def slides_with_three(study: Study, note: str = "") -> Claim:
    """Claim that with acknowledgments already 3 nodes lose throughput."""

    def judge(data: Data) -> Finding:
        curve = _curves(data.studies[study.name])[3]
        return Finding(_falls(curve), f"{_left(curve):.2f} of the maximum left")

    return Claim(
        "the throughput slides from the optimal level even for the chain of 3 nodes",
        f"less than {CLOSE:g} of the maximum left at the highest rate, with 95 % confidence",
        judge,
        note,
    )


def sharper_from_four(study: Study, note: str = "") -> Claim:
    """Claim that from 4 nodes on hidden terminals make the slope sharper."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        lost = {
            length: _lost_at(measured, curve, TWICE)
            for length, curve in _curves(measured).items()
            if length >= SHORT - 1
        }
        three = lost.pop(SHORT - 1)
        text = ", ".join(f"{length} nodes {values.mean():.0%}" for length, values in lost.items())
        return Finding(
            all(surely(values - three) for values in lost.values()),
            f"lost at twice the optimal rate: 3 nodes {three.mean():.0%}, {text}",
        )

    return Claim(
        "the slope for chains of 4 and more nodes is sharper than for the chain of 3 nodes",
        "a larger share lost at twice the optimal rate with each length, with 95 % confidence",
        judge,
        note,
    )


# ---- figure 4 ------------------------------------------------------------------------------------


def _gain(data: StudyData, one: str, other: str) -> Values:
    """Return by which part one is above another: a row for each length, an entry for each seed."""
    reference = throughput(data, other).mean(axis=1, keepdims=True)
    gain: Values = (throughput(data, one) - throughput(data, other)) / reference
    return gain


def _at_lengths(data: StudyData, gains: Values) -> str:
    means = gains.mean(axis=1)
    return ", ".join(f"{x:g}: {gain:+.0%}" for x, gain in zip(data.x, means, strict=True))


def cl_first(study: Study, note: str = "") -> Claim:
    """Claim that CL is first over every chain."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        gains = {other: _gain(measured, CL, other) for other in (CL_ACK, TCP)}
        holds = all(surely(row) for gain in gains.values() for row in gain)
        text = "; ".join(
            f"over {study.variants[name].title} {_at_lengths(measured, gain)}"
            for name, gain in gains.items()
        )
        return Finding(holds, text)

    return Claim(
        "CL outperforms both CL_ack and TCP",
        "more over every chain, with 95 % confidence",
        judge,
        note,
    )


def ack_above_tcp(study: Study, note: str = "") -> Claim:
    """Claim that CL_ack is far above TCP over chains of 4 and more nodes."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        gains = _gain(measured, CL_ACK, TCP)
        means = gains.mean(axis=1)[measured.x >= SHORT]
        return Finding(bool((means >= GREATLY - 1).all()), _at_lengths(measured, gains))

    return Claim(
        "CL_ack greatly outperforms TCP for chains of 4 and more nodes",
        f"by at least {GREATLY - 1:.0%} over each",
        judge,
        note,
    )


def similar_at_two_hops(study: Study, note: str = "") -> Claim:
    """Claim that CL_ack and TCP are alike over short routes, and only there."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        gains = _gain(measured, CL_ACK, TCP)
        near = np.abs(gains[measured.x == SHORT - 1][0])
        beyond = np.abs(gains[measured.x > SHORT]).mean(axis=0)
        apart = abs(float(gains[measured.x == SHORT - 1].mean()))
        far = float(beyond.mean())
        holds = apart <= 1 - CLOSE < far and surely(beyond - near)
        return Finding(holds, f"{apart:.0%} apart, beyond {far:.0%}")

    return Claim(
        "for routes of 2 to 3 hops the performance of TCP and CBR-ACK is similar (4.2)",
        "within 10 % at 2 hops; beyond 3 farther apart, and with 95 % confidence farther than at "
        "2; of 3 hops section 4.1 says the opposite",
        judge,
        note,
    )


def constant_and_falling(study: Study, note: str = "") -> Claim:
    """Claim that CL does not depend on the length, and the others do."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        where = measured.x > SHORT
        curves = {name: throughput(measured, name)[where] for name in (CL, CL_ACK, TCP)}
        means = curves[CL].mean(axis=1)
        apart = float(np.abs(means / means.mean() - 1).max())
        falls = all(_falls(curves[name]) and best(curves[name]) == 0 for name in (CL_ACK, TCP))
        text = "; ".join(
            f"{study.variants[name].title} {' '.join(f'{v / 1e3:.0f}' for v in curve.mean(axis=1))}"
            for name, curve in curves.items()
        )
        return Finding(apart <= 1 - CLOSE and falls, f"from 5 nodes on, kbit/s: {text}")

    return Claim(
        "CL stays almost constant as the number of nodes increases, TCP and CL_ack decrease",
        "with more than 4 nodes CL within 10 % of its mean; the others highest with 5 and at least "
        "10 % lower with the most nodes, with 95 % confidence",
        judge,
        note,
    )

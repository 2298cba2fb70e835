"""What CL says of networks that move, as claims about measured ones.

- "outperforms" is more with one flow and with two, with 95 % confidence over the topologies, all of
  which every scheme runs through;
- a lead is what CL has more than the best fixed rate, in parts of what that has; it is "less
  impressive" if it is less with 95 % confidence;
- TCP "comes near or ahead" if CL_ack is at most 10 % above it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...stats import Values, confidence
from ..rules import CLOSE, kbit, stated
from ..spec import Claim, Data, Finding, Study, StudyData
from .measures import ratio, surely, throughput, total
from .setup import ACK, CBR, CL, CL_ACK, TCP

Measure = Callable[[StudyData, str], Values]
MEASURES: dict[str, Measure] = {"throughput": throughput, "delivery ratio": ratio}


def lead(data: StudyData, one: str, others: Sequence[str]) -> Values:
    """Return what one has more than the best of others on the mean, relative: by x, by seed."""
    curves = {name: throughput(data, name) for name in others}
    rows = []
    for at, own in enumerate(throughput(data, one)):
        top = max((curve[at] for curve in curves.values()), key=lambda row: float(row.mean()))
        rows.append((own - top) / top.mean())
    return np.array(rows)


def less(one: Values, other: Values) -> bool:
    """Find whether the mean of a sample is less than another's, with 95 % confidence."""
    apart = float(other.mean() - one.mean())
    return apart > float(np.hypot(confidence(one), confidence(other)))


def _beats(text: str, study: Study, pair: tuple[str, Sequence[str]], how: str, note: str) -> Claim:
    """Claim that one is above all others with any number of flows."""
    one, others = pair

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        own = MEASURES[how](measured, one)
        curves = {name: MEASURES[how](measured, name) for name in others}
        holds = all(surely(row) for curve in curves.values() for row in own - curve)
        parts = []
        for at, x in enumerate(measured.x):
            name = max(curves, key=lambda name: float(curves[name][at].mean()))
            values = [own[at].mean(), curves[name][at].mean()]
            words = [f"{v:.2f}" for v in values] if how == "delivery ratio" else map(kbit, values)
            mine, best = words
            title = study.variants[name].title
            parts.append(
                f"{'1 flow' if x == 1 else f'{x:g} flows'}: {mine}, the best other ({title}) {best}"
            )
        return Finding(holds, "; ".join(parts))

    return Claim(
        f"{text}: {how}", "higher with 1 and with 2 flows, with 95 % confidence", judge, note
    )


def cl_outperforms(study: Study, how: str, note: str = "") -> Claim:
    """Claim that CL is above all fixed rates."""
    text = "CL consistently outperforms the protocols with fixed rates"
    return _beats(text, study, (CL, CBR), how, note)


def cl_ack_outperforms(study: Study, how: str, note: str = "") -> Claim:
    """Claim that CL_ack is above all fixed rates with acknowledgments."""
    return _beats("CL_ack outperforms non-TCP protocols", study, (CL_ACK, ACK), how, note)


def cl_first(study: Study, note: str = "") -> Claim:
    """Claim that CL is above CL_ack and TCP."""
    return _beats(
        "CL outperforms both CL_ack and TCP", study, (CL, (CL_ACK, TCP)), "throughput", note
    )


def _leads(one: Values, other: Values, words: tuple[str, str]) -> str:
    means = (float(values.mean()) for values in (one, other))
    return ", ".join(f"{word} {mean:+.0%}" for word, mean in zip(words, means, strict=True))


def less_with_two(study: Study, note: str = "") -> Claim:
    """Claim that the lead is smaller with two flows."""

    def judge(data: Data) -> Finding:
        one, two = lead(data.studies[study.name], CL, CBR)
        return Finding(less(two, one), "lead " + _leads(one, two, ("1 flow", "2 flows")))

    return Claim(
        "with two flows the benefits of limiting the sending rate are less impressive",
        "a smaller lead over the best fixed rate, with 95 % confidence",
        judge,
        note,
    )


def more_in_rectangle(rectangle: Study, square: Study, note: str = "") -> Claim:
    """Claim that the lead is larger where routes are longer."""

    def judge(data: Data) -> Finding:
        long, short = (lead(data.studies[s.name], CL, CBR)[0] for s in (rectangle, square))
        return Finding(
            less(short, long), "lead with 1 flow " + _leads(long, short, ("rectangle", "square"))
        )

    return Claim(
        "the results for the rectangular area are more impressive than for the square area",
        "a larger lead over the best fixed rate with one flow, with 95 % confidence",
        judge,
        note,
    )


def more_with_acknowledgments(study: Study, note: str = "") -> Claim:
    """Claim that pacing helps more with acknowledgments."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        answered, plain = lead(measured, CL_ACK, ACK)[0], lead(measured, CL, CBR)[0]
        return Finding(
            less(plain, answered), "lead with 1 flow " + _leads(answered, plain, ("CL_ack", "CL"))
        )

    return Claim(
        "CL_ack in comparison to fixed rates is more impressive than CL",
        "a larger lead over the best fixed rate with one flow, with 95 % confidence",
        judge,
        note,
    )


def above_tcp(study: Study, paper: str, note: str = "") -> Claim:
    """Claim how far CL_ack is above TCP with one flow."""

    def measure(data: Data) -> list[float]:
        measured = data.studies[study.name]
        one, other = (float(throughput(measured, name)[0].mean()) for name in (CL_ACK, TCP))
        return [100 * (one / other - 1)]

    return stated(f"with one flow CL_ack outperforms TCP by {paper} %", paper, " %", measure, note)


def tcp_comes_near(study: Study, note: str = "") -> Claim:
    """Claim that TCP is near or ahead of CL_ack with two flows."""

    def judge(data: Data) -> Finding:
        one, two = lead(data.studies[study.name], CL_ACK, (TCP,))
        near = float(two.mean()) <= 1 - CLOSE
        return Finding(
            near and less(two, one), "CL_ack over TCP " + _leads(one, two, ("1 flow", "2 flows"))
        )

    return Claim(
        "as more flows are introduced, TCP comes closer and even beats CL_ack",
        "with 2 flows CL_ack at most 10 % above TCP, and less above it than with 1, with 95 % "
        "confidence",
        judge,
        note,
    )


def doubles_tcp(study: Study, note: str = "") -> Claim:
    """Claim that CL has twice the throughput of TCP."""

    def measure(data: Data) -> list[float]:
        measured = data.studies[study.name]
        one, other = (float(throughput(measured, name)[0].mean()) for name in (CL, TCP))
        return [one / other]

    return stated(
        "with one flow in the rectangle CL doubles the throughput of TCP", "2.00", "", measure, note
    )


def route_length(study: Study, paper: str, note: str = "") -> Claim:
    """Claim the mean length of routes."""

    def measure(data: Data) -> list[float]:
        measured = data.studies[study.name]
        return [float(total(measured, CL, "hops_mean")[0].mean())]

    return stated(f"the average route length is {paper}", paper, " hops", measure, note)

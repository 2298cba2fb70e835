"""What CL says of networks that move, as claims about measured ones.

- "outperforms" is more with one flow and with two, on the mean over the topologies, all of which
  every scheme runs through: topologies are pairs;
- a lead is what CL has more than the best fixed rate, in parts of what that has;
- TCP "comes near or ahead" if CL_ack is at most 10 % above it;
- a length counts nodes, as figures 2 to 4 do, to which this section points: "2 to 3 hops" are
  lengths over which figure 4 has TCP and CL_ack alike, and over 4 nodes they are not;
- a scenario "with 2 to 3 hops" is one whose packets see 1.5 to 3.5 nodes on the mean, and its
  portion of the average is its part of the throughput of all topologies together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from multihop.reproducing.judging import Number, above, at_most, estimate, finding, higher
from multihop.reproducing.rules import CLOSE, kbit, stated
from multihop.reproducing.spec import Claim, Data, Finding, Study, StudyData
from multihop.statistics.stats import Values

from .measures import ratio, throughput, total
from .setup import ACK, CBR, CL, CL_ACK, TCP

Measure = Callable[[StudyData, str], Values]
MEASURES: dict[str, Measure] = {"throughput": throughput, "delivery ratio": ratio}
# From so many nodes to fewer than so many, on the mean: 2 or 3.
SHORT = (1.5, 3.5)


def lead(
    study: Study, flows: int, one: str, others: Sequence[str], how: str = "throughput"
) -> Number:
    """Return what measures what one has more than the best of others, in parts of that."""

    def measure(data: Data) -> float:
        measured = data.studies[study.name]
        at = list(measured.x).index(flows)
        top = max(float(MEASURES[how](measured, name)[at].mean()) for name in others)
        return float(MEASURES[how](measured, one)[at].mean()) / top - 1

    return measure


def _larger(
    one: Number, other: Number, words: tuple[str, str], text: str
) -> Callable[[Data], Finding]:
    """Return a judge of whether one lead is larger than another."""

    def judge(data: Data) -> Finding:
        leads = ", ".join(
            f"{word} {measure(data):+.0%}"
            for word, measure in zip(words, (one, other), strict=True)
        )
        apart = estimate(data, lambda part: one(part) - other(part))
        return finding(f"{text} {leads}", [above(apart, 0, "their difference")])

    return judge


def _beats(text: str, study: Study, pair: tuple[str, Sequence[str]], how: str, note: str) -> Claim:
    """Claim that one is above all others with any number of flows."""
    one, others = pair

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        own = MEASURES[how](measured, one)
        curves = {name: MEASURES[how](measured, name) for name in others}
        parts, compared = [], []
        for at, x in enumerate(measured.x):
            name = max(curves, key=lambda name: float(curves[name][at].mean()))
            values = [own[at].mean(), curves[name][at].mean()]
            words = [f"{v:.2f}" for v in values] if how == "delivery ratio" else map(kbit, values)
            mine, best = words
            title, flows = study.variants[name].title, "1 flow" if x == 1 else f"{x:g} flows"
            parts.append(f"{flows}: {mine}, the best other ({title}) {best}")
            compared += [
                higher(own[at], curve[at], f"the ratio to {study.variants[name].title}, {flows}")
                for name, curve in curves.items()
            ]
        return finding("; ".join(parts), compared)

    return Claim(f"{text}: {how}", "higher with 1 and with 2 flows", judge, note)


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


def less_with_two(study: Study, note: str = "") -> Claim:
    """Claim that the lead is smaller with two flows."""
    one, two = (lead(study, flows, CL, CBR) for flows in (1, 2))
    return Claim(
        "with two flows the benefits of limiting the sending rate are less impressive",
        "a smaller lead over the best fixed rate",
        _larger(one, two, ("1 flow", "2 flows"), "lead"),
        note,
    )


def more_in_rectangle(rectangle: Study, square: Study, note: str = "") -> Claim:
    """Claim that the lead is larger where routes are longer."""
    long, short = (lead(study, 1, CL, CBR) for study in (rectangle, square))
    return Claim(
        "the results for the rectangular area are more impressive than for the square area",
        "a larger lead over the best fixed rate with one flow",
        _larger(long, short, ("rectangle", "square"), "lead with 1 flow"),
        note,
    )


def more_with_acknowledgments(study: Study, note: str = "") -> Claim:
    """Claim that pacing helps more with acknowledgments."""
    answered, plain = lead(study, 1, CL_ACK, ACK), lead(study, 1, CL, CBR)
    return Claim(
        "CL_ack in comparison to fixed rates is more impressive than CL",
        "a larger lead over the best fixed rate with one flow",
        _larger(answered, plain, ("CL_ack", "CL"), "lead with 1 flow"),
        note,
    )


def above_tcp(study: Study, paper: str, note: str = "") -> Claim:
    """Claim how far CL_ack is above TCP with one flow."""

    def measure(data: Data) -> list[float]:
        measured = data.studies[study.name]
        one, other = (float(throughput(measured, name)[0].mean()) for name in (CL_ACK, TCP))
        return [100 * (one / other - 1)]

    return stated(f"with one flow CL_ack outperforms TCP by {paper} %", paper, " %", measure, note)


def tcp_comes_near(study: Study, how: str, note: str = "") -> Claim:
    """Claim that TCP is near or ahead of CL_ack with two flows."""
    one, two = (lead(study, flows, CL_ACK, (TCP,), how) for flows in (1, 2))

    def judge(data: Data) -> Finding:
        apart = estimate(data, lambda part: one(part) - two(part))
        text = f"CL_ack over TCP 1 flow {one(data):+.0%}, 2 flows {two(data):+.0%}"
        return finding(
            text,
            [
                at_most(estimate(data, two), 1 - CLOSE, "CL_ack over TCP with 2 flows"),
                above(apart, 0, "the difference"),
            ],
        )

    return Claim(
        f"as more flows are introduced, TCP comes closer and even beats CL_ack: {how}",
        "with 2 flows CL_ack at most 10 % above TCP, and less above it than with 1",
        judge,
        note,
    )


def _lengths(measured: StudyData, variant: str) -> Values:
    """Return the mean length of the routes of a flow that is alone, in nodes, for each topology."""
    lengths: Values = total(measured, variant, "hops_mean")[0] + 1
    return lengths


def _of_short_routes(study: Study, variant: str) -> Number:
    """Return what measures which portion of the average is of scenarios with 2 to 3 hops."""

    def measure(data: Data) -> float:
        measured = data.studies[study.name]
        rates, length = throughput(measured, variant)[0], _lengths(measured, variant)
        return float(rates[(length >= SHORT[0]) & (length < SHORT[1])].sum() / rates.sum())

    return measure


def short_routes_contribute(rectangle: Study, square: Study, note: str = "") -> Claim:
    """Claim the paper's reason why CL_ack is less ahead of TCP in the square (CL 4.2)."""

    def judge(data: Data) -> Finding:
        parts, compared = [], []
        for variant in (CL_ACK, TCP):
            title = square.variants[variant].title
            short, long = (_of_short_routes(study, variant) for study in (square, rectangle))
            parts.append(f"{title} {short(data):.0%}, rectangle {long(data):.0%}")
            apart = estimate(data, lambda part, a=short, b=long: a(part) - b(part))  # type: ignore[misc]
            compared.append(above(apart, 0, f"{title}'s difference"))
        return finding("; ".join(parts), compared)

    return Claim(
        "for the square a larger portion of the average is contributed by scenarios with 2 to 3 "
        "hops",
        "a larger part of the throughput of all topologies than in the rectangle, of CL_ack's and "
        "of TCP's, with one flow",
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
        # A topology in which no packet arrives has no route.
        lengths = _lengths(measured, CL)
        known = lengths[np.isfinite(lengths)]
        return [float(known.mean()) if len(known) else np.nan]

    return stated(f"the average route length is {paper}", paper, " nodes", measure, note)

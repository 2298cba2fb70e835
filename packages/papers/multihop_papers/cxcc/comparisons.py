"""What CXCC says of one set of runs against another: shadowing, and the crosses (CXCC 7.1)."""

from __future__ import annotations

from multihop.reproducing.judging import above, below, estimate, finding
from multihop.reproducing.spec import Claim, Data, Finding, Study, StudyData

from .relations import DELAY, GOODPUT, OVERHEAD, each, factors, high, level, ratio, titles
from .setup import BOTH_UDP, RFA


def worse_under_shadowing(plain: Study, shadowed: Study, column: str, note: str = "") -> Claim:
    """Claim that shadowing costs every variant: throughput falls, delay or overhead rises."""
    variants = list(plain.variants)

    def measure(data: Data) -> list[float]:
        before, after = data.studies[plain.name], data.studies[shadowed.name]
        return [_level(after, v, column) / _level(before, v, column) for v in variants]

    def judge(data: Data) -> Finding:
        named, values = factors(data, measure, titles(plain, variants))
        worse = below if column == GOODPUT else above
        text = "times " + each(data.studies[plain.name], variants, values)
        return finding(text, [worse(one, 1, name) for one, name in named])

    what = {
        GOODPUT: ("every maximum is lower than without shadowing", "every factor below 1"),
        DELAY: (
            "every network delay at high load is longer than without shadowing",
            "every factor above 1",
        ),
        OVERHEAD: ("every overhead at high load is larger than without", "every factor above 1"),
    }[column]
    return Claim(*what, judge, note)


def _level(data: StudyData, variant: str, column: str) -> float:
    if column == GOODPUT:
        return float(data.mean(variant, column).max())
    return level(data, variant, column, high(data))


def larger_advantage(plain: Study, shadowed: Study, column: str, note: str = "") -> Claim:
    """Claim that CXCC+RFA is ahead of UDP by more under shadowing: "the advantage increases"."""
    text = "CXCC+RFA's advantage over UDP grows under shadowing"
    return _ahead_by_more(text, plain, shadowed, column, note)


def amplified(counterpart: Study, cross: Study, column: str, note: str = "") -> Claim:
    """Claim that CXCC+RFA is ahead of UDP by more where two chains cross.

    CXCC 7.1: "the cross topology and the bidirectional cross are generally very similar to their
    respective counterparts, with further amplified differences"; under shadowing "with further
    pronounced differences".
    """
    text = "CXCC+RFA's advantage over UDP is larger in the cross"
    return _ahead_by_more(text, counterpart, cross, column, note)


def _ahead_by_more(text: str, one: Study, other: Study, column: str, note: str) -> Claim:
    def both(data: Data) -> list[float]:
        return [_advantage(data.studies[study.name], column) for study in (one, other)]

    def judge(data: Data) -> Finding:
        before, after = both(data)
        found = estimate(data, lambda part: both(part)[1] / both(part)[0], log=True)
        text = f"{after:.2f} times, against {before:.2f}"
        return finding(text, [above(found, 1, "their ratio")])

    return Claim(text, "the ratio to the better UDP curve at high load is larger", judge, note)


def _advantage(data: StudyData, column: str) -> float:
    where = high(data)
    if column == GOODPUT:
        return min(ratio(data, column, RFA, udp, where) for udp in BOTH_UDP)
    return min(ratio(data, column, udp, RFA, where) for udp in BOTH_UDP)

"""What CXCC says of starved connections in random networks (figure 15).

A connection is starved if it delivers fewer than 50 packets in the 200 s that are measured: the
paper's own criterion of too few (7.3), and 1 kbit/s. A network has five connections.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from multihop.reproducing.judging import (
    Compared,
    above,
    at_most,
    difference,
    estimate,
    fact,
    finding,
)
from multihop.reproducing.spec import Claim, Data, Finding, Study, StudyData
from multihop.statistics.stats import Values

from .connections import connections
from .relations import title
from .rivals import CXCC, LEAST_PACKETS, NEWRENO, NEWRENO_RTS, TCPS


def starving(measured: StudyData, variant: str) -> Values:
    """Count the connections that hardly deliver anything, in each scenario."""
    delivered: Values = connections(measured, variant)["delivered"].to_numpy()
    counts: Values = (delivered.reshape(len(measured.x), -1) < LEAST_PACKETS).sum(axis=1)
    return counts


def starved(measured: StudyData, variant: str) -> int:
    """Count the connections that hardly deliver anything."""
    return int(starving(measured, variant).sum())


def _counts(measured: StudyData, variants: Sequence[str]) -> str:
    names = (title(measured.study, variant) for variant in variants)
    of = len(connections(measured, variants[0]))
    counts = zip(names, (starved(measured, variant) for variant in variants), strict=True)
    return "; ".join(f"{name} {count}" for name, count in counts) + f" of {of}"


def newreno_starves(study: Study, note: str = "") -> Claim:
    """Claim that NewReno starves connections."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        both = (NEWRENO, NEWRENO_RTS)
        there = [above(fact(starved(measured, variant)), 0) for variant in both]
        more = [_more_starve(measured, variant, measured, CXCC) for variant in both]
        return finding(_counts(measured, (CXCC, *both)), there + more)

    return Claim(
        "some connections are starved completely or almost completely by NewReno",
        f"fewer than {LEAST_PACKETS} packets in 200 s for at least one, with RTS/CTS and without; "
        "for more in a network than with CXCC",
        judge,
        note,
    )


def rts_aggravates(study: Study, note: str = "") -> Claim:
    """Claim that RTS/CTS makes NewReno starve more."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        more = _more_starve(measured, NEWRENO_RTS, measured, NEWRENO)
        return finding(_counts(measured, (NEWRENO, NEWRENO_RTS)), [more])

    return Claim(
        "the problem aggravates with RTS/CTS",
        "more connections of a network are starved",
        judge,
        note,
    )


def _more_starve(one: StudyData, variant: str, other: StudyData, beside: str) -> Compared:
    """Compare: in a network more connections starve than with another variant or model."""
    names = f"{title(one.study, variant)}'s surplus in a network"
    return above(difference(starving(one, variant), starving(other, beside)), 0, names)


def less_pronounced(plain: Study, shadowed: Study, note: str = "") -> Claim:
    """Claim that NewReno starves fewer connections under shadowing."""

    def judge(data: Data) -> Finding:
        both = (NEWRENO, NEWRENO_RTS)
        before, after = data.studies[plain.name], data.studies[shadowed.name]
        fewer = [_more_starve(before, variant, after, variant) for variant in both]
        return finding(f"{_counts(after, both)}; before: {_counts(before, both)}", fewer)

    text = "NewReno starves fewer connections than with two-ray ground"
    return Claim(text, "fewer, with RTS/CTS and without", judge, note)


def none_starves(study: Study, note: str = "") -> Claim:
    """Claim that CXCC never starves a connection."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        least = connections(measured, CXCC)["goodput_bit_s"].min()
        text = f"{_counts(measured, (CXCC,))}; the least gets {float(str(least)) / 1e3:.2f} kbit/s"
        return finding(text, [at_most(fact(starved(measured, CXCC)), 0)])

    return Claim(
        "CXCC never starves a connection",
        f"none delivers fewer than {LEAST_PACKETS} packets in 200 s",
        judge,
        note,
    )


def long_ones_starve(study: Study, note: str = "") -> Claim:
    """Claim that "TCP often starves in particular those flows that traverse many hops" (7.3)."""

    def shares(data: Data) -> list[float]:
        measured = data.studies[study.name]
        found = connections(measured, TCPS[0])["hops"].to_numpy()
        many = found > found.mean()
        starves = [
            connections(measured, name)["delivered"].to_numpy() < LEAST_PACKETS for name in TCPS
        ]
        return [float(np.mean([row[chosen] for row in starves])) for chosen in (many, ~many)]

    def judge(data: Data) -> Finding:
        many, few = shares(data)
        found = estimate(data, lambda part: float(-np.diff(shares(part))[0]))
        text = f"{many:.0%} of those over more hops than the mean, {few:.0%} of the others"
        return finding(text, [above(found, 0, "the difference")])

    return Claim(
        "TCP often starves in particular those flows that traverse many hops",
        "of connections over more hops than the mean a larger share starves, all TCPs together",
        judge,
        note,
    )

"""What CXCC says of bit errors (figure 14)."""

from __future__ import annotations

import numpy as np

from multihop.reproducing import judging
from multihop.reproducing.judging import (
    any_of,
    at_least,
    at_most,
    below,
    finding,
    higher,
    opposite,
    together,
)
from multihop.reproducing.rules import STATED, kbit, stated
from multihop.reproducing.spec import Claim, Data, Finding, StudyData
from multihop.statistics.stats import Values

from .relations import DELAY, GOODPUT, each, title
from .rivals import CXCC, ERRORS, NEWRENO, NEWRENO_RTS, TCPS

WINDOW = "flow0_window_mean"


def relative(measured: StudyData, variant: str, column: str) -> Values:
    """Return a column relative to its value without errors."""
    mean = measured.mean(variant, column)
    ratio: Values = mean / mean[0]
    return ratio


def factors(note: str = "") -> Claim:
    """Claim CXCC's own factors: 0.56 for the throughput and 1.95 for the latency."""

    def measure(data: Data) -> list[float]:
        measured = data.studies[ERRORS.name]
        return [float(relative(measured, CXCC, column)[-1]) for column in (GOODPUT, DELAY)]

    text = (
        "CXCC's throughput and network delay change by the stated factors where 40 % of packets "
        "are lost"
    )
    return stated(text, "0.56 1.95", " times", measure, note)


def drops(note: str = "") -> Claim:
    """Claim that NewReno's delay drops by as much as 60 % without RTS/CTS."""

    def measure(data: Data) -> list[float]:
        left = relative(data.studies[ERRORS.name], NEWRENO, DELAY)
        return [100 * (1 - float(left.min()))]

    return stated(
        "without RTS/CTS NewReno's network delay drops by as much", "60", " %", measure, note
    )


def decreases(note: str = "") -> Claim:
    """Claim that NewReno's delay decreases with errors, with RTS/CTS and without."""

    def judge(data: Data) -> Finding:
        measured = data.studies[ERRORS.name]
        both = (NEWRENO, NEWRENO_RTS)
        found = [
            judging.ratio(values[-1], values[0])
            for values in (measured.values(variant, DELAY) for variant in both)
        ]
        compared = [below(one, 1, title(ERRORS, v)) for one, v in zip(found, both, strict=True)]
        return finding(each(measured, both, [one.value for one in found]), compared)

    return Claim(
        "NewReno's network delay decreases with bit errors instead of growing",
        "less than without errors where 40 % of full packets are lost, with RTS/CTS and without",
        judge,
        note,
    )


def smaller_window(note: str = "") -> Claim:
    """Claim the paper's reason: a smaller window of NewReno."""

    def judge(data: Data) -> Finding:
        measured = data.studies[ERRORS.name]
        window = measured.mean(NEWRENO, WINDOW)
        values = measured.values(NEWRENO, WINDOW)
        text = f"{window[0]:.1f} packets without errors, {window[-1]:.1f} with most"
        left = judging.ratio(values[-1], values[0])
        return finding(text, [at_most(left, 1 - STATED, "what is left of it")])

    return Claim(
        "more losses lead to a smaller congestion window of NewReno",
        f"at least {STATED:.0%} smaller where 40 % of full packets are lost",
        judge,
        note,
    )


def performs_well(note: str = "") -> Claim:
    """Claim CXCC's throughput over all loss rates: it "performs very well especially" there."""

    def judge(data: Data) -> Finding:
        measured = data.studies[ERRORS.name]
        own = measured.mean(CXCC, GOODPUT)
        others = np.array([measured.mean(variant, GOODPUT) for variant in TCPS])
        at = int(np.argmin(own / others.max(axis=0)))
        best = TCPS[int(np.argmax(others[:, at]))]
        text = (
            f"at worst {kbit(own[at])} against {kbit(others[:, at].max())} of "
            f"{title(measured.study, best)} where {measured.x[at]:g} % are lost"
        )
        rows = measured.values(CXCC, GOODPUT)
        compared = [
            higher(row, other, f"CXCC over {title(measured.study, variant)} where {x:g} % are lost")
            for variant in TCPS
            for row, other, x in zip(
                rows, measured.values(variant, GOODPUT), measured.x, strict=True
            )
        ]
        return finding(text, compared)

    return Claim(
        "CXCC performs very well in terms of throughput over a wide range of loss rates",
        "the highest throughput at every bit error rate",
        judge,
        note,
    )


def not_the_fastest(note: str = "") -> Claim:
    """Claim that some TCPs have shorter delays than CXCC."""

    def judge(data: Data) -> Finding:
        measured = data.studies[ERRORS.name]
        own = measured.mean(CXCC, DELAY)
        shorter = [v for v in TCPS if (measured.mean(v, DELAY) < own).all()]
        names = ", ".join(title(measured.study, variant) for variant in shorter)
        rows = measured.values(CXCC, DELAY)
        each_tcp = [
            together(
                higher(row, other, f"CXCC over {title(measured.study, variant)}")
                for row, other in zip(rows, measured.values(variant, DELAY), strict=True)
            )
            for variant in TCPS
        ]
        not_all = opposite(together(each_tcp))
        return finding(names or "none", [any_of(each_tcp), not_all])

    return Claim(
        "CXCC's network delay is higher than that of some of the TCP variants",
        "of at least one at every bit error rate, and not of all",
        judge,
        note,
    )


def paid_in_throughput(note: str = "") -> Claim:
    """Claim that a shorter delay is paid for in throughput.

    CXCC 7.2: the delay "should be seen in relation to the higher throughput of CXCC that
    corresponds to a much better media utilization".
    """

    def judge(data: Data) -> Finding:
        measured = data.studies[ERRORS.name]
        own = measured.mean(CXCC, DELAY).mean()
        faster = [v for v in TCPS if measured.mean(v, DELAY).mean() < own]
        rates = measured.values(CXCC, GOODPUT).mean(axis=0)
        found = [judging.ratio(rates, measured.values(v, GOODPUT).mean(axis=0)) for v in faster]
        compared = [
            at_least(one, 1 + STATED, f"CXCC's over {title(measured.study, variant)}'s")
            for one, variant in zip(found, faster, strict=True)
        ]
        text = each(measured, faster, [one.value for one in found]) or "no TCP has a lower delay"
        return finding(f"CXCC's throughput over theirs: {text}", compared)

    return Claim(
        "the TCP variants with a lower network delay have a much lower throughput than CXCC",
        f"CXCC's is at least {STATED:.0%} above that of each TCP whose network delay is lower, "
        "on the mean over the bit error rates",
        judge,
        note,
    )

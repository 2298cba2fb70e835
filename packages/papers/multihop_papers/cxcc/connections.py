"""What CXCC says of endless connections in random networks (figures 15 to 18).

The rules of `relations.py` hold here as well; the others are:

- a connection is what one scenario's pair of nodes gets, in the mean over the runs of the scenario;
- "significant" is by at least 25 %; "without a loss" is at least 0.9;
- fairness is the mean over the scenarios of Jain's index over their five connections;
- what is drawn at random are the networks: intervals are over them, and pairs have one network.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import polars as pl

from multihop.reproducing.judging import (
    Estimate,
    above,
    any_of,
    at_least,
    at_most,
    below,
    estimate,
    estimates,
    finding,
)
from multihop.reproducing.rules import CLOSE, STATED, kbit, percent_more, stated
from multihop.reproducing.spec import Claim, Data, Finding, Study, StudyData
from multihop.statistics.stats import Values, jain

from .relations import each, factors, title, titles
from .rivals import (
    ADTCP,
    ADTCP_RTS,
    CXCC,
    LEAST_PACKETS,
    MODIFIED,
    NEWRENO,
    NEWRENO_RTS,
    TCP_AP,
    TCP_AP_RTS,
    TCPS,
)

CONNECTION = ("x", "flow")
PLAIN = (NEWRENO, ADTCP, TCP_AP)
WITH_RTS = (NEWRENO_RTS, ADTCP_RTS, TCP_AP_RTS)
SIGNIFICANT = 1 + STATED


def connections(measured: StudyData, variant: str) -> pl.DataFrame:
    """Return every connection's goodput, packets, delay and hops, means over its runs."""
    own = measured.flows.filter(variant=variant).group_by(CONNECTION)
    columns = pl.col("goodput_bit_s", "delivered", "hops")
    # A run that delivers nothing has no delay.
    delay = pl.col("network_delay_mean_s").fill_nan(None).mean()
    return own.agg(columns.mean(), delay).sort(CONNECTION)


def goodputs(measured: StudyData, variant: str) -> Values:
    """Return the goodput of every connection in bit/s: by scenario, by flow."""
    rates: Values = connections(measured, variant)["goodput_bit_s"].to_numpy()
    return rates.reshape(len(measured.x), -1)


def total(measured: StudyData, variant: str) -> float:
    """Return the mean of the scenarios' total goodput in bit/s."""
    return float(goodputs(measured, variant).sum(axis=1).mean())


def weighted(measured: StudyData, variant: str) -> float:
    """Return the same with each connection's goodput times its hops."""
    found = connections(measured, variant)
    return float((found["goodput_bit_s"] * found["hops"]).sum()) / len(measured.x)


def fairness(measured: StudyData, variant: str) -> float:
    """Return the mean of the scenarios' Jain indices."""
    return float(np.mean([jain(rates) for rates in goodputs(measured, variant)]))


def _over(
    data: Data,
    study: Study,
    measure: Callable[[StudyData, str], float],
    own: str,
    others: Sequence[str],
) -> list[tuple[Estimate, str]]:
    """Return a variant's number over that of each of some others, with their names."""

    def ratios(part: Data) -> list[float]:
        measured = part.studies[study.name]
        return [measure(measured, own) / measure(measured, name) for name in others]

    return factors(data, ratios, titles(study, others))[0]


def fairer(study: Study, note: str = "") -> Claim:
    """Claim that CXCC is significantly more fair than TCP, "without a loss in throughput"."""
    others = (NEWRENO, NEWRENO_RTS)

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        names = (CXCC, *others)
        indices = [fairness(measured, name) for name in names]
        totals = {name: total(measured, name) for name in names}
        text = f"{each(measured, names, indices)}; {_kbits(measured, totals)}"
        fairer = _over(data, study, fairness, CXCC, others)
        as_much = _over(data, study, total, CXCC, others)
        compared = [
            *(at_least(one, SIGNIFICANT, f"Jain index over {name}'s") for one, name in fairer),
            *(at_least(one, CLOSE, f"total over {name}'s") for one, name in as_much),
        ]
        return finding(text, compared)

    return Claim(
        "CXCC behaves significantly more fair than TCP, without a loss in throughput",
        f"a Jain index at least {STATED:.0%} above NewReno's, and at least {CLOSE} of its total",
        judge,
        note,
    )


def rts_costs(study: Study, note: str = "") -> Claim:
    """Claim that "RTS/CTS generally seems to have a negative impact on throughput and fairness"."""
    pairs = tuple(zip(PLAIN, WITH_RTS, strict=True))

    def measure(data: Data) -> list[float]:
        measured = data.studies[study.name]
        logs = [
            [math.log(number(measured, rts) / number(measured, plain)) for plain, rts in pairs]
            for number in (total, fairness)
        ]
        return [math.exp(sum(row) / len(row)) for row in logs]

    def judge(data: Data) -> Finding:
        totals, indices = estimates(data, measure, log=True)
        text = f"with it {totals.value:.2f} times the total, {indices.value:.2f} times Jain's index"
        compared = [below(totals, 1, "the totals' ratio"), below(indices, 1, "the indices' ratio")]
        return finding(text, compared)

    return Claim(
        "RTS/CTS generally seems to have a negative impact on throughput and fairness",
        "a lower total and a lower Jain index with it, geometric mean over the three TCPs",
        judge,
        note,
    )


def modifications_are_fairer(study: Study, note: str = "") -> Claim:
    """Claim that ADTCP and in particular TCP-AP are fairer than NewReno."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        rows = [[fairness(measured, name) for name in names] for names in (PLAIN, WITH_RTS)]
        texts = (each(measured, *row) for row in zip((PLAIN, WITH_RTS), rows, strict=True))
        rises = [
            above(one, 1, f"{title(study, better)} over {name}")
            for names in (PLAIN, WITH_RTS)
            for worse, better in pairwise(names)
            for one, name in _over(data, study, fairness, better, (worse,))
        ]
        return finding("; ".join(texts), rises)

    return Claim(
        "ADTCP and in particular TCP-AP improve the fairness",
        "a Jain index above NewReno's, and TCP-AP's above ADTCP's, with RTS/CTS and without",
        judge,
        note,
    )


def at_a_cost(study: Study, note: str = "") -> Claim:
    """Claim that this costs them throughput."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        totals = {name: total(measured, name) for name in TCPS}
        less = [
            above(one, 1, f"{title(study, row[0])} over {name}")
            for row in (PLAIN, WITH_RTS)
            for one, name in _over(data, study, total, row[0], row[1:])
        ]
        return finding(_kbits(measured, totals), less)

    return Claim(
        "which comes at the cost of throughput",
        "a total below NewReno's, with RTS/CTS and without",
        judge,
        note,
    )


def _kbits(measured: StudyData, totals: dict[str, float]) -> str:
    return "; ".join(f"{title(measured.study, n)} {kbit(value)}" for n, value in totals.items())


def surplus(study: Study, over: Sequence[str], name: str, note: str = "") -> Claim:
    """Claim that CXCC's total is significantly larger than that of others."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        totals = {name: total(measured, name) for name in (CXCC, *over)}
        own = totals.pop(CXCC)
        text = f"CXCC {kbit(own)}; {_kbits(measured, totals)}"
        found = _over(data, study, total, CXCC, over)
        return finding(
            text, [at_least(one, SIGNIFICANT, f"CXCC over {name}") for one, name in found]
        )

    return Claim(
        f"CXCC has a significant throughput surplus over {name}",
        f"a total at least {STATED:.0%} above each of theirs",
        judge,
        note,
    )


def amplifies(plain: Study, shadowed: Study, note: str = "") -> Claim:
    """Claim that shadowing amplifies CXCC's advantage over NewReno."""

    def both(data: Data) -> list[float]:
        return [
            total(data.studies[study.name], CXCC) / total(data.studies[study.name], NEWRENO)
            for study in (plain, shadowed)
        ]

    def judge(data: Data) -> Finding:
        before, after = both(data)
        found = estimate(data, lambda part: both(part)[1] / both(part)[0], log=True)
        text = f"{after:.2f} times, against {before:.2f}"
        return finding(text, [above(found, 1, "their ratio")])

    return Claim(
        "shadowing amplifies the advantage of CXCC",
        "the ratio of its total to NewReno's is larger",
        judge,
        note,
    )


# ---- figure 16 -----------------------------------------------------------------------------------


def counted(measured: StudyData) -> pl.DataFrame:
    """Return which connections deliver 50 packets with every protocol."""
    every = [
        connections(measured, variant).filter(pl.col("delivered") >= LEAST_PACKETS)
        for variant in measured.variants
    ]
    keys = every[0].select(CONNECTION)
    for found in every[1:]:
        keys = keys.join(found, on=CONNECTION, how="semi")
    return keys


def relative_delay(measured: StudyData, variant: str) -> float:
    """Return the geometric mean of the connections' delays over NewReno's; NaN without any."""
    keys = counted(measured)
    own, reference = (
        keys.join(connections(measured, name), on=CONNECTION, maintain_order="left")[
            "network_delay_mean_s"
        ].to_numpy()
        for name in (variant, NEWRENO)
    )
    return float(np.exp(np.log(own / reference).mean())) if keys.height else float("nan")


def a_fifth(study: Study, note: str = "") -> Claim:
    """Claim that CXCC's delay is a fifth of NewReno's."""

    def measure(data: Data) -> list[float]:
        return [relative_delay(data.studies[study.name], CXCC)]

    return stated("CXCC's mean network delay is a fifth of NewReno's", "0.2", "", measure, note)


def lowered(study: Study, note: str = "") -> Claim:
    """Claim that CXCC and the modifications all have lower delays than NewReno."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        names = (CXCC, *MODIFIED)
        named, values = factors(
            data,
            lambda part: [relative_delay(part.studies[study.name], name) for name in names],
            titles(study, names),
        )
        text = each(measured, names, values)
        return finding(text, [below(one, 1, name) for one, name in named])

    return Claim(
        "CXCC as well as the TCP modifications achieve a lowered network delay",
        "a factor below 1, with RTS/CTS and without",
        judge,
        note,
    )


def rts_can_lower(studies: Sequence[Study], note: str = "") -> Claim:
    """Claim that RTS/CTS can considerably decrease the latency for TCP."""

    def measure(data: Data) -> list[float]:
        return [relative_delay(data.studies[study.name], NEWRENO_RTS) for study in studies]

    def judge(data: Data) -> Finding:
        found = estimates(data, measure, log=True)
        text = " and ".join(f"{one.value:.2f}" for one in found)
        somewhere = any_of(at_most(one, 1 - STATED) for one in found)
        return finding(f"{text} with the two models", [somewhere])

    return Claim(
        "RTS/CTS can considerably decrease the latency for TCP",
        f"NewReno's by at least {STATED:.0%} with one of the two models",
        judge,
        note,
    )


def applies(studies: Sequence[Study], note: str = "") -> Claim:
    """Claim to how many connections the criterion of 50 packets applies."""

    def measure(data: Data) -> list[float]:
        return [
            100
            * counted(data.studies[study.name]).height
            / connections(data.studies[study.name], CXCC).height
            for study in studies
        ]

    text = "50 packets are delivered with every protocol on so many of the connections"
    return stated(text, "60 92", " %", measure, note)


# ---- figures 17 and 18 ---------------------------------------------------------------------------


def overhead(measured: StudyData, variant: str) -> float:
    """Return the bytes on the medium per payload byte and hop, of all scenarios together."""
    runs = measured.runs.filter(variant=variant).with_columns(
        moved=pl.col("medium_bytes") / pl.col("overhead")
    )
    sums = runs.select((pl.col("overhead_with_preambles") * pl.col("moved")).sum(), pl.sum("moved"))
    sent, moved = sums.row(0)
    return float(sent / moved)


def lowest_overhead(study: Study, note: str = "") -> Claim:
    """Claim that every TCP's overhead is significantly higher than CXCC's."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        names = (CXCC, *TCPS)
        text = each(measured, names, [overhead(measured, name) for name in names])
        found = _over(data, study, overhead, CXCC, TCPS)
        compared = [at_most(one, 1 / SIGNIFICANT, f"CXCC over {name}") for one, name in found]
        return finding(text, compared)

    return Claim(
        "all TCP variants have a significantly higher overhead than CXCC",
        f"at least {STATED:.0%} higher",
        judge,
        note,
    )


def utilizes_best(study: Study, note: str = "") -> Claim:
    """Claim that CXCC's goodput weighted by hops is the highest."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        totals = {name: weighted(measured, name) for name in (CXCC, *TCPS)}
        found = _over(data, study, weighted, CXCC, TCPS)
        first = [above(one, 1, f"CXCC over {name}") for one, name in found]
        return finding(_kbits(measured, totals), first)

    return Claim(
        "CXCC is able to utilize the network best",
        "the highest goodput weighted by hops",
        judge,
        note,
    )


def long_ones_gain(study: Study, note: str = "") -> Claim:
    """Claim that weighting by hops favours CXCC: "long connections gain more throughput"."""

    def parts(measured: StudyData) -> list[float]:
        return [
            measure(measured, CXCC) / measure(measured, NEWRENO) for measure in (total, weighted)
        ]

    def gain(data: Data) -> float:
        plain, by_hops = parts(data.studies[study.name])
        return by_hops / plain

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        plain, by_hops = parts(measured)
        text = f"{percent_more(by_hops, plain)}: {by_hops:.2f} of NewReno's against {plain:.2f}"
        found = estimate(data, gain, log=True)
        return finding(text, [at_least(found, SIGNIFICANT, "their ratio")])

    return Claim(
        "the difference to the unweighted goodput is significant: long connections gain more",
        f"weighted by hops, CXCC's part of NewReno's is at least {STATED:.0%} larger",
        judge,
        note,
    )

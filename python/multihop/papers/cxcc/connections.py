"""What CXCC says of endless connections in random networks (figures 15 to 18).

The rules of `relations.py` hold here as well; the others are:

- a connection is what one scenario's pair of nodes gets, in the mean over the runs of the scenario;
- it is starved if it delivers fewer than 50 packets in the 200 s that are measured: the paper's own
  criterion of too few (7.3), and 1 kbit/s;
- "significant" is by at least 25 %; "without a loss" is at least 0.9;
- fairness is the mean over the scenarios of Jain's index over their five connections.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from ...stats import Values, jain
from ..rules import CLOSE, STATED, kbit, percent_more, stated
from ..spec import Claim, Data, Finding, Study, StudyData
from .relations import each, title
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


def starved(measured: StudyData, variant: str) -> int:
    """Count the connections that hardly deliver anything."""
    return int((connections(measured, variant)["delivered"] < LEAST_PACKETS).sum())


def fairness(measured: StudyData, variant: str) -> float:
    """Return the mean of the scenarios' Jain indices."""
    return float(np.mean([jain(rates) for rates in goodputs(measured, variant)]))


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
        most = starved(measured, CXCC)
        found = all(starved(measured, variant) > most for variant in both)
        return Finding(found, _counts(measured, (CXCC, *both)))

    return Claim(
        "some connections are starved completely or almost completely by NewReno",
        f"fewer than {LEAST_PACKETS} packets in 200 s for at least one, with RTS/CTS and without; "
        "for more than with CXCC",
        judge,
        note,
    )


def rts_aggravates(study: Study, note: str = "") -> Claim:
    """Claim that RTS/CTS makes NewReno starve more."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        more = starved(measured, NEWRENO_RTS) > starved(measured, NEWRENO)
        return Finding(more, _counts(measured, (NEWRENO, NEWRENO_RTS)))

    return Claim("the problem aggravates with RTS/CTS", "more connections are starved", judge, note)


def less_pronounced(plain: Study, shadowed: Study, note: str = "") -> Claim:
    """Claim that NewReno starves fewer connections under shadowing."""

    def judge(data: Data) -> Finding:
        both = (NEWRENO, NEWRENO_RTS)
        before, after = data.studies[plain.name], data.studies[shadowed.name]
        fewer = all(starved(after, variant) < starved(before, variant) for variant in both)
        return Finding(fewer, f"{_counts(after, both)}; before: {_counts(before, both)}")

    text = "NewReno starves fewer connections than with two-ray ground"
    return Claim(text, "fewer, with RTS/CTS and without", judge, note)


def none_starves(study: Study, note: str = "") -> Claim:
    """Claim that CXCC never starves a connection."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        least = connections(measured, CXCC)["goodput_bit_s"].min()
        text = f"{_counts(measured, (CXCC,))}; the least gets {float(str(least)) / 1e3:.2f} kbit/s"
        return Finding(starved(measured, CXCC) == 0, text)

    return Claim(
        "CXCC never starves a connection",
        f"none delivers fewer than {LEAST_PACKETS} packets in 200 s",
        judge,
        note,
    )


def fairer(study: Study, note: str = "") -> Claim:
    """Claim that CXCC is significantly more fair than TCP, "without a loss in throughput"."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        names = (CXCC, NEWRENO, NEWRENO_RTS)
        own, *others = indices = [fairness(measured, name) for name in names]
        totals = {name: total(measured, name) for name in names}
        without_loss = totals[CXCC] >= CLOSE * max(totals[name] for name in names[1:])
        text = f"{each(measured, names, indices)}; {_kbits(measured, totals)}"
        return Finding(own >= SIGNIFICANT * float(np.max(others)) and without_loss, text)

    return Claim(
        "CXCC behaves significantly more fair than TCP, without a loss in throughput",
        f"a Jain index at least {STATED:.0%} above NewReno's, and at least {CLOSE} of its total",
        judge,
        note,
    )


def modifications_are_fairer(study: Study, note: str = "") -> Claim:
    """Claim that ADTCP and in particular TCP-AP are fairer than NewReno."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        rows = [[fairness(measured, name) for name in names] for names in (PLAIN, WITH_RTS)]
        rises = all(row[0] < row[1] < row[2] for row in rows)
        texts = (each(measured, *row) for row in zip((PLAIN, WITH_RTS), rows, strict=True))
        return Finding(rises, "; ".join(texts))

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
        less = all(totals[name] < totals[row[0]] for row in (PLAIN, WITH_RTS) for name in row[1:])
        return Finding(less, _kbits(measured, totals))

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
        holds = own >= SIGNIFICANT * max(totals.values())
        return Finding(holds, f"CXCC {kbit(own)}; {_kbits(measured, totals)}")

    return Claim(
        f"CXCC has a significant throughput surplus over {name}",
        f"a total at least {STATED:.0%} above each of theirs",
        judge,
        note,
    )


def amplifies(plain: Study, shadowed: Study, note: str = "") -> Claim:
    """Claim that shadowing amplifies CXCC's advantage over NewReno."""

    def judge(data: Data) -> Finding:
        before, after = (
            total(data.studies[study.name], CXCC) / total(data.studies[study.name], NEWRENO)
            for study in (plain, shadowed)
        )
        return Finding(after > before, f"{after:.2f} times, against {before:.2f}")

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
        found = [relative_delay(measured, name) for name in names]
        return Finding(all(value < 1 for value in found), each(measured, names, found))

    return Claim(
        "CXCC as well as the TCP modifications achieve a lowered network delay",
        "a factor below 1, with RTS/CTS and without",
        judge,
        note,
    )


def rts_can_lower(studies: Sequence[Study], note: str = "") -> Claim:
    """Claim that RTS/CTS can considerably decrease the latency for TCP."""

    def judge(data: Data) -> Finding:
        found = [relative_delay(data.studies[study.name], NEWRENO_RTS) for study in studies]
        text = " and ".join(f"{value:.2f}" for value in found)
        return Finding(min(found) <= 1 - STATED, f"{text} with the two models")

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
        own, *others = found = [overhead(measured, name) for name in names]
        return Finding(min(others) >= SIGNIFICANT * own, each(measured, names, found))

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
        first = all(totals[CXCC] > totals[name] for name in TCPS)
        return Finding(first, _kbits(measured, totals))

    return Claim(
        "CXCC is able to utilize the network best",
        "the highest goodput weighted by hops",
        judge,
        note,
    )


def long_ones_gain(study: Study, note: str = "") -> Claim:
    """Claim that weighting by hops favours CXCC: "long connections gain more throughput"."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        plain, by_hops = (
            measure(measured, CXCC) / measure(measured, NEWRENO) for measure in (total, weighted)
        )
        text = f"{percent_more(by_hops, plain)}: {by_hops:.2f} of NewReno's against {plain:.2f}"
        return Finding(by_hops >= SIGNIFICANT * plain, text)

    return Claim(
        "the difference to the unweighted goodput is significant: long connections gain more",
        f"weighted by hops, CXCC's part of NewReno's is at least {STATED:.0%} larger",
        judge,
        note,
    )

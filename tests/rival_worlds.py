"""Worlds of CXCC's figures 14 to 22: one as the paper says, and one in which nothing is so."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from multihop.reproducing.spec import Study, StudyData
from multihop_papers.cxcc.rivals import (
    ADTCP,
    ADTCP_RTS,
    CXCC,
    ERRORS,
    NEWRENO,
    NEWRENO_RTS,
    NODES,
    SHORT,
    SHORT_SHADOWED,
    TCP_AP,
    TCP_AP_RTS,
)
from multihop_papers.cxcc.setup import UDP
from tests.worlds import measured

Row = dict[str, Any]
HOPS = (2, 3, 5, 7, 8)
FRAMES = {"medium_bytes": 1e6, "transmissions": 1e3, "duration_s": 200.0}
# Of each connection, in kbit/s.
GOODPUTS: dict[str, Sequence[float]] = {
    CXCC: (170, 150, 120, 110, 100),
    NEWRENO: (400, 150, 50, 10, 0.1),
    NEWRENO_RTS: (350, 120, 30, 0.1, 0.1),
    ADTCP: (200, 100, 50, 40, 30),
    ADTCP_RTS: (180, 90, 40, 25, 15),
    TCP_AP: (110, 90, 70, 60, 50),
    TCP_AP_RTS: (100, 80, 60, 50, 40),
}
SHADOWED: dict[str, Sequence[float]] = {
    **GOODPUTS,
    CXCC: (160, 150, 130, 120, 110),
    NEWRENO: (300, 120, 60, 20, 5),
    NEWRENO_RTS: (250, 100, 40, 10, 0.1),
}
DELAYS = {
    CXCC: 0.2,
    NEWRENO: 1,
    NEWRENO_RTS: 0.6,
    ADTCP: 0.8,
    ADTCP_RTS: 0.7,
    TCP_AP: 0.4,
    TCP_AP_RTS: 0.5,
}


def errors(variant: str, lost: float, as_the_paper: bool) -> tuple[Row, list[Row]]:
    """Return what bit errors do: throughput, delay, and the window."""
    share = lost / 40
    delay, slope = {
        CXCC: (0.5, 0.95),
        NEWRENO: (1.0, -0.6),
        NEWRENO_RTS: (0.9, -0.1),
        TCP_AP: (0.2, 0.2),
    }.get(variant, (1.2, 0.3))
    goodput = 80e3 * (1 - 0.44 * share) if variant == CXCC else 60e3 * (1 - 0.6 * share)
    if not as_the_paper:
        goodput, delay, slope = 50e3 if variant == CXCC else 60e3, 1.0, 2.0
        delay = 0.1 if variant == CXCC else 1.0
    row = {
        "goodput_bit_s": goodput,
        "network_delay_mean_s": delay * (1 + slope * share),
        "overhead": 2.0,
    }
    window = 8 * (1 - 0.5 * share) if as_the_paper else 8.0
    return row | FRAMES, [{"window_mean": window}] * 2


def connections(study: str, variant: str, as_the_paper: bool) -> tuple[Row, list[Row]]:
    """Return what five connections get."""
    shadowed = study.endswith("shadowing")
    rates = (SHADOWED if shadowed else GOODPUTS)[variant]
    factor, overhead = DELAYS[variant], 1.4 if variant == CXCC else 2.5
    if not as_the_paper:
        even = (300, 300, 300, 300, 300 if shadowed else 400)
        rates = (100 if shadowed else 200, 0.1, 0.1, 0.1, 0.1) if variant == CXCC else even
        factor, overhead = {CXCC: 3.0, NEWRENO: 1.0}.get(variant, 1.5), 5.0
        overhead = 5.0 if variant == CXCC else 2.0
    flows = [
        {
            "hops": hops,
            "goodput_bit_s": 1e3 * rate,
            "delivered": 1e3 * rate * 200 / (8 * 512),
            "network_delay_mean_s": 0.1 * hops * factor,
        }
        for hops, rate in zip(HOPS, rates, strict=True)
    ]
    return {"overhead": overhead} | FRAMES, flows


# How long a transfer takes for each of its packets, in s, by its number.
TRANSFERS = 10
PACKETS = 50


def duration(variant: str, number: int, as_the_paper: bool) -> float:
    """Return how long a transfer takes, in s."""
    if variant == CXCC:
        return 10.0 + number if as_the_paper else 100.0 + 20 * number
    last = number == TRANSFERS - 1
    return 20.0 + 8 * number + (300 if last else 0) if as_the_paper else 20.0 + number


def transfers(variant: str, as_the_paper: bool) -> tuple[Row, list[Row]]:
    """Return when transfers begin and end."""
    flows = []
    for number in range(TRANSFERS):
        begins = 5.0 * number
        ends = begins + duration(variant, number, as_the_paper)
        row = {"run_offered": PACKETS, "run_delivered": PACKETS}
        flows.append({**row, "first_offer_s": begins, "last_delivery_s": ends})
    return FRAMES, flows


def arrivals(study: Study, as_the_paper: bool) -> pl.DataFrame:
    """Return the series of transfers: one arrival in the middle."""
    rows = [
        {
            "study": study.name,
            "variant": variant,
            "x": float(x),
            "seed": seed,
            "flow": number,
            "time_s": 5.0 * number + duration(variant, number, as_the_paper) / 2,
            "delivered": PACKETS,
        }
        for variant in study.variants
        for x in study.quick_values
        for seed in (1, 2)
        for number in range(TRANSFERS)
    ]
    return pl.DataFrame(rows)


def nodes(variant: str, load: float, as_the_paper: bool) -> tuple[Row, list[Row]]:
    """Return what six nodes carry."""
    knee = 0.15
    goodput = min(load / knee, 1) * 300.0
    falls = (variant == UDP) == as_the_paper
    if load > knee and falls:
        goodput *= 0.15
    return {"goodput_bit_s": goodput} | FRAMES, [{"delivered": 1.0}]


def world(study: Study, as_the_paper: bool) -> StudyData:
    """Make what a study measured in one of the two worlds."""

    def rule(variant: str, x: float, _: int) -> tuple[Row, list[Row]]:
        if study is ERRORS:
            return errors(variant, x, as_the_paper)
        if study is NODES:
            return nodes(variant, x, as_the_paper)
        if study in (SHORT, SHORT_SHADOWED):
            return transfers(variant, as_the_paper)
        return connections(study.name, variant, as_the_paper)

    others = {"series": arrivals(study, as_the_paper)} if "series" in study.tables else None
    return measured(study, rule, others)

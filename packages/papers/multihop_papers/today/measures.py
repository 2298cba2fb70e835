"""What the claims compare, measured in the runs of a radio."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from multihop.reproducing.spec import FIRST, StudyData
from multihop.statistics.stats import Values, jain

from .setups import (
    ADTCP,
    ATP,
    BASIC,
    CL,
    CXCC,
    EXPLICIT,
    HXH,
    LECN,
    LECN_THIN,
    LENGTHS,
    LINK_RED,
    NEWRENO,
    RENO,
    TCP_AP,
    THIN,
    UDP,
    UDP_RTS,
    VEGAS,
    WINDOWS,
    WXCP,
    limited,
)

GOODPUT = "goodput_bit_s"
DELAY = "network_delay_mean_s"
AGAIN = (
    "retransmissions_lost_data",
    "retransmissions_lost_acknowledgment",
    "retransmissions_early_timeout",
)
FEW, MANY = 3, 8
# Of an equal share: a flow with less is starved. And how far above the best rate is slightly.
STARVED, SLIGHTLY = 0.1, 1.25


def _rows(data: StudyData, variant: str, column: str = GOODPUT) -> Values:
    """Return the mean of a column for each x."""
    return data.mean(variant, column)


def _ratio(one: float, other: float) -> float:
    """Return a ratio; NaN over nothing, of which nothing can be said."""
    return one / other if other else math.nan


def _total(data: StudyData, variant: str, column: str = GOODPUT) -> float:
    """Return the mean of a column over all runs."""
    return float(np.nanmean(data.values(variant, column)))


def _at(data: StudyData, variant: str, hops: float, column: str = GOODPUT) -> float:
    at = int(np.argmax(data.x == hops))
    return float(_rows(data, variant, column)[at])


def _jain(data: StudyData, variant: str) -> float:
    """Return the mean over the runs of Jain's index of their flows."""
    shares = data.shares(variant)
    return float(np.mean([jain(run) for x in shares for run in x]))


# ---- the chain with two ways ---------------------------------------------------------------------


def _kept(data: StudyData, variant: str, best_of: str) -> float:
    """Return the goodput at the highest load, over the best of a variant at any load."""
    return float(_rows(data, variant)[-1] / _rows(data, best_of).max())


def _again(data: StudyData, variant: str) -> float:
    """Return data frames sent again for each delivered packet at the highest load."""
    delivered = data.shares(variant)[-1].sum(axis=1)
    again = sum(data.values(variant, column)[-1] for column in AGAIN)
    return float(np.mean(again) / np.mean(delivered))


def _rfa(data: StudyData) -> float:
    return _again(data, CXCC) / _again(data, BASIC)


def _delays(data: StudyData) -> float:
    return float(_rows(data, CXCC, DELAY)[-1] / _rows(data, UDP, DELAY)[-1])


# ---- networks ------------------------------------------------------------------------------------

TCPS = (NEWRENO, ADTCP, TCP_AP)


def _weighted(data: StudyData, variant: str) -> float:
    """Return the mean over the runs of the flows' goodput times their hops."""
    flows = data.flows.filter(variant=variant)
    bits = (flows[GOODPUT] * flows["hops"]).sum()
    return float(bits)


def _competitive(data: StudyData) -> float:
    return _ratio(_weighted(data, CXCC), max(_weighted(data, name) for name in TCPS))


def _energy(data: StudyData) -> float:
    return _total(data, CXCC, "overhead") / min(_total(data, name, "overhead") for name in TCPS)


def _starved(data: StudyData) -> float:
    """Return the share of NewReno's flows with less than a tenth of an equal share."""
    shares = data.shares(NEWRENO)
    equal = shares.mean(axis=2, keepdims=True)
    return float(np.mean(shares < STARVED * equal))


def _fairer(data: StudyData, variant: str, others: Sequence[str]) -> float:
    return _jain(data, variant) - max(_jain(data, other) for other in others)


def _gain(data: StudyData, variant: str, other: str) -> float:
    return _ratio(_total(data, variant), _total(data, other))


# ---- transfers -----------------------------------------------------------------------------------


def _early(data: StudyData, variant: str) -> float:
    """Return how far the later transfer is from half of the goodput, in the first tenth."""
    runs = data.runs.filter(variant=variant)
    tenth = float(runs["duration_s"][0]) / 10
    first = round(float(runs["warmup_s"][0]) / tenth)
    delivered = data.delivered_bytes(variant, 6.0, tenth)[:, :, first].sum(axis=0)
    return float(abs(delivered[-1] / delivered.sum() - 0.5)) if delivered.sum() else 0.5


def _quickly(data: StudyData) -> float:
    return _early(data, WXCP) - _early(data, NEWRENO)


def _in_flight(data: StudyData) -> float:
    column = f"{FIRST}window_mean"
    return _at(data, NEWRENO, 6, column) / _at(data, WXCP, 6, column)


def _over(data: StudyData, variant: str, others: Sequence[str], hops: float) -> float:
    """Return a goodput over the best of others."""
    return _ratio(_at(data, variant, hops), max(_at(data, other, hops) for other in others))


def _degrades(data: StudyData) -> float:
    return _at(data, NEWRENO, 8) / (_at(data, NEWRENO, 2) / 4)


# ---- rates ---------------------------------------------------------------------------------------


def _curves(data: StudyData) -> dict[float, Values]:
    return {hops: _rows(data, f"udp-{hops:g}") for hops in LENGTHS}


def _best_rates(data: StudyData) -> float:
    best = {hops: data.x[np.argmax(curve)] for hops, curve in _curves(data).items()}
    return float(best[2.0] / best[8.0])


def _lost_slightly_above(data: StudyData) -> float:
    lost = [0.0]
    for curve in _curves(data).values():
        at = int(np.argmax(curve))
        near = (data.x > data.x[at]) & (data.x <= SLIGHTLY * data.x[at] + 1e-9)
        lost += [1 - float(value / curve[at]) for value in curve[near]]
    return max(lost)


def _fixed(data: StudyData) -> float:
    """Return what the best rate of each length gives together, over the best rate for all."""
    curves = np.array(list(_curves(data).values()))
    return float(curves.max(axis=1).sum() / curves.sum(axis=0).max())


def _twice(rates: StudyData, transfers: StudyData) -> float:
    """Return the mean over lengths of the best rate's goodput over Reno's."""
    curves = _curves(rates)
    gains = [float(curves[hops].max()) / _at(transfers, RENO, hops) for hops in LENGTHS[1:]]
    return float(np.mean(gains))


class Measured(NamedTuple):
    """What a claim measures: of the studies of these set-ups, the variants that it compares."""

    measure: Callable[..., float]
    needs: Mapping[str, tuple[str, ...]]


def _of_rates(measure: Callable[..., float], **more: tuple[str, ...]) -> Measured:
    """Measure the chains over which rates are swept."""
    chains = tuple(f"udp-{hops:g}" for hops in LENGTHS)
    return Measured(measure, {"rate-chain": chains} | more)


_WITH_TCPS = (CXCC, *TCPS)
MEASURED: dict[str, Measured] = {
    "cxcc-collapse": Measured(
        partial(_kept, variant=UDP, best_of=UDP), {"bidirectional-chain": (UDP,)}
    ),
    "cxcc-rts": Measured(
        partial(_kept, variant=UDP_RTS, best_of=UDP), {"bidirectional-chain": (UDP, UDP_RTS)}
    ),
    "cxcc-adjusts": Measured(
        partial(_kept, variant=CXCC, best_of=CXCC), {"bidirectional-chain": (CXCC,)}
    ),
    "cxcc-utilizes": Measured(
        partial(_kept, variant=CXCC, best_of=UDP), {"bidirectional-chain": (CXCC, UDP)}
    ),
    "cxcc-rfa": Measured(_rfa, {"bidirectional-chain": (CXCC, BASIC)}),
    "cxcc-delay": Measured(_delays, {"bidirectional-chain": (CXCC, UDP)}),
    "cxcc-fair": Measured(
        partial(_fairer, variant=CXCC, others=(NEWRENO,)), {"random": (CXCC, NEWRENO)}
    ),
    "cxcc-competitive": Measured(_competitive, {"random": _WITH_TCPS}),
    "cxcc-energy": Measured(_energy, {"random": _WITH_TCPS}),
    "cxcc-tcp-unfair": Measured(_starved, {"random": (NEWRENO,)}),
    "wxcp-efficiency": Measured(
        partial(_gain, variant=WXCP, other=NEWRENO), {"grid": (WXCP, NEWRENO)}
    ),
    "wxcp-fairness": Measured(
        partial(_fairer, variant=WXCP, others=(NEWRENO,)), {"two-transfers": (WXCP, NEWRENO)}
    ),
    "wxcp-quickly": Measured(_quickly, {"two-transfers": (WXCP, NEWRENO)}),
    "wxcp-in-flight": Measured(_in_flight, {"transfer-chain": (WXCP, NEWRENO)}),
    "hxh-double": Measured(
        partial(_over, variant=HXH, others=(NEWRENO,), hops=6), {"transfer-chain": (HXH, NEWRENO)}
    ),
    "hxh-passive": Measured(
        partial(_over, variant=HXH, others=(EXPLICIT,), hops=6), {"transfer-chain": (HXH, EXPLICIT)}
    ),
    "hxh-fair": Measured(
        partial(_fairer, variant=HXH, others=(NEWRENO, ATP)), {"dumbbell": (HXH, NEWRENO, ATP)}
    ),
    "hxh-mobile": Measured(partial(_gain, variant=HXH, other=NEWRENO), {"mobile": (HXH, NEWRENO)}),
    "lecn-degrades": Measured(_degrades, {"transfer-chain": (NEWRENO,)}),
    "lecn-window": Measured(
        partial(_over, variant=limited(FEW), others=(NEWRENO,), hops=MANY),
        {"transfer-chain": (limited(FEW), NEWRENO)},
    ),
    "lecn-enables": Measured(
        partial(_over, variant=LECN, others=tuple(limited(n) for n in WINDOWS), hops=MANY),
        {"transfer-chain": (LECN, *(limited(n) for n in WINDOWS))},
    ),
    "lecn-staying": Measured(
        partial(_over, variant=LECN, others=(LINK_RED,), hops=MANY),
        {"transfer-chain": (LECN, LINK_RED)},
    ),
    "lecn-best": Measured(
        partial(_over, variant=LECN_THIN, others=(NEWRENO, LECN, THIN, VEGAS), hops=MANY),
        {"transfer-chain": (LECN_THIN, NEWRENO, LECN, THIN, VEGAS)},
    ),
    "cl-route": _of_rates(_best_rates),
    "cl-loss": _of_rates(_lost_slightly_above),
    "cl-double": _of_rates(_twice, **{"transfer-chain": (RENO,)}),
    "cl-fixed": _of_rates(_fixed),
    "cl-flows": Measured(partial(_gain, variant=CL, other=NEWRENO), {"random": (CL, NEWRENO)}),
}

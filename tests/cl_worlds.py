"""Worlds in which what CL says holds, in which it does not, and in which nothing depends."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

import numpy as np

from multihop.reproducing.spec import Data, Panel, Study
from multihop_papers import cl
from multihop_papers.cl import setup
from tests.worlds import Rule, measured

SECONDS = 100.0
# What fills a flow's row where a world does not say.
NOTHING = {
    "segment_retransmissions": 0.0,
    "hops_mean": 1.0,
    "run_duplicates": 0.0,
    "mac_failures": 0.0,
    "rts_failures": 0.0,
    "copies_dropped": 0.0,
}


def flow(offered: float, delivered: float, acknowledged: float = 0.0, **more: float) -> Any:
    return {
        **NOTHING,
        "offered": offered,
        "delivered": delivered,
        "acknowledged": acknowledged,
        **more,
    }


def runs(rule: Callable[[str, float, int], list[Mapping[str, float]]]) -> Rule:
    def row(variant: str, x: float, seed: int) -> Any:
        flows = rule(variant, x, seed)
        return {"duration_s": SECONDS}, flows

    return row


def noise(seed: int) -> float:
    return 1 + 0.002 * seed


def swept(answered: bool, as_the_paper: bool) -> Rule:
    """Let chains have their knee at 100 / hops or 24 packets/s, and fall as the paper says."""

    def row(variant: str, x: float, seed: int) -> Any:
        nodes = int(variant)
        knee = max(100 / (nodes - 1), 24.0) - 0.01 * nodes
        if not as_the_paper:
            knee = 10.0 * nodes
        if answered:
            knee *= 0.8
        carried = min(x, knee)
        last = 2.5 if answered else 8.75
        if as_the_paper and x > knee and answered:
            beyond = min(x / knee - 1, 1.0)
            carried = (
                knee * (1 - 0.2 * beyond)
                if nodes == 3
                else last + (knee - last) * (1 - beyond) * 0.5
            )
            if nodes == 2:
                carried = knee
        elif as_the_paper and x > knee and nodes > 4:
            carried = 0.48 * knee if x < 60 else last
        elif not as_the_paper and nodes <= 4:
            carried = knee * (0.5 + 0.01 * min(x, 30)) if x > 20 else 0.7 * knee
        if not as_the_paper and x > 100 and nodes > 9:
            carried *= 2.0
        carried += 0.05 / nodes if as_the_paper else 0.05 * nodes
        count = SECONDS * carried * noise(seed)
        # From 4 nodes on acknowledgments meet data of hidden nodes.
        collides = (answered and nodes > 3) == as_the_paper
        lost = (0.2 if collides else 0.004) * count * noise(3 * seed)
        return [flow(SECONDS * x, count, count if answered else 0.0, mac_failures=lost)]

    return runs(row)


def compared(as_the_paper: bool) -> Rule:
    def row(variant: str, x: float, seed: int) -> Any:
        cl_rate = max(100 / (x - 1), 24.0)
        factor = {setup.CL_ACK: 0.9, setup.TCP: 0.85}.get(variant, 1.0)
        if x > 3 and variant in (setup.CL_ACK, setup.TCP):
            factor = (0.8 if variant == setup.CL_ACK else 0.5) * (1 - 0.04 * (x - 4))
        rate = cl_rate * factor
        if not as_the_paper:
            rate = 10.0 * x * (1.5 if variant == setup.TCP else 1.0)
        count = SECONDS * rate * noise(seed)
        lost = 0.02 * (x if as_the_paper else 11 - x) * count * noise(3 * seed)
        return [flow(count, count, count, mac_failures=lost)]

    return runs(row)


def cliff(as_the_paper: bool) -> Rule:
    def row(variant: str, x: float, seed: int) -> Any:
        sent = 105 * x
        delivered = sent if x <= setup.LAST_GOOD else 0.56 * 105 * setup.LAST_GOOD
        lost = sent - delivered
        by_mac = 0.105 * lost
        if not as_the_paper:
            sent, delivered, by_mac = 100 * x, 20 * x, 80 * x
        return [flow(sent, delivered * (1 - 1e-4 * seed), mac_failures=by_mac)]

    return runs(row)


def tcp_chain(as_the_paper: bool) -> Rule:
    def row(variant: str, x: float, seed: int) -> Any:
        if as_the_paper:
            drops = {"mac_failures": 70, "rts_failures": 70}
            return [flow(840, 825, 825, segment_retransmissions=65, run_duplicates=10, **drops)]
        drops = {"mac_failures": 7, "rts_failures": 3, "copies_dropped": 3}
        return [flow(2000, 2000, 2000, **drops)]

    return runs(row)


def moving(area: str, as_the_paper: bool) -> Rule:
    """Let CL be first, further ahead in the rectangle, with one flow and with acknowledgments."""

    def row(variant: str, x: float, seed: int) -> Any:
        long = area == setup.RECTANGLE
        rates = {setup.CL: 24.0, setup.ANALYTIC: 22.0, setup.CL_ACK: 18.0, setup.ANALYTIC_ACK: 15.0}
        rates[setup.TCP] = 18 / (1.53 if long else 1.37) if x < 2 else 18.0
        if long and x < 2:
            rates[setup.TCP] = 12.0
        plain, answered = (0.75, 0.5) if long else (0.9, 0.7)
        if x > 1:
            plain, answered = 0.5 + plain / 2, 0.5 + answered / 2
        for at, (cbr, ack) in enumerate(zip(setup.CBR, setup.ACK, strict=True)):
            rates |= {cbr: 24 * plain * (1 - 0.1 * at), ack: 18 * answered * (1 - 0.1 * at)}
        rate, share = rates[variant], 0.9 if variant.startswith("cl") else 0.4
        if variant == setup.TCP and x > 1:
            share = 0.95
        if not as_the_paper:
            rate, share = 1e2 / rate, 1 - share
            if variant == setup.CL:
                rate = 0.5 * x if long else 0.5 + 0.5 * x
            if variant == setup.CL_ACK:
                rate = 0.1 if x < 2 else 60.0
        hops = (7.5 if long else 3.0) if as_the_paper else 1.0
        if as_the_paper and not long and variant in (setup.CL_ACK, setup.TCP):
            hops = 2.0
        count = SECONDS * rate * noise(seed) / x
        one = flow(count / share, count, count, hops_mean=hops)
        return [one] * int(x)

    return runs(row)


def rules(as_the_paper: bool) -> dict[str, Rule]:
    return {
        **{study.name: swept(False, as_the_paper) for study in setup.SWEPT.values()},
        **{study.name: swept(True, as_the_paper) for study in setup.SWEPT_ACK.values()},
        **{study.name: compared(as_the_paper) for study in setup.COMPARED.values()},
        **{study.name: cliff(as_the_paper) for study in setup.CLIFF.values()},
        setup.TCP_CHAIN.name: tcp_chain(as_the_paper),
        **{study.name: moving(area, as_the_paper) for (area, _), study in setup.MOVING.items()},
    }


def known() -> dict[str, Study]:
    return {study.name: study for panel in panels() for study in panel.studies}


@cache
def world(as_the_paper: bool) -> Data:
    made = rules(as_the_paper)
    return Data({name: measured(study, made[name]) for name, study in known().items()})


def without_relations(seed: int, spread: float = 0.01) -> Data:
    """Make a null world: each number is the same everywhere, up to a relative spread by chance."""
    draw = np.random.default_rng(seed)

    def row(variant: str, x: float, seed: int) -> Any:
        counts = {
            "offered": 9e3 * draw.normal(1, spread),
            "delivered": 6e3 * draw.normal(1, spread),
            "acknowledged": 6e3 * draw.normal(1, spread),
            "segment_retransmissions": 1e3 * draw.normal(1, spread),
            "run_duplicates": 1e3 * draw.normal(1, spread),
            "mac_failures": 1e3 * draw.normal(1, spread),
            "rts_failures": 1e3 * draw.normal(1, spread),
            "copies_dropped": 1e3 * draw.normal(1, spread),
            "hops_mean": 1.5 * draw.normal(1, spread),
        }
        return {"duration_s": SECONDS}, [counts]

    return Data({name: measured(study, row) for name, study in known().items()})


def panels() -> list[Panel]:
    return [panel for figure in cl.FIGURES for panel in figure.panels]


NULLS = (
    partial(without_relations, 0, spread=0.0),
    *(partial(without_relations, draw) for draw in range(4)),
)

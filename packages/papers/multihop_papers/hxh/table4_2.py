"""HxH 4.2.1, table 4.2: what the flows of the dumbbell receive in the last thirty seconds."""

from __future__ import annotations

from functools import partial

import numpy as np
from matplotlib.axes import Axes

from multihop.reproducing.judging import (
    above,
    at_least,
    between,
    difference,
    estimates,
    finding,
    mean,
    one_run,
)
from multihop.reproducing.rules import FAIR, like
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel, Study
from multihop.statistics.stats import Values, jain

from .charts import beside_the_paper
from .notes import GEOMETRY, SLOW, UNFAIR
from .relations import calibrated, title
from .setup import ALL_FLOWS_S, ATP, HXH, INTERVAL_S, RATES, SHARED, SIX, SLOWER, TCPS
from .tables import descending, double, of_one_run

TOTALS = dict(zip(SIX, ["5.05", "3.79", "2.29", "2.27", "2.26", "2.17"], strict=True))
FAIRNESS = dict(zip(SIX, ["0.998", "0.993", "0.951", "0.910", "0.956", "0.928"], strict=True))
OTHERS = SIX[1:]
# The step from 1 to what counts as fair.
STEP = 1 - FAIR
# TCP's shares of a single run are a matter of chance.
FLOWS = {HXH: "1.21 1.33 1.31 1.20", ATP: "1.04 0.93 0.99 0.82"}


def _received(data: Data, variant: str, study: Study = SHARED, x: float = 0) -> Values:
    """Return what each flow receives, in 10^6 bytes: by seed, by flow."""
    delivered = data.studies[study.name].delivered_bytes(variant, x, INTERVAL_S)
    received: Values = delivered[:, :, round(ALL_FLOWS_S / INTERVAL_S) :].sum(axis=2) / 1e6
    return received


def _total(data: Data, variant: str) -> Values:
    totals: Values = _received(data, variant).sum(axis=1)
    return totals


def _totals(data: Data, variant: str) -> Values:
    """Return the one number that the table has of a protocol, by run."""
    return _total(data, variant)[None]


def _shares(data: Data, variant: str) -> Values:
    """Return what each flow receives, by run."""
    shares: Values = _received(data, variant).T
    return shares


def _fairness(data: Data, variant: str) -> Values:
    return np.array([jain(run) for run in _received(data, variant)])


def _most_fair() -> Claim:
    def judge(data: Data) -> Finding:
        found = {name: _fairness(data, name) for name in SIX}
        text = ", ".join(f"{n} {like(float(v.mean()), '0.000')}" for n, v in found.items())
        lead = [
            above(difference(found[HXH], found[name]), 0, f"HxH's lead over {name}")
            for name in OTHERS
        ]
        return finding(text, [at_least(mean(found[HXH]), FAIR, "HxH's index"), *lead])

    paper = " ".join(f"{name} {value}" for name, value in FAIRNESS.items())
    return Claim(
        f"HxH is the most fair of all: {paper}",
        f"Jain index at least {FAIR} and the highest",
        judge,
        UNFAIR,
    )


def _others_fairness() -> Claim:
    def judge(data: Data) -> Finding:
        found = {name: _fairness(data, name) for name in OTHERS}
        stated = {name: float(FAIRNESS[name]) for name in OTHERS}
        misses = [abs(float(found[name].mean()) - stated[name]) for name in OTHERS]
        text = ", ".join(f"{n} {like(float(v.mean()), '0.000')}" for n, v in found.items())
        compared = [
            between(one_run(found[name]), stated[name] - STEP, stated[name] + STEP, name)
            for name in OTHERS
        ]
        return finding(f"{text}, off by at most {max(misses):.3f}", compared)

    paper = " ".join(FAIRNESS[name] for name in OTHERS)
    return Claim(
        f"the fairness of {', '.join(title(SHARED, name) for name in OTHERS)}: {paper}",
        f"a run's Jain index is each within {STEP:.2f}",
        judge,
        UNFAIR,
    )


def _lead(data: Data, study: Study, x: float) -> float:
    """Return HxH's total over the mean total of the versions of TCP."""
    own = _received(data, HXH, study, x).sum()
    return float(own / np.mean([_received(data, name, study, x).sum() for name in TCPS]))


def _leads(data: Data) -> list[float]:
    """Return HxH's leads at all rates."""
    return [*(_lead(data, SLOWER, x) for x in SLOWER.values), _lead(data, SHARED, 0)]


def _with_the_rate() -> Claim:
    def judge(data: Data) -> Finding:
        leads = _leads(data)
        text = ", ".join(
            f"{lead:.2f} at {rate:g} Mbit/s" for lead, rate in zip(leads, RATES, strict=True)
        )
        steps = estimates(data, lambda part: np.diff([1.0, *_leads(part)]))
        return finding(text, [above(one, 0, "the growth of the lead") for one in steps])

    return Claim(
        "HxH's lead over TCP depends on the speed of the wireless links (abstract)",
        "above 1 times the mean of the versions of TCP, and larger at each higher rate",
        judge,
        SLOW,
    )


def _draw(axes: Axes, data: Data) -> None:
    beside_the_paper(
        [list(_received(data, name).sum(axis=1)) for name in SIX],
        [float(value) for value in TOTALS.values()],
        [title(SHARED, name).removeprefix("TCP ") for name in SIX],
        "received (MB)",
        axes,
    )


FIGURE = FigureSpec(
    "hxh/table4.2",
    "What the four flows of the dumbbell receive in the last thirty seconds",
    (
        Panel(
            "hxh/table4.2",
            "all flows",
            _draw,
            (
                *calibrated(
                    GEOMETRY,
                    *(
                        of_one_run(
                            f"{title(SHARED, name)} receives",
                            number,
                            " MB",
                            partial(_totals, variant=name),
                        )
                        for name, number in TOTALS.items()
                    ),
                    double(HXH, TCPS, _total),
                ),
                _with_the_rate(),
                descending(
                    "HxH achieves the highest throughput, ATP comes next",
                    ((HXH,), (ATP,), TCPS),
                    _total,
                ),
                _most_fair(),
                *calibrated(
                    GEOMETRY,
                    _others_fairness(),
                    *(
                        of_one_run(
                            f"{title(SHARED, name)}'s four flows receive",
                            numbers,
                            " MB",
                            partial(_shares, variant=name),
                            UNFAIR,
                        )
                        for name, numbers in FLOWS.items()
                    ),
                ),
            ),
            (SHARED, SLOWER),
        ),
    ),
)

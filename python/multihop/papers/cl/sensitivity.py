"""What CL's differing claims depend on: the tests behind `notes.py`.

    python -m multihop.papers.cl.sensitivity

The first table varies what moves the cliff of a chain of 6 nodes, one thing at a time. The second
varies what the paper leaves open where nodes move. The third judges the readings of the first, with
`--quick`, against all claims about chains. Those about nodes that move need more topologies than
`--quick` has; `multihop reproduce cl --with KEY=VALUE` judges a reading against them in full.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from rich.console import Console
from rich.table import Table

from ...results import Result
from ...runner import run_many
from ...scenario import Scenario
from ..readings import judged, verdicts_table
from ..spec import FigureSpec, Settings, accepted
from .setup import (
    ACK,
    AREAS,
    CBR,
    CHAIN,
    CL,
    CL_ACK,
    FIXED_RATES,
    JUDGED,
    MOBILE,
    ONE_CHAIN,
    PAYLOAD_BITS,
    RECTANGLE,
    TCP,
    paced,
    packets,
    speed,
)

CLIFF: tuple[Settings, ...] = (
    {},
    {"routing.arp": "off"},
    {"routing.kind": "aodv"},
    {"routing.kind": "aodv", "routing.arp": "off"},
    {"routing.kind": "fixed"},
    {"routing.kind": "fixed", "routing.arp": "off"},
    {"traffic.interval_jitter": 0.5},
    {"mac.header": "28 B"},
    {"mac.data_rate": "2 Mbit/s"},
)
CLIFF_RATES = (16, 18, 19, 20, 21, 22, 23, 24, 25, 26)

MOVING: tuple[Settings, ...] = (
    {},
    {"routing.arp": "off"},
    {"routing.kind": "aodv"},
    {"scheme.without_route": "stop"},
    {"scheme.probe_interval": "200 ms"},
    {"mobility.min_speed": "1 m/s"},
    {"routing.flow_state": False},
    {"scheme.min_rto": 1000},
)
# Figures and text about chains.
CHAINS = ("cl/fig2", "cl/fig3", "cl/fig4", "cl/text4.1")
SHOWN = (CL, CBR[0], CL_ACK, ACK[0], TCP)


def chain_figures() -> list[FigureSpec]:
    """Return the figures about chains."""
    from . import FIGURES

    return [figure for figure in FIGURES if figure.id in CHAINS]


def chain(seeds: int = 20) -> Table:
    """Vary what moves the cliff: packets delivered of those sent in 105 s, by packets/s."""
    table = Table("setting", *(str(rate) for rate in CLIFF_RATES))
    base = Scenario.from_file(CHAIN).with_(**speed(JUDGED), **ONE_CHAIN, duration="145 s")
    for setting in CLIFF:
        runs = run_many(
            [
                base.with_(**setting, **packets(rate), seed=seed + 1)
                for rate in CLIFF_RATES
                for seed in range(seeds)
            ],
            progress=False,
        )
        shares = _means(runs, seeds, lambda run: _sum(run, "delivered") / _sum(run, "offered"))
        table.add_row(_name(setting), *(f"{share:.2f}" for share in shares))
    return table


def moving(seeds: int = 10) -> Table:
    """Vary what the paper leaves open in the rectangle with one flow: throughput in kbit/s."""
    table = Table("setting", *SHOWN)
    base = Scenario.from_file(MOBILE).with_(**speed(JUDGED), **AREAS[RECTANGLE])
    variants = {**paced(JUDGED), **FIXED_RATES}
    for setting in MOVING:
        row = []
        for name in SHOWN:
            own = variants[name].apply(base)
            own = own.with_(**accepted(own, setting))
            runs = run_many([own.with_(seed=seed + 1) for seed in range(seeds)], progress=False)
            column = "acknowledged" if name in (CL_ACK, *ACK) else "delivered"
            (mean,) = _means(runs, seeds, partial(_rate, column=column))
            row.append(f"{mean:.0f}")
        table.add_row(_name(setting), *row)
    return table


def _name(setting: Settings) -> str:
    return ", ".join(f"{key} = {value}" for key, value in setting.items()) or "as it is"


def _sum(run: Result, column: str) -> float:
    return float(run.flows[column].sum())


def _rate(run: Result, column: str) -> float:
    seconds = float(run.runs["duration_s"].item())
    return _sum(run, column) * PAYLOAD_BITS / seconds / 1e3


def _means(runs: Sequence[Result], seeds: int, measure: Callable[[Result], float]) -> list[float]:
    values = np.array([measure(run) for run in runs]).reshape(-1, seeds)
    return [float(value) for value in values.mean(axis=1)]


if __name__ == "__main__":
    console = Console(width=120)
    console.print(chain())
    console.print(moving())
    console.print(verdicts_table(judged(chain_figures(), CLIFF[1:])))

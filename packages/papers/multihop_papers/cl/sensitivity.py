"""What CL's set-up does: how a chain falls, and what nodes that move carry.

    python -m multihop_papers.cl.sensitivity

The first table has what a chain of 6 nodes delivers around the paper's cliff, the second the
throughput of one flow in the rectangle, each with one thing of the set-up changed. The third has
the paper's three ratios to TCP by DSR's limit of salvages, over many topologies. What a parameter
does to the claims, `multihop reproduce cl --readings` tells with the effort of `--quick`, and
`multihop reproduce cl --with KEY=VALUE` in full.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from rich.console import Console
from rich.table import Table

from multihop.reproducing.judging import ratio
from multihop.reproducing.spec import Settings
from multihop.results.result import Result
from multihop.running.runner import run_many
from multihop.scenario.form import Scenario

from .setup import (
    ACK,
    AREAS,
    CBR,
    CHAIN,
    CL,
    CL_ACK,
    COLD,
    FIXED_RATES,
    JUDGED,
    MOBILE,
    ONE_CHAIN,
    PAYLOAD_BITS,
    RECTANGLE,
    TCP,
    WITHOUT_DSR,
    paced,
    packets,
    speed,
)

# The set-up, and one thing changed at a time.
SETUPS: dict[str, Settings] = {
    "as judged": {},
    "no route known": COLD,
    "addresses known": {"routing.arp": "off"},
    **{f"salvaged up to {n} times": {"routing.salvage_limit": n} for n in (1, 2, 15)},
    "no route known, salvaged up to 15 times": COLD | {"routing.salvage_limit": 15},
    "AODV": WITHOUT_DSR | {"routing.kind": "aodv"},
    "fixed routes": WITHOUT_DSR | {"routing.kind": "fixed"},
    "intervals vary by 50 %": {"traffic.interval_jitter": 0.5},
    "2 Mbit/s": {"mac.data_rate": "2 Mbit/s"},
}
# Fixed routes do not follow nodes that move, transfers have no intervals, and each speed has rates
# of its own, which the figures have beside those of 1 Mbit/s.
AT_REST = ("fixed routes", "intervals vary by 50 %", "2 Mbit/s")
CLIFF_RATES = (19, 20, 21, 22, 23, 24, 25, 26)
LIMITS = (0, 1, 15)
SHOWN = (CL, CBR[0], CL_ACK, ACK[0], TCP)


def chain(seeds: int = 20) -> Table:
    """Vary the set-up of the chain: the share that is delivered in 105 s, by packets/s."""
    table = Table("set-up", *(str(rate) for rate in CLIFF_RATES))
    base = Scenario.from_file(CHAIN).with_(**speed(JUDGED), **ONE_CHAIN, duration="145 s")
    for name, setting in SETUPS.items():
        runs = run_many(
            [
                base.with_(**setting, **packets(rate), seed=seed + 1)
                for rate in CLIFF_RATES
                for seed in range(seeds)
            ],
            progress=False,
        )
        shares = _means(runs, seeds, lambda run: _sum(run, "delivered") / _sum(run, "offered"))
        table.add_row(name, *(f"{share:.2f}" for share in shares))
    return table


def moving(seeds: int = 20) -> Table:
    """Vary the set-up where nodes move: one flow in the rectangle, kbit/s."""
    table = Table("set-up", *SHOWN)
    base = Scenario.from_file(MOBILE).with_(**speed(JUDGED), **AREAS[RECTANGLE])
    variants = {**paced(JUDGED), **FIXED_RATES}
    for name, setting in SETUPS.items():
        row = []
        for scheme in SHOWN if name not in AT_REST else ():
            rates = _rates(variants[scheme].apply(base).with_(**setting), scheme, seeds)
            row.append(f"{np.mean(rates):.0f}")
        if row:
            table.add_row(name, *row)
    return table


def salvages(limits: Sequence[int] = LIMITS, seeds: int = 160) -> Table:
    """Vary DSR's limit of salvages: one flow among nodes that move, and the ratios to TCP."""
    table = Table("salvages", "area", "CL over TCP", "CL_ack over TCP")
    variants = {**paced(JUDGED), **FIXED_RATES}
    for area in AREAS:
        base = Scenario.from_file(MOBILE).with_(**speed(JUDGED), **AREAS[area])
        for limit in limits:
            own = base.with_(**{"routing.salvage_limit": limit})
            rates = {
                scheme: _rates(variants[scheme].apply(own), scheme, seeds)
                for scheme in (CL, CL_ACK, TCP)
            }
            ratios = [ratio(rates[scheme], rates[TCP]) for scheme in (CL, CL_ACK)]
            cells = [f"{one.value:.2f} ({one.low:.2f} to {one.high:.2f})" for one in ratios]
            table.add_row(str(limit), area, *cells)
    return table


def _sum(run: Result, column: str) -> float:
    return float(run.flows[column].sum())


def _rates(base: Scenario, scheme: str, seeds: int) -> list[float]:
    """Return the throughput in kbit/s of each seed: of what was acknowledged, where anything is."""
    column = "acknowledged" if scheme in (CL_ACK, *ACK) else "delivered"
    runs = run_many([base.with_(seed=seed + 1) for seed in range(seeds)], progress=False)
    return [_sum(run, column) * PAYLOAD_BITS / run.runs["duration_s"].item() / 1e3 for run in runs]


def _means(runs: Sequence[Result], seeds: int, measure: Callable[[Result], float]) -> list[float]:
    values = np.array([measure(run) for run in runs]).reshape(-1, seeds)
    return [float(value) for value in values.mean(axis=1)]


if __name__ == "__main__":
    console = Console(width=120)
    console.print(chain())
    console.print(moving())
    console.print(salvages())

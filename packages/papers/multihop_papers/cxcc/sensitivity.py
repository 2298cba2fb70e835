"""What CXCC's differing claims depend on: the tests behind `notes.py`.

    python -m multihop_papers.cxcc.sensitivity

The first table varies what the paper leaves open, one thing at a time, under overload. The second
judges CXCC+RFA against UDP's optimum with two readings: sources whose intervals vary, and a
receiver that takes over a stronger later frame, which ns-2's never does. The third varies UDP's
interface queue. Which claims flip with a reading, `multihop reproduce cxcc --with KEY=VALUE` tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from multihop.results.result import Result
from multihop.running.runner import run_many
from multihop.scenario.form import Scenario

from .setup import BOTH_UDP, SCENARIO, VARIANTS

OVERLOAD = {"traffic.load": "400 kbit/s"}
TOPOLOGIES = ("chain", "bidirectional-chain", "cross", "bidirectional-cross")
PROPAGATIONS = ("two-ray-ground", "log-normal-shadowing")
QUEUES = (5, 10, 15, 20, 50)
# A source's load in kbit/s, by the number of sources, around UDP's optimum.
OPTIMUM_LOADS = {
    "chain": (120, 130, 140, 150, 160, 170, 180, 200, 220, 240, 250, 260),
    "bidirectional-chain": (60, 65, 70, 75, 80, 85, 90, 95, 100, 110),
    "cross": (60, 65, 70, 75, 80, 85, 90, 95, 100, 110),
    "bidirectional-cross": (30, 35, 40, 42, 45, 48, 50, 55, 60, 70),
}

Settings = Mapping[str, Any]

JITTERED = {"traffic.interval_jitter": 0.5}
TAKING_OVER = {"radio.reception": "message-in-message"}
READINGS: dict[str, Settings] = {
    "periodic sources": {},
    "intervals vary by 50 %": JITTERED,
    "message-in-message": TAKING_OVER,
    "both": JITTERED | TAKING_OVER,
}

OPEN: dict[str, Sequence[Any]] = {
    "scheme.timeout_packet_times": (2, 3, 5, 8),
    "scheme.timeout_jitter": (0, 0.5, 1),
    "scheme.count_deaf_time": (False,),
    "mac.cw_min": (15, 63, 127),
    "mac.header": ("34 B",),
    "mac.eifs": (False,),
    "radio.capture_ratio": (1, 4),
}


def means(settings: Iterable[Settings], column: str, base: Scenario, seeds: int) -> list[float]:
    """Return a column of `runs` for each of the settings, averaged over seeds."""
    scenarios = [base.with_(**given, seed=s + 1) for given in settings for s in range(seeds)]
    values = [_value(result, column) for result in run_many(scenarios)]
    return [float(mean) for mean in np.reshape(values, (-1, seeds)).mean(axis=1)]


def _value(result: Result, column: str) -> float:
    return float(result.runs[column].item())


def open_parameters(base: Scenario, seeds: int = 4) -> Table:
    """Vary what the paper leaves open: throughput of CXCC+RFA in kbit/s."""
    table = Table("setting", *TOPOLOGIES, title="CXCC+RFA at 400 kbit/s a source: kbit/s")
    choices = [{}, *({key: value} for key, values in OPEN.items() for value in values)]
    settings = [
        {**OVERLOAD, **choice, "topology.kind": topology}
        for choice in choices
        for topology in TOPOLOGIES
    ]
    found = np.reshape(means(settings, "goodput_bit_s", base, seeds), (len(choices), -1)) / 1e3
    for choice, row in zip(choices, found, strict=True):
        name = ", ".join(f"{key} = {value}" for key, value in choice.items()) or "as it is"
        table.add_row(name, *(f"{value:.0f}" for value in row))
    return table


def against_optimum(base: Scenario, seeds: int = 4) -> Table:
    """Compare CXCC+RFA under overload with UDP's optimum, by reading: throughput in kbit/s."""
    table = Table("reading", "", *TOPOLOGIES, title="CXCC+RFA against UDP's optimum")
    udp = base.with_(**{"scheme.name": "udp"})
    for name, reading in READINGS.items():
        best, cxcc = [], []
        for topology in TOPOLOGIES:
            network = {"topology.kind": topology, **reading}
            loads = [
                {**network, "traffic.load": f"{load} kbit/s"} for load in OPTIMUM_LOADS[topology]
            ]
            best.append(max(means(loads, "goodput_bit_s", udp, seeds)) / 1e3)
            cxcc.append(means([{**OVERLOAD, **network}], "goodput_bit_s", base, seeds)[0] / 1e3)
        table.add_row(name, "UDP at its best load", *(f"{value:.0f}" for value in best))
        ratios = (f"{c:.0f} ({c / b:.2f})" for c, b in zip(cxcc, best, strict=True))
        table.add_row(name, "CXCC+RFA at 400 kbit/s", *ratios)
    return table


def queues(base: Scenario, seeds: int = 4) -> Table:
    """Vary the length of UDP's interface queues: its delay over that of CXCC+RFA."""
    table = Table("network", "UDP", *(f"{queue} packets" for queue in QUEUES))
    table.title = "UDP's network delay over CXCC+RFA's at 400 kbit/s a source"
    for propagation in PROPAGATIONS:
        for topology in TOPOLOGIES[:2]:
            network = {
                **OVERLOAD,
                "radio.propagation": propagation,
                "topology.kind": topology,
            }
            cxcc = means([network], "network_delay_mean_s", base, seeds)[0]
            for name in BOTH_UDP:
                variant = VARIANTS[name]
                udp = base.with_(**{"scheme.name": variant.scheme, **variant.settings})
                settings = [{**network, "scheme.queue_limit": queue} for queue in QUEUES]
                ratios = np.array(means(settings, "network_delay_mean_s", udp, seeds)) / cxcc
                row = (f"{ratio:.1f}" for ratio in ratios)
                table.add_row(f"{topology}, {propagation}", variant.title, *row)
    return table


if __name__ == "__main__":
    console = Console(width=120)
    console.print(open_parameters(Scenario.from_file(SCENARIO)))
    console.print(against_optimum(Scenario.from_file(SCENARIO)))
    console.print(queues(Scenario.from_file(SCENARIO)))

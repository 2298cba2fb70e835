"""What CXCC's claims about random networks depend on: the tests behind `rival_notes.py`.

    python -m multihop_papers.cxcc.rival_sensitivity

The first table runs each of the five networks of figure 15 once, with one thing changed; the second
the first set of transfers of figures 19 and 21. Both are with two-ray ground. Every constant of
ADTCP's reconstruction is a parameter that `multihop reproduce cxcc --readings` tries.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from multihop.comparing.measures import PREAMBLE_BYTES
from multihop.results.result import Result
from multihop.running.runner import run_many
from multihop.scenario.form import Scenario
from multihop.statistics.stats import jain

from .rivals import END_S, LEAST_PACKETS, RANDOM, SCENARIOS, TRANSFERS, scenario

NEWRENO = {"scheme.name": "newreno"}
TAKING_OVER = {"radio.reception": "message-in-message"}
CHANGES: dict[str, Mapping[str, Any]] = {
    "CXCC": {},
    **{
        f"timeouts of {times} packet times": {"scheme.timeout_packet_times": times}
        for times in (5, 8, 32)
    },
    "message-in-message": TAKING_OVER,
    "the timer counts while deaf": {"scheme.count_deaf_time": False},
    "windows of 127 slots": {"mac.cw_min": 127},
    "basic CXCC": {"scheme.rfa": False},
    "NewReno": NEWRENO,
    "NewReno, message-in-message": NEWRENO | TAKING_OVER,
    "NewReno, window 64": NEWRENO | {"scheme.window_limit": 64},
}


def _overhead(results: list[Result]) -> float:
    """Return bytes with preambles per payload byte and hop, of all runs together."""
    runs = [result.runs.row(0, named=True) for result in results]
    sent = sum(run["medium_bytes"] + PREAMBLE_BYTES * run["transmissions"] for run in runs)
    return float(sent / sum(run["medium_bytes"] / run["overhead"] for run in runs))


def networks(base: Scenario) -> Table:
    """Vary one thing at a time in the five networks."""
    columns = ("total", "times hops", "Jain", "starved", "overhead", "one hop", "more than four")
    table = Table("change", *columns, title="Five endless connections: kbit/s")
    for name, change in CHANGES.items():
        results = list(run_many([base.with_(**scenario(n), **change) for n in SCENARIOS]))
        flows = [result.flows for result in results]
        rates = np.array([found["goodput_bit_s"].to_numpy() for found in flows]) / 1e3
        hops = np.array([found["hops"].to_numpy() for found in flows])
        starved = sum(int((found["delivered"] < LEAST_PACKETS).sum()) for found in flows)
        table.add_row(
            name,
            f"{rates.sum() / len(flows):.0f}",
            f"{(rates * hops).sum() / len(flows):.0f}",
            f"{np.mean([jain(one) for one in rates]):.2f}",
            f"{starved}",
            f"{_overhead(results):.2f}",
            f"{rates[hops == 1].mean():.0f}",
            f"{rates[hops > 4].mean():.1f}",
        )
    return table


def transfers(base: Scenario) -> Table:
    """Vary one thing at a time with many transfers."""
    columns = ("median", "slowest 5 %", "slowest", "last ends (s)", "overhead")
    table = Table("change", *columns, title="Transfers of scenario 1: kbit/s")
    for name, change in CHANGES.items():
        results = list(run_many([base.with_(**change)]))
        flows = results[0].flows
        delivered = flows["run_delivered"].to_numpy()
        whole = delivered == flows["run_offered"].to_numpy()
        ends = np.where(whole, flows["last_delivery_s"].to_numpy(), END_S)
        rates = delivered * 512 * 8e-3 / (ends - flows["first_offer_s"].to_numpy())
        slow = np.quantile(rates, 0.05)
        numbers = (np.median(rates), slow, rates.min(), ends.max(), _overhead(results))
        table.add_row(name, *(f"{number:.2f}" for number in numbers))
    return table


if __name__ == "__main__":
    console = Console(width=120)
    console.print(networks(Scenario.from_file(RANDOM)))
    console.print(transfers(Scenario.from_file(TRANSFERS)))

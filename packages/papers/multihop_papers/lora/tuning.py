"""Choose the settings of `cxcc-lora`, in networks that no claim is judged in.

    python -m multihop_papers.lora.tuning

It runs a grid of settings on the made places, in networks 101 to 104, at the busy load with short
and with long messages, and prints what arrives and what each message takes, the best first. The
setting with which most arrives became the default.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from multihop import Scenario, run_many

from .places import PLACES
from .setups import reach
from .unicast import BASE, BUSY, LONG, ROUTED, network

NETWORKS = (101.0, 102.0, 103.0, 104.0)
GRID: Mapping[str, tuple[float, ...]] = {
    "timeout_exchanges": (4.0, 8.0, 12.0, 16.0),
    "timeout_growth": (1.0, 1.5, 2.0),
    "echo_times": (1, 2, 4),
}


class Found(NamedTuple):
    """What a setting gives over all networks."""

    setting: Mapping[str, float]
    arrived: float
    air_s: float


def _scenarios(setting: Mapping[str, float]) -> Iterator[Scenario]:
    own = {f"scheme.{name}": value for name, value in setting.items()}
    base = Scenario.from_file(BASE).with_(
        warmup="20 min", duration="60 min", **{"scheme.name": "cxcc-lora"}
    )
    for place, number, load in itertools.product(PLACES, NETWORKS, (BUSY, LONG)):
        there: dict[str, Any] = {
            **ROUTED,
            **load,
            **own,
            **network(place, reach("meshtastic"), number),
        }
        payload = {"traffic.payload": "40 B", "mac.preset": "long-fast"}
        yield base.with_(**{**payload, **there})


def measure(setting: Mapping[str, float]) -> Found:
    """Run a setting in all networks."""
    results = run_many(list(_scenarios(setting)), progress=False)
    offered, arrived = (
        sum(float(result.flows[name].sum()) for result in results)
        for name in ("offered", "delivered")
    )
    air = sum(float(result.nodes["transmit_s"].sum()) for result in results)
    return Found(setting, arrived / offered, air / arrived)


def main() -> None:
    """Print all settings, the best first."""
    settings = [
        dict(zip(GRID, values, strict=True)) for values in itertools.product(*GRID.values())
    ]
    for found in sorted(map(measure, settings), key=lambda one: -one.arrived):
        shown = ", ".join(f"{name} = {value:g}" for name, value in found.setting.items())
        print(f"{shown}: {100 * found.arrived:.1f} % arrive, {found.air_s:.2f} s of air each")


if __name__ == "__main__":
    main()

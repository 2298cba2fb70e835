"""Choose the settings of `cxcc-lora`, in networks that no claim is judged in.

    python -m multihop_papers.lora.tuning

It runs a grid of settings on the made places, in networks 101 to 104, at the busy load with short
and with long messages, and prints what arrives and what each message takes, the best first. The
setting with which most arrives became the default.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from multihop import Scenario, run_many

from .places import PLACES
from .setups import reach
from .unicast import BASE, BUSY, COUNT, LONG, OURS, ROUTED, made, network

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

    @property
    def said(self) -> str:
        """The setting and what it gives, in words."""
        shown = ", ".join(f"{name} = {value:g}" for name, value in self.setting.items())
        return f"{shown}: {100 * self.arrived:.1f} % arrive, {self.air_s:.2f} s of air each"


def scenario(
    setting: Mapping[str, float], place: str, number: float, own: Mapping[str, Any]
) -> Scenario:
    """Return a run of `cxcc-lora` with a setting in a network of a place."""
    base = Scenario.from_file(BASE).with_(
        warmup="20 min", duration="60 min", **{"scheme.name": OURS}
    )
    there: dict[str, Any] = {
        "traffic.payload": "40 B",
        "mac.preset": "long-fast",
        **ROUTED,
        **own,
        **{f"scheme.{name}": value for name, value in setting.items()},
        **network(partial(made, place, reach("meshtastic"), COUNT), number),
    }
    return base.with_(**there)


def _scenarios(setting: Mapping[str, float]) -> Iterator[Scenario]:
    for place, number, load in itertools.product(PLACES, NETWORKS, (BUSY, LONG)):
        yield scenario(setting, place, number, load)


def measured(setting: Mapping[str, float], scenarios: Iterable[Scenario]) -> Found:
    """Run scenarios with a setting."""
    results = run_many(list(scenarios), progress=False)
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
    found = [measured(setting, _scenarios(setting)) for setting in settings]
    for one in sorted(found, key=lambda one: -one.arrived):
        print(one.said)


if __name__ == "__main__":
    main()

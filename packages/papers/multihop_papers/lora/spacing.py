"""Choose the times of WAKE's order on LoRa, in networks that question 13 is not judged in.

    python -m multihop_papers.lora.spacing

It runs `cxcc-lora` with each spacing and each hold in chains and on the made places, in networks
101 to 104, ten times the light load with short and with long messages. It prints what arrives of
all messages and what each takes, the best first. The best of those with a spacing and no hold, and
the best of those with that spacing and a hold, became the settings of the question.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from multihop import Scenario

from .places import PLACES
from .tuning import NETWORKS, Found, measured, scenario
from .unicast import CHAIN, LONG_PAYLOAD, load

GRID: Mapping[str, tuple[float, ...]] = {
    "spacing": (0.0, 1.0, 2.0, 3.0, 4.0, 6.0),
    "hold": (0.0, 0.25, 1.0),
}


def _scenarios(setting: Mapping[str, float]) -> Iterator[Scenario]:
    for place, number in itertools.product((CHAIN, *PLACES), NETWORKS):
        for long in ({}, LONG_PAYLOAD):
            yield scenario(setting, place, number, {**load(10, place), **long})


def settings() -> list[dict[str, float]]:
    """Return all settings that are tried."""
    return [dict(zip(GRID, values, strict=True)) for values in itertools.product(*GRID.values())]


def main() -> None:
    """Print all settings, the best first."""
    found: list[Found] = [measured(setting, _scenarios(setting)) for setting in settings()]
    for one in sorted(found, key=lambda one: -one.arrived):
        print(one.said)


if __name__ == "__main__":
    main()

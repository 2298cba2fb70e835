"""Choose above which share of duplicates announcements and reports wait, for question 16.

    python -m multihop_papers.lora.custody_tuning

It runs `flood_custody` of `meshtastic` with each share on the made places, in networks 101 to 104,
at five times the default load. It prints how many nodes get texts, and how long nodes send, the
most texts first. The first became the setting of the question, whose maps are other places.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator
from typing import NamedTuple

import polars as pl

from multihop import Scenario, run_many

from .places import PLACES, nodes
from .questions import QUESTIONS
from .setups import reach, studies
from .tuning import NETWORKS
from .unicast import COUNT

SHARES = (0.0, 0.25, 0.5, 0.65, 0.75)
ASKED, BUSY = "flood-custody", "custody-busy"


class Found(NamedTuple):
    """What a share gives over all networks."""

    share: float
    reached: float
    air: float

    @property
    def said(self) -> str:
        """The share and what it gives, in words."""
        return (
            f"duplicates = {self.share:g}: {100 * self.reached:.1f} % get texts, "
            f"a node sends for {100 * self.air:.2f} % of the time"
        )


def scenarios(share: float) -> Iterator[Scenario]:
    """Return the runs with a share."""
    question = next(one for one in QUESTIONS if one.id == ASKED)
    study = studies(question)["uniform", 6]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        points = study.points(study.efforts.full)
    busy = next(one.scenario for one in points if one.labels["variant"] == BUSY)
    for place, number in itertools.product(PLACES, NETWORKS):
        there = nodes(place, COUNT, int(number), reach("meshtastic"))
        yield busy.with_(node=there, seed=int(number), **{"scheme.duplicates": share})


def measured(share: float, runs: list[Scenario]) -> Found:
    """Run scenarios with a share."""
    results = run_many(runs, progress=False)
    texts = pl.concat(
        result.messages.filter(pl.col("class") == "text").select("reached", "addressed")
        for result in results
    ).sum()
    kinds = ("transmit_s", "receive_s", "idle_s")
    spent = pl.concat(result.nodes.select(kinds) for result in results).sum()
    air = spent["transmit_s"].item() / spent.sum_horizontal().item()
    return Found(share, texts["reached"].item() / texts["addressed"].item(), air)


def main() -> None:
    """Print all shares, the best first."""
    found = [measured(share, list(scenarios(share))) for share in SHARES]
    for one in sorted(found, key=lambda one: -one.reached):
        print(one.said)


if __name__ == "__main__":
    main()

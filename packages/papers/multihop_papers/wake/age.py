"""How old what destinations know is: WAKE and rivals, whose sources keep the newest message only.

    python -m multihop_papers.wake.age

runs the chains and crosses of ten hops without shadowing at 400 kbit/s a flow, with both kinds of
source queue, and writes `docs/reproduced/wake-age.json`. The table of WAKE's page is made of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from multihop import Scenario, run
from multihop.reporting.markdown import markdown_table
from multihop.reproducing.spec import Variant
from multihop.reproducing.stored import FOLDER

from .. import kept
from ..kept import Rows
from .setup import CASES, CHAIN, FLUSH, SCHEMES, UDP, WAKE

PATH = FOLDER / "wake-age.json"
# Whose sources send by themselves. UDP has a queue of its own behind the source's.
SENDERS: Mapping[str, Variant] = {
    **{name: SCHEMES[name] for name in (WAKE, "cxcc", "hxh-rate", FLUSH, UDP)},
    "udp-short": Variant("UDP, queue of one packet", UDP, {"scheme.queue_limit": 1}),
}
QUEUES = ("transport", "latest")
MEASURES = ("age_mean_s", "end_to_end_delay_mean_s", "goodput_bit_s")
NETWORKS = CASES[:4]


def measured(seeds: Sequence[int] = range(1, 6), duration: str = "30 s") -> Rows:
    """Return a row for each network, scheme and source queue: means over the seeds."""

    def row(settings: Mapping[str, Any], variant: Variant, queue: str) -> dict[str, float]:
        keys = {**settings, "traffic.source_queue": queue, "duration": duration}
        scenario = variant.apply(Scenario.from_file(CHAIN).with_(**keys))
        runs = [run(scenario.with_(seed=seed)).runs.row(0, named=True) for seed in seeds]
        return {name: float(np.mean([run[name] for run in runs])) for name in MEASURES}

    return [
        {"network": case.name, "scheme": variant.title, "queue": queue}
        | row(case.settings, variant, queue)
        for case in NETWORKS
        for variant in SENDERS.values()
        for queue in QUEUES
    ]


def table(rows: Rows) -> str:
    """Write the ages by scheme and network: with the transport's queue, and the newest message."""
    ages = {(row["network"], row["scheme"], row["queue"]): row["age_mean_s"] for row in rows}

    def lines() -> Iterator[tuple[str, ...]]:
        for scheme in dict.fromkeys(row["scheme"] for row in rows):
            yield (
                scheme,
                *(
                    ", ".join(f"{ages[case.name, scheme, queue]:.2f}" for queue in QUEUES)
                    for case in NETWORKS
                ),
            )

    names = [case.name for case in NETWORKS]
    return markdown_table(("scheme", *names), lines(), right=names)


def stored() -> Rows:
    """Return the rows that are kept."""
    return kept.stored(PATH)


if __name__ == "__main__":
    kept.keep(PATH, "python -m multihop_papers.wake.age", measured())

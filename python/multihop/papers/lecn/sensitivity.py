"""What LECN's differing claims depend on: the tests behind `notes.py`.

    python -m multihop.papers.lecn.sensitivity

The table varies what the paper leaves open, one thing at a time, in the chain of 8 hops.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from ...runner import run_many
from ...scenario import Scenario
from .potential import LEVELS, levels
from .setup import CHAIN, LECN_40, LECN_60, TCP, THINNING, THINNING_LECN_60, VARIANTS

SHOWN = (TCP, LECN_40, LECN_60, THINNING, THINNING_LECN_60)
OPEN: tuple[Mapping[str, Any], ...] = (
    {},
    {"scheme.min_rto": 1000},
    {"routing.expanding_ring": True},
    {"routing.local_repair": False},
    {"mac.header": "28 B"},
    {"scheme.count_segments": True},
    {"scheme.heed_ack_marks": True},
)


def open_parameters(base: Scenario, seeds: int = 5) -> Table:
    """Vary what the paper leaves open: goodput, and time at each level of the maximum CP."""
    table = Table("setting", "variant", "kbit/s", *(f"{level} (%)" for level in range(LEVELS)))
    measured = base.with_(**{"measure.congestion_potential": True})
    cases = [(setting, variant) for setting in OPEN for variant in SHOWN]
    results = run_many(
        [
            VARIANTS[variant].apply(measured).with_(**setting, seed=seed + 1)
            for setting, variant in cases
            for seed in range(seeds)
        ]
    )
    for index, (setting, variant) in enumerate(cases):
        own = results[index * seeds : (index + 1) * seeds]
        goodput = np.mean([result.runs["goodput_bit_s"].item() for result in own]) / 1e3
        name = ", ".join(f"{key} = {value}" for key, value in setting.items()) or "as it is"
        shares = np.mean([levels(result.congestion) for result in own], axis=0)
        table.add_row(
            name, VARIANTS[variant].title, f"{goodput:.0f}", *(f"{share:.1f}" for share in shares)
        )
    return table


if __name__ == "__main__":
    Console(width=120).print(open_parameters(Scenario.from_file(CHAIN)))

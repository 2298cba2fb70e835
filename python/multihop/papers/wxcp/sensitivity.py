"""What WXCP's verdicts depend on: every reading of what the paper leaves open, and every claim.

    python -m multihop.papers.wxcp.sensitivity [KEY=VALUE] ...

Each reading is run beside the default with `--quick` and judged against all claims. The first table
says how many hold and which flip, the second one what the curves become. One reading alone is
`multihop reproduce wxcp --with KEY=VALUE`. What only begins a few milliseconds later is no reading:
it shows what chance alone flips.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table

from ..readings import Judged, judged, parsed, verdicts_table, words
from ..spec import Data, Settings
from . import FIGURES
from .relations import at_table_hops, ratios, variations
from .setup import LATTICE, ONE_FLOW, TABLE_HOPS, TWO_FLOWS, WINDOW, WXCP

# Other random numbers for the same.
CHANCE: tuple[Settings, ...] = ({"traffic.start": "5.003 s"}, {"traffic.start": "5.007 s"})
# Every parameter of WXCP's own, also where the paper has a number for it, and what of the set-up it
# leaves open.
READINGS: tuple[Settings, ...] = (
    *CHANCE,
    {"wxcp.own_use": "air"},
    {"newreno.header": 40},
    {"wxcp.bandwidth_mean": "packets"},
    {"wxcp.bandwidth_mean": "bytes"},
    {"wxcp.bandwidth_memory": 0.875},
    {"wxcp.queue": "with_mac"},
    {"wxcp.neighbours": "overheard"},
    {"wxcp.neighbours": "origins"},
    {"wxcp.alpha": 0.1},
    {"wxcp.alpha": 0.4},
    {"wxcp.beta": 0.226},
    {"wxcp.zeta": 0.0},
    {"wxcp.zeta": 670.0},
    {"wxcp.gamma": 0.1},
    {"wxcp.residue": False},
    {"wxcp.time_fairness": False},
    {"wxcp.loss_discovery": False},
    {"wxcp.discovery_window": 4},
    {"wxcp.tolerable_burst": 1000},
    {"wxcp.tolerable_burst": 1},
    {"wxcp.ack_feedback": True},
    {"wxcp.duplicate_feedback": True},
    {"wxcp.initial_interval": "500 ms"},
    {"wxcp.least_interval": "50 ms"},
    {"wxcp.longest_interval": "10 s"},
    {"wxcp.forget_after": "1 s"},
    {"wxcp.initial_window": 1},
    {"scheme.min_rto": 200},
    {"routing.kind": "fixed"},
    {"mac.header": "34 B"},
)


def curves(data: Data) -> list[str]:
    """Write gains, windows, coefficients of variation, and the grid's gains."""
    one, two, grid = (data.studies[s.name] for s in (ONE_FLOW, TWO_FLOWS, LATTICE))
    percent = [" ".join(f"{100 * (g - 1):+.0f}" for g in ratios(study)) for study in (one, two)]
    window = " ".join(f"{w:.1f}" for w in at_table_hops(one, one.mean(WXCP, WINDOW)))
    uneven = " ".join(f"{v:.3f}" for v in at_table_hops(two, variations(two, WXCP)))
    lattice = " ".join(f"{100 * (g - 1):+.0f}" for g in ratios(grid))
    return [percent[0], window, percent[1], uneven, lattice]


def tables(readings: Sequence[Settings]) -> list[Table]:
    """Judge every reading against every claim, and write what it makes of the curves."""
    lengths = " ".join(map(str, TABLE_HOPS))
    shown = Table(
        *("reading", f"one flow (%), {lengths} hops", "window", "two flows (%)", "variation"),
        "grid (%)",
    )

    # Each reading's tables are let go before the next one is run.
    def watched() -> Iterator[Judged]:
        for at, one in enumerate(judged(FIGURES, readings)):
            if at == 0:
                shown.add_row("as it is", *curves(one.default))
            shown.add_row(words(one.reading), *curves(one.other))
            yield one

    return [verdicts_table(watched()), shown]


if __name__ == "__main__":
    for made in tables(parsed(sys.argv[1:]) or READINGS):
        Console(width=220).print(made)

"""What WXCP's verdicts depend on: every reading of what the paper leaves open, and every claim.

    python -m multihop.papers.wxcp.sensitivity [KEY=VALUE] ...

Each reading is run beside the default with `--quick` and judged against all claims. The first table
says how many hold and which flip, the second one what the curves become. One reading alone is
`multihop reproduce wxcp --with KEY=VALUE`. What only begins a few milliseconds later is no reading:
it shows what chance alone flips.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from ...cli.app import settings_of
from ...reproduction import collect, judge, needed_studies
from ...verdicts import Flip
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
OUT = "results/sensitivity"


def words(reading: Settings) -> str:
    """Write a reading as a command line has it."""
    return ", ".join(f"{key}={_value(value)}" for key, value in reading.items())


def _value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def parsed(texts: Iterable[str]) -> list[Settings]:
    """Read readings from a command line."""
    return [settings_of([text], "KEY=VALUE") for text in texts]


def measure(reading: Settings) -> tuple[Data, Data]:
    """Run everything by default and with a reading; what was run before is not run again."""
    efforts = {s.name: s.efforts.choose(quick=True, seeds=None) for s in needed_studies(FIGURES)}

    data, other, _ = collect(
        FIGURES, efforts, Path(OUT), reading=reading, workers=None, progress=False
    )
    return data, other


def flips(default: Data, reading: Data) -> list[Flip]:
    """Judge every claim with both."""
    return [*map(Flip, judge(FIGURES, default), judge(FIGURES, reading))]


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
    verdicts = Table("reading", "hold", "repairs", "breaks", title="claims")
    shown = Table(
        *("reading", f"one flow (%), {lengths} hops", "window", "two flows (%)", "variation"),
        "grid (%)",
    )
    for at, reading in enumerate(readings):
        default, other = measure(reading)
        found = flips(default, other)
        if at == 0:
            held = sum(flip.default.holds for flip in found)
            verdicts.add_row("as it is", f"{held} of {len(found)}", "", "")
            shown.add_row("as it is", *curves(default))
        turned = {True: [f for f in found if f.flips and f.reading.holds]}
        turned[False] = [f for f in found if f.flips and f.default.holds]
        held = sum(flip.reading.holds for flip in found)
        verdicts.add_row(
            words(reading), str(held), *(_listed(turned[repaired]) for repaired in (True, False))
        )
        shown.add_row(words(reading), *curves(other))
    return [verdicts, shown]


def _listed(found: Sequence[Flip]) -> str:
    return "; ".join(f"{f.default.id.removeprefix('wxcp/')} {f.default.claim}" for f in found)


if __name__ == "__main__":
    for made in tables(parsed(sys.argv[1:]) or READINGS):
        Console(width=220).print(made)

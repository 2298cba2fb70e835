"""Readings of what a paper leaves open, each judged against every claim of some figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.table import Table

from ..cli.app import settings_of
from ..measuring import collect, needed_studies
from ..reproduction import judge
from ..verdicts import Flip
from .spec import Data, FigureSpec, Settings

OUT = Path("results/sensitivity")


class Judged(NamedTuple):
    """A reading, every claim by default and with it, and what was measured with both."""

    reading: Settings
    flips: tuple[Flip, ...]
    default: Data
    other: Data


def words(reading: Settings) -> str:
    """Write a reading as a command line has it."""
    return ", ".join(f"{key}={_value(value)}" for key, value in reading.items())


def _value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def parsed(texts: Iterable[str]) -> list[Settings]:
    """Read readings from a command line."""
    return [settings_of([text], "KEY=VALUE") for text in texts]


def judged(
    figures: Sequence[FigureSpec],
    readings: Iterable[Settings],
    *,
    seeds: int | None = None,
    workers: int | None = None,
) -> Iterator[Judged]:
    """Run figures with `--quick`, by default and with each reading, and judge their claims.

    What was run before is not run again.
    """
    efforts = {s.name: s.efforts.choose(quick=True, seeds=seeds) for s in needed_studies(figures)}
    for reading in readings:
        found = collect(figures, efforts, OUT, reading=reading, workers=workers, progress=False)
        flips = map(Flip, judge(figures, found.data), judge(figures, found.other))
        yield Judged(reading, tuple(flips), found.data, found.other)


def verdicts_table(all_judged: Iterable[Judged]) -> Table:
    """Say how many claims hold with each reading, and which it repairs and breaks."""
    table = Table("reading", "hold", "repairs", "breaks", title="claims")
    for at, one in enumerate(all_judged):
        if at == 0:
            held = sum(flip.default.holds for flip in one.flips)
            table.add_row("as it is", f"{held} of {len(one.flips)}", "", "")
        turned = [flip for flip in one.flips if flip.flips]
        table.add_row(
            words(one.reading),
            str(sum(flip.reading.holds for flip in one.flips)),
            _listed(flip for flip in turned if flip.reading.holds),
            _listed(flip for flip in turned if flip.default.holds),
        )
    return table


def _listed(flips: Iterable[Flip]) -> str:
    return "; ".join(
        f"{flip.default.id.partition('/')[2]} {flip.default.claim} ({flip.reading.measured})"
        for flip in flips
    )

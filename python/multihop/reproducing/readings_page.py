"""The tables of `docs/guides/readings.md`, made of what `reproduce PAPER --readings` found.

    multihop reproduce wxcp --readings
    python -m multihop.reproducing.readings_page results/reproduce/readings/wxcp.json

takes the file of a paper into `docs/reproduced/readings`.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..engine.errors import SweepError
from ..reporting.markdown import markdown_table
from ..results.result import make_folder
from .readings import HEADER, JUDGED, Reading, Readings, not_judged, rows
from .registry import CITATIONS
from .stored import FOLDER

READINGS = FOLDER / "readings"
EFFECTS = ("repairs", "breaks")
# More names make a line that nobody reads.
MOST_NAMES = 12


def take(path: Path, folder: Path = READINGS) -> str:
    """Take the file of a paper's readings; return the paper. `SweepError` if it is of no paper."""
    if path.stem not in CITATIONS:
        raise SweepError(
            f"{path}: is named after no paper; there are: {', '.join(CITATIONS)}. "
            "Take what `multihop reproduce PAPER --readings` has written"
        )
    load(path)
    shutil.copyfile(path, make_folder(folder) / path.name)
    return path.stem


def load(path: Path) -> Readings:
    """Read the file of a paper's readings."""
    return Readings.of(json.loads(path.read_text(encoding="utf-8")))


def tables(folder: Path = READINGS) -> dict[str, str]:
    """Return a table for each paper: readings that turn claims, and what became of the others."""
    return {f"readings of {paper}": _table(folder / f"{paper}.json") for paper in CITATIONS}


def _table(path: Path) -> str:
    if not path.exists():
        return markdown_table(("readings",), [("not run",)])
    found = load(path)
    turning = [reading for reading in found.judged if _turns(reading)]
    shown = replace(found, judged=turning)
    lines = ((f"`{row[0]}`" if at else row[0], *row[1:]) for at, row in enumerate(rows(shown)))
    return (
        markdown_table(HEADER, lines, right=HEADER[2:3])
        + "\n"
        + "".join(f"- {line}\n" for line in _others(found))
    )


def _turns(reading: Reading) -> bool:
    return any(turned.effect in EFFECTS for turned in reading.turned)


def _others(found: Readings) -> list[str]:
    judged = [reading for reading in found.judged if reading.became == JUDGED]
    quiet = [reading.words for reading in judged if not _turns(reading)]
    listed = {
        f"{len(quiet)} readings neither repair nor break a claim": quiet,
        **{f"{len(names)} {became}": names for became, names in not_judged(found).items()},
    }
    lines = [f"{what}: {_code(names)}." for what, names in listed.items() if names]
    chance = Counter(name.partition("/")[2] for name, _ in found.undecided)
    if chance:
        turned = ", ".join(f"{count} of {name}" for name, count in chance.items())
        lines.insert(0, f"Claims that chance turns, which their seeds do not decide: {turned}.")
    return [f"`{found.command}`: {found.about}; {len(judged)} readings were judged.", *lines]


def _code(names: Sequence[str]) -> str:
    """Write names as code; of many the first few, since the file has them all."""
    shown = ", ".join(f"`{name}`" for name in names[:MOST_NAMES])
    return shown if len(names) <= MOST_NAMES else f"{shown}, and {len(names) - MOST_NAMES} more"


if __name__ == "__main__":
    print("taken:", *(take(Path(path)) for path in sys.argv[1:]))

"""The table of measured rates in `docs/guides/reproduce-cl.md`, made of the files that CL reads."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from multihop.reporting.markdown import markdown_table

from .setup import SPEEDS, table

# Ten is the longest chain of the figures, in nodes; mobile nodes have longer routes.
HOPS = range(1, 11)


def tables() -> dict[str, str]:
    """Return the table by its name in the page."""
    header = ("hops", *map(str, HOPS))
    return {"rates of cl": markdown_table(header, _rows(), right=header[1:])}


def _rows() -> Iterator[tuple[str, ...]]:
    for rate in SPEEDS:
        for acknowledged in (False, True):
            what = "CBR, acknowledged" if acknowledged else "CBR"
            found = tomllib.loads(Path(table(rate, acknowledged=acknowledged)).read_text("utf-8"))
            rates = {entry["hops"]: entry["rate"] for entry in found["rate"]}
            yield f"{what}, {rate} Mbit/s", *(f"{rates[hops]:g}" for hops in HOPS)

"""In which order frames three hops apart begin, and what becomes of them.

    python -m multihop_papers.wake.order

prints it for a chain of ten hops at overload, with WAKE and some rivals.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import polars as pl
from rich.console import Console
from rich.table import Table

from multihop.running.runner import run
from multihop.running.tracing import Trace
from multihop.scenario.form import Scenario

from .setup import CHAIN, SCHEMES, UDP, WAKE

# Stations number from the source on, so that a frame's sender says how far it has come.
APART = 3
SHOWN = (WAKE, UDP, "flush")


def overlaps(trace: Trace, apart: int = APART) -> pl.DataFrame:
    """List pairs of data frames on the air together whose senders are so many hops apart.

    `first`: whether the one farther upstream began first; `upstream`, `downstream`: whether each
    was decoded by its next hop.
    """
    decoded = trace.scan("receptions").filter(outcome="decoded").select("frame", "node")
    data = trace.scan("frames").filter(pl.col("class") == "data")
    got = data.join(decoded, left_on=("frame", "receiver"), right_on=("frame", "node"), how="semi")
    frames = (
        data.join(got.select("frame", ok=pl.lit(True)), on="frame", how="left")
        .select(
            *("sender", "start_ns"),
            end_ns=pl.col("start_ns") + pl.col("length_ns"),
            ok=pl.col("ok").fill_null(False),
        )
        .collect()
    )
    later = frames.select(
        sender=pl.col("sender") - apart,
        start_ns=pl.col("start_ns"),
        end_ns=pl.col("end_ns"),
        ok=pl.col("ok"),
    )
    return frames.join_where(
        later,
        pl.col("sender") == pl.col("sender_right"),
        pl.col("start_ns") < pl.col("end_ns_right"),
        pl.col("end_ns") > pl.col("start_ns_right"),
    ).select(
        first=pl.col("start_ns") < pl.col("start_ns_right"),
        upstream=pl.col("ok"),
        downstream=pl.col("ok_right"),
    )


def measured(name: str, duration: str = "30 s") -> pl.DataFrame:
    """Return the overlaps of a scheme in a chain of ten hops at overload, from the start on."""
    chain = Scenario.from_file(CHAIN).with_(warmup="0 s", duration=duration)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace"
        run(SCHEMES[name].apply(chain), trace=path)
        return overlaps(Trace(path))


def _share(flags: pl.Series) -> str:
    return f"{flags.sum() / len(flags):.0%}" if len(flags) else "-"


def _main() -> None:
    table = Table("scheme", "pairs", "first", "share", "upstream received", "downstream received")
    for name in SHOWN:
        pairs = measured(name)
        for first, side in ((True, "upstream"), (False, "downstream")):
            own = pairs.filter(first=first)
            shares = (pairs["first"] == first, own["upstream"], own["downstream"])
            table.add_row(SCHEMES[name].title, f"{len(pairs):,}", side, *map(_share, shares))
    Console().print(table)


if __name__ == "__main__":
    _main()

"""What schemes are compared by: measures, and the runs with every measure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from ..engine.errors import SweepError
from ..results.result import Result, in_words
from ..statistics.intervals import Bounds
from ..statistics.stats import jain

if TYPE_CHECKING:
    from ..capacity.bound import Bound


class Measure(NamedTuple):
    """What is compared: its column, its name, and how it is printed."""

    column: str
    name: str
    unit: str
    scale: float
    digits: int
    # The largest value there can be, and whether the least is one flow's share of all.
    most: float = math.inf
    shared: bool = False

    def bounds(self, runs: pl.DataFrame) -> Bounds:
        """Return between which values it lies in these runs."""
        flows = max(runs["flows"].to_list(), default=1) if self.shared else 0
        return Bounds(1 / flows if flows else 0.0, self.most)

    @property
    def title(self) -> str:
        """Name and unit."""
        return f"{self.name} ({self.unit})" if self.unit else self.name


GOODPUT = Measure("goodput_bit_s", "goodput", "kbit/s", 1e-3, 1)
NETWORK_DELAY = Measure("network_delay_mean_s", "network delay", "ms", 1e3, 1)
END_TO_END_DELAY = Measure("end_to_end_delay_mean_s", "end-to-end delay", "ms", 1e3, 1)
OVERHEAD = Measure("overhead", "overhead", "B/B", 1, 2)
MEASURES: tuple[Measure, ...] = (GOODPUT, NETWORK_DELAY, END_TO_END_DELAY, OVERHEAD)
# Only where a flow of any run has delivered nothing: means over packets leave such flows out.
STARVED = Measure("starved_share", "starved flows", "%", 1e2, 1, most=1.0)
# Only where sources are transfers that end.
COMPLETED = Measure("completed_share", "completed transfers", "%", 1e2, 1, most=1.0)
COMPLETION_TIME = Measure("completion_time_mean_s", "completion time", "s", 1, 2)
OF_TRANSFERS = {COMPLETED.column, COMPLETION_TIME.column}
# Only where flows are for several nodes, of which goodput counts the first alone.
NEAR = Measure("reach_near", "texts reach near", "%", 1e2, 1, most=1.0)
FAR = Measure("reach_far", "texts reach far", "%", 1e2, 1, most=1.0)
FRAMES = Measure("frames_per_message", "frames a message", "", 1, 1)
SENDING = Measure("transmit_share", "nodes send", "% of the time", 1e2, 2, most=1.0)
OF_MESSAGES: tuple[Measure, ...] = (NEAR, FAR, FRAMES, SENDING)
# Jain's index of the flows' goodput; only where there are several.
FAIRNESS = Measure("fairness", "fairness", "", 1, 3, most=1.0, shared=True)
# What share of the bound of its scenario a run reaches, and what all flows have there; only on
# request.
REACHED = Measure("reached", "of the bound", "%", 1e2, 0, most=1.0)
BOUND = "bound_goodput_bit_s"

# ns-2 counts the preamble and the PLCP header, 192 us, as 24 B of every MAC frame, so "the sum of
# all bytes transmitted on the MAC layer" (CXCC 7.1) holds them. The table `runs` counts without.
PREAMBLE_BYTES = 24
WITH_PREAMBLES = pl.col(OVERHEAD.column) * (
    1 + PREAMBLE_BYTES * pl.col("transmissions") / pl.col("medium_bytes")
)

_NONE = pl.Series([], dtype=pl.Float64)


def measured(
    result: Result, where: Sequence[str], folder: Path, bounds: Sequence[Bound] | None = None
) -> tuple[Result, pl.DataFrame, tuple[Measure, ...]]:
    """Return results in words, their runs with every measure, and what is compared of them."""
    result = Result({name: in_words(table) for name, table in result.tables.items()})
    runs = result.runs
    measures = _measures(runs, folder)
    if "flows" in result.tables:
        measures += () if runs["flows"].max() == 1 else (FAIRNESS,)
        runs = _with_fairness(result, [*where, "scheme"], bounds)
    return result, runs, measures if bounds is None else (*measures, REACHED)


def _measures(runs: pl.DataFrame, folder: Path) -> tuple[Measure, ...]:
    """Return what is compared of these runs, without what their flows decide."""
    if missing := [m.column for m in MEASURES if m.column not in runs.columns]:
        raise SweepError(
            f"the runs in '{folder}' have no column `{missing[0]}`: another version of multihop "
            "has made them; run them again into another folder"
        )
    found = MEASURES
    reached = [runs.get_column(one.column, default=_NONE).is_finite() for one in OF_MESSAGES]
    found += tuple(one for one, has in zip(OF_MESSAGES, reached, strict=True) if has.any())
    transfers = runs.get_column(COMPLETED.column, default=_NONE)
    if transfers.is_finite().any():
        found += (COMPLETED, COMPLETION_TIME)
    if (runs.get_column(STARVED.column, default=_NONE) > 0).any():
        found += (STARVED,)
    return found


def _with_fairness(result: Result, keys: list[str], bounds: Sequence[Bound] | None) -> pl.DataFrame:
    """Return the runs with Jain's index of their flows, and what they reach of their bounds.

    The index is null where no flow has delivered anything.
    """
    by = [*keys, "seed"] if "seed" in result.flows.columns else keys
    shares = result.flows.group_by(by, maintain_order=True).agg("goodput_bit_s")
    goodputs = shares["goodput_bit_s"].to_list()
    runs = result.runs.with_columns(pl.Series(FAIRNESS.column, map(jain, goodputs)).fill_nan(None))
    if bounds is None:
        return runs
    flows = zip(bounds, goodputs, strict=True)
    return runs.with_columns(
        pl.Series(REACHED.column, [bound.share(each) for bound, each in flows]),
        pl.Series(BOUND, [bound.total_bit_s for bound in bounds]),
    )

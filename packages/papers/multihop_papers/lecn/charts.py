"""How LECN's time series are drawn: a few seconds round a drop of data."""

from __future__ import annotations

import polars as pl
from matplotlib.axes import Axes

from multihop.charting.figure import FAINT, INK
from multihop.reproducing.panels import Draw
from multihop.reproducing.spec import Data
from multihop.statistics.stats import Values

from .potential import NODE, Stays, Steps, drops, potential, stays
from .setup import TRACES

SECONDS = 3.0
BEFORE = 1.0


def _window(events: pl.DataFrame) -> tuple[float, float]:
    """Return from when to when is shown: round the drop in the middle of all."""
    lost, _ = drops(events)
    at = float(lost[len(lost) // 2] if len(lost) else events["time_s"][-1] or 0.0)
    return at - BEFORE, at - BEFORE + SECONDS


def _events(axes: Axes, data: Data) -> pl.DataFrame:
    events = data.traces[TRACES[0].name].events
    axes.set_xlim(*_window(events))
    axes.set_xlabel("time (s)")
    return events


def _step(axes: Axes, steps: Steps, label: str) -> None:
    axes.step(steps.times, steps.values, where="post", color=INK, linewidth=0.8)
    axes.set_ylim(0, None)
    axes.set_ylabel(label)


def draw_maximum(axes: Axes, data: Data) -> None:
    """Draw the maximum CP and the drops."""
    events = _events(axes, data)
    for times, line in zip(drops(events), ("-", ":"), strict=True):
        for time in times:
            axes.axvline(time, color=FAINT, linestyle=line)
    _step(axes, potential(events), "maximum CP")


def draw_node(node: int) -> Draw:
    """Draw the CP of one node."""

    def draw(axes: Axes, data: Data) -> None:
        _step(axes, potential(_events(axes, data), node), "CP")

    return draw


def draw_retries(axes: Axes, data: Data) -> None:
    """Draw how often the MAC tried again, a stem for each packet."""
    packets = _stays(axes, data)
    _stems(axes, packets.end, packets.retries, "retries")


def draw_staying(axes: Axes, data: Data) -> None:
    """Draw how long packets stayed in the MAC, a stem for each packet."""
    packets = _stays(axes, data)
    _stems(axes, packets.end, 1e3 * packets.duration, "staying time (ms)")


def _stays(axes: Axes, data: Data) -> Stays:
    events = _events(axes, data)
    return stays(events.filter(pl.col("time_s").is_between(*_window(events))), NODE)


def _stems(axes: Axes, x: Values, y: Values, label: str) -> None:
    axes.vlines(x, 0, y, color=INK, linewidth=0.8)
    axes.set_ylim(bottom=0)
    axes.set_ylabel(label)

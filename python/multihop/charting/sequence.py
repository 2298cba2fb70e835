"""Message sequence charts, drawn from the events of a real run.

Nodes are vertical lines, time runs downwards. A bar on a node's line is the air time of a frame;
an arrow goes from the transmitter at its beginning to a receiver at its end. What a node only
overhears is dashed, a lost reception ends in a cross, frames of other packets are grey. What a
node makes of them stands beside its line.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import polars as pl
from matplotlib.axes import Axes

from .cases import Window
from .figure import FAINT, INK

COLORS = {"data": "#2f7fc1", "rfa": "#b8860b", "ack": "#2e8b57", "nack": "#c2410c"}
LOST = "#d1334a"
SMALL = 8.25
# A frame is received at the end of its air time, at most this much later (propagation).
LATEST_S = 20e-6
MARGIN_S = 1.5e-3
# What a node notes beside its line.
NOTES = {
    "timeout": "timeout",
    "implicit_acknowledgment": "implicit ACK",
    "explicit_acknowledgment": "ACK taken",
    "negative_acknowledgment": "NACK taken",
    "duplicate_ignored": "ignored",
    "echoed": "echo taken",
    "echo_held": "told to wait",
}


class _Arrow(NamedTuple):
    """A frame on its way from line `x[0]` to line `x[1]`, times in ms."""

    x: tuple[int, int]
    y: tuple[float, float]
    label: str
    color: str
    lost: bool
    overheard: bool


def draw_sequence(axes: Axes, events: pl.DataFrame, window: Window) -> None:
    """Draw what the nodes of `window` sent and heard, times in ms from its beginning."""
    shown = events.filter(
        pl.col("node").is_in(window.nodes),
        pl.col("time_s").is_between(window.start - MARGIN_S, window.end + MARGIN_S),
    ).with_columns(time_ms=(pl.col("time_s") - window.start) * 1e3)
    for index in range(len(window.nodes)):
        axes.axvline(index, color=FAINT, linewidth=0.8, zorder=0)
    for row in shown.filter(event="transmit_start").to_dicts():
        _draw_air_time(axes, row, window)
    for arrow in _arrows(shown, window):
        _draw_arrow(axes, arrow)
    own = shown.filter(
        pl.col("time_s").is_between(window.start, window.end),
        flow=window.flow,
        packet=window.packet,
    )
    for row in own.to_dicts():
        if row["event"] in NOTES and row["node"] in window.nodes[:2]:
            _draw_note(axes, row["event"], window.nodes.index(row["node"]), row["time_ms"])
    axes.set_xticks(range(len(window.nodes)), [f"node {node}" for node in window.nodes])
    axes.xaxis.tick_top()
    axes.tick_params(axis="x", length=0)
    axes.set_xlim(-0.95, len(window.nodes) - 0.75)
    axes.set_ylim((window.end - window.start + MARGIN_S) * 1e3, -MARGIN_S * 1e3)
    axes.set_ylabel("time (ms)")
    axes.grid(visible=False)
    axes.spines["bottom"].set_visible(False)


def _color(row: dict[str, Any], window: Window) -> str:
    own = (row["flow"], row["packet"]) == (window.flow, window.packet)
    return COLORS.get(row["frame"], FAINT) if own else FAINT


def _draw_air_time(axes: Axes, row: dict[str, Any], window: Window) -> None:
    x = window.nodes.index(row["node"])
    y = row["time_ms"], row["time_ms"] + row["duration_s"] * 1e3
    axes.plot((x, x), y, color=_color(row, window), linewidth=4, alpha=0.6, solid_capstyle="butt")


def _arrows(shown: pl.DataFrame, window: Window) -> list[_Arrow]:
    """Pair each frame with what became of it at the neighbouring lines of the chart."""
    heard = shown.filter(pl.col("event").is_in(["receive", "loss"])).to_dicts()
    arrows = []
    for sent in shown.filter(event="transmit_start").to_dicts():
        x = window.nodes.index(sent["node"])
        end = sent["time_s"] + sent["duration_s"]
        for row in heard:
            to = window.nodes.index(row["node"])
            if (
                row["peer"] == sent["node"]
                and all(row[name] == sent[name] for name in ("frame", "flow", "packet"))
                and sent["time_s"] <= row["time_s"] <= end + LATEST_S
                and abs(to - x) == 1
            ):
                arrows.append(
                    _Arrow(
                        (x, to),
                        (sent["time_ms"], sent["time_ms"] + sent["duration_s"] * 1e3),
                        f"{sent['frame'].upper()} {sent['packet']}",
                        _color(sent, window),
                        row["event"] == "loss",
                        sent["peer"] != row["node"],
                    )
                )
    return arrows


def _draw_arrow(axes: Axes, arrow: _Arrow) -> None:
    # A lost frame does not reach the line.
    reach = 0.88 if arrow.lost else 1.0
    tip = (
        arrow.x[0] + reach * (arrow.x[1] - arrow.x[0]),
        arrow.y[0] + reach * (arrow.y[1] - arrow.y[0]),
    )
    axes.annotate(
        "",
        xy=tip,
        xytext=(arrow.x[0], arrow.y[0]),
        arrowprops={
            "arrowstyle": "-" if arrow.lost else "-|>",
            "color": arrow.color,
            "linestyle": "--" if arrow.overheard else "-",
            "linewidth": 0.9 if arrow.overheard else 1.4,
            "shrinkA": 0,
            "shrinkB": 0,
        },
    )
    if arrow.lost:
        axes.plot(*tip, marker="x", color=LOST, markersize=7, markeredgewidth=2, zorder=4)
    if not arrow.overheard:
        across = arrow.x[1] - arrow.x[0]
        axes.text(
            (arrow.x[0] + arrow.x[1]) / 2,
            (arrow.y[0] + arrow.y[1]) / 2,
            arrow.label,
            rotation=math.degrees(math.atan2((arrow.y[1] - arrow.y[0]) * across, 1)),
            rotation_mode="anchor",
            transform_rotates_text=True,
            clip_on=True,
            ha="center",
            va="bottom",
            fontsize=SMALL,
            color=arrow.color,
        )


def _draw_note(axes: Axes, event: str, x: int, y: float) -> None:
    """Write what a node notes: left of the first line, right of the others."""
    color = LOST if event == "timeout" else INK
    if event == "timeout":
        axes.plot(x, y, marker="D", color=color, markersize=5, zorder=4)
    axes.annotate(
        NOTES[event],
        (x, y),
        (6 if x else -6, 0),
        textcoords="offset points",
        ha="left" if x else "right",
        va="center",
        fontsize=SMALL,
        color=color,
    )

"""A picture of a chain of radios: its nodes, two flows across it, and how far a node reaches."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.patches import Circle

from .figure import COLORS, FAINT, INK

# The defaults of `[radio]`, in m.
RECEIVE_M = 250.0
SENSE_M = 550.0
# Where flows and words stand, in m off the chain.
FLOW_M = 680.0
WORDS_M = 500.0
GAP_M = 60.0
TEXT = 8.5


def draw_chain(axes: Axes, hops: int, spacing: float) -> None:
    """Draw a chain with a flow each way; `spacing` in m."""
    length = hops * spacing
    middle = hops // 2 * spacing
    _range(axes, middle, SENSE_M, "--")
    _range(axes, middle, RECEIVE_M, "-")
    _name(axes, f"receives within {RECEIVE_M:g} m", (-GAP_M, WORDS_M), (middle, RECEIVE_M))
    _name(axes, f"senses within {SENSE_M:g} m", (length + GAP_M, -WORDS_M), (middle, -SENSE_M))
    axes.plot((0, length), (0, 0), color=FAINT, linewidth=0.8, zorder=1)
    for node in range(hops + 1):
        axes.plot(node * spacing, 0, "o", color=INK, markersize=4, zorder=3)
        axes.text(node * spacing, -GAP_M, str(node), fontsize=TEXT, ha="center", va="top")
    _flow(axes, (0, length), FLOW_M, f"flow 1: from node 0 to node {hops}")
    _flow(axes, (length, 0), -FLOW_M, f"flow 2: from node {hops} to node 0")
    axes.set_xlim(-GAP_M * 2, length + GAP_M * 2)
    axes.set_ylim(-FLOW_M * 1.3, FLOW_M * 1.3)
    axes.set_aspect("equal")
    axes.set_axis_off()


def _range(axes: Axes, x: float, radius: float, line: str) -> None:
    axes.add_patch(Circle((x, 0), radius, fill=False, edgecolor=COLORS[0], linestyle=line))


def _name(axes: Axes, words: str, place: tuple[float, float], circle: tuple[float, float]) -> None:
    """Name a circle, given by its middle and the height of its top, from the end of the chain."""
    x, top = circle
    out = 1 if place[0] > x else -1
    axes.annotate(
        words,
        (x + out * abs(top) * 0.8, top * 0.6),
        place,
        arrowprops={"arrowstyle": "-", "color": FAINT, "shrinkA": 2, "shrinkB": 0},
        fontsize=TEXT,
        ha="right" if out > 0 else "left",
        va="center",
    )


def _flow(axes: Axes, ends: tuple[float, float], y: float, words: str) -> None:
    arrow = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.4, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", (ends[1], y), (ends[0], y), arrowprops=arrow)
    axes.text(sum(ends) / 2, y + GAP_M / 2, words, fontsize=TEXT, ha="center", va="bottom")

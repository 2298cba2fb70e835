"""Figure 1: the sender's state machine, drawn from the table that the sender goes by."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from multihop._multihop import wxcp_transitions
from multihop.charting.figure import COLORS, FAINT, INK
from multihop.reproducing.spec import Data

RADIUS = 1.0
BOX = {"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": INK, "linewidth": 0.9}
SMALL = 7.5


def states() -> list[str]:
    """Return the states in the order in which arrows name them."""
    return list(
        dict.fromkeys(name for one, _, other, _ in wxcp_transitions() for name in (one, other))
    )


def triggers() -> list[str]:
    """Return what leads from state to state."""
    return list(dict.fromkeys(on for _, on, _, _ in wxcp_transitions()))


def draw_machine(axes: Axes, _: Data) -> None:
    """Draw every state on a circle and every arrow with the numbers of its triggers."""
    names, causes = states(), triggers()
    angles = np.pi / 2 - 2 * np.pi * np.arange(len(names)) / len(names)
    at = {
        name: (RADIUS * np.cos(a), RADIUS * np.sin(a))
        for name, a in zip(names, angles, strict=True)
    }
    labels: dict[tuple[str, str], list[str]] = {}
    for one, on, other, _paper in wxcp_transitions():
        labels.setdefault((one, other), []).append(str(causes.index(on) + 1))
    for (one, other), numbers in labels.items():
        _arrow(axes, at[one], at[other], ", ".join(numbers))
    for name, place in at.items():
        axes.text(*place, name, ha="center", va="center", bbox=BOX, fontsize=SMALL, zorder=5)
    for number, cause in enumerate(causes, 1):
        axes.plot(
            [],
            [],
            color=COLORS[(number - 1) % len(COLORS)],
            linestyle="",
            label=f"{number}: {cause}",
        )
    axes.set_xlim(-1.5, 1.5)
    axes.set_ylim(-1.25, 1.25)
    axes.set_axis_off()


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], label: str) -> None:
    """Draw an arrow that bends to its left, so that one back does not lie upon it."""
    shape = {
        "arrowstyle": "-|>",
        "color": FAINT,
        "connectionstyle": "arc3,rad=0.15",
        "shrinkA": 16,
        "shrinkB": 16,
    }
    axes.annotate("", xy=end, xytext=start, arrowprops=shape)
    (x0, y0), (x1, y1) = start, end
    middle = (0.4 * x0 + 0.6 * x1 + 0.08 * (y1 - y0), 0.4 * y0 + 0.6 * y1 - 0.08 * (x1 - x0))
    axes.text(*middle, label, ha="center", va="center", fontsize=SMALL, color=INK)

"""Figure 1: the sender's state machine, drawn from the table that the sender goes by."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from ..._multihop import wxcp_transitions
from ...figure import COLORS, FAINT, INK
from ..spec import Claim, Data, Finding
from .setup import MACHINE, W_MIN

DISCOVERY = "loss discovery"
# How loss discovery ends (3.4), as the table calls it; the two that end in a timeout are one in a
# trace.
EXITS = ("W_min packets out", "third duplicate ACK", "new ACK", "retransmission timer")
ACKNOWLEDGED, DUPLICATES, TIMEOUT = "new ACKs", "3 duplicate ACKs", "retransmission timer"
# What a trace shows of each, the first that is there at a time.
SHOWN = {
    "retransmission_timeout": TIMEOUT,
    "segment_retransmission": DUPLICATES,
    "window": ACKNOWLEDGED,
    "round_trip": ACKNOWLEDGED,
}
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


# ---- what real runs show -------------------------------------------------------------------------


def entries(events: pl.DataFrame) -> list[float]:
    """Return the congestion window, in packets, at each time that loss discovery was entered."""
    own = events.filter(pl.col("event").is_in(["window", "loss_discovery"]), flow=0)
    windows = own.with_columns(pl.col("value").fill_nan(None).forward_fill())
    return windows.filter(event="loss_discovery")["value"].to_list()


def endings(events: pl.DataFrame) -> dict[str, int]:
    """Count how loss discovery ended: by what came next of what ends it."""
    own = events.filter(pl.col("event").is_in([*SHOWN, "loss_discovery"]), flow=0)
    rows = own.select("time_s", "event").rows()
    found = dict.fromkeys((ACKNOWLEDGED, DUPLICATES, TIMEOUT), 0)
    order = list(SHOWN)
    for at, (_, event) in enumerate(rows):
        later = rows[at + 1 :] if event == "loss_discovery" else []
        if later and later[0][1] != "loss_discovery":
            same = [name for time, name in later if time == later[0][0] and name in SHOWN]
            found[SHOWN[min(same, key=order.index)]] += 1
    return found


def _traced(data: Data) -> Sequence[pl.DataFrame]:
    return [data.traces[trace.name].events for trace in MACHINE]


def enters(note: str = "") -> Claim:
    """Claim that loss discovery is entered, and with small windows only."""

    def judge(data: Data) -> Finding:
        found = [window for events in _traced(data) for window in entries(events)]
        largest = max(found, default=0.0)
        text = f"{len(found)} times, the window at most {largest:.1f} packets"
        return Finding(bool(found) and largest < W_MIN, text)

    return Claim(
        "when ACKs are missing and the window is small, the sender enters loss discovery",
        f"in {len(MACHINE)} traced runs it does, always with less than {W_MIN} packets",
        judge,
        note,
    )


def leaves(note: str = "") -> Claim:
    """Claim that loss discovery has the four exits of the paper, and that runs take them."""

    def judge(data: Data) -> Finding:
        arrows = {on for one, on, _, _ in wxcp_transitions() if one == DISCOVERY}
        counts = [endings(events) for events in _traced(data)]
        found = {name: sum(count[name] for count in counts) for name in counts[0]}
        text = ", ".join(f"{name} {count}" for name, count in found.items())
        return Finding(arrows == {*EXITS} and all(found.values()), text)

    return Claim(
        "the sender leaves loss discovery with W_min packets out, 3 duplicate ACKs, new ACKs, or "
        "when the retransmission timer expires",
        "the machine has these four arrows and no other; in the traced runs it ends by new ACKs, "
        "by duplicates, and by the timer (which follows on the first), each at least once",
        judge,
        note,
    )

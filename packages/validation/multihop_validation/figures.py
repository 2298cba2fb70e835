"""The page's figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from multihop.charting.figure import FAINT, INK, LOOK, lay_out, save_small
from multihop.results.result import make_folder

from . import bianchi
from .curves import Curve
from .reference import Case, Measured

COLORS = {True: "#d62728", False: "#1f77b4"}
LABELS = {True: "with RTS/CTS", False: "without"}
SIZE = (3.4, 2.6)


def draw(folder: Path, all_curves: Sequence[Curve]) -> None:
    """Draw the curves of goodput and delay, and the saturated cell."""
    loads = [curve for curve in all_curves if curve.x == "load"]
    tworay = [c for c in loads if "shadowing" not in c.title and "tunnel" not in c.title]
    chains = [c for c in tworay if "512 B" in c.title and "10 hops" in c.title]
    _panels(folder, "goodput", chains, "goodput")
    _panels(folder, "delay", chains, "delay")
    others = [c for c in tworay if c not in chains]
    _panels(folder, "others", others, "goodput")
    _panels(folder, "shadowing", [c for c in loads if "shadowing" in c.title], "goodput")
    star = next((c for c in all_curves if c.x == "senders"), None)
    if star is not None:
        _saturation(folder, star)


def _panels(folder: Path, name: str, shown: Sequence[Curve], kind: str) -> None:
    if not shown:
        return
    with mpl.rc_context({**LOOK, "svg.hashsalt": name}):
        columns = min(2, len(shown))
        rows = -(-len(shown) // columns)
        figure = Figure(figsize=(SIZE[0] * columns, SIZE[1] * rows))
        for number, curve in enumerate(shown):
            axes = figure.add_subplot(rows, columns, number + 1)
            _lines(axes, curve, kind)
        _finish(figure, folder / f"{name}.svg")


def _lines(axes: Axes, curve: Curve, kind: str) -> None:
    for rts in (True, False):
        points = curve.of(rts=rts)
        x = [curve.position(row) for row in points]
        both = [getattr(row, kind) for row in points]
        theirs, ours = [c.reference for c in both], [c.ours for c in both]
        axes.errorbar(
            x,
            [e.mean for e in theirs],
            yerr=[e.error for e in theirs],
            fmt="o",
            color=COLORS[rts],
            markerfacecolor="none",
            elinewidth=0.8,
            label=f"ns-2, {LABELS[rts]}",
        )
        axes.plot(x, [e.mean for e in ours], color=COLORS[rts], label=f"multihop, {LABELS[rts]}")
    axes.set_title(curve.title, fontsize=8)
    axes.set_xlabel("offered load per source (kbit/s)")
    axes.set_xlim(left=0)
    if kind == "delay":
        axes.set_yscale("log")
        axes.set_ylabel("network delay (ms)")
    else:
        axes.set_ylim(bottom=0)
        axes.set_ylabel("goodput (kbit/s)")


def _saturation(folder: Path, star: Curve) -> None:
    with mpl.rc_context({**LOOK, "svg.hashsalt": "saturation"}):
        figure = Figure(figsize=(5.0, 3.0))
        axes = figure.add_subplot(1, 1, 1)
        _lines(axes, star, "goodput")
        for rts in (True, False):
            senders = range(2, 31)
            cells = [bianchi.Cell(n, star.rows[0].case.packet, rts) for n in senders]
            model = [cell.goodput(bianchi.STAR_PROPAGATION_US) for cell in cells]
            axes.plot(senders, model, ":", color=INK, label="Bianchi's model" if rts else None)
        axes.set_xlabel("saturated senders")
        axes.set_ylim(bottom=550)
        axes.set_xlim(left=0)
        _finish(figure, folder / "saturation.svg")


def draw_phases(
    folder: Path,
    reference: Mapping[Case, Measured],
    same: Mapping[Case, Measured],
    own: Mapping[Case, Measured],
) -> None:
    """Draw the delays seed by seed: ns-2's, and ours from the same and from own start times."""
    cases = list(reference)
    with mpl.rc_context({**LOOK, "svg.hashsalt": "phases"}):
        columns = min(3, len(cases))
        rows = -(-len(cases) // columns)
        figure = Figure(figsize=(2.7 * columns, 2.2 * rows))
        for number, case in enumerate(cases):
            axes = figure.add_subplot(rows, columns, number + 1)
            for runs, color, width, label in (
                (reference[case], FAINT, 3.5, "ns-2"),
                (same[case], COLORS[True], 1.1, "multihop, start times of ns-2"),
                (own[case], COLORS[False], 1.1, "multihop, own start times"),
            ):
                delays = np.sort(runs.delay)
                shares = np.arange(1, len(delays) + 1) / len(delays)
                axes.step(delays, shares, where="post", color=color, label=label, linewidth=width)
            rts = "RTS/CTS" if case.rts else "no RTS/CTS"
            axes.set_title(f"{case.load:g} kbit/s, {rts}", fontsize=8)
            axes.set_xlabel("mean network delay of a run (ms)")
            axes.set_ylabel("share of runs")
        _finish(figure, folder / "phases.svg")


def _finish(figure: Figure, path: Path) -> None:
    entries = {
        label: handle
        for axes in figure.axes
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(
        list(entries.values()), list(entries), loc="outside lower center", ncols=2, fontsize=8
    )
    lay_out(figure)
    make_folder(path.parent)
    save_small(figure, path)

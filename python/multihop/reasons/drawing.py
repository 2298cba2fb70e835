"""The figure of an answer: what each change is worth, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..charting.figure import COLORS, FAINT, LOOK, metadata
from ..engine.errors import ChartError
from ..results.result import replacing
from .asking import Why
from .metrics import Metric
from .trials import Effect, Verdict

KINDS = (".svg", ".pdf", ".png")
# Changes that one panel shows, those first that are worth most.
MOST = 16
# In inches.
WIDTH, ROW, AROUND = 6.4, 0.24, 1.0
SHADES = {
    Verdict.BETTER: COLORS[2],
    Verdict.WORSE: COLORS[3],
    Verdict.NOTHING: FAINT,
    Verdict.SHARE: FAINT,
    Verdict.UNDECIDED: COLORS[1],
}


def draw(found: Why, path: Path) -> None:
    """Draw an answer into a file: a row for each change, with worth and 95 % interval.

    The ending says what it becomes: .svg, .pdf or .png; `ChartError` for another.
    """
    if path.suffix not in KINDS:
        raise ChartError(f"'{path}' ends in none of {', '.join(KINDS)}; name a file with one")
    parts = {"What limits it": found.limits, "What would help": found.helps}
    panels = {title: effects[:MOST] for title, effects in parts.items() if effects}
    if not panels:
        raise ChartError("nothing was tried within the budget, so there is nothing to draw")
    heights = [ROW * len(effects) + AROUND for effects in panels.values()]
    with mpl.rc_context({**LOOK, "svg.hashsalt": found.scenario.name}):
        figure = Figure(figsize=(WIDTH, sum(heights)), layout="constrained")
        every = figure.subplots(len(panels), height_ratios=heights, squeeze=False)
        for axes, (title, effects) in zip(every[:, 0], panels.items(), strict=True):
            _panel(axes, title, effects, found.metric)
        with replacing(path, "--figure") as temporary:
            kind = path.suffix.removeprefix(".")
            figure.savefig(temporary, format=kind, metadata=metadata(kind))


def _panel(axes: Axes, title: str, effects: Sequence[Effect], metric: Metric) -> None:
    factor = metric.sign * metric.scale
    rows = range(len(effects))
    for row, one in zip(rows, effects, strict=True):
        low, high = (one.worth if end is None else end for end in (one.low, one.high))
        shade = SHADES[one.verdict]
        axes.plot([factor * low, factor * high], [row, row], color=shade, solid_capstyle="round")
        axes.plot([factor * one.worth], [row], "o", color=shade, label=one.verdict.value)
    axes.axvline(0, color=FAINT, linewidth=0.8)
    axes.set_yticks(rows, [one.change.name for one in effects])
    axes.invert_yaxis()
    axes.set_title(title)
    axes.set_xlabel(f"worth of the change: {metric.about} ({metric.unit})")
    handles, labels = axes.get_legend_handles_labels()
    named = dict(zip(labels, handles, strict=True))
    axes.legend(named.values(), named.keys(), fontsize="small")

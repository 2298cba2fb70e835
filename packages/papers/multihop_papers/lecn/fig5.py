"""LECN 3.2, figure 5: how long the maximum congestion potential has which value."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes

from multihop.charting.figure import INK, scheme_style
from multihop.reproducing.judging import above, difference, finding, mean
from multihop.reproducing.panels import paper_points
from multihop.reproducing.rules import stated
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel
from multihop.statistics.stats import Values

from .notes import FULL, IDLE, LESS_DRAMATIC, THINNED_LEVELS
from .potential import LEVELS, shares
from .setup import LECN_60, POTENTIAL, TCP, THINNING, THINNING_LECN_60, VARIANTS

# Level: percentage of time without and with LECN. Of the other levels, and of thinning, the paper
# gives no numbers.
PAPER = {0: "33.85 9.90", 2: "15.16 25.10", 3: "23.89 37.50", 5: "4.51 2.41"}
WIDTH = 0.4
NOTES = {0: IDLE, 5: FULL}
FALL = (0, 5)
RISE = (2, 3)


def _draw(plain: str, marked: str) -> Callable[[Axes, Data], None]:
    def draw(axes: Axes, data: Data) -> None:
        measured = data.studies[POTENTIAL.name]
        for side, variant in ((-0.5, plain), (0.5, marked)):
            look = VARIANTS[variant]
            axes.bar(
                np.arange(LEVELS) + side * WIDTH,
                shares(measured, variant).mean(axis=0),
                WIDTH,
                label="with LECN" if variant == marked else "without",
                color=scheme_style(look.scheme).color,
                hatch="//" if variant == marked else None,
                edgecolor=INK,
                linewidth=0.5,
            )
        axes.set_xlabel("maximum CP")
        axes.set_ylabel("time (%)")
        if plain == TCP:
            points = [
                (level + side * WIDTH, float(number))
                for level, numbers in PAPER.items()
                for side, number in zip((-0.5, 0.5), numbers.split(), strict=True)
            ]
            paper_points(axes, [x for x, _ in points], [y for _, y in points])

    return draw


def _level(level: int) -> Callable[[Data], list[float]]:
    def measure(data: Data) -> list[float]:
        measured = data.studies[POTENTIAL.name]
        return [float(shares(measured, name)[:, level].mean()) for name in (TCP, LECN_60)]

    return measure


def _change(data: Data, plain: str, marked: str) -> Values:
    """Return what LECN adds to each level, in percentage points: a row for each seed."""
    measured = data.studies[POTENTIAL.name]
    return shares(measured, marked) - shares(measured, plain)


def _tendency(plain: str, marked: str, note: str = "") -> Claim:
    def judge(data: Data) -> Finding:
        change = _change(data, plain, marked)
        signs = dict.fromkeys(FALL, -1) | dict.fromkeys(RISE, 1)
        compared = [
            above(mean(sign * change[:, level]), 0, f"the change of level {level}")
            for level, sign in signs.items()
        ]
        points = ", ".join(f"{level}: {change[:, level].mean():+.1f}" for level in (*FALL, *RISE))
        return finding(f"percentage points at level {points}", compared)

    return Claim(
        "LECN makes levels 0 and 5 rarer, 2 and 3 more frequent",
        "levels 0 and 5 fall, 2 and 3 rise",
        judge,
        note,
    )


def _less_dramatic(data: Data) -> Finding:
    plain, thinned = (
        np.abs(_change(data, *pair)).sum(axis=1)
        for pair in ((TCP, LECN_60), (THINNING, THINNING_LECN_60))
    )
    text = f"{thinned.mean():.1f} percentage points over all levels, against {plain.mean():.1f}"
    return finding(text, [above(difference(plain, thinned), 0, "the difference")])


FIGURE = FigureSpec(
    "lecn/fig5",
    "Distribution of the maximum congestion potential (CP), 8 hops, threshold 60 ms",
    (
        Panel(
            "lecn/fig5a",
            "without ACK thinning",
            _draw(TCP, LECN_60),
            (
                *(
                    stated(
                        f"without and with LECN, the CP has level {level}",
                        numbers,
                        " % of the time",
                        _level(level),
                        NOTES.get(level, ""),
                    )
                    for level, numbers in PAPER.items()
                ),
                _tendency(TCP, LECN_60),
            ),
            (POTENTIAL,),
        ),
        Panel(
            "lecn/fig5b",
            "with ACK thinning",
            _draw(THINNING, THINNING_LECN_60),
            (
                _tendency(THINNING, THINNING_LECN_60, THINNED_LEVELS),
                Claim(
                    "with thinning the improvement is less dramatic",
                    "the changes of all levels are less in sum",
                    _less_dramatic,
                    LESS_DRAMATIC,
                ),
            ),
            (POTENTIAL,),
        ),
    ),
)

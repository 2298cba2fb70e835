"""How CL's figures are drawn: curves over rates or nodes, and bars with delivery ratios."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from multihop.charting.figure import INK, Line, Style, draw_lines, scheme_style
from multihop.reproducing.panels import Draw, paper_points
from multihop.reproducing.spec import Data, Study, StudyData
from multihop.statistics.stats import Values, confidence

from .measures import ratio, throughput, total

KBIT = "throughput (kbit/s)"
RATE = "sending rate (kbit/s)"
NODES = "nodes"
WIDTH = 0.8
SMALL = 6.5


def _line(data: StudyData, variant: str, values: Values, x: Values) -> Line:
    look = data.study.variants[variant]
    own = scheme_style(look.scheme, look.secondary)
    style = Style(own.color, look.marker or own.marker, look.secondary)
    error = np.array([confidence(row) for row in values])
    return Line(look.title, style, x, values.mean(axis=1), error)


def over_rates(study: Study) -> Draw:
    """Draw the throughput of every length over the sending rate."""

    def draw(axes: Axes, data: Data) -> None:
        measured = data.studies[study.name]
        lines = [
            _line(measured, variant, throughput(measured, variant) / 1e3, 8 * measured.x)
            for variant in measured.variants
        ]
        draw_lines(axes, lines, x=RATE, y=KBIT)

    return draw


def over_nodes(study: Study) -> Draw:
    """Draw the throughput of every scheme over the number of nodes."""

    def draw(axes: Axes, data: Data) -> None:
        measured = data.studies[study.name]
        lines = [
            _line(measured, variant, throughput(measured, variant) / 1e3, measured.x)
            for variant in measured.variants
        ]
        draw_lines(axes, lines, x=NODES, y=KBIT)

    return draw


def over_packets(study: Study, paper: Sequence[tuple[float, float]] = ()) -> Draw:
    """Draw the packets that each reading delivers over the rate; `paper` are the paper's points."""

    def draw(axes: Axes, data: Data) -> None:
        measured = data.studies[study.name]
        lines = [
            _line(measured, variant, total(measured, variant, "delivered"), measured.x)
            for variant in measured.variants
        ]
        draw_lines(axes, lines, x="sending rate (packets/s)", y="packets delivered")
        if paper:
            paper_points(axes, *zip(*paper, strict=True))

    return draw


def bars(study: Study, variants: Sequence[str]) -> Draw:
    """Draw the throughput in Mbit of a run by the number of flows, delivery ratios above."""

    def draw(axes: Axes, data: Data) -> None:
        measured = data.studies[study.name]
        seconds = measured.runs["duration_s"].to_numpy()[0]
        width = WIDTH / len(variants)
        for at, name in enumerate(variants):
            values = throughput(measured, name) * seconds / 1e6
            shares = ratio(measured, name).mean(axis=1)
            look = study.variants[name]
            places = np.arange(len(measured.x)) + (at - (len(variants) - 1) / 2) * width
            drawn = axes.bar(
                places,
                values.mean(axis=1),
                width,
                yerr=[confidence(row) for row in values],
                color=scheme_style(look.scheme).color,
                alpha=0.4 + 0.6 * (at + 1) / len(variants),
                hatch="//" if look.secondary else "",
                ecolor=INK,
                label=look.title,
            )
            axes.bar_label(drawn, [f"{share:.2f}" for share in shares], fontsize=SMALL, rotation=90)
        axes.set_xticks(range(len(measured.x)), [f"{x:g}" for x in measured.x])
        axes.set_xlabel("flows")
        axes.set_ylabel("received in a run (Mbit)")
        axes.set_ylim(bottom=0)

    return draw

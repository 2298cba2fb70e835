"""How CXCC's figures 14 to 21 are drawn: relative curves, bars of connections, arrivals, shares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from multihop.charting.figure import draw_lines, look, scheme_style
from multihop.reproducing.panels import Draw
from multihop.reproducing.spec import Data, Study, StudyData
from multihop.statistics.stats import Values

from .connections import connections
from .rivals import SHOWN_S, WITHOUT_RTS
from .streams import rates, transfers

LOST = "full packets lost (%)"
# Of the many transfers of a run so many are shown.
STREAMS = 30
BAR = 0.8


def relative(study: Study, column: str, y: str) -> Draw:
    """Draw a column of each variant, relative to its value without errors."""

    def draw(axes: Axes, data: Data) -> None:
        measured = data.studies[study.name]
        lines = []
        for variant in measured.variants:
            line = measured.line(variant, column)
            lines.append(replace(line, y=line.y / line.y[0], error=line.error / line.y[0]))
        draw_lines(axes, lines, x=LOST, y=y)

    return draw


def stacked(study: Study, *, by_hops: bool) -> Draw:
    """Draw each scenario's connections on top of each other, a bar for each variant."""

    def draw(axes: Axes, data: Data) -> None:
        measured = data.studies[study.name]
        width = BAR / len(measured.variants)
        for place, name in enumerate(measured.variants):
            variant = study.variants[name]
            found = connections(measured, name)
            heights = found["goodput_bit_s"] * (found["hops"] if by_hops else 1) / 1e3
            parts = heights.to_numpy().reshape(len(measured.x), -1)
            x = np.arange(len(measured.x)) + (place + 0.5) * width - BAR / 2
            below = np.zeros(len(measured.x))
            for part in parts.T:
                axes.bar(
                    x,
                    part,
                    width,
                    bottom=below,
                    label=variant.title if part is parts.T[0] else None,
                    color=scheme_style(variant.scheme).color,
                    alpha=0.45 if variant.secondary else 1.0,
                    edgecolor="white",
                    linewidth=0.4,
                )
                below += part
        axes.set_xticks(np.arange(len(measured.x)), [f"{number:g}" for number in measured.x])
        axes.set_xlabel("scenario")
        axes.set_ylabel("goodput times hops (kbit/s)" if by_hops else "goodput (kbit/s)")

    return draw


def beside(studies: Sequence[Study], measure: Callable[[StudyData, str], float], y: str) -> Draw:
    """Draw a number of each variant, for each propagation model."""

    def draw(axes: Axes, data: Data) -> None:
        found = [data.studies[study.name] for study in studies]
        names = found[0].variants
        width = BAR / len(names)
        for place, name in enumerate(names):
            variant = found[0].study.variants[name]
            x = np.arange(len(studies)) + (place + 0.5) * width - BAR / 2
            values = [measure(measured, name) for measured in found]
            axes.bar(
                x,
                values,
                width,
                label=variant.title,
                color=scheme_style(variant.scheme).color,
                alpha=0.45 if variant.secondary else 1.0,
            )
        axes.set_xticks(np.arange(len(studies)), ["two-ray ground", "shadowing"])
        axes.set_ylabel(y)

    return draw


def arrivals(study: Study, variant: str) -> Draw:
    """Draw when packets of some transfers of the first network arrive: a row for each.

    They are evenly picked in the order in which they begin.
    """

    def draw(axes: Axes, data: Data) -> None:
        measured = data.studies[study.name]
        network = {"x": measured.x[0], "variant": variant}
        series = measured.others["series"].filter(pl.col("delivered") > 0, **network)
        first = transfers(measured, variant).filter(x=measured.x[0])
        began = first.sort("first_offer_s")["flow"].to_list()
        picked = began[:: max(len(began) // STREAMS, 1)][:STREAMS]
        color = scheme_style(study.variants[variant].scheme).color
        for row, flow in enumerate(picked):
            times: Values = series.filter(flow=flow)["time_s"].to_numpy()
            axes.plot(times, np.full(len(times), row), ".", color=color, markersize=2)
        axes.set_xlim(0, SHOWN_S)
        axes.set_xlabel("time (s)")
        axes.set_ylabel("transfer")

    return draw


def distribution(study: Study) -> Draw:
    """Draw which part of the transfers is at least as fast."""

    def draw(axes: Axes, data: Data) -> None:
        measured = data.studies[study.name]
        for name in WITHOUT_RTS:
            found = np.sort(rates(measured, name)) / 1e3
            share = 1 - np.arange(len(found)) / len(found)
            style = look(scheme_style(study.variants[name].scheme))
            every = max(len(found) // 12, 1)
            axes.plot(found, share, label=study.variants[name].title, markevery=every, **style)
        axes.set_xscale("log")
        axes.set_xlabel("throughput (kbit/s)")
        axes.set_ylabel("transfers at least as fast")

    return draw

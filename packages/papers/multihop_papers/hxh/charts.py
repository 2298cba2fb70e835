"""How HxH's figures are drawn: flows over time, and bars of flows or protocols."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from multihop.charting.figure import FLOWS, INK, scheme_style
from multihop.reproducing.panels import Draw, rates_over_time
from multihop.reproducing.spec import Data, Study
from multihop.statistics.stats import confidence

from .windows import windows

SHIFT = 0.18


def flows_over_time(study: Study, variant: str, x: float) -> Draw:
    """Draw the throughput of each flow in the first run of a variant."""

    def draw(axes: Axes, data: Data) -> None:
        measured = windows(data.studies[study.name], variant, x)
        rates = measured.rates[0]
        titles = [f"flow {number + 1}" for number in range(len(rates))]
        rates_over_time(axes, measured.times, rates, titles, FLOWS)

    return draw


def variants_over_time(study: Study, variants: Sequence[str], x: float) -> Draw:
    """Draw the throughput of all flows together in the first run of each variant."""

    def draw(axes: Axes, data: Data) -> None:
        shown = [study.variants[name] for name in variants]
        measured = [windows(data.studies[study.name], name, x) for name in variants]
        rates_over_time(
            axes,
            measured[0].times,
            np.array([found.rates[0].sum(axis=0) for found in measured]),
            [variant.title for variant in shown],
            [scheme_style(variant.scheme, variant.secondary) for variant in shown],
        )

    return draw


def shares_of_flows(study: Study, variant: str) -> Draw:
    """Draw what each flow receives, in 10^6 bytes."""

    def draw(axes: Axes, data: Data) -> None:
        measured = data.studies[study.name]
        flows = measured.flows.filter(variant=variant).sort("seed", "flow")
        seconds = float(str(measured.runs["duration_s"].max()))
        received = flows["goodput_bit_s"].to_numpy().reshape(-1, flows["flow"].n_unique())
        _bars(axes, received * seconds / 8e6, scheme_style(study.variants[variant].scheme).color)
        axes.set_xlabel("flow")
        axes.set_ylabel("received (MB)")

    return draw


def _bars(
    axes: Axes, values: np.ndarray[tuple[int, ...], np.dtype[np.float64]], color: str
) -> None:
    """Draw the means of the rows' columns as bars numbered from 1."""
    numbers = np.arange(1, values.shape[1] + 1)
    error = [confidence(column) for column in values.T]
    axes.bar(numbers, values.mean(axis=0), yerr=error, color=color, ecolor=INK, capsize=2)
    axes.set_xticks(numbers)
    axes.set_ylim(bottom=0)


def beside_the_paper(
    measured: Sequence[Sequence[float]],
    paper: Sequence[float],
    x: Sequence[str],
    y: str,
    axes: Axes,
) -> None:
    """Draw measured values with 95 % confidence as points, and the paper's numbers as crosses."""
    numbers = np.arange(len(x))
    axes.errorbar(
        numbers - SHIFT / 2,
        [float(np.mean(values)) for values in measured],
        yerr=[confidence(list(values)) for values in measured],
        linestyle="none",
        marker="o",
        color=INK,
        capsize=2,
        label="here",
    )
    axes.plot(numbers + SHIFT / 2, paper, "x", color=INK, label="the paper's numbers")
    axes.set_xticks(numbers, x)
    axes.set_xlabel("protocol")
    axes.set_ylabel(y)
    axes.set_ylim(bottom=0)

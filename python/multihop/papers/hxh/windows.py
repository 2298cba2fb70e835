"""Throughput over time: that of the past second, ten times a second (HxH 4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from ...stats import Mask, Values, sliding_mean, variation
from ..spec import StudyData
from .setup import INTERVAL_S

WINDOW_S = 1.0
WIDTH = round(WINDOW_S / INTERVAL_S)


@dataclass(frozen=True)
class Windows:
    """The throughput of flows: `times` in s are the windows' ends.

    `rates` in bit/s are by seed, by flow, by window.
    """

    times: Values
    rates: Values

    def between(self, start: float, end: float) -> Windows:
        """Return the windows that lie within an interval."""
        inside: Mask = (self.times >= start + WINDOW_S - 1e-6) & (self.times <= end + 1e-6)
        return Windows(self.times[inside], self.rates[:, :, inside])

    def flows(self, *chosen: int) -> Windows:
        """Return some flows."""
        return Windows(self.times, self.rates[:, list(chosen)])

    def mean(self) -> float:
        """Return the mean throughput of a flow."""
        return float(self.rates.mean())

    def variation(self) -> float:
        """Return the coefficient of variation of a flow's windows, mean over flows and seeds."""
        return float(np.mean([variation(flow) for run in self.rates for flow in run]))

    def lowest(self) -> float:
        """Return the lowest window of any flow over the fair share, mean over seeds."""
        return float(np.mean([run.min() / fair(run) for run in self.rates]))

    def longest_below(self, part: float) -> float:
        """Return how long in s a flow stays below a part of the fair share, mean over seeds.

        Of each run it is the longest such time of any flow.
        """
        return float(np.mean([_longest(run < part * fair(run)) for run in self.rates]))

    def settling(self, within: float) -> float:
        """Return after how many s all flows keep to the fair share for a second, mean over seeds.

        That is, are off it by at most `within` of it in all windows that end in a second. If they
        never do, it is the whole time.
        """
        return float(np.mean([self._settling(run, within) for run in self.rates]))

    def _settling(self, run: Values, within: float) -> float:
        kept: Mask = np.all(np.abs(run / fair(run) - 1) <= within, axis=0)
        whole = sliding_mean(kept.astype(float), min(WIDTH, len(kept))) == 1
        first = int(np.argmax(whole)) if whole.any() else len(kept)
        return first * INTERVAL_S


def fair(run: Values) -> float:
    """Return the fair share: the mean over all flows and windows of a run."""
    return float(run.mean())


def _longest(low: Mask) -> float:
    longest = 0
    for flow in low:
        edges = np.flatnonzero(np.diff(np.concatenate(([False], flow, [False])).astype(int)))
        longest = max([longest, *(edges[1::2] - edges[::2])])
    return longest * INTERVAL_S


def windows(data: StudyData, variant: str, x: float) -> Windows:
    """Return the throughput over time of a variant's runs at `x`."""
    return _windows(data.delivered_bytes(variant, x, INTERVAL_S))


def of_series(series: pl.DataFrame, flows: int, seconds: float) -> Windows:
    """Return the throughput over time of a single run, from its table `series`."""
    delivered = np.zeros((1, flows, round(seconds / INTERVAL_S)))
    index = np.rint(series["time_s"].to_numpy() / INTERVAL_S).astype(int)
    delivered[0, series["flow"].to_numpy(), index] = series["delivered_bytes"].to_numpy()
    return _windows(delivered)


def _windows(delivered: Values) -> Windows:
    rates: Values = 8 / INTERVAL_S * sliding_mean(delivered, WIDTH)
    times: Values = WINDOW_S + INTERVAL_S * np.arange(rates.shape[2], dtype=float)
    return Windows(times, rates)

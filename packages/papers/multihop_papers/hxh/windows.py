"""Throughput over time: that of the past second, ten times a second (HxH 4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from multihop.reproducing.spec import StudyData
from multihop.statistics.stats import Mask, Values, sliding_mean, variation

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

    def mean(self) -> Values:
        """Return the mean throughput of a flow, in each run."""
        means: Values = self.rates.mean(axis=(1, 2))
        return means

    def variation(self) -> Values:
        """Return the coefficient of variation of a flow's windows, mean over flows, in each run."""
        return np.array([np.mean([variation(flow) for flow in run]) for run in self.rates])

    def lowest(self) -> Values:
        """Return the lowest window of any flow over the fair share, in each run."""
        return np.array([run.min() / fair(run) for run in self.rates])

    def depth(self, part: float) -> Values:
        """Return how far below the fair share a part of the windows is, the lowest, in each run.

        0 if all windows are the fair share, 1 if in so many nothing arrives; mean over the flows.
        """
        count = max(round(part * self.rates.shape[2]), 1)
        lowest = np.sort(self.rates, axis=2)[:, :, :count].mean(axis=(1, 2))
        depths: Values = 1 - lowest / self.mean()
        return depths

    def longest_below(self, part: float) -> Values:
        """Return how long in s a flow stays below a part of the fair share, in each run.

        Of each run it is the longest such time of any flow.
        """
        return np.array([_longest(run < part * fair(run)) for run in self.rates])

    def settling(self, within: float) -> Values:
        """Return after how many s all flows keep to the fair share for a second, in each run.

        That is, are off it by at most `within` of it in all windows that end in a second. If they
        never do, it is the whole time.
        """
        return np.array([self._settling(run, within) for run in self.rates])

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

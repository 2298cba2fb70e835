"""LECN 2, table 1: the best window limit and its throughput by packet size, 8 hops."""

from __future__ import annotations

import numpy as np

from multihop.reproducing.judging import above, estimates, finding
from multihop.reproducing.rules import stated
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel

from .notes import THINNED_GAIN, THINNED_WINDOWS
from .panels import over_windows
from .setup import BY_SIZE, SIZES, TCP, THINNING
from .tables import best, best_windows, larger_with_thinning, most, throughputs

WINDOWS = {TCP: "3 3 3", THINNING: "12 8 6"}
MOST = {TCP: "139.0 200.5 228.9", THINNING: "193.6 254.6 285.0"}


def _gains(data: Data) -> list[float]:
    """Return the gain of ACK thinning in %, for the largest and the smallest packets."""
    plain, thinned = (most(BY_SIZE, variant)(data) for variant in (TCP, THINNING))
    return [100 * (thinned[at] / plain[at] - 1) for at in (-1, 0)]


def _by_size(data: Data) -> Finding:
    windows = [best(data.studies[study.name], THINNING)[0] for study in BY_SIZE]
    rates = [most(BY_SIZE, variant)(data) for variant in (TCP, THINNING)]
    text = "; ".join(" ".join(f"{rate:.0f}" for rate in row) for row in rates)
    found = estimates(data, _steps)
    compared = [
        above(one, 0, what)
        for one, what in zip(found, ["windows"] * 2 + ["kbit/s"] * 4, strict=True)
    ]
    return finding(f"windows {' '.join(map(str, windows))}; {text} kbit/s", compared)


def _steps(data: Data) -> list[float]:
    """Return by how much windows fall and throughputs rise from each packet size to the next."""
    windows = [best(data.studies[study.name], THINNING)[0] for study in BY_SIZE]
    rates = [most(BY_SIZE, variant)(data) for variant in (TCP, THINNING)]
    return [
        *map(float, -np.diff(windows)),
        *(float(step) for row in rates for step in np.diff(row)),
    ]


FIGURE = FigureSpec(
    "lecn/table1",
    "Throughput over the window limit, 8 hops",
    (
        Panel(
            "lecn/table1",
            "by packet size",
            over_windows(
                {f"{size} B": study for size, study in zip(SIZES, BY_SIZE, strict=True)},
                WINDOWS.values(),
                MOST.values(),
            ),
            (
                best_windows(
                    "best windows without thinning, 512, 1000, 1460 B", BY_SIZE, TCP, WINDOWS[TCP]
                ),
                best_windows(
                    "best windows with it", BY_SIZE, THINNING, WINDOWS[THINNING], THINNED_WINDOWS
                ),
                throughputs("throughput there without it", MOST[TCP], most(BY_SIZE, TCP)),
                throughputs("throughput there with it", MOST[THINNING], most(BY_SIZE, THINNING)),
                stated(
                    "thinning's gain with 1460 B and with 512 B",
                    "24.5 39.2",
                    " %",
                    _gains,
                    THINNED_GAIN,
                ),
                larger_with_thinning(BY_SIZE),
                Claim(
                    "larger packets make the best window smaller and the throughput larger",
                    "with thinning the windows fall from size to size; both throughputs rise",
                    _by_size,
                    THINNED_WINDOWS,
                ),
            ),
            BY_SIZE,
        ),
    ),
    size=(8.4, 3.8),
)

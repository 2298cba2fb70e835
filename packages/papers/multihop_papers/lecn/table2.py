"""LECN 2, table 2: the best window limit and its throughput beside a UDP flow, 8 hops."""

from __future__ import annotations

from multihop.reproducing.judging import above, estimates, finding, higher
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel

from .notes import THINNED_WINDOWS
from .panels import over_windows
from .relations import title
from .setup import BOTH, BY_SIZE, CONGESTED, TCP, THINNING
from .tables import best, best_windows, most, peak, throughputs

ALONE = BY_SIZE[0]
WINDOWS = {TCP: "2", THINNING: "6"}
MOST = {TCP: "113.1", THINNING: "127.6"}


def _less(data: Data) -> Finding:
    alone, beside = data.studies[ALONE.name], data.studies[CONGESTED.name]
    pairs = [(best(alone, variant), best(beside, variant)) for variant in BOTH]
    lower = [
        higher(
            peak(alone, variant),
            peak(beside, variant),
            f"{title(ALONE, variant)}, alone over beside",
        )
        for variant in BOTH
    ]
    smaller = [
        above(one, 0, "the difference of the best windows") for one in estimates(data, _windows)
    ]
    text = "; ".join(
        f"window {a[0]} to {b[0]}, {a[1] / 1e3:.1f} to {b[1] / 1e3:.1f} kbit/s" for a, b in pairs
    )
    return finding(text, smaller + lower)


def _windows(data: Data) -> list[float]:
    """Return by how much the best windows are smaller beside UDP."""
    alone, beside = data.studies[ALONE.name], data.studies[CONGESTED.name]
    return [float(best(alone, variant)[0] - best(beside, variant)[0]) for variant in BOTH]


FIGURE = FigureSpec(
    "lecn/table2",
    "Throughput over the window limit, 8 hops, beside 250 kbit/s of UDP",
    (
        Panel(
            "lecn/table2",
            "alone and beside UDP",
            over_windows(
                {"alone": ALONE, "beside UDP": CONGESTED},
                WINDOWS.values(),
                MOST.values(),
            ),
            (
                best_windows("best window without thinning", (CONGESTED,), TCP, WINDOWS[TCP]),
                best_windows(
                    "best window with it",
                    (CONGESTED,),
                    THINNING,
                    WINDOWS[THINNING],
                    THINNED_WINDOWS,
                ),
                throughputs("throughput there without it", MOST[TCP], most((CONGESTED,), TCP)),
                throughputs(
                    "throughput there with it", MOST[THINNING], most((CONGESTED,), THINNING)
                ),
                Claim(
                    "background traffic makes the best window and the throughput smaller",
                    "both are less than alone, with and without thinning",
                    _less,
                ),
            ),
            (CONGESTED, ALONE),
        ),
    ),
    size=(8.4, 3.8),
)

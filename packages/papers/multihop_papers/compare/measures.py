"""What is measured of each scheme, at each size of a network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from multihop.charting.figure import Line, scheme_style
from multihop.comparing.measures import (
    END_TO_END_DELAY,
    FAIRNESS as JAIN,
    GOODPUT,
    NETWORK_DELAY,
    OVERHEAD,
    Measure,
)
from multihop.reporting.report import Table
from multihop.reproducing.spec import Data, StudyData
from multihop.statistics.intervals import Bounds, interval
from multihop.statistics.stats import Values, jain

from .entries import OFFERED
from .setup import Network

FAIRNESS = JAIN._replace(name="Jain's index")
_LATE = "95th percentile"
DELAYS = (
    NETWORK_DELAY,
    Measure("network_delay_p95_s", f"network delay, {_LATE}", "ms", 1e3, 1),
    END_TO_END_DELAY,
    Measure("end_to_end_delay_p95_s", f"end-to-end delay, {_LATE}", "ms", 1e3, 1),
)
SHOWN = (GOODPUT, *DELAYS, FAIRNESS, OVERHEAD)
# Those that span decades.
LOGARITHMIC = (GOODPUT, *DELAYS)


class Entry(NamedTuple):
    """A scheme in a network: its title and name, and values of each measure by size and seed.

    `flows` are how many there are at each size.
    """

    title: str
    scheme: str
    values: dict[str, Values]
    flows: tuple[int, ...]
    # The load of each flow at each size, where it was searched for.
    loads: tuple[str, ...] = ()


def fairness(data: StudyData, variant: str) -> Values:
    """Return Jain's index of what the flows got, by size and seed."""
    flows = data.flows.filter(variant=variant)
    # The number of flows may be the size.
    shares = flows.group_by("x", "seed").agg("delivered").sort("x", "seed")["delivered"].to_list()
    return np.array([jain(run) for run in shares]).reshape(len(data.x), -1)


def _values(data: StudyData, variant: str) -> dict[str, Values]:
    found = {m.column: data.values(variant, m.column) for m in SHOWN if m is not FAIRNESS}
    return found | {FAIRNESS.column: fairness(data, variant)}


def best_loads(data: StudyData) -> tuple[str, ...]:
    """Return the load at which most arrives, at each size."""
    means = np.array([data.mean(load, GOODPUT.column) for load in data.variants])
    return tuple(data.variants[at] for at in means.argmax(axis=0))


def measured(data: Data, network: Network) -> list[Entry]:
    """Return all schemes, the one at its best load first."""
    return data.once(f"compare {network.title}", lambda: _measured(data, network))


def _measured(data: Data, network: Network) -> list[Entry]:
    search, schemes = (data.studies[study.name] for study in (network.search, network.schemes))
    loads = best_loads(search)
    by_load = {load: _values(search, load) for load in set(loads)}
    best = {
        m.column: np.array([by_load[load][m.column][at] for at, load in enumerate(loads)])
        for m in SHOWN
    }
    title = next(iter(network.search.variants.values())).title
    flows = tuple(schemes.flows.filter(x=size)["flow"].n_unique() for size in schemes.x)
    own = [
        Entry(network.schemes.variants[name].title, name, _values(schemes, name), flows)
        for name in schemes.variants
    ]
    return [Entry(title, OFFERED, best, flows, loads), *own]


class Span(NamedTuple):
    """A mean with the ends of its 95 % interval, which lies where the measure can be."""

    mean: float
    low: float
    high: float


def span(entry: Entry, at: int, measure: Measure) -> Span:
    """Return a measure of a scheme at one size: runs without a value do not count.

    Without a value all are NaN; of one value there is no interval, and its ends are NaN.
    """
    row = entry.values[measure.column][at]
    known = row[np.isfinite(row)]
    if not len(known):
        return Span(np.nan, np.nan, np.nan)
    bounds = Bounds(1 / entry.flows[at] if measure.shared else 0.0, measure.most)
    low, high = interval(known.tolist(), bounds) or (np.nan, np.nan)
    return Span(*(measure.scale * value for value in (float(known.mean()), low, high)))


def line(entry: Entry, sizes: Values, measure: Measure) -> Line:
    """Return a measure of a scheme as a curve."""
    spans = [span(entry, at, measure) for at in range(len(sizes))]
    return curve(entry.title, entry.scheme, sizes, spans)


def curve(title: str, scheme: str, sizes: Values, spans: Sequence[Span]) -> Line:
    """Return means with their intervals as a curve; what has no interval has no bar."""
    mean, low, high = np.array(spans, dtype=float).reshape(-1, 3).T
    error = np.nan_to_num(np.array([mean - low, high - mean]))
    return Line(title, scheme_style(scheme), sizes, mean, error)


def _cell(found: Span, digits: int) -> str:
    if np.isnan(found.mean):
        return "-"
    mean, low, high = (f"{value:.{digits}f}" for value in found)
    return mean if np.isnan(found.low) else f"{mean} ({low} to {high})"


def table(data: Data, network: Network) -> Table:
    """Write every measure of every scheme at some sizes: the mean and its 95 % interval."""
    entries = measured(data, network)
    sizes = data.studies[network.schemes.name].x.tolist()
    rows = []
    for size in (size for size in network.shown if size in sizes):
        at = sizes.index(size)
        for entry in entries:
            load = f" ({entry.loads[at]} a flow)" if entry.loads else ""
            cells = [_cell(span(entry, at, m), m.digits) for m in SHOWN]
            rows.append((f"{size:g}", entry.title + load, *cells))
    header = (network.size, "scheme", *(measure.title for measure in SHOWN))
    return Table(f"All schemes: {network.title}", header, rows)

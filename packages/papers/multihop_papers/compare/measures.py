"""What is measured of each scheme, at each size of a network."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from multihop.charting.figure import Line, scheme_style
from multihop.comparing.measures import END_TO_END_DELAY, GOODPUT, NETWORK_DELAY, OVERHEAD, Measure
from multihop.comparing.measures import FAIRNESS as JAIN
from multihop.reporting.report import Table
from multihop.reproducing.spec import Data, StudyData
from multihop.statistics.stats import Values, confidence, jain

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
    """A scheme in a network: its title and name, and values of each measure by size and seed."""

    title: str
    scheme: str
    values: dict[str, Values]
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
    own = [
        Entry(network.schemes.variants[name].title, name, _values(schemes, name))
        for name in schemes.variants
    ]
    return [Entry(title, OFFERED, best, loads), *own]


def _mean(row: Values) -> float:
    known = row[np.isfinite(row)]
    return float(known.mean()) if len(known) else np.nan


def line(entry: Entry, sizes: Values, measure: Measure) -> Line:
    """Return a measure of a scheme as a curve."""
    rows = entry.values[measure.column] * measure.scale
    error = np.array([confidence(row[np.isfinite(row)]) for row in rows])
    mean = np.array([_mean(row) for row in rows])
    return Line(entry.title, scheme_style(entry.scheme), sizes, mean, error)


def _cell(row: Values, measure: Measure) -> str:
    known = row[np.isfinite(row)] * measure.scale
    if not len(known):
        return "-"
    return f"{known.mean():.{measure.digits}f} ± {confidence(known):.{measure.digits}f}"


def table(data: Data, network: Network) -> Table:
    """Write every measure of every scheme at some sizes: mean ± half a 95 % confidence interval."""
    entries = measured(data, network)
    sizes = data.studies[network.schemes.name].x.tolist()
    rows = []
    for size in (size for size in network.shown if size in sizes):
        at = sizes.index(size)
        for entry in entries:
            load = f" ({entry.loads[at]} a flow)" if entry.loads else ""
            cells = [_cell(entry.values[m.column][at], m) for m in SHOWN]
            rows.append((f"{size:g}", entry.title + load, *cells))
    header = (network.size, "scheme", *(measure.title for measure in SHOWN))
    return Table(f"All schemes: {network.title}", header, rows)

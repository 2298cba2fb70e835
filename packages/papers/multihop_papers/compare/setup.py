"""The networks in which all schemes are compared, and their runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from multihop.reproducing.spec import Effort, Efforts, Study, hops

from .entries import entries, offered

HERE = Path(__file__).parent
CHAIN = HERE / "chain.toml"
GRID = HERE / "grid.toml"

EFFORTS = Efforts(
    full=Effort(quick=False, seeds=5, warmup="10 s", duration="60 s"),
    quick=Effort(quick=True, seeds=2, warmup="10 s", duration="30 s"),
)
# The best of many loads: they need not be known as well as a curve.
SEARCH_EFFORTS = Efforts(full=replace(EFFORTS.full, seeds=3), quick=replace(EFFORTS.quick, seeds=1))
# From one load to the next: the best of them is within 8 % of the best of all.
STEP = 1.15
QUICK_EVERY = 3


def two_flows(value: float) -> dict[str, Any]:
    """Set the length of a chain, and send a second flow from its first to its last station."""
    return {**hops(value), "flow": [{"from": "n0", "to": f"n{value:g}"}]}


def grid_flows(value: float) -> dict[str, Any]:
    """Set the number of flows in a grid, half of them in either direction."""
    half = int(value) // 2
    return {"topology.horizontal_flows": half, "topology.vertical_flows": half}


def loads(least: float, most: float, step: float = STEP) -> tuple[str, ...]:
    """Return loads in kbit/s from `least` to `most`, each `step` times the one before it."""
    found = [least]
    while found[-1] * step <= most:
        found.append(found[-1] * step)
    return tuple(f"{load:.0f} kbit/s" for load in found)


@dataclass(frozen=True)
class Network:
    """A network of several sizes: the runs of all schemes in it, and those of the best load."""

    title: str
    # What the size is.
    size: str
    schemes: Study
    search: Study
    # Of the sizes, those in the table.
    shown: tuple[float, ...]


def _network(
    words: tuple[str, str, str],
    base: Path,
    at: Callable[[float], Mapping[str, Any]],
    sizes: tuple[tuple[float, ...], tuple[float, ...]],
    range_: tuple[float, float],
) -> Network:
    name, title, size = words
    values, quick = sizes
    study = Study(f"compare-{name}", base, {}, entries(), values, quick, EFFORTS, at=at)
    search = best_load(study, loads(*range_), SEARCH_EFFORTS)
    return Network(title, size, study, search, quick)


def best_load(study: Study, tried: Sequence[str], efforts: Efforts) -> Study:
    """Return the runs of UDP at each load that is tried in the networks of a study."""
    searched = {load: offered(load) for load in tried}
    return replace(
        study,
        name=f"{study.name}-load",
        variants=searched,
        quick_variants=tuple(tried)[::QUICK_EVERY],
        efforts=efforts,
    )


# The loads are of each flow.
CHAINS = _network(
    ("chain", "chain, two flows over the same path", "hops"),
    CHAIN,
    two_flows,
    ((1, 2, 3, 4, 6, 8, 12, 16), (1, 2, 4, 8, 16)),
    (30, 800),
)
GRIDS = _network(
    ("grid", "grid of 13 x 13 stations", "flows"),
    GRID,
    grid_flows,
    ((2, 4, 8, 12), (4, 12)),
    (10, 200),
)
NETWORKS = (CHAINS, GRIDS)

"""Made places: where the nodes of a mesh stand, drawn from a number.

Lengths are multiples of the distance up to which a frame is decoded. Places are drawn until all
nodes are connected.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from multihop.statistics.stats import Values

Draw = Callable[[np.random.Generator, int], Values]


def _uniform(rng: np.random.Generator, count: int) -> Values:
    """Return places in a square in which a node hears ten others on average."""
    side = math.sqrt(math.pi * count / 10)
    return rng.uniform(0, side, (count, 2))


def _clustered(rng: np.random.Generator, count: int) -> Values:
    """Return four towns on a ring, of a tenth of the nodes along the roads between them."""
    centres = 1.1 * np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)])
    own = rng.integers(0, 4, count)
    places = centres[own] + rng.normal(0, 0.22, (count, 2))
    on_roads = rng.random(count) < 0.1
    along = rng.random((count, 1))
    roads = centres[own] * (1 - along) + centres[(own + 1) % 4] * along
    places[on_roads] = roads[on_roads]
    return places


def _valley(rng: np.random.Generator, count: int) -> Values:
    """Return a strip of half the reach in width, in which a node hears about ten others."""
    length = count / 5
    return np.column_stack([rng.uniform(0, length, count), rng.uniform(0, 0.5, count)])


def chain(reach_m: float, number: int) -> list[dict[str, str]]:
    """Return [[node]] of a chain of 2 to 8 hops, each of 0.65 to 0.9 of the reach."""
    hops = 2 + (number - 1) % 7
    lengths = np.random.default_rng([number, *b"chain"]).uniform(0.65, 0.9, hops)
    places = reach_m * np.concatenate([[0.0], np.cumsum(lengths)])
    return [{"name": f"n{index}", "x": f"{x:.1f} m", "y": "0 m"} for index, x in enumerate(places)]


PLACES: Mapping[str, Draw] = {"uniform": _uniform, "clustered": _clustered, "valley": _valley}


def _connected(places: Values) -> bool:
    """Whether every node reaches every other one over hops within 0.95 of the reach."""
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    near = apart < 0.95
    reached = np.zeros(len(places), dtype=bool)
    reached[0] = True
    while True:
        more = near[reached].any(axis=0)
        if (more == reached).all():
            return bool(reached.all())
        reached = more


def nodes(place: str, count: int, number: int, reach_m: float) -> list[dict[str, str]]:
    """Return [[node]] of a place: n0, n1, ... with x and y. The same number gives the same."""
    rng = np.random.default_rng([number, *place.encode()])
    places = PLACES[place](rng, count)
    while not _connected(places):
        places = PLACES[place](rng, count)
    metres = (places - places.min(axis=0)) * reach_m
    return [
        {"name": f"n{index}", "x": f"{x:.1f} m", "y": f"{y:.1f} m"}
        for index, (x, y) in enumerate(metres)
    ]

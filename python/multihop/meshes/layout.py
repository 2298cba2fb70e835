"""Places for nodes of which none is known: laid out by their links, around those that have one.

Nodes are moved until they are about as far apart as there are hops between them (stress
majorization, Gansner et al. 2004, towards neighbours and some pivots). Only pictures and
propagation delays follow from these places: who hears whom is in the links.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from statistics import median

import numpy as np
import numpy.typing as npt

from .mesh import Parts

Place = tuple[float, float]
Array = npt.NDArray[np.float64]

# How far apart neighbours are where no two have places, in m.
HOP_M = 100.0
PIVOTS = 40
ROUNDS = 80
# The golden angle: places that follow each other by it never coincide.
GOLDEN = math.pi * (3 - math.sqrt(5))


def lay_out(
    neighbours: Mapping[str, Iterable[str]], known: Mapping[str, Place]
) -> dict[str, Place]:
    """Return places in m for all nodes of a connected network; those that are known stay."""
    free = [node for node in neighbours if node not in known]
    if not free:
        return dict(known)
    nodes = list(neighbours)
    index = {node: at for at, node in enumerate(nodes)}
    scale = _hop(neighbours, known)
    places = _begin(neighbours, known, scale)
    xy = np.array([places[node] for node in nodes], dtype=np.float64)
    moving = np.array([node not in known for node in nodes])
    one, other, apart = _wishes(neighbours, index, scale)
    for _ in range(ROUNDS):
        xy[moving] = _pulled(xy, one, other, apart)[moving]
    if not known:
        xy -= xy.min(axis=0)
    return {
        node: known.get(node, (float(xy[at, 0]), float(xy[at, 1]))) for node, at in index.items()
    }


def _hop(neighbours: Mapping[str, Iterable[str]], known: Mapping[str, Place]) -> float:
    """Return how long a link is: the median of those between nodes with places."""
    lengths = [
        math.dist(known[node], known[other])
        for node in known
        for other in neighbours[node]
        if other in known
    ]
    return max(median(lengths), 1.0) if lengths else HOP_M


def _begin(
    neighbours: Mapping[str, Iterable[str]], known: Mapping[str, Place], scale: float
) -> dict[str, Place]:
    """Put every node beside the mean of the neighbours that have a place before it."""
    places = dict(known) or {next(iter(neighbours)): (0.0, 0.0)}
    queue = list(places)
    for node in queue:
        for near in neighbours[node]:
            if near not in places:
                around = [places[n] for n in neighbours[near] if n in places] or [places[node]]
                angle = GOLDEN * len(places)
                x, y = (sum(axis) / len(around) for axis in zip(*around, strict=True))
                places[near] = (x + scale * math.cos(angle), y + scale * math.sin(angle))
                queue.append(near)
    return places


def _wishes(
    neighbours: Mapping[str, Iterable[str]], index: Mapping[str, int], scale: float
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], Array]:
    """List pairs of nodes and how far apart, in m, they should be: neighbours, and pivots."""
    nodes = list(neighbours)
    step = max(1, len(nodes) // PIVOTS)
    pairs: dict[tuple[int, int], int] = {}
    for pivot in nodes[::step]:
        for node, hops in Parts(neighbours).hops(pivot).items():
            if hops:
                pairs[index[node], index[pivot]] = hops
                pairs[index[pivot], index[node]] = hops
    for node in nodes:
        for near in neighbours[node]:
            pairs[index[node], index[near]] = 1
    one, other = np.array(list(pairs), dtype=np.intp).T
    return one, other, np.array(list(pairs.values()), dtype=np.float64) * scale


def _pulled(
    xy: Array, one: npt.NDArray[np.intp], other: npt.NDArray[np.intp], apart: Array
) -> Array:
    """Return where every node goes: the mean of where the others want it, near ones more."""
    between = xy[one] - xy[other]
    length = np.maximum(np.hypot(between[:, 0], between[:, 1]), 1e-9)
    wanted = xy[other] + between * (apart / length)[:, None]
    weight = apart**-2.0
    total = np.bincount(one, weight, len(xy))
    sums = [np.bincount(one, weight * wanted[:, axis], len(xy)) for axis in (0, 1)]
    found: Array = np.stack(sums, axis=1) / np.maximum(total, 1e-300)[:, None]
    return found

"""The reference networks, node by node, numbered as in ns-2 and in the engine's own topologies."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

SPACING_M, RADIUS_M = 200.0, 50.0

Network = tuple[list[tuple[float, float]], list[list[int]]]


def line(hops: int, *, both: bool) -> Network:
    """Return a chain and its flows' routes."""
    places = [(SPACING_M * node, 0.0) for node in range(hops + 1)]
    return places, _with_opposite([list(range(hops + 1))], both=both)


def cross(hops: int, *, both: bool) -> Network:
    """Return two chains that share their middle node."""
    middle = hops // 2
    places = [(SPACING_M * node, SPACING_M * middle) for node in range(hops + 1)]
    down = []
    for row in range(hops + 1):
        down.append(middle if row == middle else len(places))
        if row != middle:
            places.append((SPACING_M * middle, SPACING_M * row))
    return places, _with_opposite([list(range(hops + 1)), down], both=both)


def star(senders: int) -> Network:
    """Return a receiver and the senders around it."""
    angles = [2 * math.pi * sender / senders for sender in range(senders)]
    around = [(RADIUS_M * (1 + math.cos(a)), RADIUS_M * (1 + math.sin(a))) for a in angles]
    return [(RADIUS_M, RADIUS_M), *around], [[sender, 0] for sender in range(1, senders + 1)]


@cache
def from_file(path: Path) -> Network:
    """Read a network of the reference scripts."""
    network = json.loads(path.read_text(encoding="utf-8"))
    return [(x, y) for x, y in network["nodes"]], network["routes"]


def nodes(places: Iterable[Sequence[float]]) -> list[dict[str, str]]:
    """Return the nodes n0, n1, ... of a scenario at these places, in m."""
    return [
        {"name": f"n{node}", "x": f"{x!r} m", "y": f"{y!r} m"} for node, (x, y) in enumerate(places)
    ]


def tables(path: Path) -> dict[str, Any]:
    """Return a scenario's tables of a network of the reference scripts.

    Its nodes move as the movement file beside it says, if there is one.
    """
    network = json.loads(path.read_text(encoding="utf-8"))
    found = {
        "topology": {"kind": "explicit"},
        "node": nodes(network["nodes"]),
        "flow": [{"from": f"n{source}", "to": f"n{end}"} for source, end in network["flows"]],
    }
    movements = path.with_suffix(".ns_movements")
    if movements.exists():
        text = movements.read_text(encoding="utf-8")
        found["mobility"] = {"kind": "ns2", "movements": text}
    return found


def _with_opposite(routes: list[list[int]], *, both: bool) -> list[list[int]]:
    return [*routes, *(route[::-1] for route in routes)] if both else routes

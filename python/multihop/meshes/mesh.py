"""A network as it was found: nodes with places, and links with what is known of them."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ..errors import MeshError


class Node(NamedTuple):
    """A node: what links call it, its name, and where it is in m or in degrees, if known."""

    id: str
    name: str
    # East and north of anywhere, in m.
    metres: tuple[float, float] | None = None
    # Latitude and longitude, in degrees.
    degrees: tuple[float, float] | None = None


class Link(NamedTuple):
    """How one node hears another: received power, share of frames that arrive, or neither."""

    source: str
    target: str
    signal_dbm: float | None = None
    delivery: float | None = None
    # What carries it, as "wifi" or "vpn"; "" if the file does not say.
    medium: str = ""


@dataclass(frozen=True)
class Mesh:
    """A network as it was found; `notes` say what was left out, and why."""

    nodes: tuple[Node, ...]
    links: tuple[Link, ...] = ()
    notes: tuple[str, ...] = ()
    title: str = ""

    def noted(self, *notes: str) -> Mesh:
        """Return the same with more notes; empty ones do not count."""
        return replace(self, notes=(*self.notes, *filter(None, notes)))

    def only(self, kept: Iterable[str]) -> Mesh:
        """Return some of the nodes, and the links between them."""
        wanted = set(kept)
        return replace(
            self,
            nodes=tuple(node for node in self.nodes if node.id in wanted),
            links=tuple(k for k in self.links if k.source in wanted and k.target in wanted),
        )

    def over(self, media: Iterable[str]) -> Mesh:
        """Return the links over some media, and those of which the file does not say."""
        known = {*media, ""}
        kept = tuple(link for link in self.links if link.medium in known)
        others = sorted({link.medium for link in self.links} - known)
        gone = len(self.links) - len(kept)
        note = f"links over {', '.join(others)}, which are no radio links: {gone}" if gone else ""
        return replace(self, links=kept).noted(note)


@dataclass
class Parts:
    """Which nodes are joined, and how far apart they are in hops."""

    neighbours: Mapping[str, Iterable[str]]
    found: list[list[str]] = field(default_factory=list)

    def largest(self) -> list[str]:
        """List the nodes of the part with the most nodes; of equal ones the first."""
        seen: set[str] = set()
        best: list[str] = []
        for node in self.neighbours:
            if node not in seen:
                part = list(self.hops(node))
                seen.update(part)
                best = max(best, part, key=len)
        return best

    def hops(self, source: str) -> dict[str, int]:
        """Return how many hops each node is away that can be reached."""
        away = {source: 0}
        queue = deque([source])
        while queue:
            node = queue.popleft()
            for other in self.neighbours[node]:
                if other not in away:
                    away[other] = away[node] + 1
                    queue.append(other)
        return away


def table(value: Any, where: str) -> Mapping[str, Any]:
    """Return a table of keys, empty where a file has nothing, or say where it is none."""
    if value and not isinstance(value, dict):
        raise MeshError(f"{where}: is no table of keys and values")
    return value or {}


def number(value: Any, where: str, *, low: float = -math.inf, high: float = math.inf) -> float:
    """Read a number within bounds, or say where it is none."""
    if value is None:
        raise MeshError(f"{where}: is missing")
    try:
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        raise MeshError(f"{where}: {value!r:.40} is no number") from None
    if not (math.isfinite(found) and low <= found <= high):
        raise MeshError(f"{where}: {value} is not from {low:g} to {high:g}")
    return found


def degrees(latitude: Any, longitude: Any, where: str) -> tuple[float, float]:
    """Read a place on Earth."""
    return (
        number(latitude, f"{where}: latitude", low=-90, high=90),
        number(longitude, f"{where}: longitude", low=-180, high=180),
    )


def quality(found: Mapping[str, Any], where: str) -> dict[str, float]:
    """Read what a file says of a link, under the names that are in use."""
    known: dict[str, float] = {}
    for names, key, low, high in (
        (("signal", "signal_dbm", "rssi", "dbm"), "signal_dbm", -200.0, 50.0),
        (("delivery", "quality", "tq", "lq"), "delivery", 0.0, 1.0),
    ):
        given = next((n for n in names if found.get(n) not in (None, "")), None)
        if given is not None:
            text = str(found[given]).removesuffix("dBm").strip()
            known[key] = number(text, f"{where}: {given}", low=low, high=high)
    return known


def named(nodes: Iterable[Node], where: str) -> tuple[Node, ...]:
    """Give every node a name of its own; two of one id are refused."""
    given = list(nodes)
    counts: dict[str, int] = {}
    ids: set[str] = set()
    for node in given:
        if not node.id.strip():
            raise MeshError(f"{where}: a node has an empty name; give it one")
        if node.id in ids:
            raise MeshError(f"{where}: there are two nodes '{node.id}'; remove one of them")
        ids.add(node.id)
        counts[node.name] = counts.get(node.name, 0) + 1

    def is_unique(node: Node) -> bool:
        taken = node.name != node.id and node.name in ids
        return bool(node.name.strip()) and counts[node.name] == 1 and not taken

    return tuple(node if is_unique(node) else node._replace(name=node.id) for node in given)


def joined(nodes: Iterable[Node], links: Iterable[Link], where: str) -> tuple[Link, ...]:
    """Check that links join nodes that there are; of one direction the first counts."""
    known = {node.id for node in nodes}
    found: dict[tuple[str, str], Link] = {}
    for link in links:
        for end in (link.source, link.target):
            if end not in known:
                raise MeshError(f"{where}: a link names '{end}', which is none of the nodes")
        if link.source != link.target:
            found.setdefault((link.source, link.target), link)
    return tuple(found.values())

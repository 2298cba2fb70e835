"""A network as it was found: nodes with places, links with what is known of them, and a report."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from .findings import Findings


class Node(NamedTuple):
    """A node: what links call it, its names, and where it is in m or in degrees, if known."""

    id: str
    # Its name in scenarios: letters, digits, ".", "_" and "-".
    name: str
    # East and north of anywhere, in m.
    metres: tuple[float, float] | None = None
    # Latitude and longitude, in degrees.
    degrees: tuple[float, float] | None = None
    # Above the sea or the ground, as the file has it, in m.
    height_m: float | None = None
    # Its name in the file.
    label: str = ""
    online: bool = True
    # Whether its place follows from its links, not from the file.
    laid_out: bool = False
    # What it does for others, as the file calls it; "" if it does not say.
    role: str = ""


class Link(NamedTuple):
    """How one node hears another: received power, share of frames that arrive, or neither."""

    source: str
    target: str
    signal_dbm: float | None = None
    delivery: float | None = None
    # How much its power varies from frame to frame.
    deviation_db: float | None = None
    # What carries it, as "wifi" or "vpn"; "" if the file does not say.
    medium: str = ""
    # Whether the file says this of this direction itself, not of the link as a whole.
    own: bool = True
    # Whether nothing is said of this direction, so that it has the value of the other.
    mirrored: bool = False

    @property
    def ends(self) -> tuple[str, str]:
        """Transmitter and receiver."""
        return self.source, self.target

    def reversed(self) -> Link:
        """Return the link from the receiver to the transmitter."""
        return self._replace(source=self.target, target=self.source)


@dataclass(frozen=True)
class Mesh:
    """A network as it was found; `findings` say what was read, left out and converted, and why."""

    nodes: tuple[Node, ...]
    links: tuple[Link, ...] = ()
    findings: Findings = field(default_factory=Findings)
    title: str = ""
    # Whether links say who hears whom: the file has some, whatever is left of them.
    by_links: bool = False
    # Whether a direction that the file does not list is silent, as in a directed graph.
    one_way: bool = False
    # What links may call nodes beside their names, while they are read.
    aliases: Mapping[str, str] = field(default_factory=dict)
    # Directions that the file says not to exist.
    silent: frozenset[tuple[str, str]] = frozenset()

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out, with its cause and how many."""
        return self.findings.left_out

    def finding(self, findings: Findings) -> Mesh:
        """Return the same mesh with other findings."""
        return replace(self, findings=findings)

    def only(self, kept: Iterable[str]) -> Mesh:
        """Return some of the nodes, and the links between them."""
        wanted = set(kept)
        return replace(
            self,
            nodes=tuple(node for node in self.nodes if node.id in wanted),
            links=tuple(k for k in self.links if k.source in wanted and k.target in wanted),
        )

    def without(self, gone: Iterable[Node], cause: str) -> Mesh:
        """Return the mesh without some nodes and their links, and say why."""
        ids = {node.id for node in gone}
        if not ids:
            return self
        names = [node.label or node.name for node in self.nodes if node.id in ids]
        rest = self.only(node.id for node in self.nodes if node.id not in ids)
        links = len(self.links) - len(rest.links)
        return rest.finding(self.findings.without_nodes(cause, names, links))


@dataclass
class Parts:
    """Which nodes are joined, and how far apart they are in hops."""

    neighbours: Mapping[str, Iterable[str]]

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

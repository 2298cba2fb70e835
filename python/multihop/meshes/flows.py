"""Who talks to whom in an imported network."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from ..engine.errors import MeshError
from .mesh import Mesh, Parts

Flow = tuple[str, str]
ALL = "all"


class Callers:
    """The nodes of a mesh by whatever a user may call them: name, label or id."""

    def __init__(self, mesh: Mesh) -> None:
        """Learn the names; where two agree, names count before labels and ids."""
        self.ids = {node.id: node.id for node in mesh.nodes}
        self.ids |= {node.label: node.id for node in mesh.nodes if node.label}
        self.ids |= {node.name: node.id for node in mesh.nodes}
        self.names = {node.id: node.name for node in mesh.nodes}

    def find(self, name: str, option: str) -> str:
        """Return the id of a node that is called so."""
        if name not in self.ids:
            near = get_close_matches(name, self.ids, 1)
            meant = f", did you mean '{near[0]}'?" if near else ""
            raise MeshError(f"{option}: no node '{name}' in the largest connected part{meant}")
        return self.ids[name]

    def flow(self, source: str, target: str) -> Flow:
        """Return a flow between two nodes that are called by their ids."""
        return self.names[source], self.names[target]


def chosen(mesh: Mesh, parts: Parts, flows: Sequence[Flow], to: Sequence[str], senders: str,
           whole: str = "") -> list[Flow]:  # fmt: skip
    """Return the flows that are asked for, or one between nodes that are far apart.

    The nodes of a `whole` mesh send without any.
    """
    callers = Callers(mesh)
    found = [
        callers.flow(callers.find(source, "--flow"), callers.find(target, "--flow"))
        for source, target in flows
    ]
    if to:
        found += _to_gateways(parts, callers, [callers.find(name, "--to") for name in to], senders)
    return found or ([] if whole else [_farthest(parts, callers)])


def _to_gateways(parts: Parts, callers: Callers, gateways: list[str], senders: str) -> list[Flow]:
    """Return a flow to the nearest gateway from all nodes, from some of them, or from a number."""
    hops = {gateway: parts.hops(gateway) for gateway in gateways}
    others = [node for node in callers.names if node not in hops]

    def nearest(node: str) -> str:
        return min(gateways, key=lambda gateway: hops[gateway].get(node, len(callers.names)))

    if senders.isdigit():
        wanted = int(senders)
        if not 1 <= wanted <= len(others):
            raise MeshError(
                f"--from {senders}: the largest connected part has {len(others)} nodes besides "
                f"{', '.join(callers.names[gateway] for gateway in gateways)}"
            )
        # By their distances, and evenly over them: some are near and some are far.
        ordered = sorted(others, key=lambda node: hops[nearest(node)].get(node, 0))
        others = [ordered[(2 * at + 1) * len(ordered) // (2 * wanted)] for at in range(wanted)]
    elif senders != ALL:
        others = [callers.find(name.strip(), "--from") for name in senders.split(",")]
    return [callers.flow(node, nearest(node)) for node in others if node not in hops]


def _farthest(parts: Parts, callers: Callers) -> Flow:
    """Return a flow between nodes that are far apart: found by going to the farthest twice."""
    start = end = next(iter(callers.names))
    for _ in range(2):
        away = parts.hops(start)
        end, start = start, max(away, key=lambda node: away[node])
    return callers.flow(start, end)

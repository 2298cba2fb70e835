"""Places of the nodes that a scenario has: from degrees to metres, and laid out where none is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..engine.errors import MeshError
from .layout import lay_out
from .mesh import Mesh, Node
from .plane import FLAT_M, LEAST_DEGREE_M, apart_m, in_metres


def near_by(mesh: Mesh, range_m: float) -> dict[str, list[str]]:
    """List for every node those at most so far away, whatever other nodes there are."""
    in_degrees = _in_degrees(mesh.nodes)
    # From south to north, so that only a strip has to be looked at.
    strip = range_m / LEAST_DEGREE_M if in_degrees else range_m
    ordered = sorted(mesh.nodes, key=_north)
    found: dict[str, list[str]] = {node.id: [] for node in mesh.nodes}
    for at, node in enumerate(ordered):
        for other in ordered[at + 1 :]:
            if _north(other) - _north(node) > strip:
                break
            if _apart(node, other) <= range_m:
                found[node.id].append(other.id)
                found[other.id].append(node.id)
    return found


def placed(mesh: Mesh, neighbours: Mapping[str, Iterable[str]], *, by_links: bool) -> Mesh:
    """Put the nodes into metres: those with places keep them, the rest is laid out by links."""
    in_degrees = _in_degrees(mesh.nodes)
    known = [node for node in mesh.nodes if node.degrees or node.metres]
    projected = in_metres([node.degrees for node in known if node.degrees])
    places = projected if in_degrees else [node.metres or (0.0, 0.0) for node in known]
    metres = {node.id: place for node, place in zip(known, places, strict=True)}
    if by_links:
        metres = lay_out({node.id: list(neighbours[node.id]) for node in mesh.nodes}, metres)
    there = {node.id for node in known}
    nodes = tuple(
        node._replace(metres=metres[node.id], laid_out=node.id not in there) for node in mesh.nodes
    )
    laid = len(nodes) - len(known)
    far = max((math.hypot(*place) for place in projected), default=0.0)
    findings = mesh.findings.noted(
        f"nodes without a place, laid out by their links: {laid}" if laid else "",
        "the nodes are so far apart that distances are off by more than 0.1 %"
        if far > FLAT_M
        else "",
        _heights(nodes, neighbours, by_links=by_links),
    )
    return replace(mesh, nodes=nodes, findings=findings)


def _in_degrees(nodes: Iterable[Node]) -> bool:
    """Whether places are in degrees; refuse a network that has both."""
    degrees = next((node for node in nodes if node.degrees), None)
    metres = next((node for node in nodes if node.metres and not node.laid_out), None)
    if degrees and metres:
        raise MeshError(
            f"'{degrees.label}' has a place in degrees and '{metres.label}' one in metres; give "
            "all places in one of the two"
        )
    return degrees is not None


def _north(node: Node) -> float:
    place = node.degrees or (node.metres or (0.0, 0.0))[::-1]
    return place[0]


def _apart(one: Node, other: Node) -> float:
    if one.degrees and other.degrees:
        return apart_m(one.degrees, other.degrees)
    return math.dist(one.metres or (0.0, 0.0), other.metres or (0.0, 0.0))


def _heights(
    nodes: Iterable[Node], neighbours: Mapping[str, Iterable[str]], *, by_links: bool
) -> str:
    """Say what becomes of heights: places of scenarios are in a plane."""
    high = {node.id: node for node in nodes if node.height_m is not None}
    if not high:
        return ""
    said = f"heights of {len(high)} nodes, kept as comments; places are in a plane"
    off = [
        math.dist((*_at(node), node.height_m or 0.0), (*_at(other), other.height_m or 0.0))
        - math.dist(_at(node), _at(other))
        for node in high.values()
        for other in (high[near] for near in neighbours[node.id] if near in high)
    ]
    if by_links or not off:
        return said
    return f"{said}, so distances of neighbours are up to {max(off):.1f} m too short"


def _at(node: Node) -> tuple[float, float]:
    return node.metres or (0.0, 0.0)

"""GeoJSON (RFC 7946): points are nodes, lines are links between the points at their ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors import MeshError
from .mesh import Link, Mesh, Node, degrees, joined, named, quality, table

NAMES = ("name", "hostname", "label", "title", "node_id", "id")
ENDS = (("from", "source"), ("to", "target"))
# Places that agree so far, in degrees, are one: about a decimetre.
DIGITS = 6


def read(tables: dict[str, Any], where: str) -> Mesh:
    """Read a collection of features."""
    features = tables.get("features")
    if not isinstance(features, list):
        raise MeshError(f"{where}: a FeatureCollection has a list of features")
    nodes = named(_nodes(features, where), where)
    at = {_rounded(node.degrees): node.id for node in reversed(nodes) if node.degrees}
    ids = {node.name: node.id for node in nodes} | {node.id: node.id for node in nodes}
    links = joined(nodes, _links(features, at, ids, where), where)
    return Mesh(nodes, links, title=str(tables.get("name") or ""))


def _parts(features: list[Any], kind: str, where: str) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Go through the features of a kind: where each stands, its places, its properties."""
    for number, feature in enumerate(features):
        at = f"{where}: features[{number}]"
        geometry = feature.get("geometry") if isinstance(feature, dict) else None
        if not isinstance(feature, dict) or not isinstance(geometry, dict | None):
            raise MeshError(f"{at}: is no feature with a geometry")
        if geometry and geometry.get("type") == kind:
            properties = dict(table(feature.get("properties"), f"{at}.properties"))
            if "id" in feature:
                properties.setdefault("id", feature["id"])
            yield at, geometry.get("coordinates"), properties


def _nodes(features: list[Any], where: str) -> Iterator[Node]:
    for number, (at, place, properties) in enumerate(_parts(features, "Point", where)):
        name = next((str(properties[n]) for n in NAMES if properties.get(n)), f"n{number}")
        own = str(properties.get("node_id") or properties.get("id") or name)
        yield Node(own, name, degrees=_degrees(place, at))


def _degrees(place: Any, at: str) -> tuple[float, float]:
    if not isinstance(place, list) or len(place) < 2:
        raise MeshError(f"{at}: coordinates are [longitude, latitude]")
    return degrees(place[1], place[0], at)


def _links(
    features: list[Any], nodes: dict[Any, str], ids: dict[str, str], where: str
) -> Iterator[Link]:
    for at, line, properties in _parts(features, "LineString", where):
        ends = [
            next((str(properties[n]) for n in names if properties.get(n)), None) for names in ENDS
        ]
        if None in ends:
            if not isinstance(line, list) or len(line) < 2:
                raise MeshError(f"{at}: a LineString has two places at least")
            ends = [nodes.get(_rounded(_degrees(place, at))) for place in (line[0], line[-1])]
        if None in ends:
            raise MeshError(
                f"{at}: there is no Point at an end of the line; name the nodes as properties "
                '"from" and "to"'
            )
        source, target = (ids.get(str(end), str(end)) for end in ends)
        found, medium = quality(properties, at), str(properties.get("type") or "")
        yield Link(source, target, **found, medium=medium)
        if properties.get("both_ways", True):
            yield Link(target, source, **found, medium=medium)


def _rounded(place: tuple[float, float]) -> tuple[float, float]:
    return round(place[0], DIGITS), round(place[1], DIGITS)

"""GeoJSON (RFC 7946): points are nodes, lines are links between the points at their ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..engine.errors import MeshError
from .joining import Raw
from .measures import Row
from .mesh import Node
from .values import degrees, first, identity, is_given, is_online, number, table

NAMES = ("name", "hostname", "label", "title", "node_id", "id")
IDS = ("node_id", "id")
ONLINE = ("online", "is_online", "status")
ENDS = (("from", "source", "src"), ("to", "target", "dst"))
# Places that agree so far, in degrees, are one: about a decimetre.
DIGITS = 6


def read(tables: dict[str, Any], where: str) -> Raw:
    """Read a collection of features."""
    features = tables.get("features")
    if not isinstance(features, list):
        raise MeshError(f"{where}: a FeatureCollection has a list of features")
    nodes = list(_nodes(features, where))
    at = {_rounded(node.degrees): node.id for node in reversed(nodes) if node.degrees}
    rows = list(_links(features, at, where))
    others = len(features) - len(nodes) - len(rows)
    remark = f"features that are neither points nor lines, not read: {others}"
    return Raw(
        "GeoJSON",
        nodes,
        rows,
        title=str(tables.get("name") or ""),
        remarks=(remark,) if others else (),
    )


def _parts(features: list[Any], kind: str, where: str) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Go through the features of a kind: where each stands, its places, its properties."""
    for number_, feature in enumerate(features):
        at = f"{where}: features[{number_}]"
        geometry = feature.get("geometry") if isinstance(feature, dict) else None
        if not isinstance(feature, dict) or not isinstance(geometry, dict | None):
            raise MeshError(f"{at}: is no feature with a geometry")
        if geometry and geometry.get("type") == kind:
            properties = dict(table(feature.get("properties"), f"{at}.properties"))
            if "id" in feature:
                properties.setdefault("id", feature["id"])
            yield at, geometry.get("coordinates"), properties


def _nodes(features: list[Any], where: str) -> Iterator[Node]:
    for count, (at, place, properties) in enumerate(_parts(features, "Point", where)):
        name = first(properties, NAMES)
        label = f"n{count}" if name is None else identity(name, f"{at}: name")
        own = first(properties, IDS)
        online = next(
            (is_online(properties[n], f"{at}: {n}") for n in ONLINE if n in properties), True
        )
        height = place[2] if isinstance(place, list) and len(place) > 2 else None
        yield Node(
            label if own is None else identity(own, f"{at}: id"),
            label,
            degrees=_degrees(place, at),
            height_m=None if height is None else number(height, f"{at}: height"),
            label=label,
            online=online,
        )


def _degrees(place: Any, at: str) -> tuple[float, float] | None:
    if not isinstance(place, list) or len(place) < 2:
        raise MeshError(f"{at}: coordinates are [longitude, latitude]")
    return degrees(place[1], place[0], at)


def _links(features: list[Any], nodes: dict[Any, str], where: str) -> Iterator[Row]:
    for at, line, properties in _parts(features, "LineString", where):
        given = [first(properties, names) for names in ENDS]
        if None in given:
            if not isinstance(line, list) or len(line) < 2:
                raise MeshError(f"{at}: a LineString has two places at least")
            ends = [_degrees(place, at) for place in (line[0], line[-1])]
            given = [nodes.get(_rounded(end)) if end else None for end in ends]
        if None in given:
            raise MeshError(
                f"{at}: there is no Point at an end of the line; name the nodes as properties "
                '"from" and "to"'
            )
        source, target = (identity(end, f"{at}: end") for end in given)
        both = properties.get("both_ways")
        told = {k: v for k, v in properties.items() if k not in {*ENDS[0], *ENDS[1]}}
        medium = str(properties["type"]) if is_given(properties.get("type")) else ""
        yield Row(source, target, told, at, medium, both if isinstance(both, bool) else None)


def _rounded(place: tuple[float, float]) -> tuple[float, float]:
    return round(place[0], DIGITS), round(place[1], DIGITS)

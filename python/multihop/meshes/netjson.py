"""NetJSON's NetworkGraph: what the routing protocols of community meshes know of themselves."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..errors import MeshError
from .mesh import Link, Mesh, Node, degrees, joined, named, number, quality, table

LATITUDE, LONGITUDE = ("lat", "latitude"), ("lng", "lon", "long", "longitude")
# A cost that is ETX: what it takes for a frame and its acknowledgment to arrive.
EXPECTED = "etx"
# OLSR's: such links do not exist.
DEAD_ETX = 1024.0


def read(tables: dict[str, Any], where: str) -> Mesh:
    """Read a graph."""
    given, lines = tables.get("nodes"), tables.get("links")
    if not isinstance(given, list) or not isinstance(lines, list):
        raise MeshError(f"{where}: a NetworkGraph has a list of nodes and one of links")
    nodes = named((_node(node, f"{where}: nodes[{at}]") for at, node in enumerate(given)), where)
    metric = str(tables.get("metric") or "").lower()
    found = list(_links(lines, where, is_etx=metric.startswith(EXPECTED)))
    both = {(link.source, link.target) for link in found}
    # Where a protocol lists a link once, it means both directions.
    back = [k._replace(source=k.target, target=k.source) for k in found]
    links = [*found, *(link for link in back if (link.source, link.target) not in both)]
    mesh = Mesh(nodes, joined(nodes, links, where), title=str(tables.get("label") or ""))
    told = any(link.delivery is not None or link.signal_dbm is not None for link in links)
    note = f"costs in {metric or 'an unknown metric'}, which do not say what links deliver"
    return mesh.noted("" if told or not links else note)


def _node(given: Any, where: str) -> Node:
    if not isinstance(given, dict) or not given.get("id"):
        raise MeshError(f"{where}: is no node with an id")
    own = str(given["id"])
    properties = table(given.get("properties"), f"{where}.properties")
    inner = table(properties.get("location"), f"{where}.properties.location")
    place = {**properties, **inner, **table(given.get("location"), f"{where}.location")}
    latitude, longitude = (
        next((place[name] for name in names if place.get(name) is not None), None)
        for names in (LATITUDE, LONGITUDE)
    )
    where_it_is = None
    if latitude is not None and longitude is not None:
        where_it_is = degrees(latitude, longitude, where)
    return Node(own, str(given.get("label") or own), degrees=where_it_is)


def _links(given: list[Any], where: str, *, is_etx: bool) -> Iterator[Link]:
    for at, link in enumerate(given):
        here = f"{where}: links[{at}]"
        if not isinstance(link, dict) or not link.get("source") or not link.get("target"):
            raise MeshError(f"{here}: is no link with a source and a target")
        properties = table(link.get("properties"), f"{here}.properties")
        found = quality(properties, here)
        cost = link.get("cost")
        if is_etx and not found and cost is not None:
            etx = number(cost, f"{here}: cost", low=0)
            if etx <= 0 or etx >= DEAD_ETX:
                continue
            # ETX is 1 / (there * back): which direction loses how much, it does not say.
            found = {"delivery": min(1.0, 1 / math.sqrt(etx))}
        medium = str(properties.get("type") or "")
        yield Link(str(link["source"]), str(link["target"]), **found, medium=medium)

"""Graphs of networkx: their node-link JSON, graphs in memory, and scenarios as graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

from ..engine.errors import MeshError, MissingExtraError
from .joining import Raw, mesh_of
from .measures import Measuring, Row
from .mesh import Mesh, Node
from .values import first, identity, is_given, is_online, objects, place_of, table

if TYPE_CHECKING:
    import networkx

    from ..scenario.form import Scenario

LABELS = ("name", "label", "hostname", "title")
ONLINE = ("online", "is_online", "status")
MEDIA = ("type", "medium")
# How node-link data calls its edges: since networkx 3.4 the second, unless it is told otherwise.
EDGES = ("links", "edges")
ENDS = (("source", "from"), ("target", "to"))


def is_node_link(tables: dict[str, Any]) -> bool:
    """Whether this is a graph as node-link data: nodes with ids, and edges between them."""
    nodes = tables.get("nodes")
    if not isinstance(nodes, list) or not any(key in tables for key in EDGES):
        return False
    return all(isinstance(node, dict) and ("id" in node or "name" in node) for node in nodes)


def read_node_link(tables: dict[str, Any], where: str) -> Raw:
    """Read node-link data, with its edges as "links" or as "edges"."""
    edges = next(key for key in EDGES if key in tables)
    nodes, ids = [], []
    for at, given in enumerate(tables["nodes"]):
        own = given.get("id", given.get("name"))
        ids.append(own)
        nodes.append((identity(own, f"{where}: nodes[{at}].id"), given, f"{where}: nodes[{at}]"))
    rows = []
    links = objects(tables.get(edges), f"{where}: {edges}")
    ends = [_ends(link, f"{where}: {edges}[{at}]") for at, link in enumerate(links)]
    # Before networkx 2.0, and in D3, edges name nodes by their places in the list.
    numbered = _are_numbers(chain.from_iterable(ends), len(ids)) and not _are_numbers(ids, None)
    for at, (link, pair) in enumerate(zip(links, ends, strict=True)):
        here = f"{where}: {edges}[{at}]"
        one, other = (ids[end] if numbered else end for end in pair)
        told = {k: v for k, v in link.items() if k not in {*ENDS[0], *ENDS[1], "key"}}
        rows.append((identity(one, here), identity(other, here), told, here))
    graph = tables.get("graph")
    head = dict(graph) if isinstance(graph, dict) else {}
    return _raw(
        "a node-link graph", nodes, rows, tables.get("directed") is True, {**head, **tables}
    )


def from_networkx(graph: networkx.Graph[Any], measuring: Measuring = Measuring()) -> Mesh:
    """Return the mesh of a graph: node attributes are places, edge attributes measures.

    Nodes may have `lat`, `lon` in degrees or `x`, `y` (or `pos`) in m, `height` and `name`; edges
    any measure that tables have, as `delivery`, `etx` or `signal` in dBm. An edge of an undirected
    graph holds for both directions, and a direction that a directed graph lacks is silent.

    >>> scenario_of(from_networkx(networkx.path_graph(4))).scenario
    """
    where = "the graph"
    nodes = [
        (str(own), dict(told), f"{where}: node {own!r}") for own, told in graph.nodes(data=True)
    ]
    rows = [
        (str(one), str(other), dict(told), f"{where}: edge {one!r}, {other!r}")
        for one, other, told in graph.edges(data=True)
    ]
    raw = _raw("a networkx graph", nodes, rows, graph.is_directed(), dict(graph.graph))
    return mesh_of(raw, measuring, where)


def _raw(
    kind: str,
    nodes: Iterable[tuple[str, Mapping[str, Any], str]],
    rows: Iterable[tuple[str, str, Mapping[str, Any], str]],
    directed: bool,
    head: Mapping[str, Any],
) -> Raw:
    # OSMnx has longitude as x and latitude as y, and says so.
    in_degrees = str(head.get("crs", "")).lower() == "epsg:4326"
    both = None if directed else True
    return Raw(
        f"{kind}, {'directed' if directed else 'undirected'}",
        [_node(own, told, at, in_degrees=in_degrees) for own, told, at in nodes],
        [Row(a, b, told, at, str(first(told, MEDIA) or ""), both) for a, b, told, at in rows],
        directed=directed,
        title=str(head.get("name") or ""),
        lists_links=True,
    )


def _node(own: str, told: Mapping[str, Any], at: str, *, in_degrees: bool) -> Node:
    place = dict(table(told.get("location"), f"{at}.location")) | dict(told)
    pos = place.get("pos")
    if isinstance(pos, list | tuple) and len(pos) >= 2:
        place = {**dict(zip("xyz", pos, strict=False)), **place}
    if in_degrees and is_given(place.get("x")) and is_given(place.get("y")):
        place = {**place, "lon": place["x"], "lat": place["y"]}
    online = next((is_online(told[n], f"{at}: {n}") for n in ONLINE if n in told), True)
    label = str(first(told, LABELS) or own)
    return Node(own, label, label=label, online=online, **place_of(place, at))


def _ends(link: Any, where: str) -> tuple[Any, Any]:
    ends = [first(link, names) if isinstance(link, dict) else None for names in ENDS]
    if None in ends:
        raise MeshError(f"{where}: is no link with a source and a target")
    return ends[0], ends[1]


def _are_numbers(values: Iterable[Any], below: int | None) -> bool:
    return all(type(v) is int and v >= 0 and (below is None or v < below) for v in values)


def to_networkx(network: Mesh | Scenario) -> networkx.DiGraph[Any]:
    """Return a mesh, or a scenario of kind "explicit", as a directed graph of networkx.

    Nodes are called by their names, with `x`, `y` in m or `lat`, `lon` in degrees, `height` in m
    and `label`, as far as they are known. Edges go from transmitter to receiver, with `delivery`
    from 0 to 1 and `signal` in dBm. A scenario without [[link]] has no edges.
    """
    try:
        import networkx
    except ImportError:
        raise MissingExtraError(
            "networkx is not installed; pip install 'multihop[import]' brings it"
        ) from None
    graph: networkx.DiGraph[Any] = networkx.DiGraph()
    nodes, edges = _of_mesh(network) if isinstance(network, Mesh) else _of_scenario(network)
    for name, told in nodes:
        graph.add_node(name, **_known(told))
    for one, other, told in edges:
        graph.add_edge(one, other, **_known(told))
    return graph


Parts = tuple[Iterable[tuple[str, dict[str, Any]]], Iterable[tuple[str, str, dict[str, Any]]]]


def _of_mesh(mesh: Mesh) -> Parts:
    names = {node.id: node.name for node in mesh.nodes}

    def told(node: Node) -> dict[str, Any]:
        x, y = node.metres or (None, None)
        lat, lon = node.degrees or (None, None)
        label = node.label if node.label != node.name else None
        return {"x": x, "y": y, "lat": lat, "lon": lon, "height": node.height_m, "label": label}

    return (
        [(node.name, told(node)) for node in mesh.nodes],
        [
            (
                names[link.source],
                names[link.target],
                {
                    "delivery": link.delivery,
                    "signal": link.signal_dbm,
                    "type": link.medium or None,
                },
            )
            for link in mesh.links
        ],
    )


def _of_scenario(scenario: Scenario) -> Parts:
    tables = scenario.to_dict()
    if "node" not in tables:
        raise MeshError(
            f'a scenario of kind "{tables["topology"].get("kind")}" makes its nodes itself; only '
            'those of kind "explicit" list them'
        )
    nodes = [
        (node["name"], {axis: _metres(node.get(axis)) for axis in "xy"}) for node in tables["node"]
    ]
    return nodes, list(_edges(tables.get("link", [])))


def _edges(links: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for link in links:
        signal = link.get("signal")
        told = {
            "delivery": link.get("delivery"),
            "signal": None if signal is None else float(str(signal).split()[0]),
        }
        yield link["from"], link["to"], told
        if link.get("both_ways"):
            yield link["to"], link["from"], told


def _metres(text: Any) -> float | None:
    """Read a length of a checked scenario."""
    if text is None:
        return None
    value, unit = str(text).split()
    return float(value) * {"cm": 0.01, "m": 1.0, "km": 1000.0}[unit]


def _known(told: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in told.items() if value is not None}

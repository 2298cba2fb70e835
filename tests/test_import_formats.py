"""Formats of networks: which are read, how each calls things, and what is said of the others."""

import json
import sys
from pathlib import Path
from typing import Any

import networkx
import pytest

from multihop import (
    MeshError,
    MissingExtraError,
    Scenario,
    from_networkx,
    run,
    scenario_of,
    to_networkx,
)
from multihop.meshes.measures import Measuring
from multihop.meshes.writing import Choices
from tests.conftest import Cli
from tests.meshes import deliveries, imported, links, nodes, signals, tables, written

GRAPH: dict[str, Any] = {
    "directed": False,
    "multigraph": False,
    "graph": {"name": "hall"},
    "nodes": [{"id": 0, "x": 0.0, "y": 0.0}, {"id": 1, "x": 120.0, "y": 5.0}, {"id": 2}],
    "links": [{"source": 0, "target": 1, "prr": 0.9}, {"source": 1, "target": 2, "prr": 0.8}],
}
NETJSON: dict[str, Any] = {
    "type": "NetworkGraph", "protocol": "olsrv1", "version": "0.9", "metric": "ETX",
    "nodes": [{"id": "10.1.0.1", "local_addresses": ["10.1.0.2", "10.1.0.3"]},
              {"id": "10.2.0.1", "local_addresses": ["10.2.0.2"]}, {"id": "10.3.0.1"}],
    "links": [{"source": "10.1.0.2", "target": "10.2.0.2", "cost": 1.5625},
              {"source": "10.1.0.3", "target": "10.3.0.1", "cost": 1.0}],
}  # fmt: skip


def test_tables_that_list_each_edge_once(tmp_path: Path) -> None:
    found = tables(tmp_path, "from,to,delivery\na,b,0.9\nb,c,0.8\n")
    assert deliveries(found) == {"ab": 0.9, "ba": 0.9, "bc": 0.8, "cb": 0.8}
    assert found.mesh.findings.mirrored == 2
    mixed = tables(tmp_path, "from,to,delivery\na,b,0.9\nb,a,0.7\nb,c,0.8\n")
    assert deliveries(mixed) == {"ab": 0.9, "ba": 0.7, "bc": 0.8, "cb": 0.8}
    assert mixed.mesh.findings.mirrored == 1


@pytest.mark.parametrize(
    "header", ["src,dst", "Source;Target", "tx\trx", "sender,receiver", "from,destination"]
)
def test_ends_have_many_names(tmp_path: Path, header: str) -> None:
    separator = next(sign for sign in ",;\t" if sign in header)
    row = f"a{separator}b{separator}0.9"
    assert deliveries(tables(tmp_path, f"{header}{separator}prr\n{row}\n"))["ab"] == 0.9


@pytest.mark.parametrize("edges", ["links", "edges"])
def test_node_link_data_has_its_edges_under_either_name(tmp_path: Path, edges: str) -> None:
    graph = {**{k: v for k, v in GRAPH.items() if k != "links"}, edges: GRAPH["links"]}
    found = imported(tmp_path, g_json=graph)
    assert deliveries(found) == {"01": 0.9, "10": 0.9, "12": 0.8, "21": 0.8}
    assert found.scenario.name == "hall"
    assert (nodes(found)["1"]["x"], nodes(found)["1"]["y"]) == ("120.0 m", "5.0 m")
    assert found.mesh.findings.format == "a node-link graph, undirected"
    assert found.mesh.findings.mirrored == 0
    # what networkx writes itself
    written_by = networkx.node_link_data(from_data(graph), edges=edges)
    assert deliveries(imported(tmp_path, g_json=written_by)) == deliveries(found)


def from_data(graph: dict[str, Any]) -> Any:
    key = "links" if "links" in graph else "edges"
    return networkx.node_link_graph(graph, edges=key)


def test_edges_may_name_places_in_the_list_of_nodes(tmp_path: Path) -> None:
    graph = {
        "nodes": [{"id": "a"}, {"id": "b"}, {"id": "c"}],
        "links": [{"source": 0, "target": 2, "prr": 0.9}, {"source": 2, "target": 1, "prr": 0.8}],
    }
    assert deliveries(imported(tmp_path, g_json=graph)) == {
        "ac": 0.9, "ca": 0.9, "cb": 0.8, "bc": 0.8,
    }  # fmt: skip


def test_graphs_of_networkx_come_in_and_go_out() -> None:
    graph = networkx.DiGraph(name="yard")
    graph.add_node("a", lat=52.0, lon=13.0, height=30.0)
    graph.add_node("b", lat=52.001, lon=13.0)
    graph.add_node("gate house")
    graph.add_edge("a", "b", delivery=0.9)
    graph.add_edge("b", "a", delivery=0.7, signal=-70.0)
    graph.add_edge("b", "gate house", signal="-60 dBm")
    graph.add_edge("gate house", "b", signal=-61)
    mesh = from_networkx(graph)
    found = scenario_of(mesh)
    assert links(found) == {
        ("a", "b"): {"delivery": 0.9},
        ("b", "a"): {"delivery": 0.7, "signal": "-70 dBm"},
        ("b", "gate-house"): {"signal": "-60 dBm"},
        ("gate-house", "b"): {"signal": "-61 dBm"},
    }
    out = to_networkx(mesh)
    assert out.nodes["a"] == {"lat": 52.0, "lon": 13.0, "height": 30.0}
    assert out.nodes["gate-house"] == {"label": "gate house"}
    assert out.edges["b", "a"] == {"delivery": 0.7, "signal": -70.0}
    again = scenario_of(from_networkx(out))
    assert links(again) == links(found)
    from_scenario = to_networkx(found.scenario)
    assert from_scenario.edges["b", "gate-house"] == {"signal": -60.0}
    assert from_scenario.nodes["b"]["y"] == pytest.approx(111.3)
    assert deliveries(scenario_of(from_networkx(networkx.path_graph(3))))["01"] == 1.0
    with pytest.raises(MeshError, match='kind "chain" makes its nodes itself'):
        to_networkx(Scenario.from_toml(CHAIN))
    weighted = networkx.Graph()
    weighted.add_edge("a", "b", weight=3)
    with pytest.raises(MeshError, match="edge 'a', 'b': 'weight': no measure of a link"):
        from_networkx(weighted)
    assert deliveries(scenario_of(from_networkx(weighted, Measuring(columns={"weight": "etx"}))))[
        "ab"
    ] == pytest.approx(0.5774)


CHAIN = """
topology = { kind = "chain", hops = 2 }
scheme = { name = "udp" }
traffic = { load = "10 kbit/s" }
"""


def test_netjson_knows_the_other_addresses_of_a_node(tmp_path: Path) -> None:
    found = imported(tmp_path, g_json=NETJSON)
    assert {ends: link["delivery"] for ends, link in links(found).items()} == {
        ("10.1.0.1", "10.2.0.1"): 0.8, ("10.2.0.1", "10.1.0.1"): 0.8,
        ("10.1.0.1", "10.3.0.1"): 1.0, ("10.3.0.1", "10.1.0.1"): 1.0,
    }  # fmt: skip
    twice = json.loads(json.dumps(NETJSON))
    twice["nodes"][2]["local_addresses"] = ["10.1.0.2"]
    with pytest.raises(MeshError, match=r"'10\.1\.0\.2' is an address of '10\.1\.0\.1'"):
        imported(tmp_path, g_json=twice)


def test_netjson_s_ids_may_be_numbers_and_its_graphs_a_collection(tmp_path: Path) -> None:
    graph = {
        **NETJSON,
        "nodes": [{"id": 0}, {"id": 1, "label": "one"}],
        "links": [{"source": 0, "target": 1, "cost": 1.0}],
    }
    assert list(links(imported(tmp_path, g_json=graph))) == [("0", "one"), ("one", "0")]
    collection = {
        "type": "NetworkCollection",
        "collection": [
            graph,
            {"type": "DeviceConfiguration"},
            {
                **NETJSON,
                "metric": "TQ",
                "nodes": [{"id": 1}, {"id": 2}],
                "links": [{"source": 1, "target": 2, "cost": 1.25}],
            },
        ],
    }
    found = imported(tmp_path, c_json=collection)
    assert links(found)["one", "2"] == {"delivery": 0.8}
    assert len(found.mesh.nodes) == 3
    assert "objects of other types than NetworkGraph, not read: 1" in found.mesh.findings.remarks
    with pytest.raises(MeshError, match="has a NetworkGraph in its collection"):
        imported(tmp_path, c_json={"type": "NetworkCollection", "collection": []})


PLACES = {"aa": 52.5, "bb": 52.5009, "cc": 52.5018}


def hopglass(*types: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a nodes.json whose nodes have places, and a graph.json with links of these types."""
    nodes = [
        {"flags": {"online": True},
         "nodeinfo": {"node_id": own, "hostname": own, "location": {"latitude": lat,
                                                                    "longitude": 13.4}}}
        for own, lat in PLACES.items()
    ]  # fmt: skip
    ends = [(0, 1), (1, 0), (1, 2), (2, 1)]
    graph = {
        "nodes": [{"id": f"m{own}", "node_id": own} for own in PLACES],
        "links": [
            {"source": a, "target": b, "tq": 1.25, "type": kind}
            for (a, b), kind in zip(ends, types, strict=True)
        ],
    }
    return {"version": 2, "nodes": nodes}, {"version": 1, "batadv": graph}


@pytest.mark.parametrize("kind", ["wifi", "wireless", "wifi24", "wifi5", "WiFi", "wlan0"])
def test_radio_links_have_many_types(tmp_path: Path, kind: str) -> None:
    nodes, graph = hopglass(*[kind] * 4)
    found = imported(tmp_path, n_json=nodes, g_json=graph)
    assert len(links(found)) == 4
    assert all(link == {"delivery": 0.8} for link in links(found).values())


def test_a_filter_that_leaves_nothing_changes_no_mode(tmp_path: Path) -> None:
    nodes, graph = hopglass("other", "other", "vpn", "vpn")
    with pytest.raises(MeshError, match=r"all 4 are over other, vpn; choose with --type"):
        imported(tmp_path, n_json=nodes, g_json=graph)
    found = imported(tmp_path, Choices(media=("other",)), n_json=nodes, g_json=graph)
    assert sorted(link for pair in links(found) for link in pair) == ["aa", "aa", "bb", "bb"]
    assert "links over vpn, which are no radio links: 2" in found.mesh.notes
    by_place = imported(tmp_path, Choices(by_distance=True), n_json=nodes, g_json=graph)
    assert not links(by_place)
    assert "links are not used: positions decide" in by_place.mesh.findings.remarks
    # a file whose list of links is empty has no links, and does not turn to distances either
    empty = {"version": 1, "batadv": {**graph["batadv"], "links": []}}
    with pytest.raises(MeshError, match="no two nodes reach each other over links"):
        imported(tmp_path, n_json=nodes, g_json=empty)


def test_a_place_that_is_none_on_a_community_s_map_is_left_out_and_told(tmp_path: Path) -> None:
    place = {"latitude": 49.0, "longitude": 12986035}
    nodes = [
        {"node_id": "a", "hostname": "a", "location": {"latitude": 49.0, "longitude": 13.0}},
        {"node_id": "b", "hostname": "b", "location": place},
    ]
    links = [{"source": "a", "target": "b", "type": "wifi", "source_tq": 0.9, "target_tq": 0.8}]
    found = imported(tmp_path, meshviewer_json={"nodes": nodes, "links": links})
    assert len(found.mesh.nodes) == 2
    [told] = [one for one in found.mesh.findings.remarks if "places that are none" in one]
    assert "left out: 1 (" in told
    assert "nodes[1]: longitude: 12986035 is not from" in told


def test_nodelist_json_has_places(tmp_path: Path) -> None:
    listed = [
        {"id": f"c{at}", "name": f"node {at}", "status": {"online": at != 2, "clients": 3},
         "position": {"lat": 52.5 + at * 0.001, "long": 13.4}}
        for at in range(4)
    ]  # fmt: skip
    document = {"version": "1.0.0", "updated_at": "2024-05-01T12:00:00", "nodes": listed}
    found = imported(tmp_path, Choices(range_m=150.0), nodelist_json=document)
    assert list(nodes(found)) == ["node-0", "node-1"]
    assert found.mesh.findings.format == "Freifunk's nodelist.json"
    assert found.mesh.notes[0] == "nodes that are offline: 1"


# What each text is, how it begins, and what the error says of it.
OTHERS = {
    "scenario.xml": ("<?xml version='1.0'?>\n<scenario><devices/></scenario>", "XML of a format"),
    "map.svg": ('<svg xmlns="http://www.w3.org/2000/svg"/>', "XML of a format"),
    "graph.dot": ("graph g {\n  0 -- 1;\n}\n", "Graphviz DOT"),
    "di.dot": ("strict digraph {\n  0 -> 1;\n}\n", "Graphviz DOT"),
    "wmediumd.cfg": ('ifaces : { ids = ["42:00:00:00:00:00"]; };', "a configuration of wmediumd"),
    "g.graphml": ('<?xml version="1.0"?>\n<graphml/>', "GraphML"),
    "t.kml": ('<?xml version="1.0"?>\n<kml/>', "KML or GPX"),
    "g.gml": ("graph [\n  node [ id 0 ]\n]\n", "GML"),
    "m.tcl": ("$node_(0) set X_ 1.0\n", "an ns-2 movement file; scenarios read it by [mobility]"),
    "s.toml": ('duration = "5 s"\n[topology]\nkind = "chain"\n', "a scenario already"),
    "notes.txt": ("Dear all,\nhere are the nodes.\n", "line 1: 'Dear all,' names no column"),
    "mesh.json": (
        '{"nodes":[{"id":"1","node_id":"2130636288","long_name":"Node One","latitude":525000000}]}',
        "its nodes have id, node_id, long_name, latitude, as those of no format that is read",
    ),
    "adj.json": ('{"nodes":[{"id":0}],"adjacency":[[]]}', "networkx's adjacency data"),
    "cy.json": ('{"elements":{"nodes":[]}}', "Cytoscape's JSON"),
    "graph.json": ('{"batadv":{"nodes":[],"links":[]}}', "give nodes.json first"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_formats_are_named(cli: Cli, tmp_path: Path, name: str) -> None:
    text, what = OTHERS[name]
    (tmp_path / name).write_text(text)
    done = cli("import", name)
    assert done.returncode == 2
    assert f"{name}: " in done.stderr
    assert what in done.stderr
    assert "what can be imported is CSV, GeoJSON, NetJSON" in done.stderr
    assert done.stderr.count("\n") == 1
    if not name.endswith("json"):
        done = cli("import", *written(tmp_path, n_csv="name\na\nb\n"), "--links", name)
        assert what in done.stderr, "also where links are expected"


def test_graphs_go_out_only_with_networkx(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = imported(tmp_path, g_json=GRAPH)
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'multihop\[import\]' brings it"):
        to_networkx(found.mesh)


def test_osmnx_says_that_its_places_are_degrees() -> None:
    graph = networkx.Graph(crs="epsg:4326")
    graph.add_node(1, x=13.0, y=52.0)
    graph.add_node(2, x=13.0, y=52.001)
    graph.add_edge(1, 2, osmid=7)
    [_, north] = from_networkx(graph).nodes
    assert north.degrees == (52.001, 13.0)


def test_imported_graphs_run(tmp_path: Path) -> None:
    found = imported(tmp_path, g_json=GRAPH)
    assert run(found.scenario.with_(duration="5 s")).runs["goodput_bit_s"][0] > 0
    assert signals(tables(tmp_path, "from,to,dbm\na,b,-60\n"))["ba"] == "-60 dBm"

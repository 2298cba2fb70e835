"""Networks that exist: every format, places in metres, and files that are wrong."""

import contextlib
import copy
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from multihop import MeshError, Scenario, run
from multihop.meshes.plane import in_metres
from multihop.meshes.writing import Choices
from tests.conftest import Cli
from tests.meshes import imported, links, written

NODES = "name,lat,lon\ngateway,52.52,13.405\nchurch,52.521,13.405\nschool,52.52,13.408\n"
LINKS = """from;to;signal;delivery
gateway;church;-60;
church;gateway;-61 dBm;
gateway;school;;0.9
school;gateway;-80;0.8
"""
# As yanic writes it: three routers, one of them offline, and a tunnel.
MESHVIEWER: dict[str, Any] = {
    "timestamp": "2024-05-01T12:00:00+0200",
    "nodes": [
        {"node_id": "aa", "hostname": "Roof", "is_online": True,
         "location": {"latitude": 48.4, "longitude": 9.99}},
        {"node_id": "bb", "hostname": "Roof", "is_online": True, "location": {}},
        {"node_id": "cc", "hostname": "Mill \"old\" \x7f", "is_online": True},
        {"node_id": "dd", "hostname": "Gone", "is_online": False},
    ],
    "links": [
        {"type": "wifi", "source": "aa", "target": "bb", "source_tq": 0.8, "target_tq": 0.6},
        {"type": "wifi", "source": "bb", "target": "cc", "source_tq": 1, "target_tq": 1},
        {"type": "vpn", "source": "aa", "target": "cc", "source_tq": 1, "target_tq": 1},
        {"type": "wifi", "source": "aa", "target": "dd", "source_tq": 1, "target_tq": 1},
    ],
}  # fmt: skip
NETJSON: dict[str, Any] = {
    "type": "NetworkGraph",
    "protocol": "OLSR",
    "version": "0.6.6",
    "metric": "ETX",
    "nodes": [{"id": "10.0.0.1", "label": "one", "properties": {"lat": 1.0, "lng": 2.0}},
              {"id": "10.0.0.2"}, {"id": "10.0.0.3"}],
    "links": [{"source": "10.0.0.1", "target": "10.0.0.2", "cost": 1.5625},
              {"source": "10.0.0.2", "target": "10.0.0.3", "cost": 1.0},
              {"source": "10.0.0.3", "target": "10.0.0.2", "cost": 1.0},
              {"source": "10.0.0.1", "target": "10.0.0.3", "cost": 1024.0}],
}  # fmt: skip
GEOJSON: dict[str, Any] = {
    "type": "FeatureCollection",
    "name": "valley",
    "features": [
        {"type": "Feature", "properties": {"name": "left"},
         "geometry": {"type": "Point", "coordinates": [7.0, 46.0]}},
        {"type": "Feature", "properties": {"name": "right"},
         "geometry": {"type": "Point", "coordinates": [7.002, 46.0, 512.0]}},
        {"type": "Feature", "properties": {"signal": -71},
         "geometry": {"type": "LineString", "coordinates": [[7.0, 46.0], [7.002, 46.0]]}},
    ],
}  # fmt: skip
# Version 2 of nodes.json, and its graph.json.
NODES_JSON: dict[str, Any] = {
    "version": 2,
    "nodes": [{"nodeinfo": {"node_id": own, "hostname": own.upper()}, "flags": {"online": True}}
              for own in ("aa", "bb")],
}  # fmt: skip
GRAPH_JSON: dict[str, Any] = {
    "version": 1,
    "batadv": {"nodes": [{"id": "m1", "node_id": "bb"}, {"id": "m2", "node_id": "aa"}],
               "links": [{"source": 0, "target": 1, "tq": 1.25, "bidirect": True, "type": "wifi"}]},
}  # fmt: skip


def test_metres_are_those_of_the_ellipsoid() -> None:
    # one degree at 52.5 degrees north is 111 267 m north and 67 910 m east (WGS 84)
    places = in_metres([(52.0, 13.0), (53.0, 13.0), (52.5, 14.0)])
    assert places[0] == (0.0, 0.0)
    assert places[1][1] == pytest.approx(111_267, rel=2e-4)
    assert places[2][0] == pytest.approx(67_910, rel=2e-4)
    # over the line where days change it is near
    east, west = in_metres([(0.0, 179.9999), (0.0, -179.9999)])
    assert math.dist(east, west) == pytest.approx(22.26, rel=1e-3)


def test_tables_of_nodes_and_links(tmp_path: Path) -> None:
    found = imported(tmp_path, nodes_csv=NODES, links_csv=LINKS)
    assert links(found) == {
        ("gateway", "church"): {"signal": "-60 dBm"},
        ("church", "gateway"): {"signal": "-61 dBm"},
        ("gateway", "school"): {"delivery": 0.9},
        ("school", "gateway"): {"signal": "-80 dBm", "delivery": 0.8},
    }
    nodes = {node["name"]: (node["x"], node["y"]) for node in found.scenario.to_dict()["node"]}
    assert nodes["church"] == ("0.0 m", "111.3 m")
    assert run(found.scenario.with_(duration="5 s")).runs["goodput_bit_s"][0] > 0


def test_positions_alone_are_a_scenario(tmp_path: Path) -> None:
    found = imported(tmp_path, nodes_csv="id\tx\ty\na\t0\t0\nb\t200\t0\nc\t9000\t0\n")
    tables = found.scenario.to_dict()
    assert [node["name"] for node in tables["node"]] == ["a", "b"]
    assert "link" not in tables
    assert found.mesh.notes == ("nodes outside the largest connected part: 1",)
    far = imported(tmp_path, Choices(range_m=9000.0), nodes_csv="id,x,y\na,0,0\nc,9000,0\n")
    assert far.scenario.to_dict()["radio"]["receive_range"] == "9000 m"


def test_what_freifunk_publishes(tmp_path: Path) -> None:
    found = imported(tmp_path, meshviewer_json=MESHVIEWER)
    # two of one name are called by their ids, and names have letters and digits
    mill = "Mill-old"
    assert [node["name"] for node in found.scenario.to_dict()["node"]] == ["aa", "bb", mill]
    assert links(found) == {
        ("aa", "bb"): {"delivery": 0.8},
        ("bb", "aa"): {"delivery": 0.6},
        ("bb", mill): {"delivery": 1.0},
        (mill, "bb"): {"delivery": 1.0},
    }
    assert found.mesh.notes == (
        "nodes that are offline: 1",
        "links over vpn, which are no radio links: 2",
    )
    more = imported(tmp_path, Choices(media=("wifi", "vpn")), meshviewer_json=MESHVIEWER)
    assert ("aa", mill) in links(more)
    assert run(found.scenario.with_(duration="5 s")).runs["goodput_bit_s"][0] > 0


@pytest.mark.parametrize("version", [1, 2])
def test_nodes_and_graph_of_older_maps(tmp_path: Path, version: int) -> None:
    nodes = NODES_JSON
    if version == 1:
        by_id = {node["nodeinfo"]["node_id"]: node for node in NODES_JSON["nodes"]}
        nodes = {"version": 1, "nodes": by_id}
    found = imported(tmp_path, nodes_json=nodes, graph_json=GRAPH_JSON)
    assert links(found) == {("BB", "AA"): {"delivery": 0.8}, ("AA", "BB"): {"delivery": 0.8}}


def test_netjson_s_etx_is_of_both_directions(tmp_path: Path) -> None:
    found = imported(tmp_path, graph_json=NETJSON)
    assert links(found) == {
        ("one", "10.0.0.2"): {"delivery": 0.8},
        ("10.0.0.2", "one"): {"delivery": 0.8},
        ("10.0.0.2", "10.0.0.3"): {"delivery": 1.0},
        ("10.0.0.3", "10.0.0.2"): {"delivery": 1.0},
    }
    assert found.mesh.notes == (
        "directions that deliver nothing (a ratio of 0, an ETX of 0 or of 1024 and more): 2",
    )
    with pytest.raises(MeshError, match=r"links\[0\] \(metric: airtime\): 'cost': no measure"):
        imported(tmp_path, graph_json={**NETJSON, "metric": "Airtime"})


def test_geojson_s_lines_join_its_points(tmp_path: Path) -> None:
    found = imported(tmp_path, map_geojson=GEOJSON)
    assert found.scenario.name == "valley"
    both = {("left", "right"): {"signal": "-71 dBm"}, ("right", "left"): {"signal": "-71 dBm"}}
    assert links(found) == both
    # 0.002 degrees at 46 degrees north
    assert found.scenario.to_dict()["node"][1]["x"] == "154.9 m"
    by_place = imported(tmp_path, Choices(by_distance=True), map_geojson=GEOJSON)
    assert links(by_place) == {}


def test_flows_are_those_asked_for_or_a_long_one(tmp_path: Path) -> None:
    chain = "from,to\n" + "".join(f"n{a},n{b}\n" for a in range(5) for b in (a - 1, a + 1)
                                  if 0 <= b < 5)  # fmt: skip
    nodes = "name\n" + "".join(f"n{at}\n" for at in range(5))

    def flows(*given: tuple[str, str]) -> list[dict[str, Any]]:
        found = imported(tmp_path, Choices(flows=given), nodes_csv=nodes, links_csv=chain)
        tables: list[dict[str, Any]] = found.scenario.to_dict()["flow"]
        return tables

    [longest] = flows()
    assert {longest["from"], longest["to"]} == {"n0", "n4"}
    asked = [("n1", "n3"), ("n3", "n1")]
    assert flows(*asked) == [{"from": a, "to": b} for a, b in asked]
    with pytest.raises(MeshError, match="--flow: no node 'n9' in the largest connected part"):
        flows(("n1", "n9"))


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"n_csv": ""}, "n.csv: is empty"),
        ({"n_csv": "name,lat,lon\n"}, "nothing below it"),
        ({"n_csv": "name,lat,lon\na,north,1\n"}, "line 2: latitude: 'north' is no number"),
        ({"n_csv": "name,lat,lon\na,91,1\n"}, "line 2: latitude: 91 is not from -90 to 90"),
        ({"n_csv": "name,lat\na,1\n"}, "line 2: has no lon; name the column lon or lng"),
        ({"n_csv": "lat,lon\n1,1\n"}, "line 2: has no name; name the column name or node"),
        ({"n_csv": "name,x,y\na,0,0,0\n"}, "line 2: has 4 cells, but there are 3 columns"),
        ({"n_csv": "name,x,y\na,0,0\na,0,0\n"}, "there are two nodes 'a'"),
        (
            {"n_csv": LINKS, "l_csv": LINKS},
            "is a table of links; give the nodes' file before --links",
        ),
        ({"n_csv": "from,to\n"}, "has a first line with names, and nothing below it"),
        ({"n_csv": "name\na\nb\n"}, "no node has a place, and there are no links"),
        ({"n_csv": "name,x,y\na,0,0\nb,900,0\n"}, "no two nodes reach each other"),
        ({"n_csv": NODES, "l_csv": "from,to\nchurch,mill\n"}, "names 'mill', which is none of"),
        (
            {"n_csv": NODES, "l_csv": "from,to,tq\nchurch,school,700\n"},
            "tq: 700 is not from 0 to 255",
        ),
        ({"n_json": "{"}, "n.json: is not valid JSON"),
        ({"n_json": "[1]"}, "is a list; what can be imported is CSV, GeoJSON"),
        ({"n_json": {"type": "DeviceConfiguration"}}, 'its type is "DeviceConfiguration"'),
        ({"n_json": {"type": "NetworkGraph"}}, "a NetworkGraph has a list of nodes and one of"),
        ({"n_json": {"type": "FeatureCollection"}}, "has a list of features"),
        ({"n_json": {"nodes": 3}}, "nodes is neither a list nor a table"),
        ({"n_json": {"nodes": [{}]}}, "nodes[0]: has no node_id"),
        ({"n_json": {**MESHVIEWER, "links": [{"source": "aa"}]}}, "links[0]: is no link"),
        ({"n_json": NODES_JSON, "g_json": {}}, "is no graph.json"),
        ({"n_json": NODES_JSON, "g_json": {"batadv": {"nodes": [], "links": [{}]}}}, "are numbers"),
    ],
)
def test_wrong_files_are_named_with_the_place(
    cli: Cli, tmp_path: Path, files: dict[str, Any], message: str
) -> None:
    paths = written(tmp_path, **files)
    more = ["--links", paths[1]] if len(paths) > 1 else []
    done = cli("import", paths[0], *more)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_lines_that_end_nowhere_and_files_that_are_not_there(cli: Cli, tmp_path: Path) -> None:
    lost = json.loads(json.dumps(GEOJSON))
    lost["features"][2]["geometry"]["coordinates"][0] = [8.0, 46.0]
    with pytest.raises(MeshError, match=r"features\[2\]: there is no Point at an end of the line"):
        imported(tmp_path, map_geojson=lost)
    assert "nowhere.csv: cannot be read" in cli("import", "nowhere.csv").stderr


def test_the_command_writes_a_file_that_runs(cli: Cli, tmp_path: Path) -> None:
    [path] = written(tmp_path, meshviewer_json=MESHVIEWER)
    done = cli("import", path, "--out", "mesh.toml", "--flow", "aa,bb", "--json")
    assert done.returncode == 0, done.stderr
    about = json.loads(done.stdout)
    assert (about["nodes"], about["links"], about["file"]) == (3, 4, "mesh.toml")
    again = Scenario.from_file(tmp_path / "mesh.toml")
    assert again.to_dict() == about["scenario"]
    assert cli("run", "mesh.toml", "--set", "duration=2 s").returncode == 0
    printed = cli("import", path).stdout
    assert printed.startswith("# Left out: nodes that are offline: 1.\n")
    assert Scenario.from_toml(printed).name == "mesh"
    assert "--flow aa is not A,B" in cli("import", path, "--flow", "aa").stderr


ODD = (None, [], {}, "", "x", "a\nb", 3, 0, -1, 10**400, math.nan, math.inf, True, [[1]], "\ud800")


def places(document: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Go through everything in a document."""
    yield at
    if isinstance(document, dict | list):
        inner = document.items() if isinstance(document, dict) else enumerate(document)
        for key, value in inner:
            yield from places(value, (*at, key))


def with_odd(document: Any, at: tuple[Any, ...], value: Any) -> Any:
    changed = copy.deepcopy(document)
    inner = changed
    for key in at[:-1]:
        inner = inner[key]
    inner[at[-1]] = value
    return changed


@pytest.mark.parametrize(
    ("document", "graph"),
    [
        (MESHVIEWER, None),
        (NODES_JSON, GRAPH_JSON),
        ({"nodes": {own["nodeinfo"]["node_id"]: own for own in NODES_JSON["nodes"]}}, GRAPH_JSON),
        (NETJSON, None),
        (GEOJSON, None),
    ],
    ids=["meshviewer", "nodes", "nodes of version 1", "netjson", "geojson"],
)
def test_any_value_of_another_type_is_refused_or_read(
    tmp_path: Path, document: Any, graph: Any
) -> None:
    """Whatever stands anywhere, nothing but the one error with the place comes of it."""
    for at in [*places(document)][1:]:
        for value in ODD:
            with contextlib.suppress(MeshError):
                files = {"n_json": with_odd(document, at, value)}
                imported(tmp_path, **files, **({"g_json": graph} if graph else {}))
    for at in [*places(graph)][1:]:
        for value in ODD:
            with contextlib.suppress(MeshError):
                imported(tmp_path, n_json=document, g_json=with_odd(graph, at, value))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,x,y\na,0\n", "line 2: y: is missing"),
        ("name,lat,lon\na,50\n", "line 2: has no lon"),
        ("name,x,y\n" + "a" * 200_000 + ",0,0\n", "line 2: is no line of a table: field larger"),
        ("name,x,y\n ,0,0\n", "line 2: has no name"),
    ],
)
def test_lines_of_a_table_that_are_none_are_named(
    cli: Cli, tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "nodes.csv").write_text(text)
    done = cli("import", "nodes.csv")
    assert done.returncode == 2
    assert f"nodes.csv: {message}" in done.stderr
    assert done.stderr.count("\n") == 1

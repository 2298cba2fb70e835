"""Nodes of imported networks: their places, names and traffic, what is left out, and the report."""

import json
import math
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from multihop import MeshError, Scenario
from multihop.lab.supervisor import NODE_NAME
from multihop.meshes.layout import lay_out
from multihop.meshes.names import valid
from multihop.meshes.writing import Choices, Imported
from tests.conftest import Cli
from tests.meshes import deliveries, imported, nodes, tables, written

ROW = "name,lat,lon\nb,52.5,13.4000\nc,52.5,13.4029\nd,52.5,13.4058\n"


def metres(found: Imported) -> dict[str, tuple[float, float]]:
    """Return the places of the nodes in m."""
    return {
        name: (float(node["x"].split()[0]), float(node["y"].split()[0]))
        for name, node in nodes(found).items()
    }


def apart(found: Imported, one: str, other: str) -> float:
    places = metres(found)
    return math.dist(places[one], places[other])


@pytest.mark.parametrize("nowhere", ["nogps,0,0", "nogps,,", "nogps,0.0,-0.0"])
def test_nodes_without_a_place_stretch_nobody(tmp_path: Path, nowhere: str) -> None:
    plain = imported(tmp_path, n_csv=ROW)
    found = imported(tmp_path, n_csv=f"{ROW}{nowhere}\n")
    assert metres(found) == metres(plain)
    # 0.0029 degrees at 52.5 degrees north (WGS 84)
    assert apart(found, "b", "c") == pytest.approx(196.9, abs=0.2)
    assert found.mesh.notes == ("nodes without a place: 1",)


@settings(max_examples=50, deadline=None)
@given(
    latitude=st.floats(-80, 80).filter(lambda degrees: abs(degrees - 52.5) > 1),
    longitude=st.floats(-180, 180),
)
def test_a_node_elsewhere_changes_no_distance(latitude: float, longitude: float) -> None:
    with TemporaryDirectory() as folder:
        plain = imported(Path(folder), n_csv=ROW)
        found = imported(Path(folder), n_csv=f"{ROW}far,{latitude:.6f},{longitude:.6f}\n")
    assert metres(found) == metres(plain)
    assert len(found.mesh.nodes) == 3


@settings(max_examples=50, deadline=None)
@given(
    order=st.permutations(["b,52.5,13.4000", "c,52.5,13.4029", "d,52.5,13.4058", "e,52.51,13.4"])
)
def test_who_is_near_does_not_depend_on_the_order(order: list[str]) -> None:
    with TemporaryDirectory() as folder:
        found = imported(Path(folder), n_csv="name,lat,lon\n" + "\n".join(order) + "\n")
    assert set(nodes(found)) == {"b", "c", "d"}
    assert apart(found, "b", "d") == pytest.approx(393.8, abs=0.4)


def test_what_has_a_place_keeps_it_and_the_rest_is_laid_out(tmp_path: Path) -> None:
    rows = "from,to,prr\nb,c,0.9\nc,d,0.9\nd,e,0.9\ne,nogps,0.9\n"
    found = imported(tmp_path, n_csv=f"{ROW}nogps,,\ne,0,0\n", l_csv=rows)
    plain = metres(imported(tmp_path, n_csv=ROW))
    places = metres(found)
    assert {name: places[name] for name in "bcd"} == plain
    assert len(set(places.values())) == 5, "no two nodes are drawn on each other"
    # neighbours are about as far apart as those with places, and not at the other end
    assert 100 < apart(found, "d", "e") < 400
    assert apart(found, "b", "nogps") > apart(found, "b", "c")
    assert found.text.count("# laid out by its links") == 2
    assert "nodes without a place, laid out by their links: 2" in found.mesh.findings.remarks
    only = imported(tmp_path, Choices(only_placed=True), n_csv=f"{ROW}e,0,0\n", l_csv=rows[:28])
    assert set(nodes(only)) == {"b", "c", "d"}


@settings(max_examples=30, deadline=None)
@given(
    edges=st.sets(st.tuples(st.integers(0, 11), st.integers(0, 11)).filter(lambda e: e[0] != e[1]),
                  max_size=30),
    known=st.dictionaries(st.integers(0, 11), st.tuples(st.floats(0, 1e4), st.floats(0, 1e4)),
                          max_size=5),
)  # fmt: skip
def test_layouts_keep_what_is_known_and_are_finite(
    edges: set[tuple[int, int]], known: dict[int, tuple[float, float]]
) -> None:
    neighbours: dict[str, list[str]] = {str(node): [] for node in range(12)}
    for one, other in {*edges, *((at, at + 1) for at in range(11))}:
        neighbours[str(one)].append(str(other))
        neighbours[str(other)].append(str(one))
    places = lay_out(neighbours, {str(node): place for node, place in known.items()})
    assert set(places) == set(neighbours)
    assert all(places[str(node)] == place for node, place in known.items())
    assert all(math.isfinite(value) for place in places.values() for value in place)


def test_nodes_that_are_off_relay_nothing(tmp_path: Path) -> None:
    def feature(name: str, longitude: float, online: Any) -> dict[str, Any]:
        geometry = {"type": "Point", "coordinates": [longitude, 53.07]}
        return {"properties": {"id": name, "name": name, "online": online}, "geometry": geometry}

    # 67 m from one to the next; the ends do not reach each other
    ends = [feature("one", 8.800, True), feature("three", 8.802, True)]
    document = {"type": "FeatureCollection", "features": [*ends, feature("two", 8.801, False)]}
    with pytest.raises(MeshError, match=r"left out: nodes that are offline: 1 \(two\)"):
        imported(tmp_path, Choices(range_m=100.0), m_json=document)
    kept = imported(tmp_path, Choices(range_m=100.0, with_offline=True), m_json=document)
    assert len(nodes(kept)) == 3
    table = "name,x,y,online\none,0,0,yes\ntwo,90,0,no\nthree,180,0,true\n"
    with pytest.raises(MeshError, match="nodes that are offline: 1"):
        imported(tmp_path, Choices(range_m=100.0), n_csv=table)
    with pytest.raises(MeshError, match="line 2: online: 'perhaps' is neither true nor false"):
        imported(tmp_path, n_csv="name,x,y,online\none,0,0,perhaps\n")


def test_nodes_can_be_left_out_by_name_and_pattern(tmp_path: Path) -> None:
    chosen = Choices(without=("d", "x-*"))
    found = imported(tmp_path, chosen, n_csv=f"{ROW}x-1,52.5,13.4001\nx-2,52.5,13.4002\n")
    assert set(nodes(found)) == {"b", "c"}
    assert found.mesh.notes == ("nodes like d (--without): 1", "nodes like x-* (--without): 2")
    with pytest.raises(MeshError, match="--without: no node is called 'q'"):
        imported(tmp_path, Choices(without=("q",)), n_csv=ROW)


def test_heights_are_kept(tmp_path: Path) -> None:
    table = "name,lat,lon,altitude\nhill,46.0,7.0,512\nfoot,46.0,7.001,400.5\n"
    found = imported(tmp_path, n_csv=table)
    assert [node.height_m for node in found.mesh.nodes] == [512.0, 400.5]
    assert 'name = "hill"  # 512 m high' in found.text
    [said] = [remark for remark in found.mesh.findings.remarks if "heights" in remark]
    flat = apart(found, "hill", "foot")
    short = float(re.findall(r"up to ([\d.]+) m too short", said)[0])
    assert short == pytest.approx(math.hypot(flat, 111.5) - flat, abs=0.1)


def test_places_are_in_degrees_or_in_metres(tmp_path: Path) -> None:
    with pytest.raises(MeshError, match="'a' has a place in degrees and 'b' one in metres"):
        imported(tmp_path, n_csv="name,lat,lon,x,y\na,1,1,,\nb,,,5,5\n")


def test_names_are_valid_and_the_file_s_are_kept(tmp_path: Path) -> None:
    table = 'name,x,y\n"Am Hügel 3, Straße",0,0\nAm-Huegel-3-Strasse,100,0\n  日本,200,0\n'
    found = imported(tmp_path, Choices(flows=(("Am Hügel 3, Straße", "日本"),)), n_csv=table)
    assert list(nodes(found)) == ["Am-Huegel-3-Strasse-2", "Am-Huegel-3-Strasse", "node"]
    assert '"Am Hügel 3, Straße" in the file' in found.text
    assert found.scenario.to_dict()["flow"] == [{"from": "Am-Huegel-3-Strasse-2", "to": "node"}]


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_names_are_those_of_hosts(text: str) -> None:
    assert NODE_NAME.fullmatch(valid(text))
    assert valid(valid(text)) == valid(text)


CHAIN = "from,to,prr\n" + "".join(f"n{at},n{at + 1},0.9\n" for at in range(9))
NAMES = "name\n" + "".join(f"n{at}\n" for at in range(10))


def flows(folder: Path, *to: str, senders: str = "all") -> list[tuple[str, str]]:
    choices = Choices(to=to, senders=senders)
    found = imported(folder, choices, n_csv=NAMES, l_csv=CHAIN)
    return [(flow["from"], flow["to"]) for flow in found.scenario.to_dict()["flow"]]


def test_gateways_get_traffic_from_all_or_some(tmp_path: Path) -> None:
    assert flows(tmp_path, "n0") == [(f"n{at}", "n0") for at in range(1, 10)]
    # to the nearest of several
    assert dict(flows(tmp_path, "n0", "n9")) == {
        **{f"n{at}": "n0" for at in range(1, 5)}, **{f"n{at}": "n9" for at in range(5, 9)},
    }  # fmt: skip
    assert flows(tmp_path, "n0", senders="n7,n3") == [("n7", "n0"), ("n3", "n0")]
    # near and far
    assert flows(tmp_path, "n0", senders="3") == [("n2", "n0"), ("n5", "n0"), ("n8", "n0")]
    assert len(flows(tmp_path, "n4", senders="9")) == 9
    for senders, message in (("10", "has 9 nodes besides n0"), ("0", "has 9 nodes besides n0"),
                             ("n77", "--from: no node 'n77' .*did you mean 'n7'")):  # fmt: skip
        with pytest.raises(MeshError, match=message):
            flows(tmp_path, "n0", senders=senders)
    with pytest.raises(MeshError, match="--to: no node 'gate'"):
        flows(tmp_path, "gate")


@pytest.mark.parametrize("ends", ["source,target", "node1\tnode2", "from;to"])
def test_a_table_of_links_alone_is_a_network_of_their_ends(tmp_path: Path, ends: str) -> None:
    separator = ends.strip("abcdefghijklmnopqrstuvwxyz0123456789")
    rows = f"{ends},prr\n1,2,0.9\n2,1,0.8\n2,three,70 %\n".replace(",", separator)
    found = imported(tmp_path, e_csv=rows)
    assert list(nodes(found)) == ["1", "2", "three"]
    assert deliveries(found) == pytest.approx({"12": 0.9, "21": 0.8, "2three": 0.7, "three2": 0.7})


def test_the_report_says_what_became_of_everything(cli: Cli, tmp_path: Path) -> None:
    rows = "from,to,prr,type\na,b,0.9,wifi\nb,c,0.8,wifi\nc,b,0.7,wifi\na,c,1,vpn\nb,d,0.2,wifi\n"
    paths = written(tmp_path, n_csv="name,online\na,1\nb,1\nc,1\nd,1\ne,0\n", l_csv=rows)
    done = cli("import", paths[0], "--links", paths[1], "--out", "m.toml", "--json")
    assert done.returncode == 0, done.stderr
    about = json.loads(done.stdout)
    report = about["report"]
    assert report["format"] == "a CSV table of nodes with a CSV table of links"
    assert report["nodes"] == {
        "read": 5,
        "left_out": [
            {"cause": "nodes that are offline", "count": 1, "names": ["e"]},
            {"cause": "nodes outside the largest connected part", "count": 1, "names": ["d"]},
        ],
    }
    assert report["links"] == {
        "read": 5,
        "mirrored": 2,
        "left_out_with_nodes": 2,
        "left_out": [{"cause": "links over vpn, which are no radio links", "count": 1}],
    }
    assert report["measures"][0]["links"] == 5
    assert about["radio"]["preset"] == "802.11-ofdm-6"
    assert about["radio"]["data_rate_bit_s"] == 6e6
    assert about["radio"]["receive_threshold_dbm"] == -82
    assert about["links"] == 4
    text = (tmp_path / "m.toml").read_text()
    printed = cli("import", paths[0], "--links", paths[1], "--out", "m.toml", "--force").stdout
    for line in ("a CSV table of links", "that the file does not list, mirrored: 2", "Mbit/s"):
        assert line in text
        assert line in " ".join(printed.split())
    assert "left out: nodes that are offline: 1 (e)" in printed


def test_a_file_that_was_edited_is_not_replaced(cli: Cli, tmp_path: Path) -> None:
    [path] = written(tmp_path, n_csv=ROW)
    (tmp_path / "m.toml").write_text("# edited\n")
    done = cli("import", path, "--out", "m.toml")
    assert done.returncode == 2
    assert "there is a file m.toml, which may have been edited" in done.stderr
    assert (tmp_path / "m.toml").read_text() == "# edited\n"
    assert cli("import", path, "--out", "m.toml", "--force").returncode == 0
    assert Scenario.from_file(tmp_path / "m.toml").name == "mesh"


def test_options_that_would_do_nothing_are_refused(cli: Cli, tmp_path: Path) -> None:
    [path] = written(tmp_path, n_csv=ROW)
    links = written(tmp_path, l_csv="from,to,score\nb,c,3\n")[0]
    assert "'score': no measure" in cli("import", path, "--links", links).stderr
    assert cli("import", path, "--links", links, "--by-distance").returncode == 0
    assert "name it with --to" in cli("import", path, "--from", "3").stderr
    found = tables(tmp_path, "from,to,prr\na,b,0.9\n")
    assert "nodes outside the largest connected part: 2" in found.mesh.notes

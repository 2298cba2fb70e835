"""Maps of LoRa meshes: what simulators and communities publish, and what is kept to oneself."""

import json
from pathlib import Path
from typing import Any

import pytest

from multihop import MeshError, run
from multihop.meshes.blocks import read_blocks
from multihop.meshes.measures import Measuring
from multihop.meshes.presets import mesh_preset
from multihop.meshes.writing import Choices
from tests.conftest import Cli
from tests.meshes import imported, links, nodes, written

MESH = Choices(radio=mesh_preset("meshtastic", None))
KEEP = Measuring(noise_dbm=MESH.radio.noise_dbm, keep_names=True)
NUMBERS = Measuring(noise_dbm=MESH.radio.noise_dbm)

MCSIM = """\
# A model, made by hand.
defaults:
  node:
    radio:
      bandwidth_hz: 62500
      spreading_factor: 7
      coding_rate: 5
      tx_power_dbm: 22

nodes:
  - name: "Hill #1"
    location:
      lat: 47.6003
      lon: -122.4
    keys:
      public_key: "F5*"
    firmware:
      type: Repeater
  - name: '2nd ''Street'''
    location: { lat: 47.61, lon: -122.38, alt: 5 }
    firmware: {type: Companion}
  - name: Far # away
    location:
      lat: 47.62
      lon: -122.36

edges:
  # measured
  - from: "Hill #1"
    to: '2nd ''Street'''
    mean_snr_db_at20dbm: 5.0
    snr_std_dev: 2
  - from: '2nd ''Street'''
    to: "Hill #1"
    mean_snr_db_at20dbm: 4.5
  - from: '2nd ''Street'''
    to: Far
    mean_snr_db_at20dbm: -1.5
    snr_std_dev: 6.5
  - from: Far
    to: '2nd ''Street'''
    mean_snr_db_at20dbm: -3
"""
SIMULATED: dict[str, Any] = {
    "simulation": {"radio": {"sf": 8, "bw": 62500, "cr": 4}},
    "nodes": [
        {"name": "mill", "role": "repeater", "lat": 54.0973, "lon": 18.7814},
        {"name": "dam", "role": "companion", "lat": 54.1, "lon": 18.8},
        {"name": "farm"},
    ],
    "topology": {
        "links": [
            {"from": "mill", "to": "dam", "snr": 8.5, "snr_std_dev": 1.5, "bidir": True},
            {"from": "dam", "to": "farm", "snr": 3.0, "loss": 0.05, "snr_std_dev": 1.0},
            {"from": "farm", "to": "dam", "snr": 1.0},
            {"from": "farm", "to": "dam", "snr": 2.0},
        ]
    },
}
CORESCOPE: dict[str, Any] = {
    "nodes": [
        {"pubkey": "c0de", "name": "Roof", "role": "repeater"},
        {"pubkey": "b7e8", "name": "Ridge"},
        {"pubkey": "aa11", "name": "Cellar"},
    ],
    "edges": [
        {"source": "c0de", "target": "b7e8", "bidirectional": True, "avg_snr": -8.2},
        {"source": "b7e8", "target": "aa11", "bidirectional": False, "avg_snr": 2},
        {"source": "aa11", "target": "b7e8", "bidirectional": False, "avg_snr": 1},
        {"source": "aa11", "target": None, "avg_snr": -9, "ambiguous": True},
    ],
}
MESHVIEW: dict[str, Any] = {
    "nodes": [
        {"id": 1, "node_id": 11, "long_name": "Alice", "role": "CLIENT",
         "last_lat": 540900000, "last_long": 187800000},
        {"id": 2, "node_id": 22, "long_name": "Roof", "role": "ROUTER",
         "last_lat": 540950000, "last_long": 187800000},
        {"id": 3, "node_id": 33, "long_name": "Tom", "role": "TRACKER"},
    ]
}  # fmt: skip
EDGES: dict[str, Any] = {
    "edges": [
        {"from": 11, "to": 22, "type": "neighbor"},
        {"from": 22, "to": 33, "type": "traceroute"},
        {"from": 22, "to": 99, "type": "traceroute"},
    ]
}


def test_a_model_of_mcsim_has_signals_above_the_noise_of_its_radio(tmp_path: Path) -> None:
    found = imported(tmp_path, MESH, NUMBERS, map_yaml=MCSIM)
    assert links(found) == {
        # SNR + 2 dB more than 20 dBm + the noise of 62.5 kHz, -120 dBm
        ("n1", "n2"): {"signal": "-113 dBm", "deviation": "2 dB"},
        ("n2", "n1"): {"signal": "-113.5 dBm"},
        ("n2", "n3"): {"signal": "-119.5 dBm", "deviation": "6.5 dB"},
        ("n3", "n2"): {"signal": "-121 dBm"},
    }
    assert "the file's radio: SF 7, 62.5 kHz, 4/5" in found.text.replace("The file", "the file")
    assert "MeshCore's companion: 1, MeshCore's repeater: 1" in found.text
    above = imported(tmp_path, MESH, Measuring(noise_dbm=-100, noise_given=True), m_yaml=MCSIM)
    assert links(above)["n1", "n2"]["signal"] == "-93 dBm"


def test_names_and_homes_stay_in_the_importer(tmp_path: Path) -> None:
    found = imported(tmp_path, MESH, NUMBERS, map_yaml=MCSIM)
    for secret in ("Hill", "Street", "Far", "47.6", "122.4", "F5"):
        assert secret not in found.text, secret
    assert "names are replaced by numbers" in " ".join(found.mesh.findings.lines())
    assert not any(node.label != node.name for node in found.mesh.nodes)
    assert found.mesh.aliases == {}
    kept = imported(tmp_path, MESH, KEEP, map_yaml=MCSIM)
    assert set(nodes(kept)) == {"Hill-1", "2nd-Street", "Far"}
    at, rounded = nodes(kept)["2nd-Street"], nodes(found)["n2"]
    assert at["y"] != rounded["y"]


def test_a_network_of_meshcore_simv2_keeps_directions_losses_and_deviations(tmp_path: Path) -> None:
    found = imported(tmp_path, MESH, NUMBERS, s_json=SIMULATED)
    assert links(found) == {
        ("n1", "n2"): {"signal": "-111.5 dBm", "deviation": "1.5 dB"},
        ("n2", "n1"): {"signal": "-111.5 dBm", "deviation": "1.5 dB"},
        ("n2", "n3"): {"signal": "-117 dBm", "delivery": 0.95},
        ("n3", "n2"): {"signal": "-118.5 dBm"},
    }
    said = found.mesh.findings.lines()
    assert "directions of which several rows tell, combined by their mean: 1 (n3 to n2)" in said
    assert "deviations of links that deliver a given share anyway, left out: 1" in said
    one_way = {**SIMULATED, "topology": {"links": SIMULATED["topology"]["links"][:2]}}
    there = imported(tmp_path, MESH, NUMBERS, s_json=one_way)
    assert set(links(there)) == {("n1", "n2"), ("n2", "n1")}
    assert "links in one direction only" in " ".join(there.mesh.findings.lines())


def test_corescope_s_neighbours_without_those_that_are_not_certain(tmp_path: Path) -> None:
    found = imported(tmp_path, MESH, NUMBERS, c_json=CORESCOPE)
    assert {ends: link["signal"] for ends, link in links(found).items()} == {
        ("n1", "n2"): "-122.2 dBm",
        ("n2", "n1"): "-122.2 dBm",
        ("n2", "n3"): "-112 dBm",
        ("n3", "n2"): "-113 dBm",
    }
    assert "edges whose other end is not certain, left out: 1" in found.mesh.findings.remarks


def test_meshview_s_nodes_edges_and_roles(tmp_path: Path) -> None:
    found = imported(tmp_path, MESH, NUMBERS, n_json=MESHVIEW, e_json=EDGES)
    assert set(links(found)) == {("n1", "n2"), ("n2", "n1"), ("n2", "n3"), ("n3", "n2")}
    assert nodes(found)["n2"]["role"] == "router"
    assert "role" not in nodes(found)["n3"]
    assert found.scenario.to_dict()["roles"] == {"router": {"scheme": {"role": "router"}}}
    assert "taken as clients (tracker: 1)" in " ".join(found.mesh.findings.remarks)
    table = "node_id,long_name,role,last_lat,last_long\n11,Alice,CLIENT,540900000,187800000\n"
    table += "22,Roof,ROUTER,540950000,187800000\n33,Tom,,,\n"
    by_table = imported(tmp_path, MESH, NUMBERS, n_csv=table, e_json=EDGES)
    assert links(by_table) == links(found)
    whole = imported(tmp_path, MESH, NUMBERS, n_json=MESHVIEW | EDGES)
    assert links(whole) == links(found)


def test_what_is_imported_is_a_day_that_runs(tmp_path: Path) -> None:
    found = imported(tmp_path, MESH, NUMBERS, map_yaml=MCSIM)
    scenario = found.scenario.with_(**{"duration": "2 h", "traffic.load_factor": 4})
    result = run(scenario)
    assert result.runs["messages"][0] > 20
    assert result.runs["reach_mean"][0] > 0.5
    slow = Choices(radio=mesh_preset("meshtastic", "medium-slow"))
    text = imported(tmp_path, slow, NUMBERS, map_yaml=MCSIM).text
    assert 'preset = "medium-slow"\n' in text
    assert 'slot = "17 ms"\nnoise_floor = "-114 dBm"\n' in text
    assert "stretch = 0.04096\n" in text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("mean_snr_db_at20dbm: 5.0", "snr: 5.0"), "edges[0].mean_snr_db_at20dbm: is missing"),
        (("to: Far", "to: Moon"), "edges[2]: a link names 'Moon', which is none of the nodes"),
        (("name: Far # away", 'name: "Hill #1"'), "there are two nodes 'Hill #1'"),
        (("snr_std_dev: 2", "snr_std_dev: -2"), "edges[0]: deviation: -2.0 is not from 0 to 60"),
        (("lat: 47.6003", "lat: 147.6"), "nodes[0]: latitude: 147.6 is not from -90 to 90"),
        (("edges:", "links:"), "is YAML, but no model of mcsim"),
        (("    keys:", "   keys:"), "line 15: 'keys:' is set in less or more"),
        (("name: Far # away", "name: &far Far"), "line 22: 'name: &far Far' is YAML beyond"),
    ],
)
def test_models_that_are_wrong(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    assert MCSIM.count(change[0]) == 1
    with pytest.raises(MeshError) as error:
        imported(tmp_path, MESH, NUMBERS, m_yaml=MCSIM.replace(*change))
    assert message in str(error.value), error.value


def test_plain_blocks() -> None:
    text = "a:\n- 1\n- two # 2\nb:\n  c: [1, 'x, y', z]\n  d: {}\n  e:\nf: \"g: #h\"\n"
    assert read_blocks(text, "t") == {
        "a": [1.0, "two"],
        "b": {"c": [1.0, "x, y", "z"], "d": {}, "e": None},
        "f": "g: #h",
    }
    for wrong, said in [
        ("a: 1\na: 2\n", "line 2: 'a: 2' stands there twice"),
        ("a:\n\t- 1\n", "line 2: is set in with tabulators"),
        ("a: 'b\n", "line 1: 'a: 'b' has a quoted text that does not end"),
        ("a: [1, [2]]\n", "line 1: 'a: [1, [2]]' has a list or a table in one line"),
        ("a:\n  b\n", "line 2: 'b' is no key with a colon"),
    ]:
        with pytest.raises(MeshError, match="t: ") as error:
            read_blocks(wrong, "t")
        assert said in str(error.value)


def test_the_command(tmp_path: Path, cli: Cli) -> None:
    (path,) = written(tmp_path, map_yaml=MCSIM)
    out = tmp_path / "mesh.toml"
    said = cli("import", str(path), "--mesh", "meshtastic", "--out", str(out)).stdout
    assert "3 nodes and 4 links" in said
    assert "names are replaced by numbers" in " ".join(said.split())
    assert 'kind = "meshtastic"' in out.read_text()
    told = json.loads(
        cli("import", str(path), "--mesh", "meshtastic", "--keep-names", "--json").stdout
    )
    assert told["scenario"]["node"][0]["name"] == "Hill-1"
    for options, message in [
        (("--mesh", "meshtstic"), "--mesh: there is no 'meshtstic'; there are meshtastic"),
        (
            ("--mesh", "meshtastic", "--preset", "long-fst"),
            "--preset: meshtastic has no setting 'long-fst', did you mean long-fast?",
        ),
        (("--mesh", "meshtastic", "--load", "1 kbit/s"), "--load has no effect beside --mesh"),
    ]:
        refused = cli("import", str(path), *options)
        assert refused.returncode == 2
        assert message in " ".join(refused.stderr.split())

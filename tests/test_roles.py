"""Nodes that differ, from Python."""

import json
from pathlib import Path

import pytest

from multihop import Scenario, ScenarioError, run, sweep
from multihop.results.columns import DIFFERING

MESH = Scenario.from_dict(
    {
        "warmup": "1 s",
        "duration": "4 s",
        "topology": {
            "kind": "random",
            "nodes": 12,
            "width": "500 m",
            "height": "500 m",
            "flows": 2,
        },
        "routing": {"kind": "aodv"},
        "scheme": {"name": "udp"},
        "traffic": {"load": "20 kbit/s"},
        "roles": {"router": {"nodes": ["n3"], "transmit_power": "1 W"}},
    }
)


def test_a_key_of_a_role_is_changed_and_taken_away() -> None:
    own = run(MESH.with_(**{"roles.router.antenna_gain": "3 dBi"})).nodes
    assert own["role"].to_list()[3] == "router"
    assert own["role"].to_list()[:3] == ["", "", ""]
    assert own["transmit_power_w"][3] == pytest.approx(1.0)
    assert own["antenna_gain_dbi"].to_list()[2:4] == pytest.approx([0.0, 3.0])
    alike = MESH.with_(roles=None)
    assert not set(run(alike).nodes.columns) & set(DIFFERING)
    named = MESH.with_(**{"roles.router.transmit_power": None})
    assert set(run(named).nodes.columns) & set(DIFFERING) == {"role"}


def test_a_share_is_swept(tmp_path: Path) -> None:
    shares = ["0 %", "50 %"]
    base = MESH.with_(**{"roles.router": {"share": "25 %", "transmit_power": "1 W"}})
    result = sweep(base, {"roles.router.share": shares}, tmp_path, progress=False)
    roles = result.nodes.filter(role="router").group_by("run").len()
    assert roles["len"].to_list() == [6]


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(ScenarioError, match=r"roles\.router\.share") as raised:
        MESH.with_(**{"roles.router.share": "200 %"})
    assert raised.value.key == "roles.router.share"


def test_a_trace_says_who_has_which_role(tmp_path: Path) -> None:
    run(MESH, trace=tmp_path / "trace")
    nodes = json.loads((tmp_path / "trace" / "run.json").read_text(encoding="utf-8"))["nodes"]
    assert [node["label"] for node in nodes if node.get("role") == "router"] == ["n3"]


def test_a_node_has_another_scheme(tmp_path: Path) -> None:
    mixed = MESH.with_(**{"roles.router.scheme.name": "newreno", "scheme.name": "wake"})
    assert any(
        "roles.router.scheme.name: 'wake' and 'newreno' write" in note for note in mixed.notes
    )
    schemes = run(mixed, trace=tmp_path / "trace").nodes["node_scheme"].to_list()
    assert schemes[2:4] == ["wake", "newreno"]
    described = json.loads((tmp_path / "trace" / "run.json").read_text(encoding="utf-8"))
    assert [node.get("scheme") for node in described["nodes"]][2:4] == [None, "newreno"]
    everywhere = {"roles.router": {"share": "100 %", "scheme": {"name": "newreno"}}}
    by_role = run(MESH.with_(**everywhere, **{"scheme.name": "wake"}))
    by_name = run(MESH.with_(**{"roles": None, "scheme.name": "newreno"}))
    assert by_role.runs["fingerprint"][0] == by_name.runs["fingerprint"][0]

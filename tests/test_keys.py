"""What programs say of the keys of a scenario: all of them, and each once."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from multihop import Scenario, ScenarioError, schema
from multihop.scenario.keys import explain, keys

Cli = Callable[..., Any]


def named(name: str) -> set[str]:
    return {key.name for key in explain(name)}


def test_every_key_of_the_schema_is_there() -> None:
    tree = json.loads(schema())
    found = {(key.name, part) for key in keys() for part in key.parts or ("",)}
    for table in ("mac", "radio", "scheme", "topology", "routing", "traffic", "mobility", "wired"):
        for part in tree["$defs"][table]["anyOf"]:
            consts = [v["const"] for v in part["properties"].values() if "const" in v]
            for name, value in part["properties"].items():
                assert "const" in value or (f"{table}.{name}", consts[0]) in found
    for table in ("node", "link", "flow", "move", "restart"):
        section = tree["$defs"][f"{table.title()}Section"]
        assert {f"{table}[].{name}" for name in section["properties"]} <= {n for n, _ in found}
    assert {"seed", "duration", "name", "roles.NAME.antenna_gain"} <= {n for n, _ in found}


def test_every_key_says_what_it_means_and_takes() -> None:
    for key in keys():
        assert key.about, key
        assert key.kind, key
        assert "Default:" not in key.about
        assert "null" not in key.kind


def test_a_key_of_several_parts_is_one_if_it_is_the_same() -> None:
    (window,) = explain("mac.cw_min")
    assert window.parts[:2] == ("dcf", "csma")
    assert (window.kind, window.allowed) == ("slots", "1 to 65535")
    (hops,) = (key for key in explain("topology.hops") if "chain" in key.parts)
    assert hops.default == "required"


def test_a_default_is_what_the_key_is_if_it_is_left_out() -> None:
    (queue,) = (key for key in explain("scheme.queue_limit") if "udp" in key.parts)
    scenario = Scenario.from_dict(
        {"topology": {"kind": "chain", "hops": 1}, "scheme": {"name": "udp"}, "traffic": {}}
        | {"duration": "1 s", "traffic": {"load": "1 kbit/s"}}
    )
    assert scenario.to_dict()["scheme"].get("queue_limit", 49) == json.loads(queue.default)


def test_keys_are_found_by_their_last_word_and_by_their_table() -> None:
    assert {"mac.cw_min", "scheme.cw_min"} <= named("cw_min")
    assert all(name.startswith("wired.") for name in named("[wired]"))
    assert named("flow.load") == named("flow[].load") == {"flow[].load"}


@pytest.mark.parametrize(
    ("name", "hint"),
    [("mac.cw_mim", "did you mean mac.cw_min"), ("§", "`multihop list keys` has them all")],
)
def test_an_unknown_key_is_an_error_that_helps(name: str, hint: str) -> None:
    with pytest.raises(ScenarioError, match=hint):
        explain(name)


def test_the_command_says_the_same(cli: Cli) -> None:
    shown = cli("explain", "mac.cw_min").stdout
    assert shown.startswith("mac.cw_min: Smallest contention window.\n")
    assert "default  31 (dsss" in shown
    (made,) = json.loads(cli("explain", "mac.cw_min", "--json").stdout)
    assert made["allowed"] == "1 to 65535"
    assert len(json.loads(cli("list", "keys", "--json").stdout)) == len(keys())
    wrong = cli("explain", "mac.cw_mim")
    assert wrong.returncode == 2
    assert wrong.stderr.count("\n") == 1

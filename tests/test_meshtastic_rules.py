"""Keys of `meshtastic` that need several nodes: favourites, and the list of all nodes."""

from pathlib import Path
from typing import Any

import pytest

from multihop import Scenario, record, run

pytestmark = pytest.mark.engine

CHAIN: dict[str, Any] = {
    "duration": "40 min",
    "topology": {"kind": "chain", "hops": 8, "spacing": "1500 m"},
    "radio": {"propagation": "log-distance", "transmit_power": "1 W"},
    "mac": {"kind": "lora", "preset": "long-fast"},
    "scheme": {"name": "meshtastic", "hop_limit": 2},
    "traffic": {"kind": "poisson", "interval": "300 s", "payload": "40 B"},
    "flow": [{"from": "every node", "to": "everyone"}],
}
ROUTERS = list(range(1, 8))


def _hops(**own: Any) -> int:
    """Return over how many hops any text has gone, with routers between the ends of the chain."""
    role = {"nodes": [f"n{number}" for number in ROUTERS], "scheme": {"role": "router", **own}}
    found = run(Scenario.from_dict({**CHAIN, "roles": {"ridge": role}}))
    return int(found.messages["hops_max"].max())  # type: ignore[arg-type]


def test_between_favourite_routers_a_text_goes_beyond_its_hop_limit() -> None:
    assert _hops() == 3
    assert _hops(favourite_routers=ROUTERS) > 5


def _simulated(shared: bool) -> Scenario:
    rules = {"rules": "meshtasticator-corrected", "common_list": shared}
    return Scenario.from_dict({**CHAIN, "scheme": {**CHAIN["scheme"], **rules}})


def test_with_the_list_of_all_nodes_sources_repeat_less_and_every_run_has_its_own() -> None:
    shared, again, alone = (run(_simulated(it)) for it in (True, True, False))
    assert shared.runs.equals(again.runs)
    assert shared.messages["frames"].sum() < 0.9 * alone.messages["frames"].sum()


def test_a_node_that_shares_a_list_is_not_recorded_alone(tmp_path: Path) -> None:
    assert record(_simulated(False), "n1", tmp_path / "alone.jsonl") > 100
    with pytest.raises(ValueError, match="a list that all nodes share here, and a recording"):
        record(_simulated(True), "n1", tmp_path / "shared.jsonl")

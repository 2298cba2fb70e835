"""Whether a scheme does what every scheme has to, whatever it is good for."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..errors import PrototypeError
from ..runner import run
from ..scenario import Scenario
from .scheme import DIGESTS

# The sources stop here, and what is on its way has the rest of the time to arrive or to be lost.
STOP, DURATION = "5 s", "60 s"
CHAIN = {"kind": "bidirectional-chain", "hops": 4}
TRAFFIC = {"load": "150 kbit/s", "start": "0 s", "stop": STOP}

# What is simulated: title, and what differs from an overloaded chain.
NETWORKS: dict[str, dict[str, Any]] = {
    "four hops, a light load": {"traffic": TRAFFIC | {"load": "10 kbit/s"}},
    "four hops, overload": {},
    "four hops, overload, over AODV": {"routing": {"kind": "aodv"}},
    "50 nodes, five flows, over AODV": {
        "topology": {
            "kind": "random",
            "nodes": 50,
            "width": "900 m",
            "height": "900 m",
            "flows": 5,
        },
        "routing": {"kind": "aodv"},
    },
    "four hops, a node restarts": {
        "restart": [{"node": "n2", "at": "2 s"}],
    },
}


class Check(NamedTuple):
    """What was found in one network."""

    network: str
    ok: bool
    found: str


def check(name: str, **values: Any) -> list[Check]:
    """Run a registered scheme in some networks, and say what it does that no scheme may do.

    `values` are those of its parameters. In every network the same run is done twice, and must be
    the same: a scheme has its randomness from `context.random()`. After the sources have stopped,
    every packet must get out: what is neither delivered nor lost, the scheme has forgotten.

    >>> [row for row in prototype.check("lifo") if not row.ok]
    """
    if name not in DIGESTS:
        raise PrototypeError(
            f"there is no scheme '{name}' in Python; register it first, or load its file"
        )
    return [_checked(network, name, keys, values) for network, keys in NETWORKS.items()]


def _checked(network: str, name: str, keys: dict[str, Any], values: dict[str, Any]) -> Check:
    tables = {"topology": CHAIN, "traffic": TRAFFIC, "warmup": "0 s", "duration": DURATION}
    scheme = {"name": name} | values
    scenario = Scenario.from_dict(tables | keys | {"scheme": scheme})
    first, second = run(scenario), run(scenario)
    prints = [result.runs["fingerprint"][0] for result in (first, second)]
    if prints[0] != prints[1]:
        return Check(network, False, "two runs differ: use context.random() and context.now_s only")
    flows = first.flows
    delivered, inside = int(flows["run_delivered"].sum()), int(flows["run_inside"].sum())
    if inside:
        return Check(
            network,
            False,
            f"{inside} packets are still inside {DURATION} after the start: each needs "
            "context.release, context.drop, or to be given up",
        )
    if not delivered:
        return Check(network, False, "nothing was delivered")
    return Check(network, True, f"{delivered} packets delivered, all others accounted for")

"""Whether a scheme does what every scheme has to, whatever it is good for."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..engine.errors import PrototypeError
from ..results.result import Result
from ..running.runner import run
from ..scenario.form import Scenario
from ..scenario.noting import told_before
from .identity import KNOWN, changed
from .outside import CLOCK, RANDOM
from .values import Found

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


CODE = "its code"
AGAIN = "once more, after all others"
# What code takes in place of something that repeats.
INSTEAD = {CLOCK: "context.now_s", RANDOM: "context.random()"}
SHARED = "which all nodes of all runs share; keep state in the object (self)"


class Check(NamedTuple):
    """The findings of `check` in one network, or in the code of a scheme."""

    network: str
    ok: bool
    found: str


def check(name: str, **values: Any) -> list[Check]:
    """Read and run a registered scheme, and report violations of the rules for schemes.

    `values` are those of its parameters. Its code may use no clock and no randomness but those of
    its context. In every network the same run is done twice, and in the first one once more at the
    end: all must be equal, and none may change a class or a global of the code. After the sources
    have stopped, every packet must leave: the scheme has forgotten a packet that is neither
    delivered nor lost.

    >>> [row for row in prototype.check("lifo") if not row.ok]
    """
    if name not in KNOWN:
        raise PrototypeError(
            f"there is no scheme '{name}' in Python; register it first, or load its file"
        )
    scenarios = {title: _scenario(name, keys, values) for title, keys in NETWORKS.items()}
    rows, prints = [_read(name)], {}
    for title, scenario in scenarios.items():
        row, prints[title] = _checked(title, name, scenario)
        rows.append(row)
    title, scenario = next(iter(scenarios.items()))
    same = _fingerprint(run(scenario, tell=told_before)) == prints[title]
    found = "the run is the same" if same else f"the run differs: {title}"
    return [*rows, Check(AGAIN, same, found)]


def _scenario(name: str, keys: dict[str, Any], values: dict[str, Any]) -> Scenario:
    tables = {"topology": CHAIN, "traffic": TRAFFIC, "warmup": "0 s", "duration": DURATION}
    return Scenario.from_dict(tables | keys | {"scheme": {"name": name} | values})


def _fingerprint(result: Result) -> str:
    return str(result.runs["fingerprint"][0])


def _read(name: str) -> Check:
    """Look at what the code refers to."""
    known = KNOWN[name]
    for one in Found(known.classes).outside:
        if one.kind in INSTEAD:
            found = f"it takes {one.name} ({one.place}); take {INSTEAD[one.kind]}"
            return Check(CODE, False, found)
    classes = {each.__name__ for cls in known.classes for each in cls.__mro__}
    others = [value for value in changed(name) if value.partition(".")[0] in classes]
    if others:
        found = f"{', '.join(others)} changed since it was registered, {SHARED}"
        return Check(CODE, False, found)
    return Check(CODE, True, "it takes its time and its randomness from its context")


def _checked(network: str, name: str, scenario: Scenario) -> tuple[Check, str]:
    before = Found(KNOWN[name].classes)
    first, second = (run(scenario, tell=told_before) for _ in range(2))
    prints = [_fingerprint(result) for result in (first, second)]

    def because(found: str) -> tuple[Check, str]:
        return Check(network, False, found), prints[0]

    if prints[0] != prints[1]:
        return because("two runs differ: use context.random() and context.now_s only")
    if others := changed(name, before):
        return because(f"runs change {', '.join(others)}, {SHARED}")
    flows = first.flows
    delivered, inside = int(flows["run_delivered"].sum()), int(flows["run_inside"].sum())
    if inside:
        return because(
            f"{inside} packets are still inside {DURATION} after the start: each needs "
            "context.release or context.drop, or to be returned from on_tx_done or "
            "on_neighbour_lost"
        )
    if not delivered:
        return because("nothing was delivered")
    found = f"{delivered} packets delivered, all others accounted for"
    return Check(network, True, found), prints[0]

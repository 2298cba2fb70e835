"""The runs of direct messages alone: `cxcc-lora` beside other schemes, and beside itself.

All have the same radio, places and messages. Schemes that need routes have those of fewest hops,
unless they search for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from multihop.reproducing.spec import Effort, Efforts, Study, Variant

from .places import chain, nodes

Settings = Mapping[str, Any]

OURS = "cxcc-lora"
BASE = Path(__file__).with_name("base.toml")
COUNT, PAIRS = 48, 12
# Chains of 2 to 8 hops, two of each length: one pair, hops of drawn lengths.
CHAIN, CHAINS = "chain", 14


def load(factor: int, place: str = "") -> Settings:
    """Return so many times the light load.

    Both ends of a pair send. At ten times the light load all nodes of a place together offer a
    message every 5 s, and those of a chain one every 3 s.
    """
    return {"traffic.interval": f"{(60 if place == CHAIN else 1200) // factor} s"}


CALM, BUSY = load(1), load(10)
LONG_PAYLOAD: Settings = {"traffic.payload": "150 B"}
LONG: Settings = {**BUSY, **LONG_PAYLOAD}
MARKERS = "os^DvPX*<>hp8d+x"

ROUTED: Settings = {"routing.kind": "fixed"}
# AODV, whose constants take a hop for 30 ms. Routes outlive the pauses between messages.
SEARCHED: Settings = {
    "routing.kind": "aodv",
    "routing.time_scale": 40,
    "routing.active_route_timeout": "3600 s",
}
# Chosen with `spacing.py`. 2 is best without a hold, and 0.25 is the best hold with it.
PLAIN: Settings = {"scheme.spacing": 0.0, "scheme.hold": 0.0}
SPACED: Settings = {"scheme.spacing": 2.0, "scheme.hold": 0.0}
HELD: Settings = {"scheme.spacing": 2.0, "scheme.hold": 0.25}
# What a scheme needs besides; the MAC of both meshes is the same radio with another access. WAKE
# needs link acknowledgments, which LoRa has not.
SCHEMES: Mapping[str, tuple[str, Settings]] = {
    "cxcc-lora": ("CXCC for LoRa", ROUTED),
    "cxcc": ("CXCC", ROUTED),
    "udp": ("UDP", ROUTED),
    "meshtastic": (
        "Meshtastic",
        {"scheme.hop_limit": 7, "scheme.direct_attempts": 5, "scheme.relay_attempts": 3},
    ),
    "meshcore": ("MeshCore", {"mac.access": "retry", "mac.header": "0 B", "scheme.attempts": 2}),
}


def _variant(scheme: str, title: str, own: Settings) -> Variant:
    name, needs = SCHEMES[scheme]
    return Variant(f"{name}{title}", scheme, {**needs, **own})


def _marked(made: Mapping[str, Variant]) -> dict[str, Variant]:
    return {
        name: Variant(one.title, one.scheme, one.settings, marker=marker)
        for (name, one), marker in zip(made.items(), MARKERS, strict=False)
    }


def _custody(_place: str) -> dict[str, Variant]:
    """Return what question 12 compares, by name."""
    made = {
        name: _variant(name, "", CALM) for name in ("cxcc-lora", "cxcc", "meshtastic", "meshcore")
    }
    made |= {f"{name}-busy": _variant(name, ", busy", BUSY) for name in SCHEMES}
    made |= {
        "no-echoes": _variant(OURS, " without echoes, busy", {**BUSY, "scheme.echoes": 0}),
        "ask-always": _variant(OURS, ", requests for all, busy", {**BUSY, "scheme.ask": "always"}),
    }
    return made | {f"{name}-long": _variant(name, ", busy, 150 B", LONG) for name in (OURS, "cxcc")}


def _wake_order(place: str) -> dict[str, Variant]:
    """Return what question 13 compares, by name."""
    ten = load(10, place)
    loads: Mapping[str, tuple[str, Settings]] = {
        "": ("", load(1, place)),
        "-five": (", fivefold load", load(5, place)),
        "-ten": (", tenfold load", ten),
        "-long": (", tenfold load, 150 B", {**ten, **LONG_PAYLOAD}),
    }
    rules: Mapping[str, tuple[str, Settings]] = {
        "plain": ("", PLAIN),
        "spaced": (" spaced", SPACED),
    }
    made = {
        f"{rule}{suffix}": _variant(OURS, f"{title}{load_title}", {**own, **offered})
        for suffix, (load_title, offered) in loads.items()
        for rule, (title, own) in rules.items()
    }
    title, offered = loads["-long"]
    return made | {"held-long": _variant(OURS, f" spaced and held{title}", {**HELD, **offered})}


def _searched(_place: str) -> dict[str, Variant]:
    """Return what question 14 compares, by name."""
    made = {"known": _variant(OURS, " over known routes", CALM)}
    for suffix, title, offered in (("", "", CALM), ("-busy", ", busy", BUSY)):
        own = {**SEARCHED, **offered}
        made[f"searched{suffix}"] = _variant(OURS, f" over searched routes{title}", own)
        for mesh in ("meshtastic", "meshcore"):
            made[f"{mesh}{suffix}"] = _variant(mesh, title, offered)
    return made


# By question: what is compared on a place.
QUESTIONS: Mapping[str, Callable[[str], dict[str, Variant]]] = {
    "cxcc-lora": _custody,
    "wake-order": _wake_order,
    "searched-routes": _searched,
}


# [[node]] and [[link]] of a network, and the nodes that may send direct messages.
Drawn = tuple[Settings, Sequence[str]]


def made(place: str, reach_m: float, count: int, number: int) -> Drawn:
    """Draw a made place, or a chain, whose ends send."""
    if place == CHAIN:
        tables = chain(reach_m, number)
        return {"node": tables}, (tables[0]["name"], tables[-1]["name"])
    tables = nodes(place, count, number, reach_m)
    return {"node": tables}, [node["name"] for node in tables]


def flow(one: str, other: str) -> dict[str, str]:
    """Return a flow of direct messages."""
    return {"name": f"direct-{one[1:]}-{other[1:]}", "from": one, "to": other}


def pairs(there: Sequence[str], number: int) -> list[tuple[str, str]]:
    """Draw pairs of nodes that send each other direct messages; the ends, of a chain."""
    if len(there) == 2:
        return [(there[0], there[1])]
    drawn = np.random.default_rng([number, PAIRS]).permutation(len(there))[: 2 * PAIRS]
    return [(there[one], there[other]) for one, other in drawn.reshape(-1, 2)]


def network(drawn: Callable[[int], Drawn], number: float) -> Settings:
    """Return the topology of a network, and flows both ways between its pairs."""
    tables, there = drawn(int(number))
    flows = [flow(*ends) for pair in pairs(there, int(number)) for ends in (pair, pair[::-1])]
    return {"topology": {"kind": "explicit"}, **tables, "flow": flows}


def study(
    question: str,
    name: str,
    place: str,
    settings: Settings,
    numbers: tuple[float, ...],
    drawn: Callable[[int], Drawn],
) -> Study:
    """Return a question's runs on a place, in networks that are drawn by these numbers."""
    effort = Effort(False, 1, "20 min", "60 min")
    quick = Effort(True, 1, "20 min", "60 min")
    return Study(
        name,
        BASE,
        {"mac.preset": "long-fast", "traffic.payload": "40 B", **settings},
        _marked(QUESTIONS[question](place)),
        numbers,
        numbers[:4],
        Efforts(effort, quick),
        at=partial(network, drawn),
        tables=("nodes",),
        unit="x",
    )

"""Every key changes a run, or is said to be without effect, or stands here with a reason."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from multihop import Scenario, ScenarioError
from multihop._multihop import identity, run
from tests import keys

pytestmark = pytest.mark.engine

BASE = Scenario.from_dict(
    {
        "duration": "4 s",
        "warmup": "1 s",
        "topology": {"kind": "bidirectional-chain", "hops": 4},
        "traffic": {"load": "250 kbit/s", "start": "0.1 s"},
        "scheme": {"name": "udp"},
    }
)
MOBILE = {
    "routing.kind": "aodv",
    "topology": {"kind": "random", "nodes": 14, "width": "700 m", "height": "700 m", "flows": 4},
    "mobility": {"kind": "random-waypoint", "min_speed": "10 m/s", "max_speed": "40 m/s"},
    "duration": "20 s",
}
FILES = {"traffic": {"kind": "file", "size": "100 kB", "start": "0.1 s"}}
LORA = {
    "mac.kind": "lora",
    "mac.preset": "short-fast",
    "mac.duty_cycle": 0.1,
    "mac.duty_window": "60 s",
    "radio.propagation": "log-distance",
    "radio.transmit_power": "1 W",
    "topology": {
        "kind": "random",
        "nodes": 14,
        "width": "2500 m",
        "height": "2500 m",
        "flows": 4,
    },
    "scheme.name": "flooding",
    "scheme.delay": "200 ms",
    "traffic": {"load": "200 bit/s", "payload": "40 B", "start": "0.1 s"},
    "duration": "100 s",
}
# A representative of every MAC, routing protocol, radio and mode.
SITUATIONS: dict[str, dict[str, Any]] = {
    "udp": {},
    "rts": {"mac.rts_cts": True, "radio.bit_error_rate": 1e-5},
    "cxcc": {"scheme.name": "cxcc"},
    "wake": {"scheme.name": "wake"},
    "ezflow": {"scheme.name": "ezflow"},
    "newreno-aodv": {"scheme.name": "newreno", "routing.kind": "aodv"},
    "wake-aodv": {"scheme.name": "wake", "routing.kind": "aodv"},
    "dsr": {"routing.kind": "dsr"},
    "arp": {"routing.arp": "ns2"},
    "interference": {"radio.interference": "dsss", "radio.reception": "first-decodable"},
    "interference-ns2": {"radio.interference": "dsss"},
    "free-space": {"radio.propagation": "free-space"},
    "shadowing": {"radio.propagation": "log-normal-shadowing"},
    "thresholds": {"radio.receive_threshold": "-64 dBm", "radio.sense_threshold": "-78 dBm"},
    "ieee": {"mac.rules": "ieee-802.11"},
    "ofdm": {"mac.timing": "ofdm-5", "traffic.load": "6 Mbit/s"},
    "ht": {"mac.timing": "ht-5", "traffic.load": "30 Mbit/s"},
    "lora-slots": LORA,
    "lora-retry": {
        **LORA,
        "mac.access": "retry",
        "mac.cad": True,
        "mac.over_duty_cycle": "wait",
    },
    "wired": {"wired": {}, "traffic.load": "3 Mbit/s"},
    "mobile": MOBILE,
    "files": {**FILES, "scheme.name": "newreno"},
}
ANYWHERE = {
    "name": "the run's name in tables",
    "simulator": "ns-3 is a program of its own",
    "series_interval": "the resolution of a table",
    "measure.congestion_potential": "a table more",
    "traffic.kind": "each kind needs keys of its own",
    "traffic.transport": "the transport of UDP is the datagram",
}
# Keys that these situations do not let matter, though others do.
ONLY_ELSEWHERE: dict[str, dict[str, str]] = {
    "radio.frequency": dict.fromkeys(
        SITUATIONS, "the crossover distance, which no signal here lies beyond"
    ),
    "radio.receive_range": dict.fromkeys(
        SITUATIONS, "neighbours are 200 m and 400 m apart: no other node comes into reach"
    ),
    "radio.sense_threshold": dict.fromkeys(("ofdm", "ht"), "every signal here is stronger"),
    "mac.cw_max": dict.fromkeys(
        ("wake", "wake-aodv"), "three attempts from three slots on do not come near it"
    ),
    "radio.antenna_height": {"interference-ns2": "no frame here is as strong as another"},
    "traffic.source_queue": dict.fromkeys(
        SITUATIONS.keys() - {"cxcc", "wake", "wake-aodv", "newreno-aodv", "files"},
        "UDP hands every message to the interface queue as soon as it comes",
    ),
    "mac.withdraw_at_once": {"lora-slots": "no frame is taken back while it waits for its slots"},
    "mac.basic_rate": {"cxcc": "broadcasts, which only routing and schemes in Python send"},
}


def fingerprint(scenario: Scenario) -> str:
    return str(run(scenario.json)["runs"]["fingerprint"][0])


def silent(base: Scenario, given: Mapping[str, Sequence[Any]]) -> list[str]:
    """List the keys that have valid other values, none of which changes or is said to be idle."""
    before, same = fingerprint(base), identity(base.json)
    found = []
    for key, values in given.items():
        others = []
        for value in values:
            try:
                other = base.with_(**{key: value})
            except ScenarioError:
                continue
            if identity(other.json) != same or _noted(other, key):
                others.append(other)
        if not others or any(_noted(other, key) for other in others):
            continue
        if all(fingerprint(other) == before for other in others):
            found.append(key)
    return found


def _noted(scenario: Scenario, key: str) -> bool:
    return any(note.startswith(f"not heeded: {key} ") for note in scenario.notes)


@pytest.mark.long
@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_key_of_the_scenario_has_an_effect_or_is_said_to_have_none(situation: str) -> None:
    base = BASE.with_(**SITUATIONS[situation])
    given = {key: values for key, values in keys.of_tables().items() if key not in ANYWHERE}
    unknown = [key for key in silent(base, given) if situation not in ONLY_ELSEWHERE.get(key, {})]
    assert unknown == [], f"{situation}: set and silently without effect"


# Where parameters of schemes and of routing may matter.
WORLDS: tuple[dict[str, Any], ...] = (
    {},
    {"radio.bit_error_rate": 2e-5},
    MOBILE,
    {"traffic.payload": "100 B", "topology.hops": 7},
    {"radio.propagation": "log-normal-shadowing", "routing.kind": "dsr", "duration": "10 s"},
    {"traffic": {"kind": "ftp", "start": "0.1 s"}, "duration": "20 s", "topology.hops": 8},
)
# Switches without which others have no effect.
SWITCHED: dict[str, dict[str, Any]] = {
    "cxcc": {"scheme.reliable": True},
    "wake": {"scheme.reliable": True, "scheme.coding": True},
    "cl": {"scheme.acknowledge": True},
    "tcp-ap": {"scheme.delay_bound": "20 ms"},
    # So that there is room below and above the initial value.
    "xcp": {"scheme.initial_interval": "2 s", "scheme.longest_interval": "20 s"},
    "ezflow": {
        "scheme.min_exponent": 1,
        "scheme.first_exponent": 2,
        "scheme.max_backlog": 1.0,
        "scheme.samples": 2,
    },
    "adtcp": {"scheme.elfn": True},
    "meshcore": {
        "flow": [
            {"from": "n0", "to": "everyone"},
            {"from": "n0", "to": "n3"},
            {"from": "n1", "to": "everyone", "class": "announcement", "payload": "20 B"},
        ],
        "traffic.load": "4 kbit/s",
        "scheme.attempts": 4,
        "scheme.rxdelay": 10.0,
        "scheme.redundancy": 2,
        "scheme.relay_attempts": 2,
        "roles": {"scoped": {"nodes": ["n1"], "scheme": {"scoped": True}}},
        "duration": "20 s",
    },
    "meshtastic": {
        "flow": [{"from": "every node", "to": "everyone"}],
        "traffic.load": "4 kbit/s",
        "duration": "20 s",
    },
}
PARAMETERS_ELSEWHERE = {
    ("hxh", "scheme.longest_probe"): "no neighbour falls silent",
    ("wake", "scheme.longest_probe"): "no neighbour falls silent",
    ("wake", "scheme.steep"): "rates of OFDM, see the scheme's tests",
    ("meshcore", "scheme.keys"): "no two of the few nodes have the same hash",
    ("meshcore", "scheme.busy_tracker"): "it acts after a minute, see the scheme's tests",
    ("meshcore", "scheme.noise_floor"): "signals of 802.11 are far above any noise",
    ("meshtastic", "scheme.hop_scaling"): "it acts after an hour, and where there are 40 nodes",
    ("meshtastic", "scheme.favourite_routers"): "no relay is a router, see the scheme's tests",
    ("meshtastic", "scheme.early_flood"): "no route fails twice, see the scheme's tests",
    ("ezflow", "scheme.min_backlog"): "a successor's mean backlog never lies between the values",
    ("aodv", "routing.forget_sequence_numbers"): "50 s and more without a route",
    ("aodv", "routing.blacklist"): "links in one direction, see test_notes",
    ("aodv", "routing.blacklist_timeout"): "links in one direction, see test_notes",
}


def _left(part: str, chosen: str, given: Mapping[str, Sequence[Any]]) -> list[str]:
    left = dict(given)
    for world in WORLDS:
        for more in ({}, SWITCHED.get(part, {})):
            try:
                base = BASE.with_(**{**world, chosen: part, **more})
            except ScenarioError:
                continue
            left = {key: left[key] for key in silent(base, left)}
    return [key for key in left if (part, key) not in PARAMETERS_ELSEWHERE]


@pytest.mark.long
@pytest.mark.parametrize(("scheme", "given"), list(keys.of_parts("scheme")))
def test_a_parameter_of_a_scheme_has_an_effect(scheme: str, given: dict[str, list[Any]]) -> None:
    assert _left(scheme, "scheme.name", given) == []


@pytest.mark.long
@pytest.mark.parametrize(("routing", "given"), list(keys.of_parts("routing")))
def test_a_parameter_of_routing_has_an_effect(routing: str, given: dict[str, list[Any]]) -> None:
    assert _left(routing, "routing.kind", given) == []

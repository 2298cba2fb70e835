"""The runs of direct messages alone: schemes with fixed routes beside both meshes.

All have the same radio, places and messages. Schemes that need routes have those of fewest hops.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from multihop.reproducing.spec import Effort, Efforts, Study, Variant

from .places import nodes

Settings = Mapping[str, Any]

QUESTION = "cxcc-lora"
BASE = Path(__file__).with_name("base.toml")
COUNT, PAIRS = 48, 12
# Both ends of a pair send. At the busy load all nodes together offer a message every 5 s.
CALM: Settings = {"traffic.interval": "1200 s"}
BUSY: Settings = {"traffic.interval": "120 s"}
LONG: Settings = {**BUSY, "traffic.payload": "150 B"}
MARKERS = "os^DvPX*<>hp8d+x"

ROUTED: Settings = {"routing.kind": "fixed"}
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


def variants() -> dict[str, Variant]:
    """Return what is compared, by name."""
    made = {
        name: _variant(name, "", CALM) for name in ("cxcc-lora", "cxcc", "meshtastic", "meshcore")
    }
    made |= {f"{name}-busy": _variant(name, ", busy", BUSY) for name in SCHEMES}
    ours = "cxcc-lora"
    made |= {
        "no-echoes": _variant(ours, " without echoes, busy", {**BUSY, "scheme.echoes": 0}),
        "ask-always": _variant(ours, ", requests for all, busy", {**BUSY, "scheme.ask": "always"}),
    }
    made |= {f"{name}-long": _variant(name, ", busy, 150 B", LONG) for name in (ours, "cxcc")}
    return {
        name: Variant(one.title, one.scheme, one.settings, marker=marker)
        for (name, one), marker in zip(made.items(), MARKERS, strict=False)
    }


def network(place: str, reach_m: float, number: float) -> Settings:
    """Return the topology and the flows of a network."""
    drawn = np.random.default_rng([int(number), PAIRS]).permutation(COUNT)[: 2 * PAIRS]
    pairs = [(int(one), int(other)) for one, other in drawn.reshape(-1, 2)]
    both = [way for one, other in pairs for way in ((one, other), (other, one))]
    return {
        "topology": {"kind": "explicit"},
        "node": nodes(place, COUNT, int(number), reach_m),
        "flow": [
            {"name": f"direct-{one}-{other}", "from": f"n{one}", "to": f"n{other}"}
            for one, other in both
        ],
    }


def study(
    name: str, place: str, reach_m: float, settings: Settings, numbers: tuple[float, ...]
) -> Study:
    """Return the runs on a place, in networks of these numbers, with these settings."""
    effort = Effort(False, 1, "20 min", "60 min")
    quick = Effort(True, 1, "20 min", "60 min")
    return Study(
        name,
        BASE,
        {"mac.preset": "long-fast", "traffic.payload": "40 B", **settings},
        variants(),
        numbers,
        numbers[:4],
        Efforts(effort, quick),
        at=partial(network, place, reach_m),
        tables=("nodes",),
        unit="x",
    )

"""The runs in which WAKE is compared with its rivals."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from multihop.reproducing.spec import NO_SETTINGS, Effort, Efforts, Study, Variant

HERE = Path(__file__).parent
CHAIN = HERE / "chain.toml"

EFFORTS = Efforts(
    full=Effort(quick=False, seeds=20, warmup="10 s", duration="30 s"),
    quick=Effort(quick=True, seeds=3, warmup="10 s", duration="20 s"),
)
RANDOM_EFFORTS = Efforts(
    full=Effort(quick=False, seeds=4, warmup="10 s", duration="30 s"),
    quick=Effort(quick=True, seeds=1, warmup="10 s", duration="20 s"),
)
LOAD_EFFORTS = Efforts(
    full=Effort(quick=False, seeds=5, warmup="10 s", duration="30 s"),
    quick=Effort(quick=True, seeds=1, warmup="10 s", duration="20 s"),
)


class Case(NamedTuple):
    """A network of ten hops, and a load of each flow that all bear, in kbit/s."""

    name: str
    topology: str
    propagation: str
    low: int

    @property
    def settings(self) -> dict[str, Any]:
        """The keys that make the network this one."""
        return {"topology.kind": self.topology, "radio.propagation": self.propagation}


TWO_RAY, SHADOWING = "two-ray-ground", "log-normal-shadowing"
CASES = (
    Case("chain", "chain", TWO_RAY, 100),
    Case("bidirectional chain", "bidirectional-chain", TWO_RAY, 40),
    Case("cross", "cross", TWO_RAY, 40),
    Case("bidirectional cross", "bidirectional-cross", TWO_RAY, 15),
    Case("chain, shadowed", "chain", SHADOWING, 60),
    Case("bidirectional chain, shadowed", "bidirectional-chain", SHADOWING, 25),
    Case("cross, shadowed", "cross", SHADOWING, 25),
    Case("bidirectional cross, shadowed", "bidirectional-cross", SHADOWING, 10),
)

WAKE = "wake"
UDP = "udp"
FLUSH = "flush"
BULK = {"traffic.kind": "ftp", "traffic.load": None}
# WAKE's smallest contention window, for schemes that have none of their own.
SMALL_WINDOW = {"mac.cw_min": 3}
_DCF: Mapping[str, tuple[str, str, Mapping[str, Any]]] = {
    UDP: ("UDP", "udp", NO_SETTINGS),
    "hxh": ("HxH", "hxh", NO_SETTINGS),
    "newreno": ("NewReno", "newreno", BULK),
    "vegas": ("Vegas", "vegas", BULK),
    "tcp-ap": ("TCP-AP", "tcp-ap", BULK),
    "lecn": ("LECN, thinning", "lecn", {**BULK, "scheme.ack_thinning": True}),
    "atp": ("ATP", "atp", BULK),
    "wxcp": ("WXCP", "wxcp", BULK),
    "cl": ("CL", "cl", BULK),
    FLUSH: ("Flush", "flush", NO_SETTINGS),
}
# EZ-Flow's windows settle within minutes.
EZFLOW = ("EZ-Flow, after 300 s", "ezflow", {"warmup": "300 s"})
# WAKE with other spacings (rule 3): more of it is less delay and less goodput.
FACTORS = (1.2, 1.7, 2.2, 3.0)
SPACED: Mapping[str, Variant] = {
    f"wake-{factor:g}": Variant(
        f"WAKE, spacing {factor:g}", WAKE, {"scheme.spacing": factor}, True, mark
    )
    for factor, mark in zip(FACTORS, "1234", strict=True)
}
# Of every scheme its best known form, each with its own contention window.
SCHEMES: Mapping[str, Variant] = {
    WAKE: Variant("WAKE", "wake", {}),
    "cxcc": Variant("CXCC+RFA", "cxcc", {}),
    **{name: Variant(title, scheme, own) for name, (title, scheme, own) in _DCF.items()},
    "hxh-rate": Variant("HxH, rate-limited", "hxh", {"scheme.rate_limit": True}, marker="4"),
    "cl-ack": Variant("CL_ack", "cl", {**BULK, "scheme.acknowledge": True}, marker="|"),
    "ezflow": Variant(*EZFLOW),
}


def _with_small_window(name: str) -> Variant:
    title, scheme, own = _DCF[name]
    return Variant(f"{title}, CWmin 3", scheme, {**own, **SMALL_WINDOW}, True)


VARIANTS: Mapping[str, Variant] = {
    **SCHEMES,
    **{f"{name}-window": _with_small_window(name) for name in (UDP, "hxh", "newreno", "lecn")},
}


def case(value: float) -> dict[str, Any]:
    """Set the network to one of `CASES`, by its place in the list from 1 on."""
    return CASES[int(value) - 1].settings


def low_load(value: float) -> dict[str, Any]:
    """Do the same, with the low load."""
    found = CASES[int(value) - 1]
    return {**found.settings, "traffic.load": f"{found.low} kbit/s"}


def network(value: float) -> dict[str, Any]:
    """Set the seed of a random topology."""
    return {"topology.topology_seed": int(value)}


PLACES = tuple(float(place) for place in range(1, len(CASES) + 1))
OVERLOAD = Study(
    "wake-overload", CHAIN, {}, {**VARIANTS, **SPACED}, PLACES, PLACES, EFFORTS, at=case
)
LOW = Study(
    "wake-low",
    CHAIN,
    {},
    {name: VARIANTS[name] for name in (WAKE, UDP)},
    PLACES,
    PLACES,
    EFFORTS,
    at=low_load,
)
# UDP's best load, which no source can know: from one to the next by a tenth or so.
LOADS = (
    10,
    12,
    14,
    16,
    18,
    20,
    25,
    30,
    35,
    40,
    45,
    50,
    60,
    70,
    75,
    80,
    85,
    90,
    100,
    120,
    150,
    172,
    190,
)
BEST = Study(
    "wake-best-load",
    CHAIN,
    {},
    {
        str(load): Variant("UDP, best load", UDP, {"traffic.load": f"{load} kbit/s"})
        for load in LOADS
    },
    PLACES,
    PLACES,
    LOAD_EFFORTS,
    at=case,
    quick_variants=tuple(str(load) for load in LOADS[::3]),
)
# Topology seeds that nobody had looked at when rules and parameters were chosen. Those of earlier
# evaluations, from 101 and from 201 on, had shown what to change.
TEST_SEEDS = range(301, 311)
NETWORKS = tuple(float(seed) for seed in TEST_SEEDS)
RANDOM = Study(
    "wake-random",
    HERE / "random.toml",
    {},
    VARIANTS,
    NETWORKS,
    NETWORKS[:3],
    RANDOM_EFFORTS,
    at=network,
)

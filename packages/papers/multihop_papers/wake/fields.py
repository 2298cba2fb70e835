"""Where WAKE and its rivals meet: what varies, place by place, and the runs of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from multihop.reproducing.spec import NO_SETTINGS, Effort, Efforts, Settings, Study, Variant

from ..cxcc.rivals import END_S, TRANSFERS
from .setup import (
    BEST,
    BULK,
    CASES,
    CHAIN,
    FLUSH,
    HERE,
    OVERLOAD,
    RANDOM,
    SCHEMES,
    SHADOWING,
    SMALL_WINDOW,
    SPACED,
    TEST_SEEDS,
    UDP,
    WAKE,
)

# WAKE at several spacings, and its rivals.
SWEPT = {**SCHEMES, **SPACED}


class Place(NamedTuple):
    """A network, or a setting of one, in words and as keys."""

    name: str
    settings: Settings


class Field(NamedTuple):
    """The runs of all schemes at some places, and what each place, a value of x, is called."""

    study: Study
    names: Mapping[float, str]


def _effort(seeds: int, quick: int, duration: str = "30 s") -> Efforts:
    return Efforts(
        full=Effort(quick=False, seeds=seeds, warmup="10 s", duration=duration),
        quick=Effort(quick=True, seeds=quick, warmup="10 s", duration="10 s"),
    )


EACH = _effort(20, 3)
# Of each ten random networks with `--quick`.
FEW = tuple(float(10 * tens + one) for tens in range(3) for one in (1, 2, 3))


def _field(
    name: str,
    places: Sequence[Place],
    efforts: Efforts = EACH,
    settings: Settings = NO_SETTINGS,
    variants: Mapping[str, Variant] = SWEPT,
    **more: Any,
) -> Field:
    known = {float(number): place for number, place in enumerate(places, 1)}

    def at(value: float) -> Settings:
        return known[value].settings

    base = more.pop("base", CHAIN)
    values = tuple(known)
    quick = more.pop("quick", values)
    study = Study(f"wake-{name}", base, settings, variants, values, quick, efforts, at=at, **more)
    return Field(study, {number: place.name for number, place in known.items()})


TEN = Field(OVERLOAD, {float(number): case.name for number, case in enumerate(CASES, 1)})
MIXED = Field(RANDOM, {seed: f"{seed:g}" for seed in RANDOM.values})
TOPOLOGIES = {case.name: case.topology for case in CASES[:4]}
ONE_WAY, TWO_WAY = "chain", "bidirectional chain"


def _topology(name: str) -> dict[str, Any]:
    return {"topology.kind": TOPOLOGIES[name]}


# More than a hop carries.
FLOOD = {"traffic.load": "900 kbit/s"}
LENGTHS = (2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20)
LENGTH = _field(
    "length",
    [Place(f"{hops} hops", {"topology.hops": hops}) for hops in LENGTHS],
    _effort(10, 3),
    settings=FLOOD,
)
# UDP's best load at each length: from one to the next by a tenth or so.
LENGTH_LOADS = (120, 130, 145, 160, 172, 185, 200, 220, 240, 260, 285, 310, 340, 375, 410, 450)
LENGTH_BEST = replace(
    LENGTH.study,
    name="wake-length-load",
    variants={
        str(load): Variant("UDP, best load", UDP, {"traffic.load": f"{load} kbit/s"})
        for load in LENGTH_LOADS
    },
    efforts=BEST.efforts,
    quick_variants=tuple(str(load) for load in LENGTH_LOADS[::3]),
)
SPACINGS = (140, 155, 170, 185, 200, 215, 230, 245)
SPACING = _field(
    "spacing",
    [
        Place(f"{kind}, {metres} m", {**_topology(kind), "topology.spacing": f"{metres} m"})
        for kind in (ONE_WAY, TWO_WAY)
        for metres in SPACINGS
    ],
)
# Every rival with WAKE's contention window; EZ-Flow's is 2^2 - 1 at first and at least.
EZ_WINDOW = {"scheme.min_exponent": 2, "scheme.first_exponent": 2}
WINDOW = _field(
    "window",
    [Place(case.name, case.settings) for case in CASES],
    variants={
        name: variant
        if variant.scheme == WAKE
        else replace(
            variant,
            title=f"{variant.title}, CWmin 3",
            settings={
                **variant.settings,
                **SMALL_WINDOW,
                **(EZ_WINDOW if name == "ezflow" else {}),
            },
        )
        for name, variant in SWEPT.items()
    },
)
# Loads of each flow, in kbit/s, up to more than any of them bears.
KNEES = {
    "chain": (20, 40, 60, 80, 100, 120, 140, 160, 180),
    "bidirectional chain": (10, 20, 30, 40, 50, 60, 70, 80),
    "cross": (10, 20, 30, 40, 50, 60, 70, 80),
    "bidirectional cross": (5, 10, 15, 20, 25, 30, 35, 40),
}
BELOW = _field(
    "below",
    [
        Place(f"{kind}, {load} kbit/s", {**_topology(kind), "traffic.load": f"{load} kbit/s"})
        for kind, loads in KNEES.items()
        for load in loads
    ],
    _effort(10, 3),
    variants={name: SCHEMES[name] for name in (WAKE, UDP, "cxcc", FLUSH)},
)
# EZ-Flow as it is before its windows have settled.
FROM_THE_START = {**SCHEMES, "ezflow": Variant("EZ-Flow", "ezflow", {})}
# From the start on: the series has an interval of a second.
SETTLING = _field(
    "settling",
    [Place(case.name, {**case.settings, "warmup": "0 s", "duration": "40 s"}) for case in CASES],
    settings={"traffic.start": "0 s", "traffic.start_jitter": "0.1 s"},
    variants=FROM_THE_START,
    tables=("series",),
)
DEVIATIONS = (2, 4, 6, 8)
SHADOWED = {"radio.propagation": SHADOWING}
SHADOW = _field(
    "shadow",
    [
        Place(f"{kind}, {dB} dB", {**_topology(kind), "radio.shadowing_deviation": f"{dB} dB"})
        for kind in (ONE_WAY, TWO_WAY)
        for dB in DEVIATIONS
    ],
    settings=SHADOWED,
)
SHADOW_MIXED = _field(
    "shadow-random",
    [Place(f"{seed}", {"topology.topology_seed": seed}) for seed in TEST_SEEDS],
    RANDOM.efforts,
    settings=SHADOWED,
    variants=SCHEMES,
    base=HERE / "random.toml",
    quick=FEW[:3],
)
RADIOS: Mapping[str, Settings] = {
    "no capture": {"radio.capture_ratio": 1e9},
    "message in message": {"radio.reception": "message-in-message"},
}
RADIO = _field(
    "radio",
    [
        Place(f"{kind}, {radio}", {**_topology(kind), **keys})
        for radio, keys in RADIOS.items()
        for kind in TOPOLOGIES
    ],
)
PAYLOADS = (64, 512, 1460)
# The load is more than ten hops carry, whatever the packets' length.
RATES: Mapping[str, Settings] = {
    "1 Mbit/s": {"traffic.load": "400 kbit/s"},
    "2 Mbit/s": {"mac.data_rate": "2 Mbit/s", "traffic.load": "800 kbit/s"},
    "11 Mbit/s": {"mac.data_rate": "11 Mbit/s", "traffic.load": "3 Mbit/s"},
    "54 Mbit/s": {
        "mac.timing": "ofdm-2.4",
        "mac.data_rate": "54 Mbit/s",
        "mac.basic_rate": "6 Mbit/s",
        # ranges are those of 1 Mbit/s
        "radio.interference": "ratio",
        "traffic.load": "12 Mbit/s",
    },
}
RATE = {
    rate: _field(
        f"rate-{rate.split()[0]}",
        [Place(f"{rate}, {size} B", {"traffic.payload": f"{size} B"}) for size in PAYLOADS],
        _effort(20, 2, "10 s"),
        settings=keys,
    )
    for rate, keys in RATES.items()
}
GRID = _field(
    "grid",
    [
        Place(
            f"{2 * half} flows",
            {"topology.horizontal_flows": half, "topology.vertical_flows": half},
        )
        for half in (1, 2, 4)
    ],
    _effort(20, 2),
    variants=SCHEMES,
    base=HERE / "grid.toml",
)
NODES = (100, 150, 250)
FAIRNESS = _field(
    "fairness",
    [
        Place(f"{nodes} nodes, {seed}", {"topology.nodes": nodes, "topology.topology_seed": seed})
        for nodes in NODES
        for seed in TEST_SEEDS
    ],
    _effort(4, 1, "20 s"),
    variants=FROM_THE_START,
    settings=FLOOD,
    base=HERE / "random.toml",
    quick=FEW,
)
# WAKE without one of its rules, and where the rule is to pay.
WITHOUT: Mapping[str, tuple[str, Settings, tuple[str, ...]]] = {
    "hold": ("no hold", {"scheme.hold": 0}, ("chain", "bidirectional chain")),
    "clearance": ("no clearance", {"scheme.clearance": 0}, ("chain",)),
    "window": ("802.11's window", {"scheme.cw_min": 31}, ("chain",)),
    "period": (
        "no period",
        {"scheme.threshold": 1e6},
        ("bidirectional chain", "bidirectional cross"),
    ),
    "attempts": (
        "seven attempts",
        {"scheme.attempts": 7, "scheme.pause_growth": 1},
        ("bidirectional cross",),
    ),
    "widening": ("no learned spacing", {"scheme.widening": 0}, ("chain, 140 m",)),
    "trains": ("no trains", {"scheme.train": 1}, ("bidirectional chain",)),
    "spacing": (
        "a spacing of 1.2",
        {"scheme.spacing": 1.2},
        ("cross", "bidirectional cross"),
    ),
    "chance": (
        "waves by chance",
        {"scheme.variation": 1e6},
        tuple(case.name for case in CASES if case.propagation == SHADOWING),
    ),
}
MARKS = "os^Dv*PX<"
ABLATION = _field(
    "ablation",
    [
        *(Place(case.name, case.settings) for case in CASES),
        Place("chain, 140 m", {**_topology(ONE_WAY), "topology.spacing": "140 m"}),
    ],
    variants={
        WAKE: SCHEMES[WAKE],
        **{
            rule: Variant(f"WAKE, {title}", WAKE, settings, True, mark)
            for mark, (rule, (title, settings, _)) in zip(MARKS, WITHOUT.items(), strict=True)
        },
    },
)
SPEEDS = (2, 20)
MOBILE = _field(
    "mobile",
    [
        Place(
            f"{speed} m/s, {seed}",
            {"mobility.max_speed": f"{speed} m/s", "topology.topology_seed": seed},
        )
        for speed in SPEEDS
        for seed in TEST_SEEDS
    ],
    _effort(4, 1, "30 s"),
    variants=FROM_THE_START,
    base=HERE / "mobile.toml",
    quick=FEW[: 3 * len(SPEEDS)],
)
# Short transfers: WAKE's and CXCC's ends repeat what is lost, as TCP's do. With datagrams, too.
# CXCC's requests have to back off there: those of so many flows leave the medium to nobody.
RELIABLE = {"scheme.reliable": True}
BACKED_OFF = {**RELIABLE, "scheme.timeout_growth": 2.0}
DATAGRAMS, NO_FIRSTS = "wake-datagrams", "wake-no-firsts"
TRANSFERRING = {
    WAKE: Variant("WAKE, reliable", "wake", RELIABLE),
    DATAGRAMS: Variant("WAKE, datagrams", "wake", {}, True, "1"),
    NO_FIRSTS: Variant(
        "WAKE, no first packets", "wake", {**RELIABLE, "scheme.first_packets": 0}, True, "2"
    ),
    "cxcc-reliable": Variant("CXCC+RFA, reliable", "cxcc", BACKED_OFF, marker="x"),
    **{name: variant for name, variant in FROM_THE_START.items() if name != WAKE},
}
SIZES = (1, 3, 10, 30, 100)
TRANSFER_ENDS_S = 35.0


def _transfer(packets: int) -> dict[str, Any]:
    return {"kind": "file", "size": f"{512 * packets} B", "start": "5 s"}


def _alone(packets: int) -> Settings:
    own = {f"traffic.{key}": value for key, value in _transfer(packets).items()}
    return {**own, "traffic.load": None}


def _beside(packets: int, source: str, destination: str) -> Settings:
    """Send it while the chain's own flow, from n0 to n10, has more than it can send."""
    return {"flow": [{"from": source, "to": destination, **_transfer(packets)}]}


BACKGROUNDS: Mapping[str, Callable[[int], Settings]] = {
    "idle": _alone,
    "beside a bulk flow": lambda packets: _beside(packets, "n0", "n10"),
    "against a bulk flow": lambda packets: _beside(packets, "n10", "n0"),
}
TRANSFER = _field(
    "transfers",
    [
        Place(f"{words}, {packets} packet{'s' * (packets > 1)}", settings(packets))
        for words, settings in BACKGROUNDS.items()
        for packets in SIZES
    ],
    Efforts(
        full=Effort(quick=False, seeds=20, warmup="0 s", duration=f"{TRANSFER_ENDS_S:g} s"),
        quick=Effort(quick=True, seeds=2, warmup="0 s", duration=f"{TRANSFER_ENDS_S:g} s"),
    ),
    variants=TRANSFERRING,
)
# CXCC 7.4: 120 transfers of 5 to 50 kB each that start within 120 s, among 150 nodes.
MANY = _field(
    "many-transfers",
    [Place(f"{seed}", {"topology.topology_seed": seed}) for seed in TEST_SEEDS],
    Efforts(
        full=Effort(quick=False, seeds=1, warmup="0 s", duration=f"{END_S:g} s"),
        quick=Effort(quick=True, seeds=1, warmup="0 s", duration=f"{END_S:g} s"),
    ),
    variants={
        name: replace(
            variant, settings={k: v for k, v in variant.settings.items() if k not in BULK}
        )
        for name, variant in TRANSFERRING.items()
    },
    base=TRANSFERS,
    quick=FEW[:1],
)
# A second flow joins, and the first one leaves. In WXCP's figure 6 they have the same path.
JOINS_S, LEAVES_S, ENDS_S = 20.0, 50.0, 70.0
INTERVAL_S = 0.5
JOINING = _field(
    "joining",
    [
        Place("same path", {"topology.hops": 6, "flow": [{"from": "n0", "to": "n6"}]}),
        Place("bidirectional chain", _topology(TWO_WAY)),
        Place("cross", _topology("cross")),
    ],
    Efforts(
        full=Effort(quick=False, seeds=20, warmup="0 s", duration=f"{ENDS_S:g} s"),
        quick=Effort(quick=True, seeds=2, warmup="0 s", duration=f"{ENDS_S:g} s"),
    ),
    settings={
        "series_interval": f"{INTERVAL_S:g} s",
        "traffic.start": "0 s",
        "traffic.start_jitter": "0.1 s",
        "traffic.stagger": f"{JOINS_S:g} s",
        "traffic.lifetime": f"{LEAVES_S:g} s",
    },
    variants=FROM_THE_START,
    tables=("series",),
)

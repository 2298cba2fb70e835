"""The runs behind CL's figures, shared by those that show them.

The paper says that its radio has 2 Mbit/s, but its numbers are those of one left at ns-2's default
of 1 Mbit/s: every study is run at both rates, and the claims look at the one at 1 Mbit/s.
Throughput with acknowledgments counts what was acknowledged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from multihop.reproducing.spec import Effort, Efforts, Study, Variant, load

HERE = Path(__file__).parent
CHAIN = HERE / "chain.toml"
MOBILE = HERE / "mobile.toml"

PAYLOAD_BITS = 8000
# In Mbit/s; the claims look at the first.
JUDGED, STATED_SPEED = 1, 2
SPEEDS = (JUDGED, STATED_SPEED)


def speed(rate: int) -> dict[str, Any]:
    """Set the radio's data rate, in Mbit/s."""
    return {"mac.data_rate": f"{rate} Mbit/s"}


def nodes(value: float) -> dict[str, Any]:
    """Set the number of nodes of a chain."""
    return {"topology.hops": int(value) - 1}


def packets(value: float) -> dict[str, Any]:
    """Set the rate of every source, in packets/s."""
    return load(value * PAYLOAD_BITS / 1e3)


def flows(value: float) -> dict[str, Any]:
    """Set the number of flows of a random topology."""
    return {"topology.flows": int(value)}


# ---- the schemes ---------------------------------------------------------------------------------

CL = "cl"
CL_ACK = "cl-ack"
ANALYTIC = "cl-analytic"
ANALYTIC_ACK = "cl-ack-analytic"
TCP = "tcp"
# "5 different fixed sending rates", in kbit/s.
FIXED = (240, 480, 720, 960, 1200)
CBR = tuple(f"cbr-{rate}" for rate in FIXED)
ACK = tuple(f"ack-{rate}" for rate in FIXED)
# What counts is what was acknowledged.
ACKNOWLEDGED = (CL_ACK, ANALYTIC_ACK, *ACK)

BULK = {"traffic.kind": "ftp", "traffic.load": None}
FIXED_MARKERS = ("s", "*", "D", "v", "P")


def table(rate: int, *, acknowledged: bool) -> str:
    """Return the file of the rates that were measured for a radio of so many Mbit/s."""
    return str(HERE / f"rates-{rate}{'-ack' if acknowledged else ''}.toml")


def paced(rate: int) -> dict[str, Variant]:
    """Return CL and CL_ack with rates measured at so many Mbit/s, with computed ones, and TCP."""

    def cl(title: str, *, acknowledged: bool, rates: str, marker: str) -> Variant:
        settings = {**BULK, "scheme.acknowledge": acknowledged, "scheme.rates": rates}
        return Variant(title, "cl", settings, secondary=acknowledged, marker=marker)

    def measured(title: str, *, acknowledged: bool) -> Variant:
        rates = table(rate, acknowledged=acknowledged)
        return cl(title, acknowledged=acknowledged, rates=rates, marker="o")

    def computed(title: str, *, acknowledged: bool) -> Variant:
        return cl(title, acknowledged=acknowledged, rates="analytic", marker="x")

    return {
        CL: measured("CL", acknowledged=False),
        CL_ACK: measured("CL_ack", acknowledged=True),
        ANALYTIC: computed("CL, analytic rates", acknowledged=False),
        ANALYTIC_ACK: computed("CL_ack, analytic rates", acknowledged=True),
        TCP: Variant("TCP Reno", "reno", BULK),
    }


KINDS = {"CBR": ("udp", CBR, False), "ACK": ("udp-ack", ACK, True)}
FIXED_RATES = {
    name: Variant(
        f"{title}_{rate}",
        scheme,
        {"traffic.kind": "cbr", **load(rate)},
        secondary=answered,
        marker=marker,
    )
    for title, (scheme, names, answered) in KINDS.items()
    for name, rate, marker in zip(names, FIXED, FIXED_MARKERS, strict=True)
}


# ---- figures 2 and 3: chains, the rate is swept --------------------------------------------------

# "Every point in the graphs has been averaged over 50 runs"; here over 20.
CHAIN_EFFORTS = Efforts(
    full=Effort(quick=False, seeds=20, warmup="9 s", duration="100 s"),
    quick=Effort(quick=True, seeds=4, warmup="9 s", duration="100 s"),
)


def beside(efforts: Efforts) -> Efforts:
    """Return the efforts of what is drawn beside, at the other speed, and not judged: one run."""
    return Efforts(*(replace(one, seeds=1) for one in (efforts.full, efforts.quick)))


LENGTHS = (2, 3, 4, 5, 6, 7, 8, 10)
QUICK_LENGTHS = (2, 3, 4, 6, 10)
LENGTH_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
# In packets/s, up to figure 5's highest rate: 1200 kbit/s.
RATES = {
    1: (3, 6, 9, 12, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 28, 30, 35, 40, 50, 60, 80,
        100, 120, 150),
    2: (5, 10, 15, 20, 25, 27, 29, 31, 33, 35, 36, 37, 38, 39, 40, 41, 42, 44, 46, 50, 60, 80, 100,
        120, 150, 180),
}  # fmt: skip
QUICK_RATES = {
    1: (3, 9, 15, 18, 20, 22, 24, 25, 26, 30, 40, 60, 120, 150),
    2: (5, 15, 25, 33, 37, 40, 42, 44, 50, 80, 150, 180),
}


def _lengths(scheme: str) -> dict[str, Variant]:
    return {
        str(length): Variant(
            f"{length} nodes", scheme, nodes(length), secondary=at % 2 == 1, marker=marker
        )
        for at, (length, marker) in enumerate(zip(LENGTHS, LENGTH_MARKERS, strict=True))
    }


def _swept(name: str, scheme: str, rate: int) -> Study:
    return Study(
        f"cl-{name}-{rate}",
        CHAIN,
        speed(rate),
        _lengths(scheme),
        RATES[rate],
        QUICK_RATES[rate],
        CHAIN_EFFORTS if rate == JUDGED else beside(CHAIN_EFFORTS),
        at=packets,
        quick_variants=tuple(map(str, QUICK_LENGTHS)),
    )


SWEPT = {rate: _swept("cbr", "udp", rate) for rate in SPEEDS}
SWEPT_ACK = {rate: _swept("cbr-ack", "udp-ack", rate) for rate in SPEEDS}

# ---- figure 4: chains, CL, CL_ack and TCP -------------------------------------------------------

CHAIN_NODES = (2, 3, 4, 5, 6, 7, 8, 9, 10)
QUICK_NODES = (2, 3, 4, 5, 6, 8, 10)
COMPARED = {
    rate: Study(
        f"cl-chains-{rate}",
        CHAIN,
        speed(rate),
        paced(rate),
        CHAIN_NODES,
        QUICK_NODES,
        CHAIN_EFFORTS if rate == JUDGED else beside(CHAIN_EFFORTS),
        at=nodes,
    )
    for rate in SPEEDS
}

# ---- section 4.1: a chain of 6 nodes -------------------------------------------------------------

# 105 s, and time for what is on its way then.
ONE_CHAIN: Mapping[str, Any] = {
    "topology.hops": 5,
    "traffic.start_jitter": "0.5 s",
    "traffic.lifetime": "105 s",
}
ONE_EFFORTS = Efforts(
    full=Effort(quick=False, seeds=20, warmup="9 s", duration="145 s"),
    quick=Effort(quick=True, seeds=5, warmup="9 s", duration="145 s"),
)
LAST_GOOD, FIRST_BAD = 24.0, 25.0
CLIFF_RATES = {1: (18, 20, 22, 23, 24, 25, 26, 28), 2: (34, 36, 38, 40, 42, 43, 44, 46)}
QUICK_CLIFF_RATES = {1: (20, 22, 23, 24, 25, 26), 2: (36, 40, 42, 44)}
# What is judged, and beside it the same without a known route, and over fixed routes.
PAPERS = "dsr"
COLD: dict[str, Any] = {"traffic.route_lead": None}
WITHOUT_DSR: dict[str, Any] = {"routing.salvage_limit": None}
CLIFF = {
    rate: Study(
        f"cl-cliff-{rate}",
        CHAIN,
        {**speed(rate), **ONE_CHAIN},
        {
            PAPERS: Variant("DSR, route known", "udp", {}),
            "cold": Variant("DSR, no route known", "udp", COLD, secondary=True),
            "fixed": Variant(
                "fixed routes", "udp", {"routing.kind": "fixed", **WITHOUT_DSR}, marker="^"
            ),
        },
        CLIFF_RATES[rate],
        QUICK_CLIFF_RATES[rate],
        ONE_EFFORTS if rate == JUDGED else beside(ONE_EFFORTS),
        at=packets,
    )
    for rate in SPEEDS
}
TCP_CHAIN = Study(
    "cl-tcp",
    CHAIN,
    {**speed(JUDGED), **ONE_CHAIN},
    {TCP: Variant("TCP Reno", "reno", BULK)},
    (6,),
    (6,),
    ONE_EFFORTS,
    at=nodes,
)

# ---- figures 5 to 9: moving nodes ----------------------------------------------------------------

# "Each point in the graphs is averaged over 20 random topologies."
MOBILE_EFFORTS = Efforts(
    full=Effort(quick=False, seeds=20, warmup="9 s", duration="100 s"),
    quick=Effort(quick=True, seeds=3, warmup="9 s", duration="100 s"),
)
RECTANGLE = "rectangle"
SQUARE = "square"
AREAS: Mapping[str, Mapping[str, Any]] = {
    RECTANGLE: {"topology.width": "3 km", "topology.height": "500 m"},
    SQUARE: {"topology.width": "1.2 km", "topology.height": "1.2 km"},
}
FLOWS = (1, 2)


def _mobile(area: str, rate: int) -> Study:
    return Study(
        f"cl-{area}-{rate}",
        MOBILE,
        {**speed(rate), **AREAS[area]},
        {**paced(rate), **FIXED_RATES},
        FLOWS,
        FLOWS,
        MOBILE_EFFORTS if rate == JUDGED else beside(MOBILE_EFFORTS),
        at=flows,
    )


MOVING = {(area, rate): _mobile(area, rate) for area in AREAS for rate in SPEEDS}

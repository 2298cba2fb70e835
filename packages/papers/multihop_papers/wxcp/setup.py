"""The runs behind WXCP's figures and tables, shared by those that show them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from multihop.reproducing.spec import FIRST, Effort, Efforts, Study, Variant, hops, payload

HERE = Path(__file__).parent
CHAIN = HERE / "chain.toml"
GRID = HERE / "grid.toml"

GOODPUT = "goodput_bit_s"
# The paper's "average congestion window" is the mean over its changes, which are what ns-2 logs.
WINDOW = FIRST + "window_change_mean"

# The curves. What is TCP in ns-2 2.27 is the same for all: its window_ and its minrto_.
TCP = "tcp"
WXCP = "wxcp"
XCP = "xcp"
VARIANTS = {
    TCP: Variant("TCP NewReno", "newreno", {"scheme.window_limit": 20, "scheme.min_rto": 1000}),
    WXCP: Variant("WXCP", "wxcp", {"scheme.min_rto": 1000}),
    # What limits XCP are its stations.
    XCP: Variant("XCP", "xcp", {"scheme.window_limit": 1000, "scheme.min_rto": 1000}),
}
BOTH = (TCP, WXCP)

# WXCP 4.2: "the average result of 10 independent simulations".
EFFORTS = Efforts(
    full=Effort(quick=False, seeds=10, warmup="5 s", duration="120 s"),
    quick=Effort(quick=True, seeds=5, warmup="5 s", duration="120 s"),
)
GRID_EFFORTS = replace(EFFORTS, quick=replace(EFFORTS.quick, seeds=2))

HOPS = tuple(range(1, 17))
# Those of the tables.
TABLE_HOPS = (1, 2, 3, 4, 6, 8, 12, 16)
GRID_FLOWS = (2, 4, 6, 8, 10, 12)


def _variants(*names: str) -> dict[str, Variant]:
    return {name: VARIANTS[name] for name in names}


def two_flows(value: float) -> dict[str, Any]:
    """Set the length of a chain, and send a second flow from its first to its last station."""
    return {**hops(value), "flow": [{"from": "n0", "to": f"n{value:g}"}]}


def grid_flows(value: float) -> dict[str, Any]:
    """Set the number of flows in a grid, half of them in either direction."""
    half = int(value) // 2
    return {"topology.horizontal_flows": half, "topology.vertical_flows": half}


# ---- figure 4 ------------------------------------------------------------------------------------

# "all kinds of packets dropped at the MAC layer" (4.2): frames for this station that were lost, as
# ns-2 writes a line for each, and packets that the MAC has given up, which is when AODV takes a
# link for broken. Of the table `nodes`, summed over the stations.
MAC_DROPS = ("collisions", "capture_lost", "bit_errors", "link_failures")


def _chain(name: str, at: Callable[[float], Mapping[str, Any]], *names: str, **more: Any) -> Study:
    return Study(name, CHAIN, {}, _variants(*names), HOPS, TABLE_HOPS, EFFORTS, at=at, **more)


# ---- chains and the grid -------------------------------------------------------------------------

ON_THE_WAY = "on_the_way"
SENT_AGAIN = "sent_again_per_packet"
# Of the first flow: packets between their first sending and their arrival in order (Little's law),
# and packets that were sent again for each that arrived.
DERIVED = {
    ON_THE_WAY: pl.col(FIRST + "delivered")
    / pl.col("duration_s")
    * pl.col(FIRST + "segment_delay_mean_s"),
    SENT_AGAIN: pl.col(FIRST + "segment_retransmissions") / pl.col(FIRST + "delivered"),
}
ONE_FLOW = _chain("wxcp-one-flow", hops, TCP, WXCP, XCP, derived=DERIVED, tables=("nodes",))
TWO_FLOWS = _chain("wxcp-two-flows", two_flows, *BOTH)
LATTICE = Study(
    "wxcp-lattice",
    GRID,
    {},
    _variants(*BOTH),
    GRID_FLOWS,
    GRID_FLOWS,
    GRID_EFFORTS,
    at=grid_flows,
)

# "the transport protocols achieve different throughput when using different packet sizes. However
# [...] both protocols [...] change their behavior in a similar way" (4.2): over six hops.
SIX_HOPS = 6
USUAL = 1000.0
SIZES = (250.0, 500.0, USUAL, 1400.0)
BY_SIZE = Study(
    "wxcp-sizes", CHAIN, hops(SIX_HOPS), _variants(*BOTH), SIZES, SIZES, EFFORTS, at=payload
)
# "when severe wireless medium errors happen [...] it can at least work with a CWND of one and
# achieve reasonable performance" (3.2): so many percent of full packets are lost on each hop.
PACKET_BITS = 8 * (1000 + 20 + 20 + 20 + 28)
LOST = (0.0, 10.0, 20.0, 30.0)


def bit_errors(lost: float) -> dict[str, Any]:
    """Set the bit error rate at which so many percent of WXCP's full packets are lost."""
    return {"radio.bit_error_rate": 1 - (1 - lost / 100) ** (1 / PACKET_BITS)}


BY_ERRORS = Study(
    "wxcp-errors", CHAIN, hops(SIX_HOPS), _variants(*BOTH), LOST, LOST, EFFORTS, at=bit_errors
)

# ---- windows over time ---------------------------------------------------------------------------

# Of the table `series`.
INTERVAL_S = 0.1
OVER_TIME = {"series_interval": "100 ms", **hops(SIX_HOPS)}
# f1 is there from 5 s to 85 s, f2 from 35 s to 125 s (4.2).
JOINS_S = 35.0
LEAVES_S = 85.0
ENDS_S = 125.0
JOINING = {
    **OVER_TIME,
    "traffic.stop": f"{LEAVES_S:g} s",
    "flow": [
        {"from": "n0", "to": f"n{SIX_HOPS}", "start": f"{JOINS_S:g} s", "stop": f"{ENDS_S:g} s"}
    ],
}


def as_it_is(_: float) -> dict[str, Any]:
    """Set nothing."""
    return {}


def _over_time(name: str, settings: Mapping[str, Any]) -> Study:
    study = Study(name, CHAIN, settings, _variants(*BOTH), (0.0,), (0.0,), EFFORTS)
    return replace(study, at=as_it_is, tables=("series",))


LEVEL = _over_time("wxcp-six-hops", OVER_TIME)
CHANGING = _over_time("wxcp-joining", JOINING)

"""The runs behind WXCP's figures and tables, shared by those that show them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..spec import FIRST, Effort, Efforts, Study, Variant, hops

HERE = Path(__file__).parent
CHAIN = HERE / "chain.toml"
GRID = HERE / "grid.toml"

GOODPUT = "goodput_bit_s"
# The paper's "average congestion window" is the mean over its changes, which are what ns-2 logs.
WINDOW = FIRST + "window_change_mean"

# The curves: what every figure and table shows.
TCP = "tcp"
VARIANTS = {
    TCP: Variant("TCP NewReno", "newreno", {"scheme.window_limit": 20, "scheme.min_rto": 1000}),
}

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


def two_flows(value: float) -> dict[str, Any]:
    """Set the length of a chain, and send a second flow from its first to its last station."""
    return {**hops(value), "flow": [{"from": "n0", "to": f"n{value:g}"}]}


def grid_flows(value: float) -> dict[str, Any]:
    """Set the number of flows in a grid, half of them in either direction."""
    half = int(value) // 2
    return {"topology.horizontal_flows": half, "topology.vertical_flows": half}


def _chain(name: str, at: Callable[[float], Mapping[str, Any]]) -> Study:
    return Study(name, CHAIN, {}, VARIANTS, HOPS, TABLE_HOPS, EFFORTS, at=at)


ONE_FLOW = _chain("wxcp-one-flow", hops)
TWO_FLOWS = _chain("wxcp-two-flows", two_flows)
LATTICE = Study(
    "wxcp-lattice", GRID, {}, VARIANTS, GRID_FLOWS, GRID_FLOWS, GRID_EFFORTS, at=grid_flows
)

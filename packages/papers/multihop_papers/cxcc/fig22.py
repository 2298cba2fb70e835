"""CXCC 8, figure 22: six nodes with radios of 19.2 kbit/s, in the simulator."""

from __future__ import annotations

from multihop.reproducing.panels import curves
from multihop.reproducing.spec import FigureSpec, Panel

from . import testbed
from .panels import LOAD
from .relations import GOODPUT
from .rivals import NODES

FIGURE = FigureSpec(
    "cxcc/fig22",
    "Six nodes at 19.2 kbit/s",
    (
        Panel(
            "cxcc/fig22",
            "bidirectional chain",
            curves(NODES, (), GOODPUT, (LOAD, "throughput (bit/s)")),
            (testbed.drops(), testbed.stable()),
            (NODES,),
        ),
    ),
    columns=1,
)

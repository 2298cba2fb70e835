"""CL 4.1: packets sent and delivered over a chain of 6 nodes."""

from __future__ import annotations

from dataclasses import replace

from multihop.reproducing.spec import FigureSpec, Panel

from .notes import BEHIND, KNOWN_ROUTE, TCP_LOSSES
from .packets import (
    all_delivered,
    delivered_beyond,
    lost_elsewhere,
    one_more_costs,
    tcp_drops_by_mac,
    tcp_loses,
    tcp_packets,
)
from .panels import over_packets
from .setup import CLIFF, FIRST_BAD, JUDGED, LAST_GOOD, STATED_SPEED, TCP_CHAIN

STUDY = CLIFF[JUDGED]
BESIDE = CLIFF[STATED_SPEED]
PAPER = ((LAST_GOOD, 2520.0), (FIRST_BAD, 1405.0))

FIGURE = FigureSpec(
    "cl/text4.1",
    "A chain of 6 nodes for 105 s: where the cliff lies",
    (
        Panel(
            "cl/text4.1",
            "1 Mbit/s",
            over_packets(STUDY, PAPER),
            (
                replace(all_delivered(), calibrated=KNOWN_ROUTE),
                delivered_beyond(),
                replace(one_more_costs(), calibrated=KNOWN_ROUTE),
                lost_elsewhere(),
                tcp_packets(),
                tcp_loses(TCP_LOSSES),
                tcp_drops_by_mac(BEHIND),
            ),
            (STUDY, TCP_CHAIN),
        ),
        Panel("cl/text4.1-2mbit", "2 Mbit/s, not judged", over_packets(BESIDE), (), (BESIDE,)),
    ),
)

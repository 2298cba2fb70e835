"""CL, cross-layer flow control: what its paper shows; nothing of it is run yet.

Varshavsky, Li, de Lara: Cross-Layer Flow Control in Lightly-Loaded Multi-Hop Ad Hoc Networks.
University of Toronto, undated.
"""

from __future__ import annotations

from ..spec import FigureSpec, Row

FIGURES: tuple[FigureSpec, ...] = ()

STUDY = "its study, and CBR with an acknowledgment for each packet"
SCHEMES = "the schemes CL and CL_ack"
MOBILE = f"{SCHEMES}, and DSR"

ROWS: tuple[Row, ...] = (
    Row(("cl/fig2",), "CBR over chains of several lengths, rate swept", missing="its study"),
    Row(("cl/fig3",), "the same with an acknowledgment for each packet", missing=STUDY),
    Row(("cl/fig4",), "CL, CL_ack and TCP Reno over chains", missing=SCHEMES),
    Row(
        ("cl/text4.1",),
        "packets sent and delivered over a chain of 6 nodes: CBR at 24 and 25 packets/s, TCP",
        missing="its study, and DSR",
    ),
    Row(("cl/fig5", "cl/fig6"), "mobile networks: CBR at five rates, and CL", missing=MOBILE),
    Row(("cl/fig7", "cl/fig8"), "the same with acknowledgments, and TCP", missing=MOBILE),
    Row(("cl/fig9",), "CL, CL_ack and TCP in mobile networks", missing=MOBILE),
)

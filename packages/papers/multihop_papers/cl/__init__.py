"""CL, cross-layer flow control: the figures of its paper.

Varshavsky, Li, de Lara: Cross-Layer Flow Control in Lightly-Loaded Multi-Hop Ad Hoc Networks.
University of Toronto, undated.
"""

from __future__ import annotations

from importlib import import_module

from multihop.reproducing.spec import FigureSpec, Row

PARTS = ("fig2", "fig3", "fig4", "text4_1", "fig5", "fig6", "fig7", "fig8", "fig9")

FIGURES: tuple[FigureSpec, ...] = tuple(
    import_module(f"{__name__}.{part}").FIGURE for part in PARTS
)

ROWS: tuple[Row, ...] = (
    Row(("cl/fig2",), "CBR over chains of several lengths, rate swept"),
    Row(("cl/fig3",), "the same with an acknowledgment for each packet"),
    Row(("cl/fig4",), "CL, CL_ack and TCP Reno over chains"),
    Row(
        ("cl/text4.1",),
        "packets sent and delivered over a chain of 6 nodes: CBR at 24 and 25 packets/s, TCP",
    ),
    Row(("cl/fig5", "cl/fig6"), "mobile networks: CBR at five rates, and CL"),
    Row(("cl/fig7", "cl/fig8"), "the same with acknowledgments, and TCP"),
    Row(("cl/fig9a", "cl/fig9b"), "CL, CL_ack and TCP in mobile networks"),
)

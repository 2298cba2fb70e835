"""WXCP: the figures and tables of its paper, so far with their curves of TCP.

Su, Gross: WXCP: Explicit Congestion Control for Wireless Multi-hop Networks. IWQoS 2005.
"""

from __future__ import annotations

from importlib import import_module

from ..spec import FigureSpec, Row

PARTS = ("fig2", "table1", "fig5", "table2", "fig8")

FIGURES: tuple[FigureSpec, ...] = tuple(
    import_module(f"{__name__}.{part}.figure").FIGURE for part in PARTS
)

WXCP = "the scheme WXCP"
TCP_ONLY = "TCP's half; WXCP itself is not here yet"

ROWS: tuple[Row, ...] = (
    Row(("wxcp/fig1",), "the sender's state machine", missing=WXCP),
    Row(("wxcp/fig2",), "throughput of one flow over 1 to 16 hops", partly=TCP_ONLY),
    Row(("wxcp/table1",), "mean congestion window", partly=TCP_ONLY),
    Row(("wxcp/fig3",), "congestion window over time, 6 hops", missing=WXCP),
    Row(("wxcp/fig4",), "packets lost at the MAC, total and per delivered packet", missing=WXCP),
    Row(("wxcp/fig5",), "throughput of two flows over the same path", partly=TCP_ONLY),
    Row(("wxcp/table2",), "coefficient of variation of the two flows", partly=TCP_ONLY),
    Row(("wxcp/fig6",), "a flow joins and another leaves, 6 hops", missing=WXCP),
    Row(
        ("wxcp/fig8",),
        "throughput of 2 to 12 flows in a grid of 13 x 13 stations",
        partly="TCP's curve is drawn; of TCP alone the paper says nothing to judge",
    ),
)

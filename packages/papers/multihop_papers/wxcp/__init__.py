"""WXCP: the figures and tables of its paper.

Su, Gross: WXCP: Explicit Congestion Control for Wireless Multi-hop Networks. IWQoS 2005.
"""

from __future__ import annotations

from importlib import import_module

from multihop.reproducing.spec import FigureSpec, Row

PARTS = (
    *("fig1", "text3_1", "fig2", "table1", "fig3", "fig4"),
    *("fig5", "table2", "fig6", "fig8", "text3_2", "text4_2"),
)

FIGURES: tuple[FigureSpec, ...] = tuple(
    import_module(f"{__name__}.{part}").FIGURE for part in PARTS
)

ROWS: tuple[Row, ...] = (
    Row(
        ("wxcp/fig1",),
        "the sender's state machine",
        partly="drawn from the table that the sender goes by: the paper's drawing is not readable",
    ),
    Row(("wxcp/text3.1a", "wxcp/text3.1b"), "XCP overfills a radio network"),
    Row(("wxcp/fig2",), "throughput of one flow over 1 to 16 hops"),
    Row(("wxcp/table1",), "mean congestion window"),
    Row(("wxcp/fig3a", "wxcp/fig3b"), "congestion window over time, 6 hops"),
    Row(("wxcp/fig4a", "wxcp/fig4b"), "packets lost at the MAC, total and per delivered packet"),
    Row(("wxcp/fig5",), "throughput of two flows over the same path"),
    Row(("wxcp/table2",), "coefficient of variation of the two flows"),
    Row(("wxcp/fig6a", "wxcp/fig6b"), "a flow joins and another leaves, 6 hops"),
    Row(("wxcp/fig8",), "throughput of 2 to 12 flows in a grid of 13 x 13 stations"),
    Row(("wxcp/text3.2",), "severe errors of the medium"),
    Row(("wxcp/text4.2",), "other packet sizes"),
)

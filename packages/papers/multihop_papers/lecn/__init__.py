"""Link-layer explicit congestion notification: the figures and tables of its paper.

Joo, Bahk, Kim: Detecting Spatial Congestion in Multihop Wireless Networks. IWCMC 2006.
"""

from __future__ import annotations

from importlib import import_module

from multihop.reproducing.spec import FigureSpec, Row

PARTS = (
    *("table1", "table2", "fig2", "fig3", "fig4", "fig5"),
    *("text4", "fig6", "fig7", "fig8", "table3"),
)

FIGURES: tuple[FigureSpec, ...] = tuple(
    import_module(f"{__name__}.{part}").FIGURE for part in PARTS
)

ROWS: tuple[Row, ...] = (
    Row(
        ("lecn/table1",),
        "8 hops, window limit swept, three packet sizes, without and with thinning",
    ),
    Row(("lecn/table2",), "the same beside 250 kbit/s of UDP"),
    Row(
        ("lecn/fig2", "lecn/fig3a", "lecn/fig3b", "lecn/fig4a", "lecn/fig4b", "lecn/fig4c"),
        "congestion potential of the nodes, drops, retry count and staying time over time",
    ),
    Row(("lecn/fig5a", "lecn/fig5b"), "distribution of the maximum congestion potential"),
    Row(
        ("lecn/text4", "lecn/fig6a", "lecn/fig6b"),
        "number of hops swept without thinning, with the thresholds that perform best, and the "
        "optimum by exhaustive search",
    ),
    Row(("lecn/fig7a", "lecn/fig7b"), "the same with thinning"),
    Row(("lecn/fig8",), "variants against Vegas"),
    Row(("lecn/table3",), "9 x 9 lattice, 8 + 8 connections, three packet sizes"),
)

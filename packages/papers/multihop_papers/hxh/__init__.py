"""HxH: the figures and tables of its thesis.

Scofield: Hop-by-Hop Transport Control for Multi-Hop Wireless Networks. Master's thesis, Brigham
Young University, 2007. Figures 1.1, 1.2, 1.4 to 1.6, 2.2, 3.1 to 3.5, 4.2, 4.4, 4.7, 4.9, 4.10,
4.12 and 4.14 are drawings.
"""

from __future__ import annotations

from importlib import import_module

from multihop.reproducing.spec import FigureSpec, Row

PARTS = (
    *("fig1_3", "fig1_7", "fig2_1", "fig4_1", "fig4_3", "fig4_5", "fig4_6", "table4_1", "fig4_8"),
    *("fig4_11", "table4_2", "fig4_13", "fig4_15", "table4_3", "table4_4", "fig5_1"),
    *("text3_2_2", "text4_2_2"),
)

FIGURES: tuple[FigureSpec, ...] = tuple(
    import_module(f"{__name__}.{part}").FIGURE for part in PARTS
)


def _panels(figure: str, letters: str) -> tuple[str, ...]:
    return tuple(f"hxh/{figure}{letter}" for letter in letters)


ROWS: tuple[Row, ...] = (
    Row(("hxh/fig1.3",), "two TCP flows drift into each other's range"),
    Row(("hxh/fig1.7",), "share of air time of end-to-end ACKs"),
    Row(("hxh/fig2.1",), "ATP alone over five nodes"),
    Row(("hxh/fig4.1",), "one hop, three flows"),
    Row(("hxh/fig4.3",), "five-node chain, three flows"),
    Row(_panels("fig4.5", "ab"), "two moving flows, HxH with explicit ACKs and Vegas"),
    Row(("hxh/fig4.6a", "hxh/fig4.6b", "hxh/table4.1"), "passive and explicit ACKs"),
    Row(("hxh/fig4.8",), "relays trade places, NACKs"),
    Row((*_panels("fig4.11", "abcdef"), "hxh/table4.2"), "dumbbell, four flows"),
    Row(("hxh/fig4.13",), "mobile lattice, 0 to 60 route failures"),
    Row((*_panels("fig4.15", "abcdef"), "hxh/table4.3"), "6 x 6 grid, 12 fixed routes"),
    Row(("hxh/table4.4",), "50 random scenarios of 200 mobile nodes"),
    Row(_panels("fig5.1", "ab"), "ten hops, credit-based and rate-limited"),
    Row(("hxh/text3.2.2",), "two flows with other packet sizes"),
    Row(("hxh/text4.2.2",), "ATP alone over two to seven nodes"),
)

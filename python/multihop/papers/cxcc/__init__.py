"""Implicit hop-by-hop congestion control: the figures of its paper.

Scheuermann, Lochert, Mauve: Implicit Hop-by-Hop Congestion Control in Wireless Multihop Networks.
Ad Hoc Networks 6(2), 2008, doi:10.1016/j.adhoc.2007.01.001.
"""

from __future__ import annotations

from importlib import import_module

from ..spec import FigureSpec, Row

NUMBERS = (1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13)

FIGURES: tuple[FigureSpec, ...] = tuple(
    import_module(f"{__name__}.fig{number}.figure").FIGURE for number in NUMBERS
)

# What both parts of CXCC 7.3 and 7.4 lack.
_TCPS = "ADTCP and TCP-AP"

ROWS: tuple[Row, ...] = (
    Row(("cxcc/fig1a",), "UDP into both ends of a 10-hop chain, load swept"),
    Row(("cxcc/fig1b",), "the same over duplex wired links"),
    Row(
        tuple(f"cxcc/fig{figure}{letter}" for figure in (2, 5) for letter in "abcd"),
        "message sequences of basic CXCC and of CXCC with RFA in four situations",
    ),
    Row(("cxcc/fig3",), "basic CXCC against UDP in the bidirectional chain"),
    Row(("cxcc/fig4",), "reasons for retransmissions in basic CXCC"),
    Row(
        tuple(f"cxcc/fig8{letter}" for letter in "abcd"),
        "throughput against load in four topologies",
    ),
    Row(("cxcc/fig9a", "cxcc/fig9b"), "mean packet delay"),
    Row(("cxcc/fig10a", "cxcc/fig10b"), "bytes on the medium per payload byte and hop"),
    Row(
        tuple(f"cxcc/fig{figure}{letter}" for figure in (11, 12, 13) for letter in "ab"),
        "throughput, delay and overhead under shadowing",
    ),
    Row(
        ("cxcc/fig14",),
        "rising bit error rate in the bidirectional chain, against NewReno, ADTCP and TCP-AP",
        missing=_TCPS,
    ),
    Row(
        ("cxcc/fig15a", "cxcc/fig15b"),
        "goodput of five endless flows among 150 random nodes",
        missing=_TCPS + "; a study over random topologies",
    ),
    Row(
        ("cxcc/fig16",), "delay relative to NewReno's, same runs", missing=_TCPS + "; fig15's runs"
    ),
    Row(("cxcc/fig17",), "overhead per hop, same runs", missing=_TCPS + "; fig15's runs"),
    Row(("cxcc/fig18",), "goodput weighted by hops, same runs", missing=_TCPS + "; fig15's runs"),
    Row(
        ("cxcc/fig19", "cxcc/fig20"),
        "arrival times of many short transfers",
        missing=_TCPS + "; transfers of a given size among random nodes",
    ),
    Row(
        ("cxcc/fig21",),
        "distribution of the throughputs of short transfers",
        missing=_TCPS + "; fig19's runs",
    ),
    Row(
        ("cxcc/fig22",),
        "six real nodes with radios of 19.2 kbit/s",
        missing="a radio of 19.2 kbit/s with 200 B of extra preamble on data only",
    ),
)

"""Implicit hop-by-hop congestion control: the figures of its paper.

Scheuermann, Lochert, Mauve: Implicit Hop-by-Hop Congestion Control in Wireless Multihop Networks.
Ad Hoc Networks 6(2), 2008, doi:10.1016/j.adhoc.2007.01.001.
"""

from __future__ import annotations

from importlib import import_module

from multihop.reporting.verdicts import Elsewhere
from multihop.reproducing.spec import FigureSpec, Row

NUMBERS = (*range(1, 6), *range(8, 23))

FIGURES: tuple[FigureSpec, ...] = tuple(
    import_module(f"{__name__}.fig{number}").FIGURE for number in NUMBERS
)

ON_LINUX = Elsewhere("cxcc/fig22-linux", "multihop lab fig22")

ROWS: tuple[Row, ...] = (
    Row(("cxcc/fig1a",), "UDP into both ends of a 10-hop chain, load swept"),
    Row(("cxcc/fig1b",), "the same over duplex wired links"),
    Row(
        tuple(f"cxcc/fig{figure}{letter}" for figure in (2, 5) for letter in "abcd"),
        "message sequences of basic CXCC and of CXCC with RFA in four situations",
        partly="drawn from real runs; the rules of 4.1 and 5.2 bring them about: nothing is judged",
    ),
    Row(("cxcc/fig3",), "basic CXCC against UDP in the bidirectional chain"),
    Row(("cxcc/fig4",), "reasons for retransmissions in basic CXCC"),
    Row(
        tuple(f"cxcc/fig8{letter}" for letter in "abcd"),
        "throughput against load in four topologies",
    ),
    Row(("cxcc/fig9a", "cxcc/fig9b"), "mean network delay (CXCC 7.1)"),
    Row(("cxcc/fig10a", "cxcc/fig10b"), "bytes on the medium per payload byte and hop"),
    Row(
        tuple(f"cxcc/fig{figure}{letter}" for figure in (11, 12, 13) for letter in "ab"),
        "throughput, network delay and overhead under shadowing",
    ),
    Row(
        ("cxcc/fig14a", "cxcc/fig14b"),
        "rising bit error rate in the bidirectional chain, against NewReno, ADTCP and TCP-AP",
    ),
    Row(("cxcc/fig15a", "cxcc/fig15b"), "goodput of five endless flows among 150 random nodes"),
    Row(("cxcc/fig16",), "network delay relative to NewReno's, same runs"),
    Row(("cxcc/fig17",), "overhead per hop, same runs"),
    Row(("cxcc/fig18a", "cxcc/fig18b"), "goodput weighted by hops, same runs"),
    Row(
        tuple(f"cxcc/fig{figure}{letter}" for figure in (19, 20) for letter in "abcd"),
        "arrival times of many short transfers",
    ),
    Row(("cxcc/fig21a", "cxcc/fig21b"), "distribution of the throughputs of short transfers"),
    Row(
        ("cxcc/fig22", ON_LINUX.id),
        "six nodes with radios of 19.2 kbit/s",
        partly="in the simulator, and by processes (`multihop lab fig22`); the paper has radios",
        elsewhere=ON_LINUX,
    ),
)

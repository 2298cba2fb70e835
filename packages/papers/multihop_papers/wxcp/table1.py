"""WXCP 4.2, table 1: the mean congestion window over the length of the chain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from matplotlib.axes import Axes

from multihop.reproducing.judging import above, between, estimates, finding, ratio
from multihop.reproducing.panels import curves, paper_points
from multihop.reproducing.rules import CLOSE, stated
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel
from multihop.statistics.stats import Values

from .notes import CHANGES, OWN_USE
from .relations import BY_FAR, SHORT, at_table_hops
from .setup import BOTH, GOODPUT, ONE_FLOW, TABLE_HOPS, TCP, WINDOW, WXCP

PAPER = {TCP: "120.6 86.7 31.0 7.3 7.9 8.3 8.8 9.7", WXCP: "2.0 1.9 1.8 1.8 2.0 3.0 5.0 6.7"}
# The third row of the table: a quarter of the hops, at least one packet.
IDEAL = np.array([max(1.0, hops / 4) for hops in TABLE_HOPS])


def _draw(axes: Axes, data: Data) -> None:
    labels = ("hops", "mean congestion window (packets)")
    curves(ONE_FLOW, BOTH, WINDOW, labels, log=True)(axes, data)
    for numbers in PAPER.values():
        paper_points(axes, TABLE_HOPS, [float(number) for number in numbers.split()])


def _windows(variant: str) -> Callable[[Data], Values]:
    def measure(data: Data) -> Values:
        measured = data.studies[ONE_FLOW.name]
        return at_table_hops(measured, measured.mean(variant, WINDOW))

    return measure


def _reasonable(note: str = "") -> Claim:
    def nearer(data: Data) -> Values:
        own, other = (np.abs(np.log(_windows(name)(data) / IDEAL)) for name in (WXCP, TCP))
        found: Values = other - own
        return found

    def judge(data: Data) -> Finding:
        own, other = (_windows(name)(data) / IDEAL for name in (WXCP, TCP))
        text = ", ".join(f"{a:.2f} against {b:.2f}" for a, b in zip(own, other, strict=True))
        named = zip(estimates(data, nearer), TABLE_HOPS, strict=True)
        return finding(text, [above(one, 0, f"logarithms over {hops} hops") for one, hops in named])

    return Claim(
        "WXCP keeps the window to a reasonable size; TCP puts too many packets in flight",
        "over the ideal window, WXCP's is nearer to one than TCP's at every length of the table",
        judge,
        note,
    )


def _needless(note: str = "") -> Claim:
    def judge(data: Data) -> Finding:
        measured = data.studies[ONE_FLOW.name]
        short = np.isin(measured.x, SHORT)
        windows, rates = (
            [ratio(a, b) for a, b in zip(*pair, strict=True)]
            for pair in (
                [measured.values(name, column)[short] for name in (TCP, WXCP)]
                for column in (WINDOW, GOODPUT)
            )
        )
        text = "; ".join(
            f"{a.value:.0f} times the window, {b.value:.2f} times the throughput"
            for a, b in zip(windows, rates, strict=True)
        )
        compared = [
            *(above(one, BY_FAR, "the windows' ratio") for one in windows),
            *(between(one, CLOSE, 2 - CLOSE, "the throughputs' ratio") for one in rates),
        ]
        return finding(text, compared)

    return Claim(
        "over 1 or 2 hops TCP's window is far from optimal, and yet its throughput close to WXCP's",
        f"more than {BY_FAR:g} times WXCP's window, and throughput within {1 - CLOSE:.0%}",
        judge,
        note,
    )


def _stated(variant: str, note: str = "") -> Claim:
    title = ONE_FLOW.variants[variant].title
    lengths = " ".join(map(str, TABLE_HOPS))
    text = f"{title}'s average congestion window at {lengths} hops"
    return stated(
        text, PAPER[variant], " packets", lambda data: list(_windows(variant)(data)), note
    )


FIGURE = FigureSpec(
    "wxcp/table1",
    "Mean congestion window over a chain",
    (
        Panel(
            "wxcp/table1",
            "mean over the window's changes",
            _draw,
            (
                replace(_stated(TCP), calibrated=CHANGES),
                replace(_stated(WXCP, OWN_USE), calibrated=OWN_USE),
                _reasonable(),
                _needless(),
            ),
            (ONE_FLOW,),
        ),
    ),
)

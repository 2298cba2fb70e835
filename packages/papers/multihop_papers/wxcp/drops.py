"""Losses at the MAC (figure 4), and how XCP overfills a radio network (section 3.1)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from multihop.charting.figure import Line, draw_lines, scheme_style
from multihop.reproducing.judging import above, below, between, estimate, finding, higher, ratio
from multihop.reproducing.rules import STATED
from multihop.reproducing.spec import FIRST, Claim, Data, Finding, StudyData
from multihop.statistics.stats import Values, confidence

from .relations import SHORT
from .setup import BOTH, MAC_DROPS, ON_THE_WAY, ONE_FLOW, SENT_AGAIN, TCP, WXCP, XCP

# "when the length of the chain increases, the number ... approaches the number for TCP" (4.2): the
# last lengths of the tables, against those at which TCP begins to lose frames.
LONGEST = (12, 16)
FIRST_LOSSES = (2, 3)


def dropped(data: StudyData, variant: str, *, each: bool) -> Values:
    """Return what all stations' MACs dropped, in all or for `each` packet: by x, by seed."""
    nodes = data.others["nodes"].filter(variant=variant)
    sums = nodes.group_by("x", "seed").agg(pl.sum_horizontal(*MAC_DROPS).sum().alias("dropped"))
    rows = sums.sort("x", "seed")["dropped"].cast(pl.Float64).to_numpy()
    found: Values = rows.reshape(len(data.x), -1)
    return found / data.values(variant, FIRST + "delivered") if each else found


def draw_dropped(*, each: bool, label: str) -> Callable[[Axes, Data], None]:
    """Draw the losses at the MAC over the length of the chain."""

    def draw(axes: Axes, data: Data) -> None:
        measured = data.studies[ONE_FLOW.name]
        lines = []
        for name in BOTH:
            look = ONE_FLOW.variants[name]
            values = dropped(measured, name, each=each)
            error = np.array([confidence(row) for row in values])
            style = scheme_style(look.scheme)
            lines.append(Line(look.title, style, measured.x, values.mean(axis=1), error))
        draw_lines(axes, lines, x="hops", y=label)

    return draw


def _ratios(data: StudyData, *, each: bool) -> Values:
    """Return WXCP's losses over TCP's at each x; one where neither has any."""
    own, other = (dropped(data, name, each=each).mean(axis=1) for name in (WXCP, TCP))
    found = np.ones(len(own))
    np.divide(own, other, out=found, where=other > 0)
    found[(other == 0) & (own > 0)] = np.inf
    return found


def fewer_in_short_chains(note: str = "") -> Claim:
    """Claim that WXCP has fewer losses at the MAC in short chains."""

    def judge(data: Data) -> Finding:
        measured = data.studies[ONE_FLOW.name]
        short = np.isin(measured.x, SHORT)
        own, other = (
            dropped(measured, name, each=False)[short].sum(axis=0) for name in (WXCP, TCP)
        )
        text = f"{own.mean():.0f}; TCP's {other.mean():.0f}"
        return finding(text, [below(ratio(own, other), 1, "their ratio")])

    return Claim(
        "in short chains fewer packets are dropped at the MAC layer using WXCP than using TCP",
        "fewer over 1 and 2 hops together",
        judge,
        note,
    )


def approaches(note: str = "") -> Claim:
    """Claim that WXCP's losses come near TCP's in long chains."""

    def nearer(data: Data) -> float:
        measured = data.studies[ONE_FLOW.name]
        off = np.abs(_ratios(measured, each=False) - 1)
        far, near = (off[np.isin(measured.x, hops)].mean() for hops in (FIRST_LOSSES, LONGEST))
        return float(far - near)

    def judge(data: Data) -> Finding:
        measured = data.studies[ONE_FLOW.name]
        found = _ratios(measured, each=False)
        last, first = (found[np.isin(measured.x, hops)] for hops in (LONGEST, FIRST_LOSSES))
        text = f"{', '.join(f'{ratio:.2f}' for ratio in last)} times TCP's"
        own, other = (
            dropped(measured, name, each=False)[np.isin(measured.x, LONGEST)]
            for name in (WXCP, TCP)
        )
        compared = [
            *(
                between(ratio(a, b), 1 - STATED, 1 + STATED, f"the ratio over {hops} hops")
                for a, b, hops in zip(own, other, LONGEST, strict=True)
            ),
            above(estimate(data, nearer), 0, "how much nearer"),
        ]
        return finding(f"{text}; {first.mean():.2f} before", compared)

    return Claim(
        "when the length of the chain increases, WXCP's number of losses approaches TCP's",
        f"within {STATED:.0%} of it over 12 and 16 hops, and nearer than over 2 and 3",
        judge,
        note,
    )


def fewer_for_each(note: str = "") -> Claim:
    """Claim that WXCP has fewer losses for each delivered packet."""

    def judge(data: Data) -> Finding:
        measured = data.studies[ONE_FLOW.name]
        own, other = (dropped(measured, name, each=True) for name in (WXCP, TCP))
        found = [
            (ratio(a, b), f"the ratio over {x:g} hops")
            for a, b, x in zip(own, other, measured.x, strict=True)
            if b.any()
        ]
        text = f"{', '.join(f'{one.value:.2f}' for one, _ in found)} times TCP's"
        return finding(text, [below(one, 1, name) for one, name in found])

    return Claim(
        "per successfully transmitted packet, WXCP loses fewer at the MAC layer than TCP",
        "fewer at every length at which TCP loses any",
        judge,
        note,
    )


# ---- XCP (3.1) -----------------------------------------------------------------------------------


def _overfills(column: str, text: str, expected: str, note: str, *, everywhere: bool) -> Claim:
    def judge(data: Data) -> Finding:
        measured = data.studies[ONE_FLOW.name]
        own, other = (measured.values(name, column) for name in (XCP, WXCP))
        compared = [
            higher(a, b, f"the ratio over {x:g} hops")
            for a, b, x in zip(own, other, measured.x, strict=True)
        ]
        if not everywhere:
            compared = [higher(own.mean(axis=0), other.mean(axis=0), "the ratio of the means")]
        found = ", ".join(
            f"{a:.2g} against {b:.2g}"
            for a, b in zip(own.mean(axis=1), other.mean(axis=1), strict=True)
        )
        return finding(found, compared)

    return Claim(text, expected, judge, note)


def overfills(queue: str = "", loss: str = "") -> tuple[Claim, ...]:
    """Claim that XCP, which counts on the link's rate, fills queues and loses more than WXCP."""
    return (
        _overfills(
            ON_THE_WAY,
            "XCP overestimates the capacity: the queue will build up",
            "more packets on the way than WXCP's at every length",
            queue,
            everywhere=True,
        ),
        _overfills(
            SENT_AGAIN,
            "XCP's senders send more than the link can transfer",
            "more packets sent again for each that arrives than WXCP's, on the mean over lengths",
            loss,
            everywhere=False,
        ),
    )

"""Losses at the MAC (figure 4), and how XCP overfills a radio network (section 3.1)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from ...figure import Line, draw_lines, scheme_style
from ...stats import Values, confidence
from ..rules import STATED
from ..spec import FIRST, Claim, Data, Finding, StudyData
from .relations import SHORT, surely
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
        return Finding(surely(other - own), f"{own.mean():.0f}; TCP's {other.mean():.0f}")

    return Claim(
        "in short chains fewer packets are dropped at the MAC layer using WXCP than using TCP",
        "fewer over 1 and 2 hops together, with 95 % confidence over the seeds",
        judge,
        note,
    )


def approaches(note: str = "") -> Claim:
    """Claim that WXCP's losses come near TCP's in long chains."""

    def judge(data: Data) -> Finding:
        measured = data.studies[ONE_FLOW.name]
        own, other = (dropped(measured, name, each=False) for name in (WXCP, TCP))
        far, near = (
            np.abs(own[chosen] / other[chosen].mean(axis=1, keepdims=True) - 1).mean(axis=0)
            for chosen in (np.isin(measured.x, hops) for hops in (LONGEST, FIRST_LOSSES))
        )
        found = _ratios(measured, each=False)
        last, first = (found[np.isin(measured.x, hops)] for hops in (LONGEST, FIRST_LOSSES))
        text = f"{', '.join(f'{ratio:.2f}' for ratio in last)} times TCP's"
        within = bool((np.abs(last - 1) <= STATED).all())
        return Finding(within and surely(near - far), f"{text}; {first.mean():.2f} before")

    return Claim(
        "when the length of the chain increases, WXCP's number of losses approaches TCP's",
        f"within {STATED:.0%} of it over 12 and 16 hops, and nearer than over 2 and 3 with 95 % "
        "confidence",
        judge,
        note,
    )


def fewer_for_each(note: str = "") -> Claim:
    """Claim that WXCP has fewer losses for each delivered packet."""

    def judge(data: Data) -> Finding:
        measured = data.studies[ONE_FLOW.name]
        other = dropped(measured, TCP, each=True).mean(axis=1)
        found = _ratios(measured, each=True)[other > 0]
        text = f"{', '.join(f'{ratio:.2f}' for ratio in found)} times TCP's"
        return Finding(bool(len(found) and (found < 1).all()), text)

    return Claim(
        "per successfully transmitted packet, WXCP loses fewer at the MAC layer than TCP",
        "fewer at every length at which TCP loses any",
        judge,
        note,
    )


# ---- XCP (3.1) -----------------------------------------------------------------------------------


def _overfills(column: str, text: str, expected: str, note: str, *, strictly: bool) -> Claim:
    def judge(data: Data) -> Finding:
        measured = data.studies[ONE_FLOW.name]
        own, other = (measured.values(name, column) for name in (XCP, WXCP))
        means = own.mean(axis=1) - other.mean(axis=1)
        more = (means > 0).all() if strictly else (means >= 0).all()
        sure = surely((own - other).mean(axis=0))
        found = ", ".join(
            f"{a:.2g} against {b:.2g}"
            for a, b in zip(own.mean(axis=1), other.mean(axis=1), strict=True)
        )
        return Finding(bool(more) and sure, found)

    return Claim(text, expected, judge, note)


def overfills(queue: str = "", loss: str = "") -> tuple[Claim, ...]:
    """Claim that XCP, which counts on the link's rate, fills queues and loses more than WXCP."""
    return (
        _overfills(
            ON_THE_WAY,
            "XCP overestimates the capacity: the queue will build up",
            "more packets on the way than WXCP's at every length, with 95 % confidence on average",
            queue,
            strictly=True,
        ),
        _overfills(
            SENT_AGAIN,
            "XCP's senders send more than the link can transfer",
            "more packets sent again for each that arrives than WXCP's, with 95 % confidence on "
            "average, and fewer at no length",
            loss,
            strictly=False,
        ),
    )

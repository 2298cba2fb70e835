"""Congestion windows over time, and what WXCP says of them (figures 3 and 6)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes

from multihop.charting.figure import FLOWS, look, scheme_style
from multihop.reproducing.judging import (
    above,
    at_least,
    at_most,
    below,
    difference,
    finding,
    higher,
    mean,
)
from multihop.reproducing.rules import CLOSE, FAIR
from multihop.reproducing.spec import Claim, Data, Finding, Study, StudyData
from multihop.statistics.stats import Mask, Values, jain, variation

from .setup import CHANGING, ENDS_S, INTERVAL_S, JOINS_S, LEAVES_S, LEVEL, TCP, WXCP

# "in a short time" (4.2), of the 50 s for which both flows are there.
SHORT_TIME_S = 10.0
# What they share in so many s: some forty packets over six hops.
SHARE_S = 2.0
# A window of this length is what "stable" and "throughput" are judged by.
SPAN_S = 10.0
# "frequent packet loss": one that takes the window down, on average at least every so often.
FREQUENT_S = 10.0


def times(count: int) -> Values:
    """Return the middles of the intervals of the table `series`, in s."""
    middles: Values = INTERVAL_S * (np.arange(count, dtype=float) + 0.5)
    return middles


def window_series(data: StudyData, variant: str) -> Values:
    """Return the mean window of each interval: by seed, flow, interval; NaN where there is none."""
    series = data.others["series"].filter(variant=variant)
    seeds = data.runs.filter(variant=variant)["seed"].to_list()
    shape = (len(seeds), data.flows["flow"].n_unique(), round(ENDS_S / INTERVAL_S))
    found = np.full(shape, np.nan)
    index = (
        np.array([seeds.index(seed) for seed in series["seed"]], dtype=int),
        series["flow"].to_numpy(),
        np.rint(series["time_s"].to_numpy() / INTERVAL_S).astype(int),
    )
    inside = index[2] < shape[2]
    found[tuple(part[inside] for part in index)] = series["window_mean"].to_numpy()[inside]
    return found


def between(values: Values, start: float, end: float) -> Values:
    """Return the intervals of the last axis that lie between two times in s."""
    part: Values = values[..., round(start / INTERVAL_S) : round(end / INTERVAL_S)]
    return part


def draw_windows(study: Study, variant: str) -> Callable[[Axes, Data], None]:
    """Draw the windows of each flow in the first run of a variant."""

    def draw(axes: Axes, data: Data) -> None:
        found = window_series(data.studies[study.name], variant)[0]
        own = [scheme_style(study.variants[variant].scheme)]
        styles = own if len(found) == 1 else FLOWS
        for number, (row, style) in enumerate(zip(found, styles, strict=False), 1):
            label = study.variants[variant].title if len(found) == 1 else f"flow {number}"
            shape = {**look(style), "marker": ""}
            axes.plot(times(len(row)), row, label=label, linewidth=0.9, **shape)
        axes.set_xlabel("time (s)")
        axes.set_ylabel("congestion window (packets)")
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)

    return draw


# ---- figure 3 ------------------------------------------------------------------------------------


def _swings(data: StudyData, variant: str) -> Values:
    """Return the coefficient of variation of the window over time, a number for each seed."""
    runs = between(window_series(data, variant)[:, 0], SPAN_S, ENDS_S)
    return np.array([variation(run[np.isfinite(run)]) for run in runs])


def relatively_stable(note: str = "") -> Claim:
    """Claim that TCP's window vibrates, and WXCP's is relatively stable."""

    def judge(data: Data) -> Finding:
        measured = data.studies[LEVEL.name]
        own, other = (_swings(measured, name) for name in (WXCP, TCP))
        text = f"{own.mean():.2f}; TCP's {other.mean():.2f}"
        return finding(text, [higher(other, own, "TCP's over WXCP's")])

    return Claim(
        "TCP's window vibrates; in contrast, WXCP shows a relatively stable behaviour",
        f"from {SPAN_S:g} s on, the window's coefficient of variation over time is less than TCP's",
        judge,
        note,
    )


def because_of_losses(note: str = "") -> Claim:
    """Claim that TCP's window is often taken down by losses, and WXCP's less often."""

    def judge(data: Data) -> Finding:
        runs = data.studies[LEVEL.name]
        seconds = float(str(runs.runs["duration_s"].max()))
        own, other = (
            runs.values(name, "flow0_window_reductions").ravel() / seconds for name in (WXCP, TCP)
        )
        text = f"{10 * other.mean():.2f} reductions in 10 s; WXCP's {10 * own.mean():.2f}"
        often = at_least(mean(FREQUENT_S * other), 1, f"reductions in {FREQUENT_S:g} s")
        return finding(text, [often, higher(other, own, "TCP's over WXCP's")])

    return Claim(
        "the vibration of TCP's congestion window is due to its frequent packet loss",
        f"TCP reduces its window at a loss at least every {FREQUENT_S:g} s, and WXCP less often",
        judge,
        note,
    )


# ---- figure 6 ------------------------------------------------------------------------------------


def sharing(data: StudyData, variant: str, span: float) -> Values:
    """Return Jain's index of what two flows get in the past `span` s: by seed, by end."""
    delivered = data.delivered_bytes(variant, 0.0, INTERVAL_S)
    width = round(span / INTERVAL_S)
    sums = np.cumsum(np.pad(delivered, ((0, 0), (0, 0), (1, 0))), axis=2)
    got = sums[:, :, width:] - sums[:, :, :-width]
    return np.array([[jain(pair) for pair in run.T] for run in got])


def settled(data: StudyData, variant: str, span: float) -> Values:
    """Return after how many s from the second flow's start the two share fairly until one leaves.

    One number a seed; all 50 s if they never do. Their shares are those of `span` s at a time: that
    they are fair is known at the end of the first such span.
    """
    fair: Mask = sharing(data, variant, span) >= FAIR
    width = round(span / INTERVAL_S)
    # Spans that begin after the second flow has, and end before the first one leaves.
    own = fair[:, round(JOINS_S / INTERVAL_S) : round(LEAVES_S / INTERVAL_S) - width + 1]
    whole = LEAVES_S - JOINS_S
    first = [int(np.flatnonzero(~run)[-1]) + 1 if (~run).any() else 0 for run in own]
    return np.array([whole if at >= own.shape[1] else at * INTERVAL_S + span for at in first])


def taken_over(data: StudyData, variant: str) -> Values:
    """Return the second flow's throughput alone over the first one's alone, a number a seed."""
    delivered = data.delivered_bytes(variant, 0.0, INTERVAL_S)
    alone = between(delivered[:, 0], JOINS_S - 2 * SPAN_S, JOINS_S).mean(axis=1)
    after = between(delivered[:, 1], LEAVES_S + SPAN_S, ENDS_S).mean(axis=1)
    found: Values = after / alone
    return found


def _oscillation(data: StudyData, variant: str) -> Values:
    """Return how the difference of the windows over their sum varies while both are there."""
    both = between(window_series(data, variant), JOINS_S + SHORT_TIME_S, LEAVES_S)
    return np.array([float(np.nanstd((a - b) / (a + b))) for a, b in both])


def converges(note: str = "") -> Claim:
    """Claim that two flows of WXCP come to share fairly in a short time."""

    def judge(data: Data) -> Finding:
        measured = data.studies[CHANGING.name]
        own, other = (settled(measured, name, SHARE_S) for name in (WXCP, TCP))
        text = f"after {own.mean():.1f} s; TCP after {other.mean():.1f} s"
        sooner = higher(other, own, "TCP's time over WXCP's")
        return finding(text, [at_most(mean(own), SHORT_TIME_S, "s"), sooner])

    return Claim(
        "after the arrival of f2, WXCP's flows converge to the fair sharing in a short time",
        f"within {SHORT_TIME_S:g} s of f2's start, Jain's index of what they get in {SHARE_S:g} s "
        f"is at least {FAIR} until f1 leaves; sooner than TCP",
        judge,
        note,
    )


def does_not_converge(note: str = "") -> Claim:
    """Claim that two flows of TCP do not come to a stable fair sharing."""

    def judge(data: Data) -> Finding:
        measured = data.studies[CHANGING.name]
        never = settled(measured, TCP, SPAN_S) >= LEAVES_S - JOINS_S
        own, other = (_oscillation(measured, name) for name in (TCP, WXCP))
        text = (
            f"not before f1 leaves in {never.mean():.0%} of the runs; the windows' difference over "
            f"their sum deviates by {own.mean():.2f}, WXCP's by {other.mean():.2f}"
        )
        mostly = above(mean(never.astype(float)), 0.5, "the share of runs")
        return finding(text, [mostly, higher(own, other, "TCP's deviation over WXCP's")])

    return Claim(
        "TCP's two flows cannot converge to a stable fair sharing; the windows oscillate",
        f"in most runs no fair sharing lasts for the last {SPAN_S:g} s before f1 leaves, and the "
        "difference of the windows varies more than WXCP's",
        judge,
        note,
    )


def catches_up(note: str = "") -> Claim:
    """Claim that the second flow takes all that the first one had."""

    def judge(data: Data) -> Finding:
        measured = data.studies[CHANGING.name]
        found, other = (taken_over(measured, name) for name in (WXCP, TCP))
        text = f"{found.mean():.2f} of what f1 had alone; TCP's {other.mean():.2f}"
        more = above(difference(found, other), 0, "the difference to TCP's")
        return finding(text, [at_least(mean(found), CLOSE, "what f2 gets"), more])

    return Claim(
        "after f1 leaves, f2 is able to catch up to the total available capacity (WXCP)",
        f"from {SPAN_S:g} s after that on at least {CLOSE} of what f1 had alone, and more of it "
        "than TCP",
        judge,
        note,
    )


def catches_up_better(note: str = "") -> Claim:
    """Claim that TCP's second flow does not properly take what the first one had."""

    def judge(data: Data) -> Finding:
        measured = data.studies[CHANGING.name]
        found, other = (taken_over(measured, name) for name in (TCP, WXCP))
        text = f"{found.mean():.2f} of what f1 had alone; WXCP's {other.mean():.2f}"
        less = above(difference(other, found), 0, "the difference to WXCP's")
        return finding(text, [below(mean(found), CLOSE, "what f2 gets"), less])

    return Claim(
        "when f1 leaves, TCP's f2 is unable to properly catch up to the available capacity",
        f"less than {CLOSE} of what f1 had alone, and less of it than WXCP",
        judge,
        note,
    )

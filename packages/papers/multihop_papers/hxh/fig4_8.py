"""HxH 4.1.3, figure 4.8: a gap in the sequence numbers, its NACK, and the recovery."""

from __future__ import annotations

import polars as pl
from matplotlib.axes import Axes

from multihop.charting.figure import INK
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel, Trace

from .channel import Recovery, nacks, recoveries, repeats
from .notes import MANY_NACKS, UNHEARD
from .setup import NACKS, RECOVERIES, TRADE_PATH, TRADES

FEW = 0.02
BEFORE_S = 2.5
AFTER_S = 2.5
# By place in the path; the two relays share one.
LOOKS = {
    0: ("source", "o"),
    1: ("second node", "s"),
    2: ("m1 or m2", "^"),
    3: ("m1 or m2", "^"),
    4: ("second to last node", "v"),
}
SECOND_TO_LAST = 4


def _recoveries(data: Data, trace: Trace) -> list[Recovery]:
    """List the NACKs of a run that tell of a gap; the others repeat an earlier one."""
    events = data.traces[trace.name].events
    return [found for found in recoveries(events, TRADE_PATH) if found.first >= 0]


def _all_recoveries(data: Data) -> list[Recovery]:
    return [found for trace in RECOVERIES for found in _recoveries(data, trace)]


def _all_arrives() -> Claim:
    def judge(data: Data) -> Finding:
        flows = data.studies[TRADES.name].flows
        complete = (
            (pl.col("run_delivered") == pl.col("run_offered"))
            & (pl.col("run_inside") == 0)
            & (pl.col("run_delivered") > 0)
        )
        whole = flows.filter(complete).height
        again = int(flows["segment_retransmissions"].sum())
        text = f"{whole} of {flows.height} runs, {again} packets sent again"
        return Finding(whole == flows.height > 0, text)

    return Claim(
        "at all frequencies of failures and at all rates the entire message is received",
        "in every run all that was offered is delivered, and nothing is left",
        judge,
    )


def _by_the_first() -> Claim:
    def judge(data: Data) -> Finding:
        found = _all_recoveries(data)
        right = sum(recovery.node == recovery.first for recovery in found)
        return Finding(right == len(found) > 0, f"{right} of {len(found)} NACKs that tell of a gap")

    return Claim(
        "the first node that detects a gap transmits the NACK",
        "all of the traced runs",
        judge,
        UNHEARD,
    )


def _second_to_last() -> Claim:
    def judge(data: Data) -> Finding:
        found = [recovery.node for recovery in _all_recoveries(data)]
        names = ("source", "second", "m1", "m2", "second to last", "destination")
        text = ", ".join(
            f"{name} {found.count(node)}" for name, node in zip(names, TRADE_PATH, strict=True)
        )
        return Finding(2 * found.count(SECOND_TO_LAST) > len(found), f"NACKs by node: {text}")

    return Claim(
        "the second to last node transmits a NACK once the path is connected again",
        "more than half of the NACKs that tell of a gap",
        judge,
    )


def _repeated() -> Claim:
    def judge(data: Data) -> Finding:
        counts = [repeats(data.traces[run.name].events, TRADE_PATH) for run in RECOVERIES]
        lost, repaired = (sum(column) for column in zip(*counts, strict=True))
        return Finding(repaired == lost > 0, f"{repaired} of {lost} lost NACKs")

    return Claim(
        "if NACKs are lost upstream, the destination successfully retransmits them later",
        "the source is told of a repetition, each time in the traced runs, and at least once",
        judge,
    )


def _rare() -> Claim:
    def judge(data: Data) -> Finding:
        texts, most = [], 0.0
        for trace in NACKS:
            found, packets = nacks(data.traces[trace.name].events)
            most = max(most, found / max(packets, 1))
            texts.append(f"{trace.name.removeprefix('hxh-trace-')} {found}/{packets}")
        return Finding(most < FEW, f"at most {most:.2%}: {', '.join(texts)}")

    return Claim(
        "NACKs are less than 2 % of the packets that HxH sends",
        "in each traced run of this chapter's topologies, counted at every hop",
        judge,
        MANY_NACKS,
    )


def _draw(axes: Axes, data: Data) -> None:
    shown_at = [(trace, found) for trace in RECOVERIES for found in _recoveries(data, trace)]
    # The thesis shows one of the second to last node's.
    shown_at.sort(key=lambda instance: instance[1].node != SECOND_TO_LAST)
    run, middle = (shown_at[0][0], shown_at[0][1].time) if shown_at else (RECOVERIES[0], 10.0)
    events = data.traces[run.name].events
    shown = events.filter(
        pl.col("time_s").is_between(middle - BEFORE_S, middle + AFTER_S),
        pl.col("frame").is_in(["data", "nack"]),
        event="transmit_start",
    )
    sent = shown.filter(frame="data")
    for place, (title, marker) in LOOKS.items():
        own = sent.filter(node=TRADE_PATH[place])
        axes.plot(
            own["time_s"],
            own["packet"],
            linestyle="none",
            marker=marker,
            markersize=3.5,
            color=f"C{min(place, 2) if place < SECOND_TO_LAST else 3}",
            label=title,
        )
    told = shown.filter(frame="nack")
    level = float(str(sent["packet"].max() or 0))
    axes.plot(
        told["time_s"],
        [level] * told.height,
        linestyle="none",
        marker="x",
        color=INK,
        label="NACK",
    )
    axes.set_xlabel("time (s)")
    axes.set_ylabel("sequence number")


FIGURE = FigureSpec(
    "hxh/fig4.8",
    "Packets lost with a relay that leaves, and their recovery",
    (
        Panel(
            "hxh/fig4.8",
            "one trade of places, 1 Mbit/s",
            _draw,
            (
                _all_arrives(),
                _by_the_first(),
                _second_to_last(),
                _repeated(),
                _rare(),
            ),
            (TRADES,),
            NACKS,
        ),
    ),
    size=(6.5, 3.6),
)

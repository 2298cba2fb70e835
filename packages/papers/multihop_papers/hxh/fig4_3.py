"""HxH 4.1.1, figure 4.3: three flows over a chain of five nodes, ten seconds apart."""

from __future__ import annotations

from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel

from .channel import nacks, overtaken
from .charts import flows_over_time
from .relations import compare, equal_shares, not_lost, part
from .setup import CONTROL, FIVE_NODES, HXH, NACKS_CHAIN
from .windows import Windows

HOPS = 4
ONE_HOP = ("one hop", HXH, part(CONTROL, 1, 1, 50))
CHAIN = ("chain", HXH, part(FIVE_NODES, HOPS, 1, 50))
# While all three flows are active.
ALL_ONE_HOP = ("one hop", HXH, part(CONTROL, 1, 21, 30))
ALL_CHAIN = ("chain", HXH, part(FIVE_NODES, HOPS, 21, 30))


def _no_nack() -> Claim:
    def judge(data: Data) -> Finding:
        counts = [nacks(data.traces[trace.name].events) for trace in NACKS_CHAIN]
        found, packets = (sum(column) for column in zip(*counts, strict=True))
        return Finding(found == 0 < packets, f"{found} of {packets} packets")

    return Claim("no NACKs are sent", f"none in {len(NACKS_CHAIN)} traced runs", judge)


def _in_order() -> Claim:
    def judge(data: Data) -> Finding:
        counts = [
            overtaken(data.traces[trace.name].events, (HOPS - 1, HOPS)) for trace in NACKS_CHAIN
        ]
        behind, packets = (sum(column) for column in zip(*counts, strict=True))
        return Finding(behind == 0 < packets, f"{behind} of {packets} packets behind later ones")

    text = "the entire message is received in order"
    expected = (
        f"no packet reaches the destination behind a later one, {len(NACKS_CHAIN)} traced runs"
    )
    return Claim(text, expected, judge)


FIGURE = FigureSpec(
    "hxh/fig4.3",
    "Three flows over a chain of five nodes",
    (
        Panel(
            "hxh/fig4.3",
            "HxH, four hops",
            flows_over_time(FIVE_NODES, HXH, HOPS),
            (
                equal_shares(FIVE_NODES, HOPS),
                compare(
                    "throughput is lower than over a single hop",
                    "mean of the windows, Mbit/s",
                    lambda windows: windows.mean() / 1e6,
                    (CHAIN, ONE_HOP),
                ),
                compare(
                    "it is not quite as smooth as over a single hop",
                    "coefficient of variation with three flows",
                    Windows.variation,
                    (ALL_ONE_HOP, ALL_CHAIN),
                ),
                not_lost(FIVE_NODES),
                _no_nack(),
                _in_order(),
            ),
            (FIVE_NODES, CONTROL),
            NACKS_CHAIN,
        ),
    ),
)

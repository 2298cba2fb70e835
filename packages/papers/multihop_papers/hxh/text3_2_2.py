"""HxH 3.2.2: "the scheduler cycles through all flows in a byte based round robin fashion"."""

from __future__ import annotations

from multihop.reproducing.judging import above, finding, ratio, stated_within
from multihop.reproducing.rules import CLOSE
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel

from .charts import shares_of_flows
from .notes import WHOLE_PACKETS
from .setup import HXH, LARGE_B, SMALL_B, TWO_SIZES

# By packets: the flow of small ones sends at least twice as many.
TWICE = 2.0


def _equal_bytes() -> Claim:
    def judge(data: Data) -> Finding:
        packets = data.studies[TWO_SIZES.name].shares(HXH)[0]
        large, small = packets.T
        in_bytes = ratio(small * SMALL_B, large * LARGE_B)
        in_packets = ratio(small, large)
        text = f"{in_bytes.value:.2f} times the bytes, {in_packets.value:.2f} times the packets"
        compared = [
            stated_within(in_bytes, 1, 1 - CLOSE, "the bytes' ratio"),
            above(in_packets, TWICE, "the packets' ratio"),
        ]
        return finding(text, compared)

    return Claim(
        "the scheduler distributes the channel fairly between all flows, by bytes",
        f"flows of {SMALL_B} and {LARGE_B} B over four hops get the same bytes within "
        f"{1 - CLOSE:.0%}, and the former more than {TWICE:g} times the packets",
        judge,
        WHOLE_PACKETS,
    )


FIGURE = FigureSpec(
    "hxh/text3.2.2",
    "Two flows with other packet sizes over a chain of five nodes",
    (
        Panel(
            "hxh/text3.2.2",
            f"{LARGE_B} B and {SMALL_B} B",
            shares_of_flows(TWO_SIZES, HXH),
            (_equal_bytes(),),
            (TWO_SIZES,),
        ),
    ),
    size=(6.5, 3.6),
)

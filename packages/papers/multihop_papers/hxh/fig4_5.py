"""HxH 4.1.1, figure 4.5: two flows come into each other's range, with HxH and with TCP Vegas."""

from __future__ import annotations

from multihop.reproducing.judging import finding, ratio, stated_within
from multihop.reproducing.rules import STATED
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel

from .charts import flows_over_time
from .notes import SETTLING
from .relations import WITHIN, compare, least, part
from .setup import (
    ACKNOWLEDGED,
    END_TO_END,
    EXPLICIT,
    FASTEST,
    MEET_S,
    NEWRENO,
    PART_S,
    SACK,
    TAHOE,
    VEGAS,
)
from .windows import Windows

HXH_TOGETHER = ("HxH", EXPLICIT, part(ACKNOWLEDGED, FASTEST, MEET_S, PART_S))
VEGAS_TOGETHER = ("Vegas", VEGAS, part(END_TO_END, FASTEST, MEET_S, PART_S))


def _half() -> Claim:
    def judge(data: Data) -> Finding:
        alone = part(ACKNOWLEDGED, FASTEST, 2, MEET_S)(data, EXPLICIT).mean()
        together = part(ACKNOWLEDGED, FASTEST, MEET_S, PART_S)(data, EXPLICIT).mean()
        found = ratio(together, alone)
        text = f"{found.value:.2f} of what a flow has alone"
        return finding(text, [stated_within(found, 0.5, STATED)])

    return Claim(
        "as the flows come together, their bandwidth is cut in half",
        f"HxH's mean while in range of each other: 0.5 of that before, within {STATED:.0%}",
        judge,
    )


FIGURE = FigureSpec(
    "hxh/fig4.5",
    "Two flows drift into each other's range, and out of it",
    (
        Panel(
            "hxh/fig4.5a",
            "HxH, explicit ACKs",
            flows_over_time(ACKNOWLEDGED, EXPLICIT, FASTEST),
            (
                _half(),
                compare(
                    "HxH responds to the change faster than end-to-end protocols",
                    f"fewer s until both flows are within {WITHIN:.0%} of the fair share",
                    lambda windows: windows.settling(WITHIN),
                    (HXH_TOGETHER, VEGAS_TOGETHER),
                    SETTLING,
                ),
                compare(
                    "and with less dramatic dips",
                    "lowest window of a flow over the fair share: HxH's above Vegas's",
                    Windows.lowest,
                    (VEGAS_TOGETHER, HXH_TOGETHER),
                ),
            ),
            (ACKNOWLEDGED, END_TO_END),
        ),
        Panel(
            "hxh/fig4.5b",
            "TCP Vegas",
            flows_over_time(END_TO_END, VEGAS, FASTEST),
            (
                least(
                    "Vegas is the most effective end-to-end protocol in this scenario",
                    f"fewest s until both flows are within {WITHIN:.0%} of the fair share",
                    lambda windows: windows.settling(WITHIN),
                    END_TO_END,
                    part(END_TO_END, FASTEST, MEET_S, PART_S),
                    (VEGAS, (TAHOE, SACK, NEWRENO)),
                ),
            ),
            (END_TO_END,),
        ),
    ),
)

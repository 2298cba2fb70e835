"""HxH 1.1, figure 1.3: two flows of TCP come into each other's range."""

from __future__ import annotations

from multihop.reproducing.judging import at_least, finding, mean
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel

from .charts import flows_over_time
from .notes import PASSING
from .relations import SEVERAL_S, WITHIN, oscillates, part
from .setup import END_TO_END, FASTEST, MEET_S, NEWRENO, PART_S

TOGETHER = part(END_TO_END, FASTEST, MEET_S, PART_S)


def _for_seconds() -> Claim:
    def judge(data: Data) -> Finding:
        took = mean(TOGETHER(data, NEWRENO).settling(WITHIN))
        return finding(f"{took.value:.1f} s", [at_least(took, SEVERAL_S)])

    return Claim(
        "the flows attempt to converge to a fair allocation, for several seconds",
        f"at least {SEVERAL_S:g} s until both are within {WITHIN:.0%} of it for a second",
        judge,
    )


FIGURE = FigureSpec(
    "hxh/fig1.3",
    "Two flows of TCP drift into each other's range, and out of it",
    (
        Panel(
            "hxh/fig1.3",
            "TCP NewReno",
            flows_over_time(END_TO_END, NEWRENO, FASTEST),
            (
                oscillates(
                    "TCP flows oscillate dramatically around the fair distribution",
                    NEWRENO,
                    TOGETHER,
                    PASSING,
                ),
                _for_seconds(),
            ),
            (END_TO_END,),
        ),
    ),
)

"""What each of WAKE's rules is good for: the same runs without it."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from .fields import ABLATION, NO_FIRSTS, TRANSFER, WITHOUT
from .hypotheses import pays
from .measures import COMPLETE, DELAY, END_TO_END, GOODPUT
from .panels import by_network, table

# What is meant to bring less network delay, not more goodput.
SOONER = "spacing"
SHORT = (
    "beside a bulk flow, 1 packet",
    "beside a bulk flow, 3 packets",
    "against a bulk flow, 1 packet",
    "against a bulk flow, 3 packets",
)

FIGURE = FigureSpec(
    "wake/ablation",
    "WAKE without one of its rules",
    (
        Panel(
            "wake/ablation-a",
            GOODPUT.name,
            by_network(ABLATION, GOODPUT),
            tuple(
                pays(ABLATION, rule, title, place)
                for rule, (title, _, places) in WITHOUT.items()
                if rule != SOONER
                for place in places
            ),
            (ABLATION.study,),
        ),
        Panel(
            "wake/ablation-b",
            DELAY.name,
            by_network(ABLATION, DELAY),
            tuple(
                pays(ABLATION, SOONER, WITHOUT[SOONER][0], place, DELAY)
                for place in WITHOUT[SOONER][2]
            ),
            (ABLATION.study,),
        ),
        Panel(
            "wake/ablation-c",
            COMPLETE.name,
            by_network(TRANSFER, COMPLETE),
            tuple(
                pays(TRANSFER, NO_FIRSTS, "no first packets", place, COMPLETE) for place in SHORT
            ),
            (TRANSFER.study,),
        ),
    ),
    tables=lambda data: [table(data, ABLATION, "Without a rule", (GOODPUT, DELAY, END_TO_END))],
)

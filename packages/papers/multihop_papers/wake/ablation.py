"""What each of WAKE's rules is good for: the same runs without it."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel

from .fields import ABLATION, WITHOUT
from .hypotheses import pays
from .measures import DELAY, GOODPUT
from .panels import by_network, table

FIGURE = FigureSpec(
    "wake/ablation",
    "WAKE without one of its rules",
    (
        Panel(
            "wake/ablation-a",
            GOODPUT.name,
            by_network(ABLATION, GOODPUT),
            tuple(
                pays(rule, place) for rule, (_, _, places) in WITHOUT.items() for place in places
            ),
            (ABLATION.study,),
        ),
        Panel("wake/ablation-b", DELAY.name, by_network(ABLATION, DELAY), (), (ABLATION.study,)),
    ),
    tables=lambda data: [table(data, ABLATION, "Without a rule", (GOODPUT, DELAY))],
)

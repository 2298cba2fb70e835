"""HxH 4.2.1, figure 4.11: four flows over the dumbbell."""

from __future__ import annotations

from ...spec import FigureSpec, Panel
from ..charts import flows_over_time
from ..notes import STANDSTILL
from ..relations import BELOW, compare, least, part
from ..setup import ALL_FLOWS_S, ATP, HXH, SHARED, SIX, TCPS
from ..windows import Windows

ALL_FLOWS = part(SHARED, 0, ALL_FLOWS_S, 60)

CLAIMS = {
    HXH: (
        least(
            "HxH's dips are less severe than TCP's",
            "lowest window of a flow over the fair share, below that of 1: HxH's the least",
            lambda windows: 1 - windows.lowest(),
            SHARED,
            ALL_FLOWS,
            (HXH, TCPS),
            STANDSTILL,
        ),
        least(
            "and are handled more quickly",
            f"longest time of a flow below {BELOW} of the fair share, in s: HxH's the shortest",
            lambda windows: windows.longest_below(BELOW),
            SHARED,
            ALL_FLOWS,
            (HXH, TCPS),
            STANDSTILL,
        ),
    ),
    ATP: (
        compare(
            "ATP cannot maintain a stable rate",
            "coefficient of variation above HxH's",
            Windows.variation,
            (("HxH", HXH, ALL_FLOWS), ("ATP", ATP, ALL_FLOWS)),
        ),
    ),
}

FIGURE = FigureSpec(
    "hxh/fig4.11",
    "Four flows over the dumbbell, one starting every ten seconds",
    tuple(
        Panel(
            f"hxh/fig4.11{letter}",
            SHARED.variants[name].title,
            flows_over_time(SHARED, name, 0),
            CLAIMS.get(name, ()),
            (SHARED,),
        )
        for letter, name in zip("abcdef", SIX, strict=True)
    ),
)

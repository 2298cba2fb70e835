"""Spot checks of the study on today's radios: ten of its claims in ns-3 itself.

Ten central claims of `multihop reproduce today` again, by the same nodes on ns-3's MAC and radio.

The claims are those that chains decide, but for those on rates, and for those whose measures ns-3
does not have or that need more than five variants: chains are the set-ups of which ns-3 makes a run
in seconds. They were chosen before the first run. The radio is that of `ns3` in the study, 802.11b
at 1 Mbit/s. `make ns3` builds what runs them.
"""

from __future__ import annotations

from dataclasses import replace

from multihop.reproducing.spec import Effort, Efforts, FigureSpec, Panel, Row, Study

from .central import CLAIMS
from .figures import PANELS, judged, panel
from .measures import MEASURED
from .radios import RADIOS, Radio
from .setups import QUICK_LOADS, efforts, studies

CHECKED = (
    "cxcc-collapse",
    "cxcc-rts",
    "cxcc-adjusts",
    "cxcc-utilizes",
    "cxcc-delay",
    "wxcp-in-flight",
    "hxh-double",
    "hxh-passive",
    "lecn-degrades",
    "lecn-window",
)
SEEDS = 5
# What this simulator has of the radio, and the same in ns-3.
OURS = next(radio for radio in RADIOS if radio.id == "ns3")
THEIRS = replace(OURS, title="802.11b, 1 Mbit/s, in ns-3 itself", settings={"simulator": "ns3"})
# The values of x that the claims look at.
LOOKED_AT = {"bidirectional-chain": QUICK_LOADS, "transfer-chain": (2.0, 6.0, 8.0)}


def _study(study: Study, setup: str, radio: Radio) -> Study:
    """Return of a study what the claims look at."""
    needed = dict.fromkeys(name for one in CHECKED for name in MEASURED[one].needs.get(setup, ()))
    full = efforts(radio, SEEDS).full
    return replace(
        study,
        name=f"spots-{setup}",
        variants={name: study.variants[name] for name in needed},
        values=LOOKED_AT[setup],
        quick_values=LOOKED_AT[setup],
        efforts=Efforts(full, Effort(True, 2, full.warmup, full.duration)),
    )


def _figure() -> FigureSpec:
    whole = studies(THEIRS)
    by = {setup: _study(whole[setup], setup, THEIRS) for setup in LOOKED_AT}
    panels: list[Panel] = []
    for letter, setup in zip("ab", by, strict=True):
        claims = [one for one in CLAIMS if one.id in CHECKED and one.setup == setup]
        made = [judged(one, by) for one in claims]
        panels.append(panel(f"spots/{THEIRS.id}-{letter}", PANELS[setup], by[setup], made))
    return FigureSpec(f"spots/{THEIRS.id}", THEIRS.title, tuple(panels))


FIGURES: tuple[FigureSpec, ...] = (_figure(),)
ROWS: tuple[Row, ...] = ()

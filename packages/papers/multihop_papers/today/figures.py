"""A figure for each radio: its curves, and the verdicts on the claims there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from multihop.reporting.report import Table
from multihop.reproducing.panels import curves
from multihop.reproducing.preregistered import judge
from multihop.reproducing.spec import Claim, Data, FigureSpec, Panel, Study

from . import league
from .central import CLAIMS, Central
from .measures import GOODPUT, MEASURED
from .radios import Radio
from .setups import studies

# The panel of each set-up: its title, and what its x is.
PANELS = {
    "bidirectional-chain": (
        "chain of 10 hops, both ways",
        "load of all, of what one in three hops carries",
    ),
    "transfer-chain": ("transfers over chains", "hops"),
    "rate-chain": ("one rate after the other", "rate, of what one in three hops carries"),
    "two-transfers": ("two transfers, 6 hops", "hops"),
    "dumbbell": ("four transfers, 5 hops", ""),
    "grid": ("four transfers in a grid", ""),
    "random": ("five transfers in random networks", "network"),
    "mobile": ("five transfers among moving nodes", "network"),
}


def judged(claim: Central, by: Mapping[str, Study]) -> Claim:
    """Return the claim as one of these studies, by set-up."""
    own = MEASURED[claim.id]

    def measure(data: Data) -> float:
        return own.measure(*(data.studies[by[setup].name] for setup in own.needs))

    verdict = judge(measure, claim.bound, "a scheme delivers nothing")
    text = f'{claim.id}: "{claim.sentence}" ({claim.paper.upper()} {claim.where})'
    return Claim(text, f"{claim.measure}: {claim.bound}", verdict)


def _applies(claim: Central, by: Mapping[str, Study]) -> bool:
    """Whether the radio takes all that the claim compares."""
    needs = MEASURED[claim.id].needs.items()
    return all(
        setup in by and name in by[setup].variants for setup, names in needs for name in names
    )


def panel(
    name: str,
    about: tuple[str, str],
    own: Study,
    claims: Iterable[Claim],
    more: Iterable[Study] = (),
) -> Panel:
    """Return the curves of a set-up with what is judged there; `more` are studies it looks at."""
    title, x = about
    draw = curves(own, (), GOODPUT, (x, "goodput (kbit/s)"), scale=1e-3)
    used = {study.name: study for study in (own, *more)}
    return Panel(name, title, draw, tuple(claims), tuple(used.values()))


def figure(radio: Radio) -> FigureSpec:
    """Return the figure of a radio."""
    by = studies(radio)
    panels = []
    for letter, (setup, about) in zip("abcdefgh", PANELS.items(), strict=True):
        if setup not in by:
            continue
        claims = [one for one in CLAIMS if one.setup == setup and _applies(one, by)]
        more = [by[name] for one in claims for name in MEASURED[one.id].needs]
        made = [judged(one, by) for one in claims]
        panels.append(panel(f"today/{radio.id}-{letter}", about, by[setup], made, more))
    return FigureSpec(f"today/{radio.id}", radio.title, tuple(panels))


def with_league(radio: Radio) -> FigureSpec:
    """Return the figure of a radio with all schemes side by side."""
    own = figure(radio)
    studies = league.studies(radio)
    panels = tuple(
        Panel(
            f"{own.id}-{place.letter}",
            place.title,
            league.draw(studies[name]),
            (),
            (studies[name],),
        )
        for name, place in league.PLACES.items()
        if name in studies
    )

    def tables(data: Data) -> list[Table]:
        ran = any(study.name in data.studies for study in studies.values())
        return [league.table(data, radio)] if ran else []

    return replace(own, panels=own.panels + panels, tables=tables)

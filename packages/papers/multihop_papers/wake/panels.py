"""How WAKE's figures are drawn and written: networks side by side, a mark for each scheme."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np
from matplotlib.axes import Axes

from multihop.charting.figure import look, scheme_style
from multihop.comparing.measures import Measure
from multihop.reporting.report import Table
from multihop.reproducing.panels import Draw
from multihop.reproducing.spec import Claim, Data, Panel, Study

from .fields import Field
from .hypotheses import ahead, ahead_in_all, unbeaten
from .measures import DELAY, TIMES, summary

# Over how much of the room of a network its schemes are spread.
SPREAD = 0.7


def by_network(field: Field, measure: Measure) -> Draw:
    """Draw a measure of all schemes in each network; times by their order of magnitude."""

    def draw(axes: Axes, data: Data) -> None:
        study = field.study
        found = summary(data, study, measure)
        names = [field.names[x] for x in data.studies[study.name].x.tolist()]
        shifts = np.linspace(-SPREAD / 2, SPREAD / 2, len(found))
        places = np.arange(1, len(names) + 1)
        for shift, (name, (mean, error)) in zip(shifts, found.items(), strict=True):
            variant = study.variants[name]
            style = scheme_style(variant.scheme, variant.secondary)
            style = replace(style, marker=variant.marker or style.marker)
            axes.errorbar(
                places + shift,
                mean,
                error,
                label=variant.title,
                elinewidth=0.8,
                **look(style) | {"linestyle": "none"},
            )
        axes.set_xticks(places, names, rotation=30, ha="right", fontsize="x-small")
        axes.set_ylabel(measure.title)
        if measure in TIMES:
            axes.set_yscale("log")

    return draw


def contest(
    name: str,
    field: Field,
    measure: Measure,
    more: Sequence[Claim] = (),
    studies: Sequence[Study] = (),
    instead: Mapping[float, Claim] = MappingProxyType({}),
) -> Panel:
    """Make a panel: a measure of all schemes, and that WAKE is ahead everywhere, or `instead`.

    Of network delay it is claimed that nobody has less at the same goodput.
    """

    def claim(place: float) -> Claim:
        if place in instead:
            return instead[place]
        return unbeaten(field, place) if measure is DELAY else ahead(field, place, measure)

    claims = (*map(claim, field.names), *more)
    draw = by_network(field, measure)
    return Panel(f"wake/{name}", measure.name, draw, claims, (field.study, *studies))


def parts(field: Field, words: Iterable[str]) -> dict[str, tuple[float, ...]]:
    """Split the networks, in their order, into as many equal parts as there are words for them."""
    named = list(words)
    size = len(field.names) // len(named)
    networks = tuple(field.names)
    return {word: networks[at * size : (at + 1) * size] for at, word in enumerate(named)}


def contests(
    name: str, letters: str, field: Field, measures: Sequence[Measure], words: Iterable[str]
) -> tuple[Panel, ...]:
    """Make a panel for each measure: that WAKE is ahead over the networks of each part."""
    named = parts(field, words)
    return tuple(
        Panel(
            f"wake/{name}-{letter}",
            measure.name,
            by_network(field, measure),
            tuple(ahead_in_all(field, places, word, measure) for word, places in named.items()),
            (field.study,),
        )
        for letter, measure in zip(letters, measures, strict=True)
    )


def table(data: Data, field: Field, title: str, measures: Sequence[Measure]) -> Table:
    """Write all measures in each network: mean ± half a 95 % confidence interval."""
    found = [summary(data, field.study, measure) for measure in measures]
    rows = [
        (
            field.names[x],
            variant.title,
            *(
                f"{each[name][0][at]:.{m.digits}f} ± {each[name][1][at]:.{m.digits}f}"
                for m, each in zip(measures, found, strict=True)
            ),
        )
        for at, x in enumerate(data.studies[field.study.name].x.tolist())
        for name, variant in field.study.variants.items()
        if name in found[0]
    ]
    return Table(title, ("network", "scheme", *(m.title for m in measures)), rows)

"""How WAKE's figures are drawn and written: networks side by side, a mark for each scheme."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from ...comparison import Measure
from ...figure import look, scheme_style
from ...report import Table
from ..panels import Draw
from ..spec import Data, Study
from .measures import summary

# Over how much of the room of a network its schemes are spread.
SPREAD = 0.7


def by_network(study: Study, measure: Measure, names: Sequence[str], *, log: bool) -> Draw:
    """Draw a measure of all schemes in each network."""

    def draw(axes: Axes, data: Data) -> None:
        found = summary(data, study, measure)
        shifts = np.linspace(-SPREAD / 2, SPREAD / 2, len(found))
        places = np.arange(1, len(names) + 1)
        for shift, (name, (mean, error)) in zip(shifts, found.items(), strict=True):
            variant = study.variants[name]
            style = look(scheme_style(variant.scheme, variant.secondary)) | {"linestyle": "none"}
            axes.errorbar(
                places[: len(mean)] + shift,
                mean,
                error,
                label=variant.title,
                elinewidth=0.8,
                **style,
            )
        axes.set_xticks(places, names, rotation=30, ha="right", fontsize="x-small")
        axes.set_ylabel(measure.title)
        if log:
            axes.set_yscale("log")

    return draw


def table(
    data: Data, study: Study, title: str, measures: Sequence[Measure], names: Sequence[str]
) -> Table:
    """Write all measures in each network: mean ± half a 95 % confidence interval."""
    found = [summary(data, study, measure) for measure in measures]
    rows = [
        (
            network,
            variant.title,
            *(
                f"{each[name][0][at]:.{m.digits}f} ± {each[name][1][at]:.{m.digits}f}"
                for m, each in zip(measures, found, strict=True)
            ),
        )
        for at, network in enumerate(names[: len(data.studies[study.name].x)])
        for name, variant in study.variants.items()
        if name in found[0]
    ]
    return Table(title, ("network", "scheme", *(m.title for m in measures)), rows)

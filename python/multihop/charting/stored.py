"""Charts of a sweep that is stored, and of results at hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import polars as pl

from ..engine.errors import ChartError
from ..results.columns import COLUMNS
from ..scenario.form import Scenario
from ..statistics.intervals import FIXED
from ..sweeping.collecting import swept
from ..sweeping.extending import extend
from ..sweeping.seeds import Until, check, rule_in
from ..sweeping.sweeps import Means
from .chart import Chart, Wanted, chart
from .naming import find
from .presentation import Presentation, presented

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..results.result import Result

# What a bound is of.
GOODPUT = "goodput_bit_s"


class Words(TypedDict, total=False):
    """The fields of `Presentation` by their names."""

    title: str
    x_label: str
    y_label: str
    labels: Mapping[str, str]
    order: Sequence[str]
    font: str
    font_size: float | None
    size: tuple[float, float] | None


@dataclass(frozen=True)
class Plot:
    """A chart of results: its table, files, LaTeX, Vega-Lite, and a figure of matplotlib."""

    chart: Chart
    style: str = "paper"
    how: Presentation = field(default_factory=Presentation)

    @property
    def table(self) -> pl.DataFrame:
        """The points of the chart: a row for each, with mean and ends of the interval."""
        return self.chart.table

    def save(self, *paths: str | Path) -> Plot:
        """Write files: pictures (`.png`, `.svg`, `.pdf`), Vega-Lite (`.json`), a table (`.tex`)."""
        from .drawing import save

        save(self.chart, [Path(path) for path in paths], self.style, self.how)
        return self

    def presented(self, **how: Unpack[Words]) -> Plot:
        """Return the chart with words, an order of lines, fonts or a size of one's own.

        >>> plot.presented(labels={"udp": "plain UDP"}, order=["cxcc"], y_label="goodput")
        """
        presentation = replace(self.how, **how)
        words = presented(self.chart, presentation)
        return replace(self, chart=words, how=replace(presentation, labels=None, order=()))

    def figure(self) -> Figure:
        """Return the chart as a new figure of matplotlib, which the caller may change."""
        from .drawing import drawn

        with drawn(self.chart, self.style, self.how) as figure:
            return figure

    def to_latex(self) -> str:
        """Return the chart's points as a LaTeX `tabular` with booktabs' rules."""
        from .drawing import latex

        return latex(self.chart)

    def to_vega(self) -> dict[str, Any]:
        """Return the chart as a specification of Vega-Lite that contains its numbers."""
        from .vega import vega

        return vega(self.chart)

    def __repr__(self) -> str:
        return f"<Plot: {self.chart.title}>"

    def _repr_svg_(self) -> str:
        from .drawing import encoded

        return encoded(self.chart, ".svg", "page", self.how).decode()


def plot(result: Result, wanted: Wanted, style: str = "paper") -> Plot:
    """Make a chart of results at hand, as `Result.plot` does."""
    if wanted.table not in result.tables:
        raise ChartError(f"there is no table '{wanted.table}'; there are: {_list(result.tables)}")
    return Plot(chart(result.tables[wanted.table], wanted), style)


def plot_stored(
    folder: str | Path,
    x: str,
    y: str,
    *,
    by: str | Iterable[str] = (),
    facet: str | None = None,
    statistic: str = "mean",
    table: str = "runs",
    where: Mapping[str, Any] | None = None,
    log: str | Iterable[str] = (),
    bound: str | None = None,
    sweep: str | None = None,
    style: str = "paper",
    seeds: Until | None = None,
    workers: int | None = None,
    progress: bool = True,
) -> Plot:
    """Make a chart of a sweep in a store, from the runs finished so far.

    A line for each value of `by`, a panel for each of `facet`, points with 95 % confidence
    intervals over seeds; `log` names axes. With a `bound`, "total", "max-min" or "proportional",
    a dotted line is the upper bound of the runs' goodput. With `seeds`, runs are added first, for
    every combination of the sweep, `Until` a mean is known well enough.

    >>> plot_stored("results/sweep", "load", "goodput", by="scheme").save("goodput.pdf")
    """
    if table not in COLUMNS:
        raise ChartError(f"there is no table '{table}'; there are: {_list(COLUMNS)}")
    done = swept(Path(folder), sweep)
    if table not in done.kept:
        raise ChartError(
            f"the sweep '{done.name}' keeps no table '{table}', but {_list(done.kept)}; name it "
            "under `tables` in the sweep's file"
        )
    if seeds is not None:
        check(seeds)
        done = extend(done, seeds, Means(workers=workers, progress=progress))
    frame = done.table(table)
    rule = rule_in(done.store.sweeps()[done.name]["until"][0])
    design = FIXED if rule is None else rule.design
    wanted = Wanted(x, y, names(by), facet, statistic, table, where or {}, names(log), design)
    if bound is None or frame.is_empty():
        return Plot(chart(frame, wanted), style)
    if find(y, frame.columns) != GOODPUT or table != "runs":
        raise ChartError(f"a bound is of all flows' goodput; leave it out, or draw {GOODPUT}")
    limits = _bounds(done.scenarios(), bound)
    drawn = chart(frame, wanted, limits)
    return Plot(replace(drawn, bound=bound), style)


def names(given: str | Iterable[str]) -> tuple[str, ...]:
    """Read names: one, several with commas between them, or a list of them."""
    found = given.split(",") if isinstance(given, str) else given
    return tuple(name.strip() for name in found if name.strip())


def _bounds(scenarios: Mapping[str, str], objective: str) -> dict[str, float]:
    """Return what all flows of each run could have together, by its name."""
    from ..capacity.shares import Reference

    reference = Reference.named(objective, "receiver")
    found = reference.bounds(Scenario(text) for text in scenarios.values())
    return {run: one.total_bit_s for run, one in zip(scenarios, found, strict=True)}


def _list(tables: Iterable[str]) -> str:
    return ", ".join(tables)

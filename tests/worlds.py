"""Studies that were never run: what they would have measured, by a rule."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
import polars.selectors as cs
import pytest

from multihop.reproducing.spec import FIRST, Claim, Data, FigureSpec, Panel, Study, StudyData

# What a variant at a value of x has in `runs`, and in `flows` for each flow.
Rule = Callable[[str, float, int], tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]]


def measured(
    study: Study, rule: Rule, others: Mapping[str, pl.DataFrame] | None = None
) -> StudyData:
    """Make what a study measured with `--quick` and two seeds."""
    runs, flows = [], []
    for variant in study.quick_variants or study.variants:
        for x in study.quick_values:
            for seed in (1, 2):
                label = {"study": study.name, "variant": variant, "x": float(x), "seed": seed}
                run, rows = rule(variant, x, seed)
                runs.append({**label, **run})
                flows += [{**label, "flow": flow, **row} for flow, row in enumerate(rows)]
    return StudyData(study, pl.DataFrame(runs), pl.DataFrame(flows), others or {})


# What tells runs and flows apart; everything else is measured.
LABELS = ("study", "variant", "x", "seed", "flow")


def null(data: Data, by_lot: Sequence[str] = (), alike: Sequence[str] = ()) -> Data:
    """Take every relation out of a world: the null world, in which no claim may hold.

    Whatever the scheme, the setting, the study and the flow, each column of `runs` and `flows` has
    its mean over all studies. Columns in which a claim expects equality are drawn `by_lot` instead,
    over two decades and independently for every row; columns that a claim compares with each other
    are made `alike`: they share one mean.
    """
    studies = data.studies.values()
    first = cs.starts_with(FIRST)
    runs = [s.runs.drop(first, *s.study.derived) for s in studies]
    flows = [s.flows for s in studies]
    runs, flows = (_levelled(tables, by_lot, alike) for tables in (runs, flows))
    known = {
        study.study.name: StudyData(study.study, run, flow, study.others)
        for study, run, flow in zip(studies, runs, flows, strict=True)
    }
    return Data(known, data.traces)


def _levelled(
    tables: Sequence[pl.DataFrame], by_lot: Sequence[str], alike: Sequence[str]
) -> list[pl.DataFrame]:
    everything = pl.concat(tables, how="diagonal_relaxed")
    measured = everything.select(cs.numeric() - cs.by_name(*LABELS, require_all=False))
    means = {name: float(measured.select(pl.mean(name)).item()) for name in measured.columns}
    shared = [means[name] for name in alike if name in means]
    means |= {name: sum(shared) / len(shared) for name in alike if name in means}
    draw = np.random.default_rng(1)

    def column(table: pl.DataFrame, name: str) -> pl.Expr:
        if name in by_lot:
            return pl.lit(pl.Series(10 ** draw.uniform(0, 2, table.height))).alias(name)
        return pl.lit(means[name]).cast(pl.Float64).alias(name)

    return [
        table.with_columns(column(table, name) for name in means if name in table.columns)
        for table in tables
    ]


def claims(figures: Iterable[FigureSpec]) -> list[Any]:
    """List the claims of figures, each with its panel, as parameters of a test."""
    return [
        pytest.param(panel, claim, id=f"{panel.id} {claim.text}")
        for figure in figures
        for panel in figure.panels
        for claim in panel.claims
    ]


def verdict(claim: Claim, data: Data) -> tuple[bool | None, str]:
    """Judge a claim."""
    found = claim.judge(data)
    return found.holds, found.measured


def studies(panels: Iterable[Panel]) -> dict[str, Study]:
    """List the studies of panels by name."""
    return {study.name: study for panel in panels for study in panel.studies}

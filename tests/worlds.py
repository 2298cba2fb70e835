"""Studies that were never run: what they would have measured, by a rule."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import polars as pl
import pytest

from multihop.papers.spec import Claim, Data, FigureSpec, Panel, Study, StudyData

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


def claims(figures: Iterable[FigureSpec]) -> list[Any]:
    """List the claims of figures, each with its panel, as parameters of a test."""
    return [
        pytest.param(panel, claim, id=f"{panel.id} {claim.text}")
        for figure in figures
        for panel in figure.panels
        for claim in panel.claims
    ]


def verdict(claim: Claim, data: Data) -> tuple[bool, str]:
    """Judge a claim."""
    return tuple(claim.judge(data))


def studies(panels: Iterable[Panel]) -> dict[str, Study]:
    """List the studies of panels by name."""
    return {study.name: study for panel in panels for study in panel.studies}

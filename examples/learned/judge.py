"""Test the policies on networks, loads and seeds that no training has seen.

    python examples/learned/judge.py

compares them with the schemes as they are (`multihop compare`), judges every claim, and keeps what
it found in `results.json`, of which `docs/guides/learned.md` is made (`make generate`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl
from studies import ENTRIES, GOODPUT, HERE, SCENARIO, STUDIES, TEST, TEST_SEEDS, Claim, Study

from multihop import compare
from multihop.statistics.stats import confidence

RESULTS = HERE / "results.json"
PLACE = list(TEST)
# What is shown of a place; a goodput below the least has no ratio that means something.
MEASURES = (GOODPUT, "network_delay_mean_s")
LEAST_GOODPUT = 1000.0
HOLDS, FAILS, OPEN = "holds", "does not hold", "open"


def ratios(runs: pl.DataFrame, claim: Claim, entry: str) -> list[float]:
    """Return for each seed the mean over places of the logarithm of the ratio."""
    for key, value in (claim.where or {}).items():
        runs = runs.filter(pl.col(key) == value)
    value = pl.col(claim.measure)
    if claim.measure == GOODPUT:
        value = value.clip(LEAST_GOODPUT)
    runs = runs.filter(pl.col(claim.measure).is_finite()).with_columns(value=value.log())
    own, rival = (
        runs.filter(pl.col("scheme") == name).select(*PLACE, "seed", "value")
        for name in (entry, claim.rival)
    )
    paired = own.join(rival, on=[*PLACE, "seed"], suffix="_rival")
    paired = paired.with_columns(ratio=pl.col("value") - pl.col("value_rival"))
    means = paired.group_by("seed").agg(pl.col("ratio").mean()).sort("seed")
    return [float(one) for one in means["ratio"]]


def judge(runs: pl.DataFrame, claim: Claim, study: Study) -> dict[str, Any]:
    """Judge a claim by the 95 % interval over seeds of the geometric mean."""
    found = ratios(runs, claim, study.entry)
    mean, half = sum(found) / len(found), confidence(found)
    low, high = math.exp(mean - half), math.exp(mean + half)
    if claim.at_least is not None:
        said = HOLDS if low >= claim.at_least else FAILS if high < claim.at_least else OPEN
    else:
        most = claim.at_most if claim.at_most is not None else math.inf
        said = HOLDS if high <= most else FAILS if low > most else OPEN
    return {
        "id": claim.id,
        "claim": f"{study.entry}: {claim.words}",
        "ratio": math.exp(mean),
        "low": low,
        "high": high,
        "verdict": said,
    }


def means(runs: pl.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield the mean of each measure at each place, by entry."""
    for values, group in runs.group_by([*PLACE, "scheme"], maintain_order=True):
        row = dict(zip([*PLACE, "scheme"], values, strict=True))
        finite = (group[measure].drop_nulls().drop_nans() for measure in MEASURES)
        yield row | dict(zip(MEASURES, (column.mean() for column in finite), strict=True))


def judged(
    seeds: Sequence[int] = TEST_SEEDS, out: Path = Path("results/learned")
) -> dict[str, Any]:
    """Run what is missing, and judge the claims."""
    done = compare(SCENARIO, ENTRIES, TEST, seeds=seeds, out=out)
    runs = done.result.runs
    return {
        "seeds": len(seeds),
        "claims": [judge(runs, claim, study) for study in STUDIES for claim in study.claims],
        "means": list(means(runs)),
    }


if __name__ == "__main__":
    RESULTS.write_text(json.dumps(judged(), indent=1) + "\n", encoding="utf-8")

"""Schemes side by side: one scenario, several schemes, the same seeds.

>>> import multihop
>>> base = multihop.Scenario.from_file("chain.toml")
>>> loads = {"traffic.load": ["50 kbit/s", "150 kbit/s"]}
>>> multihop.compare(base, ["udp", "cxcc"], loads, seeds=range(1, 6)).table
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from ._multihop import schemes as known_schemes
from .errors import ScenarioError, SweepError
from .pairs import Pair, against
from .results import Result, in_words, replacing
from .scenario import Base, Scenario
from .stats import confidence, jain
from .sweeping.plans import Point
from .sweeping.sweeps import Means, Wanted, combinations, sweep_points

if TYPE_CHECKING:
    from .capacity.bound import Bound
    from .capacity.shares import Reference

TABLES = ("runs", "flows")


class Measure(NamedTuple):
    """What is compared: its column, its name, and how it is printed."""

    column: str
    name: str
    unit: str
    scale: float
    digits: int

    @property
    def title(self) -> str:
        """Name and unit."""
        return f"{self.name} ({self.unit})" if self.unit else self.name


GOODPUT = Measure("goodput_bit_s", "goodput", "kbit/s", 1e-3, 1)
NETWORK_DELAY = Measure("network_delay_mean_s", "network delay", "ms", 1e3, 1)
END_TO_END_DELAY = Measure("end_to_end_delay_mean_s", "end-to-end delay", "ms", 1e3, 1)
OVERHEAD = Measure("overhead", "overhead", "B/B", 1, 2)
MEASURES = (GOODPUT, NETWORK_DELAY, END_TO_END_DELAY, OVERHEAD)
# Only where a flow of any run has delivered nothing: means over packets leave such flows out.
STARVED = Measure("starved_share", "starved flows", "%", 1e2, 1)
# Only where sources are transfers that end.
COMPLETED = Measure("completed_share", "completed transfers", "%", 1e2, 1)
COMPLETION_TIME = Measure("completion_time_mean_s", "completion time", "s", 1, 2)
OF_TRANSFERS = {COMPLETED.column, COMPLETION_TIME.column}
# Jain's index of the flows' goodput; only where there are several.
FAIRNESS = Measure("fairness", "fairness", "", 1, 3)
# What share of the bound of its scenario a run reaches, and what all flows have there; only on
# request.
REACHED = Measure("reached", "of the bound", "%", 1e2, 0)
BOUND = "bound_goodput_bit_s"


class Held(NamedTuple):
    """What schemes are held against: one of them, and the bounds of the runs in their order."""

    baseline: str | None = None
    reference: Reference | None = None
    bounds: Sequence[Bound] | None = None


@dataclass(frozen=True)
class Comparison:
    """What was measured of every scheme, and where it is.

    `table` has a row for each combination of values and each scheme: the mean over the seeds of
    every measure, and beside it, as `*_ci`, half the width of its 95 % confidence interval (null
    for one seed). A mean over no packets is null, and `runs` says of how many runs there are some.
    `pairs` set every scheme against the baseline, if there is one. With a bound, `reached` is the
    share that is reached of it, and `bound_goodput_bit_s` what all flows have together there;
    `reference` says which bound that is.
    """

    result: Result
    table: pl.DataFrame
    measures: tuple[Measure, ...]
    skipped: tuple[str, ...]
    seeds: int
    runs: int
    page: Path
    csv: Path
    reference: Reference | None = None

    @property
    def reached(self) -> list[str]:
        """What every scheme reaches of the bound, in words; nothing without a bound."""
        if self.reference is None:
            return []
        shares = self.table.select("scheme", REACHED.column).iter_rows()
        return [*self.reference.words(list(shares)), self.reference.about]

    pairs: tuple[Pair, ...] = ()

    @property
    def about(self) -> str:
        """What the numbers are, in words."""
        if self.seeds == 1:
            return f"one seed, so no confidence intervals; {self.runs} runs"
        most = "" if self.runs == self.seeds * self.table.height else "up to "
        return (
            f"mean ± half a 95 % confidence interval over {most}{self.seeds} seeds; "
            f"{self.runs} runs"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "table": self.table.to_dicts(),
            "pairs": [pair.to_dict() for pair in self.pairs],
            "left_out": list(self.skipped),
            "seeds": self.seeds,
            "runs": self.runs,
            "page": str(self.page),
            "csv": str(self.csv),
            "reached": self.reached,
        }

    @property
    def where(self) -> list[str]:
        """The columns that say which runs a row is of: what was varied, and the scheme."""
        numbers = {name for m in self.measures for name in (m.column, f"{m.column}_ci")}
        return [name for name in self.table.columns if name not in {*numbers, "runs", BOUND}]

    def readable(self) -> tuple[list[str], list[list[str]]]:
        """Return header and rows for people: units that suit, mean ± half the interval."""
        rows = [
            [*(str(row[key]) for key in self.where), *(_written(row, m) for m in self.measures)]
            for row in self.table.iter_rows(named=True)
        ]
        return [*self.where, *(measure.title for measure in self.measures)], rows


def _written(row: Mapping[str, Any], measure: Measure) -> str:
    mean, error = row[measure.column], row[f"{measure.column}_ci"]
    if mean is None:
        return "-"
    text = f"{mean * measure.scale:.{measure.digits}f}"
    return text if error is None else f"{text} ± {error * measure.scale:.{measure.digits}f}"


def compare(
    base: Base,
    schemes: Sequence[str],
    vary: Mapping[str, Iterable[Any]] | None = None,
    *,
    seeds: Iterable[int] | None = None,
    baseline: str | None = None,
    bound: str | None = None,
    bound_model: str = "receiver",
    out: str | Path = "results/compare",
    workers: int | None = None,
    progress: bool = True,
) -> Comparison:
    """Run `base` with every scheme, every combination of the values in `vary` and every seed.

    A key of one scheme only, and RTS/CTS where a scheme has none, is left out for the others; the
    comparison's `skipped` says so. Results stay in `out`, a sweep that a second call continues,
    with `comparison.csv` and the page `comparison.html`, whose figures have the first key of
    `vary` on their axis. With a `baseline`, one of the schemes, the others are set against it. With
    a `bound`, "total", "max-min" or "proportional", every run is held against that of its scenario
    (`multihop.bound`), as far as its sources offer it.
    """
    if twice := next((name for name in schemes if list(schemes).count(name) > 1), None):
        raise SweepError(f"the scheme '{twice}' is named twice; a run is done once only")
    names = [entry["name"] for entry in known_schemes()]
    if unknown := next((name for name in schemes if name not in names), None):
        raise ScenarioError(f"there is no scheme '{unknown}'; there are: {', '.join(names)}")
    if not schemes:
        raise SweepError("there is no scheme to compare; name at least one")
    if baseline is not None and baseline not in schemes:
        raise SweepError(f"the baseline '{baseline}' is none of the schemes that are compared")
    reference = None if bound is None else _reference(bound, bound_model)
    keys = {key: list(values) for key, values in (vary or {}).items()}
    numbers = {} if seeds is None else {"seed": list(seeds)}
    grid: list[Point] = []
    skipped: dict[str, None] = {}
    for values in combinations(keys):
        for scheme in schemes:
            for seed in combinations(numbers):
                scenario, left_out = _fitting(base, values | seed, scheme, schemes)
                skipped |= dict.fromkeys(f"{key} for {scheme}" for key in left_out)
                grid.append(Point(values | {"scheme": scheme} | seed, scenario))
    bounds = None if reference is None else reference.bounds(p.scenario for p in grid)
    folder = Path(out)
    means = Means(workers=workers, progress=progress)
    result = sweep_points(grid, folder, wanted=Wanted(tables=TABLES), means=means).result()
    held = Held(baseline, reference, bounds)
    again = command(schemes, keys, numbers.get("seed"), held)
    found = compared(result, list(keys), folder, command=again, held=held)
    return replace(found, skipped=tuple(skipped))


def compared(
    result: Result, where: Sequence[str], folder: Path, *, command: str, held: Held
) -> Comparison:
    """Compare the schemes of runs that are there, and write table and page into a folder.

    `where` are the keys that were varied beside the scheme and the seed.
    """
    result = Result({name: in_words(table) for name, table in result.tables.items()})
    runs = result.runs
    measures = _measures(runs, folder)
    if "flows" in result.tables:
        measures += () if runs["flows"].max() == 1 else (FAIRNESS,)
        runs = _with_fairness(result, [*where, "scheme"], held.bounds)
    if held.bounds is not None:
        measures = (*measures, REACHED)
    table = _table(runs, [*where, "scheme"], measures)
    pairs: tuple[Pair, ...] = ()
    if held.baseline is not None:
        pairs = tuple(against(runs, held.baseline, where, measures))
    csv, page = folder / "comparison.csv", folder / "comparison.html"
    with replacing(csv) as temporary:
        table.write_csv(temporary)
    seeds = int(runs.group_by([*where, "scheme"]).len()["len"].max() or 0)  # type: ignore[arg-type]
    found = Comparison(result, table, measures, (), seeds, runs.height, page, csv)
    found = replace(found, reference=held.reference, pairs=pairs)

    # Drawing takes a while to load.
    from .comparison_page import write

    write(found, where, command)
    return found


def _measures(runs: pl.DataFrame, folder: Path) -> tuple[Measure, ...]:
    """Return what is compared of these runs, without what their flows decide."""
    if missing := [m.column for m in MEASURES if m.column not in runs.columns]:
        raise SweepError(
            f"the runs in '{folder}' have no column `{missing[0]}`: another version of multihop "
            "has made them; run them again into another folder"
        )
    found: tuple[Measure, ...] = MEASURES
    transfers = runs.get_column(COMPLETED.column, default=_NONE)
    if transfers.is_finite().any():
        found += (COMPLETED, COMPLETION_TIME)
    if (runs.get_column(STARVED.column, default=_NONE) > 0).any():
        found += (STARVED,)
    return found


_NONE = pl.Series([], dtype=pl.Float64)


def _reference(objective: str, model: str) -> Reference:
    # Loading the solver takes a while.
    from .capacity.shares import Reference

    return Reference.named(objective, model)


def _fitting(
    base: Base, values: Mapping[str, Any], scheme: str, schemes: Sequence[str]
) -> tuple[Scenario, list[str]]:
    """Return the scenario with a scheme, without the keys that only others of `schemes` take."""
    settings: dict[str, Any] = {**values, "scheme.name": scheme}
    left_out: list[str] = []
    while True:
        try:
            return base.override(settings, "--vary"), left_out
        except ScenarioError as error:
            key = error.key or ""
            others = [name for name in schemes if name != scheme and _differ(name, scheme, key)]
            taken = any(_takes(base, settings | {"scheme.name": name}, key) for name in others)
            if key in left_out or not taken:
                raise
            settings[key] = None
            left_out.append(key)


def _differ(other: str, scheme: str, key: str) -> bool:
    """Whether a scheme may take a key that another one refuses."""
    known = {entry["name"]: entry for entry in known_schemes()}
    table, _, name = key.partition(".")
    if table == "mac":
        return bool(known[other]["mac"] != known[scheme]["mac"])
    has, lacks = (
        any(param["name"] == name for param in known[one]["params"]) for one in (other, scheme)
    )
    return table == "scheme" and has and not lacks


def _takes(base: Base, settings: Mapping[str, Any], key: str) -> bool:
    """Whether a key is not what is wrong with a scenario."""
    try:
        base.override(settings)
    except ScenarioError as error:
        return error.key != key
    return True


def _with_fairness(result: Result, keys: list[str], bounds: Sequence[Bound] | None) -> pl.DataFrame:
    """Return the runs with Jain's index of their flows, and what they reach of their bounds.

    The index is null where no flow has delivered anything.
    """
    by = [*keys, "seed"] if "seed" in result.flows.columns else keys
    shares = result.flows.group_by(by, maintain_order=True).agg("goodput_bit_s")
    goodputs = shares["goodput_bit_s"].to_list()
    runs = result.runs.with_columns(pl.Series(FAIRNESS.column, map(jain, goodputs)).fill_nan(None))
    if bounds is None:
        return runs
    flows = zip(bounds, goodputs, strict=True)
    return runs.with_columns(
        pl.Series(REACHED.column, [bound.share(each) for bound, each in flows]),
        pl.Series(BOUND, [bound.total_bit_s for bound in bounds]),
    )


def _table(runs: pl.DataFrame, keys: list[str], measures: Sequence[Measure]) -> pl.DataFrame:
    """Mean and confidence over the seeds, in the order of the runs."""
    rows = []
    for _, group in runs.group_by(keys, maintain_order=True):
        row = {key: group[key][0] for key in keys}
        finite = {
            m.column: [v for v in group[m.column].to_list() if v is not None and math.isfinite(v)]
            for m in measures
        }
        # A transfer that is not complete is counted beside its time.
        row["runs"] = min(len(known) for c, known in finite.items() if c not in OF_TRANSFERS)
        for column, found in finite.items():
            row[column] = sum(found) / len(found) if found else None
            row[f"{column}_ci"] = confidence(found) if len(found) > 1 else None
        if BOUND in group.columns:
            row[BOUND] = group[BOUND].mean()
        rows.append(row)
    return pl.DataFrame(rows, infer_schema_length=None, strict=False)


def command(
    schemes: Sequence[str],
    vary: Mapping[str, Sequence[Any]],
    seeds: Sequence[int] | None,
    held: Held,
) -> str:
    """Return the command line that does the same again."""
    parts = ["multihop", "compare", "SCENARIO", "--schemes", ",".join(schemes)]
    for key, values in vary.items():
        parts += ["--vary", f"{key}={','.join(map(_text, values))}"]
    if seeds is not None:
        parts += ["--seeds", str(len(seeds))]
    if held.baseline is not None:
        parts += ["--baseline", held.baseline]
    if held.reference is not None:
        model = held.reference.assumptions.model
        parts += ["--bound", held.reference.objective, "--bound-model", model]
    return shlex.join(parts)


def _text(value: Any) -> str:
    """Write a value as `--vary` reads it."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def groups(table: pl.DataFrame, keys: Sequence[str]) -> Iterator[tuple[str, pl.DataFrame]]:
    """Split a table by the values of keys; each part with these in words."""
    if not keys:
        yield "", table
        return
    for values, part in table.group_by(keys, maintain_order=True):
        yield ", ".join(f"{k} = {v}" for k, v in zip(keys, values, strict=True)), part

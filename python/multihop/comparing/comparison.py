"""Schemes side by side: one scenario, several schemes, the same seeds.

>>> import multihop
>>> loads = {"traffic.load": ["50 kbit/s", "150 kbit/s"]}
>>> multihop.compare("chain.toml", ["udp", "cxcc"], loads, seeds=5).table
"""

from __future__ import annotations

import hashlib
import math
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from ..charting.latex import tabular
from ..engine.errors import SweepError
from ..results.result import Result, replacing
from ..scenario.conditions import conditions, readable as readable_conditions
from ..scenario.fitting import fitting
from ..scenario.form import Given, Scenario, as_base, seed_list
from ..scenario.noting import announce
from ..statistics.intervals import Design, interval
from ..sweeping.plans import Point
from ..sweeping.seeds import Decided, Rule, Until, options_of
from ..sweeping.sweeps import Means, Wanted, combinations, sweep_points
from .deciding import rule_of
from .entries import entries
from .measures import BOUND, OF_TRANSFERS, REACHED, Measure, measured
from .pairs import BEFOREHAND, Judged, Pair, about, against

if TYPE_CHECKING:
    from ..capacity.bound import Bound
    from ..capacity.shares import Reference

TABLES = ("runs", "flows")
# Of a folder's name; more schemes than fit are told apart by a hash.
LONGEST_NAME = 80


class Held(NamedTuple):
    """What schemes are held against: one of them, and the bounds of the runs in their order."""

    baseline: str | None = None
    reference: Reference | None = None
    bounds: Sequence[Bound] | None = None
    judged: Judged = BEFOREHAND
    conditions: pl.DataFrame = pl.DataFrame()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """A comparison of schemes: means with intervals, verdicts, conditions, and its folder.

    `table` has a row for each combination of values and each scheme: the mean over the seeds of
    every measure, and beside it, as `*_low` and `*_high`, the ends of its 95 % confidence interval
    (null for one seed). A mean over no packets is null, and `runs` is the number of runs with
    packets. `pairs` compare every scheme with the baseline, if there is one. With a bound,
    `reached` is the share of it that a run reaches, `bound_goodput_bit_s` the total of all flows at
    the bound, and `reference` the bound's name.
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
        """The share of the bound that every scheme reaches, in words; empty without a bound."""
        if self.reference is None:
            return []
        shares = self.table.select("scheme", REACHED.column).iter_rows()
        return [*self.reference.words(list(shares)), self.reference.about]

    pairs: tuple[Pair, ...] = ()
    judged: Judged = BEFOREHAND
    # What each scheme's MAC, queue and headers are like: `multihop.scenario.conditions`.
    conditions: pl.DataFrame = field(default_factory=pl.DataFrame)
    # What the scenarios' author may not expect, as keys that a scheme does not heed.
    notes: tuple[str, ...] = ()

    @property
    def test(self) -> str:
        """The statistical test of the pairs, in words; empty without a baseline."""
        return about(self.pairs, self.judged) if self.pairs else ""

    @property
    def about(self) -> str:
        """The meaning of the table's numbers, in words."""
        if self.seeds == 1:
            return f"one seed, so no confidence intervals; {self.runs} runs"
        most = "" if self.runs == self.seeds * self.table.height else "up to "
        return f"mean [95 % confidence interval] over {most}{self.seeds} seeds; {self.runs} runs"

    def __repr__(self) -> str:
        return f"<Comparison: {self.table.height} rows, {self.runs} runs; page: {self.page}>"

    def to_latex(self) -> str:
        """Return the comparison's table as a LaTeX `tabular` with booktabs' rules."""
        return tabular(*self.readable())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "table": self.table.to_dicts(),
            "pairs": [pair.to_dict() for pair in self.pairs],
            "test": self.test,
            "left_out": list(self.skipped),
            "conditions": self.conditions.to_dicts(),
            "notes": list(self.notes),
            "seeds": self.seeds,
            "runs": self.runs,
            "page": str(self.page),
            "csv": str(self.csv),
            "reached": self.reached,
        }

    @property
    def where(self) -> list[str]:
        """The columns that identify a row: the varied keys, and the scheme."""
        numbers = {name for m in self.measures for name in columns_of(m)}
        return [name for name in self.table.columns if name not in {*numbers, "runs", BOUND}]

    def readable_conditions(self) -> tuple[list[str], list[list[str]]]:
        """Return the table of conditions of the schemes; empty where they are not known."""
        return readable_conditions(self.conditions) if self.conditions.height else ([], [])

    def readable(self) -> tuple[list[str], list[list[str]]]:
        """Return header and rows of the table: readable units, each mean with its interval."""
        rows = [
            [*(str(row[key]) for key in self.where), *(_written(row, m) for m in self.measures)]
            for row in self.table.iter_rows(named=True)
        ]
        return [*self.where, *(measure.title for measure in self.measures)], rows


def columns_of(measure: Measure) -> tuple[str, str, str]:
    """Return the columns of a measure's mean and of the ends of its interval."""
    return measure.column, f"{measure.column}_low", f"{measure.column}_high"


def _written(row: Mapping[str, Any], measure: Measure) -> str:
    mean, low, high = (row[name] for name in columns_of(measure))
    return "-" if mean is None else spanned(mean, low, high, measure)


def spanned(mean: float, low: float | None, high: float | None, measure: Measure) -> str:
    """Write a mean with the interval that holds it, in the measure's unit."""
    texts = [
        f"{value * measure.scale:.{measure.digits}f}"
        for value in (mean, low, high)
        if value is not None
    ]
    return texts[0] if len(texts) == 1 else f"{texts[0]} [{texts[1]}, {texts[2]}]"


def compare(
    base: Given,
    schemes: Sequence[str],
    vary: Mapping[str, Iterable[Any]] | None = None,
    *,
    seeds: int | Iterable[int] | Until | Decided | None = None,
    baseline: str | None = None,
    bound: str | None = None,
    bound_model: str = "receiver",
    out: str | Path | None = None,
    workers: int | None = None,
    progress: bool = True,
    tell: Callable[[str], None] | None = None,
) -> Comparison:
    """Run `base` with every scheme, every combination of the values in `vary` and every seed.

    A scheme with the file of a policy behind it, as "udp+pace.json", is that scheme with nodes that
    the policy controls (`policy.file`).
    A key of one scheme only, and RTS/CTS where a scheme has none, is left out for the others; the
    comparison's `skipped` lists them. `tell` is called with each of its `notes` before the first
    run (they are Python warnings otherwise).
    Results stay in `out`, a sweep that a second call continues; by default its folder is named by
    scenario and schemes. It has `comparison.csv` and the page `comparison.html`, whose figures have
    the first key of `vary` on their axis. With a `baseline`, one of the schemes, the others are
    compared with it. With a `bound`, "total", "max-min" or "proportional", every run is compared
    with the bound of its scenario (`multihop.bound`) at the offered load.

    `seeds` may be a rule: `Until` a mean of every scheme is known well enough, or until every
    verdict against the baseline is `Decided`.
    """
    compared_ones = entries(schemes)
    names = list(dict.fromkeys(entry.scheme for entry in compared_ones))
    if baseline is not None and baseline not in schemes:
        raise SweepError(f"the baseline '{baseline}' is none of the schemes that are compared")
    reference = None if bound is None else _reference(bound, bound_model)
    keys = {key: list(values) for key, values in (vary or {}).items()}
    given = as_base(base)
    rule = rule_of(seeds, baseline, tuple(keys))
    chosen = None if isinstance(seeds, Until | Decided) else seeds
    numbers = {} if chosen is None else {"seed": seed_list(chosen)}
    grid: list[Point] = []
    skipped: dict[str, None] = {}
    for values in combinations(keys):
        for entry in compared_ones:
            for seed in combinations(numbers):
                settings = values | seed | entry.settings
                scenario, left_out = fitting(given, settings, names, "--vary")
                skipped |= dict.fromkeys(f"{key} for {entry.label}" for key in left_out)
                grid.append(Point(values | {"scheme": entry.label} | seed, scenario))
    if reference is not None:  # what has no bound is refused before anything is run
        reference.bounds(point.scenario for point in grid)
    folder = default_folder(grid, schemes) if out is None else Path(out)
    said = announce((point.scenario for point in grid), tell)
    means = Means(workers=workers, progress=progress)
    done = sweep_points(grid, folder, wanted=Wanted(tables=TABLES, until=rule), means=means)
    result = done.result()
    bounds = None if reference is None else _bounds(reference, done.scenarios(), result.runs)
    of_schemes = ((point.labels["scheme"], point.scenario) for point in grid)
    held = Held(baseline, reference, bounds, Judged.by(rule), conditions(of_schemes), tuple(said))
    again = command(schemes, keys, rule or numbers.get("seed"), held)
    found = compared(result, list(keys), folder, command=again, held=held)
    return replace(found, skipped=tuple(skipped))


def _bounds(reference: Reference, scenarios: Mapping[str, str], runs: pl.DataFrame) -> list[Bound]:
    """Return the bound of every run, in their order."""
    return reference.bounds(Scenario(scenarios[run]) for run in runs["run"])


def default_folder(grid: Sequence[Point], schemes: Sequence[str]) -> Path:
    """Name the folder of a comparison after its scenario and schemes."""
    tables = grid[0].scenario.to_dict()
    name = str(tables.get("name") or tables["topology"]["kind"])
    slug = re.sub(r"[^a-z0-9]+", "-", "-".join((name, *schemes)).lower()).strip("-")
    if len(slug) > LONGEST_NAME:
        digest = hashlib.blake2b(slug.encode(), digest_size=4).hexdigest()
        slug = f"{slug[:LONGEST_NAME]}-{digest}"
    return Path("results") / f"compare-{slug}"


def compared(
    result: Result, where: Sequence[str], folder: Path, *, command: str, held: Held
) -> Comparison:
    """Compare the schemes of runs that are there, and write table and page into a folder.

    `where` are the keys that were varied beside the scheme and the seed.
    """
    result, runs, measures = measured(result, where, folder, held.bounds)
    table = _table(runs, [*where, "scheme"], measures, held.judged.design)
    pairs: tuple[Pair, ...] = ()
    if held.baseline is not None:
        pairs = tuple(against(runs, held.baseline, where, measures, held.judged))
    csv, page = folder / "comparison.csv", folder / "comparison.html"
    with replacing(csv) as temporary:
        table.write_csv(temporary)
    seeds = int(runs.group_by([*where, "scheme"]).len()["len"].max() or 0)  # type: ignore[arg-type]
    found = Comparison(result, table, measures, (), seeds, runs.height, page, csv)
    found = replace(found, reference=held.reference, pairs=pairs, judged=held.judged)
    found = replace(found, conditions=held.conditions, notes=held.notes)

    # Drawing takes a while to load.
    from .comparison_page import write

    write(found, where, command)
    return found


def _reference(objective: str, model: str) -> Reference:
    # Loading the solver takes a while.
    from ..capacity.shares import Reference

    return Reference.named(objective, model)


def _table(
    runs: pl.DataFrame, keys: list[str], measures: Sequence[Measure], design: Design
) -> pl.DataFrame:
    """Mean and interval over the seeds, in the order of the runs."""
    rows = []
    for _, group in runs.group_by(keys, maintain_order=True):
        row = {key: group[key][0] for key in keys}
        finite = {
            m: [v for v in group[m.column].to_list() if v is not None and math.isfinite(v)]
            for m in measures
        }
        # A transfer that is not complete is counted beside its time.
        of_packets = [known for m, known in finite.items() if m.column not in OF_TRANSFERS]
        row["runs"] = min(map(len, of_packets))
        for measure, found in finite.items():
            mean = sum(found) / len(found) if found else None
            low, high = interval(found, measure.bounds(group), design) or (None, None)
            row |= dict(zip(columns_of(measure), (mean, low, high), strict=True))
        if BOUND in group.columns:
            row[BOUND] = group[BOUND].mean()
        rows.append(row)
    return pl.DataFrame(rows, infer_schema_length=None, strict=False)


def command(
    schemes: Sequence[str],
    vary: Mapping[str, Sequence[Any]],
    seeds: list[Any] | Rule | None,
    held: Held,
) -> str:
    """Return the command line that does the same again."""
    parts = ["multihop", "compare", "SCENARIO", "--schemes", ",".join(schemes)]
    for key, values in vary.items():
        parts += ["--vary", f"{key}={','.join(map(_text, values))}"]
    if isinstance(seeds, list):
        parts += ["--seeds", str(len(seeds))]
    elif seeds is not None:
        parts += options_of(seeds)
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

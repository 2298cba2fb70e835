"""Schemes side by side from a sweep that is stored: what was varied says what is compared."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from ..engine.errors import ScenarioError, SweepError
from ..results.result import Result, in_words
from ..scenario.conditions import conditions
from ..scenario.form import Scenario
from ..sweeping.collecting import Swept, swept
from ..sweeping.extending import extend
from ..sweeping.seeds import Decided, Until, options_of, rule_in
from ..sweeping.store import OWN, read_points
from ..sweeping.sweeps import Means
from .comparison import TABLES, Comparison, Held, compared
from .deciding import rule_of
from .pairs import Judged

SCHEME = "scheme.name"


def compare_stored(
    folder: str | Path,
    *,
    baseline: str | None = None,
    variants: Sequence[str] = (),
    sweep: str | None = None,
    seeds: Until | Decided | None = None,
    workers: int | None = None,
    progress: bool = True,
) -> Comparison:
    """Compare the schemes of a sweep in a store, against `baseline` if there is one.

    Keys of `[scheme]`, and those named by `variants`, tell schemes apart; other keys that were
    varied are the places of comparison. Only stored runs count; with `seeds`, runs are added
    first, `Until` a mean is known well enough or until every verdict is `Decided`.

    >>> compare_stored("results/sweep", baseline="newreno").pairs
    """
    done = swept(Path(folder), sweep)
    labels = [c for c in done.store.sweeps()[done.name].columns if c not in OWN and c != "seed"]
    if unknown := next((key for key in variants if key not in labels), None):
        raise SweepError(f"'{unknown}' was not varied; varied were: {', '.join(labels) or 'none'}")
    apart = [key for key in labels if key.startswith("scheme") or key in variants]
    where = [key for key in labels if key not in apart]
    read = partial(_read, apart=apart)
    rule = rule_of(seeds, baseline, tuple(where), read)
    if rule is not None:
        done = extend(done, rule, Means(workers=workers, progress=progress))
    if done.missing == done.runs:
        raise SweepError(f"no run of '{done.name}' is there yet; give the command of the sweep")
    kept = rule_in(done.store.sweeps()[done.name]["until"][0])
    parts = ["multihop", "compare", str(folder)]
    parts += ["--baseline", baseline] if baseline else []
    for key in variants:
        parts += ["--variant", key]
    parts += [] if rule is None else options_of(rule)
    held = Held(baseline, judged=Judged.by(kept), conditions=conditions(_scenarios(done, apart)))
    return compared(read(done), where, Path(folder), command=shlex.join(parts), held=held)


def _read(done: Swept, apart: Sequence[str]) -> Result:
    """Read what is compared; the column `scheme` has what tells schemes apart."""
    return Result({name: _named(done, name, apart) for name in TABLES if name in done.kept})


def _scenarios(done: Swept, apart: Sequence[str]) -> Iterator[tuple[str, Scenario]]:
    """Yield every combination of values once, whatever its seeds, with its scheme in words.

    What this process cannot read, as a scheme in Python that it does not know, is left out.
    """
    files = done.store.point_files(done.name)
    points = in_words(pl.concat(map(read_points, files), how="diagonal_relaxed"))
    labels = [name for name in points.columns if name not in (*OWN, "seed")]
    settings = [key for key in apart if key not in ("scheme", SCHEME)]
    for row in points.unique(labels, keep="first", maintain_order=True).iter_rows(named=True):
        scenario = Scenario(row["scenario"])
        own = scenario.to_dict()["scheme"]["name"]
        with suppress(ScenarioError):
            scenario.conditions  # noqa: B018
            yield _words(own, {key: row[key] for key in settings}), scenario


def _named(done: Swept, name: str, apart: Sequence[str]) -> pl.DataFrame:
    """Read a table, and name in its column `scheme` each scheme with what it is told apart by."""
    table = in_words(done.table(name))
    schemes = done.table("runs").select("run", own="scheme").unique("run")
    settings = [key for key in apart if key not in ("scheme", SCHEME)]
    names = table.select("run", *settings).join(schemes, on="run", maintain_order="left")
    words = [
        _words(row["own"], {key: row[key] for key in settings})
        for row in names.iter_rows(named=True)
    ]
    return table.with_columns(pl.Series("scheme", words, dtype=pl.String))


def _words(scheme: Any, settings: Mapping[str, Any]) -> str:
    """Say a scheme's name, or that in its table, and what it is told apart by."""
    table = scheme if isinstance(scheme, dict) else {"name": scheme}
    told = {key: value for key, value in {**table, **settings}.items() if key != "name"}
    given = (f"{_short(key)} = {_text(v)}" for key, v in told.items() if v is not None)
    return ", ".join([str(table["name"]), *given])


def _short(key: str) -> str:
    return key.rpartition(".")[2]


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

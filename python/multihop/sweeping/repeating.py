"""Whether the runs of schemes in Python repeat: after others, and as the store has them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import NamedTuple

import polars as pl

from ..engine.errors import PrototypeError
from ..prototype.identity import KNOWN, changed
from ..prototype.values import Found
from ..running.runner import run_many
from ..scenario.form import Scenario
from ..scenario.noting import told_before
from . import parts
from .store import Store, labels_of, said


class Sample(NamedTuple):
    """One run of a scheme in Python: the first that is there, and what it was like then."""

    scheme: str
    run: str
    scenario: str
    values: str
    fingerprint: str


def state(points: pl.DataFrame) -> dict[str, Found]:
    """Return what the code of every scheme in Python refers to, before runs may change it."""
    return {name: Found(KNOWN[name].classes) for name in _schemes(points)}


def require(
    store: Store, points: pl.DataFrame, new: Collection[str], before: dict[str, Found]
) -> None:
    """Do one run of every scheme in Python once more, and refuse one that is another then.

    `new` are the runs that this call has done, which do not count then. `before` is what the code
    of the schemes referred to when they began.
    """
    for sample in _samples(store, points):
        (again,) = run_many([Scenario(sample.scenario)], progress=False, tell=told_before)
        now = str(again.runs["fingerprint"][0])
        if now == sample.fingerprint:
            continue
        mine = {run for run, scheme in _of(points) if scheme == sample.scheme}
        refused = sorted(mine & set(new))
        if refused:
            store.forget(refused)
        raise PrototypeError(
            _differs(sample, now, refused, changed(sample.scheme, before[sample.scheme]))
        )


def _differs(sample: Sample, now: str, refused: Collection[str], names: list[str]) -> str:
    what = (
        f"scheme '{sample.scheme}': a run ({sample.values or sample.run}) was "
        f"{sample.fingerprint} at first and is {now} once more"
    )
    if not refused:
        return (
            f"{what}: its results depend on something beside its code that has changed since they "
            'were stored; name it, as register(scheme, depends=["table.csv", "$GAIN"]), or give '
            "another folder with --out"
        )
    if names:
        return (
            f"{what}: runs change {', '.join(names)}, which all nodes of all runs share; keep "
            f"state in the objects (self). {len(refused)} runs of it were taken out of the store"
        )
    return (
        f"{what}: keep state in the objects (self), and take randomness from context.random() and "
        f"the time from context.now_s. {len(refused)} runs of it were taken out of the store"
    )


def _schemes(points: pl.DataFrame) -> list[str]:
    return list(dict.fromkeys(scheme for _, scheme in _of(points)))


def _of(points: pl.DataFrame) -> Iterator[tuple[str, str]]:
    """Yield the runs of schemes in Python, and the scheme of each."""
    if not KNOWN:
        return
    for run, scenario in points.select("run", "scenario").iter_rows():
        name = json.loads(scenario)["scheme"]["name"]
        if name in KNOWN:
            yield run, name


def _samples(store: Store, points: pl.DataFrame) -> Iterator[Sample]:
    """Yield the first run of every scheme in Python that is in the store."""
    known = store.covered.get("runs", {})
    first = {name: run for run, name in reversed(list(_of(points))) if run in known}
    for name, run in first.items():
        row = points.filter(pl.col("run") == run).row(0, named=True)
        table = parts.read([known[run]], "runs", ("run", "fingerprint"))
        (fingerprint,) = table.filter(pl.col("run") == run)["fingerprint"]
        yield Sample(name, run, row["scenario"], said(labels_of(row)), str(fingerprint))

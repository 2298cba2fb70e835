"""Judging claims of papers once more with seeds that the project does not use.

    multihop reproduce --first-seed 1001 --sample 20

The stored verdicts (`papers/stored.py`) come from the seeds 1, 2, ...; a verdict that depends
on them is no finding. What is judged again is a random sample of the claims, or all of them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from ..engine.errors import SweepError
from ..reporting.verdicts import Verdict, paper_of
from ..results.result import make_folder
from ..statistics.stats import require_scipy
from ..sweeping.batches import engine
from . import stored
from .measuring import collect, needed_studies
from .reproduction import judge, select
from .spec import Claim, FigureSpec, Panel

# In results, what no full run has been kept of.
UNKNOWN = "not stored"


class Rejudged(NamedTuple):
    """A claim with the stored verdict, if there is one, and with that of other seeds."""

    stored: Verdict | None
    other: Verdict

    @property
    def same(self) -> bool | None:
        """Whether both are the same; `None` if none is stored."""
        return self.stored.verdict == self.other.verdict if self.stored else None

    @property
    def row(self) -> tuple[str, str, str, str, str]:
        """Id, claim, stored verdict, verdict with other seeds, and whether they are the same."""
        same = {True: "same", False: "other", None: ""}[self.same]
        before = self.stored.verdict if self.stored else UNKNOWN
        return self.other.id, self.other.claim, before, self.other.verdict, same


@dataclass(frozen=True)
class Rejudgement:
    """Claims judged again with other seeds, and the first of these seeds."""

    claims: tuple[Rejudged, ...]
    first_seed: int
    runs: int
    command: str = ""

    def __str__(self) -> str:
        known = [claim.same for claim in self.claims if claim.same is not None]
        return (
            f"{sum(known)} of {len(known)} verdicts are the same with seeds from {self.first_seed}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the stored and the new verdict of every claim, and whether they are equal."""
        return {
            "command": self.command,
            "engine": engine(),
            "first_seed": self.first_seed,
            "claims": [
                {
                    "stored": claim.stored._asdict() if claim.stored else None,
                    "other": claim.other._asdict(),
                    "same": claim.same,
                }
                for claim in self.claims
            ],
        }


def rejudge(
    ids: Sequence[str] = (),
    *,
    first_seed: int,
    sample: int | None = None,
    quick: bool = False,
    seeds: int | None = None,
    out: str | Path = "results/reproduce",
    workers: int | None = None,
    progress: bool = True,
) -> Rejudgement:
    """Judge claims of figures with seeds from `first_seed` on, and compare with stored verdicts.

    With `sample` only this many claims are judged, drawn at random; the same `first_seed` draws the
    same. Raises `SweepError` if there are no claims.

    >>> print(rejudge(["wxcp"], first_seed=1001, sample=5))
    """
    require_scipy()
    figures = drawn(select(ids), sample, first_seed)
    if not figures:
        raise SweepError(f"{', '.join(ids)} has no claims that could be judged again")
    efforts = {
        study.name: study.effort(quick=quick, seeds=seeds) for study in needed_studies(figures)
    }
    found = collect(
        figures,
        efforts,
        make_folder(out),
        first_seed=first_seed,
        workers=workers,
        progress=progress,
    )
    papers = dict.fromkeys(paper_of(figure.id) for figure in figures)
    before = {(v.id, v.claim): v for paper in papers for v in stored.verdicts_of(paper)}
    claims = tuple(
        Rejudged(before.get((verdict.id, verdict.claim)), verdict)
        for verdict in judge(figures, found.data)
    )
    parts = ["multihop reproduce", *ids, f"--first-seed {first_seed}"]
    parts += [f"--sample {sample}"] if sample else []
    parts += ["--quick"] if quick else []
    parts += [f"--seeds {seeds}"] if seeds else []
    return Rejudgement(claims, first_seed, found.runs, " ".join(parts))


def drawn(figures: Sequence[FigureSpec], sample: int | None, first_seed: int) -> list[FigureSpec]:
    """Reduce figures to so many of their claims, drawn at random; to all without a `sample`."""
    every = [
        (panel.id, claim) for figure in figures for panel in figure.panels for claim in panel.claims
    ]
    chosen = every
    if sample is not None and sample < len(every):
        chosen = random.Random(first_seed).sample(every, sample)
    names = {(name, claim.text) for name, claim in chosen}

    def left(panel: Panel) -> tuple[Claim, ...]:
        return tuple(claim for claim in panel.claims if (panel.id, claim.text) in names)

    reduced = [
        replace(figure, panels=tuple(replace(p, claims=left(p)) for p in figure.panels if left(p)))
        for figure in figures
    ]
    return [figure for figure in reduced if figure.panels]

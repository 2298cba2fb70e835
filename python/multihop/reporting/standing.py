"""Where a paper stands: every row of its checklist, what does not hold and why, what it cost.

The page of `reproduce` shows it, `--json` prints it, and `papers/stored` keeps it for the guides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .verdicts import RowVerdict, Verdict, figure_of, paper_of

# Where the runs behind a figure lie, beside the page.
DATA = "data"
# The number of cores on which the papers' figures are to run within `TARGETS_S`, in s.
CORES = 2
TARGETS_S = {False: 30 * 60, True: 4 * 60}


@dataclass(frozen=True)
class Cost:
    """What was simulated for a paper: how many runs, and how long one core would have to work.

    Runs that were there already count as much as they did when they were done.
    """

    runs: int = 0
    cpu_seconds: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.runs + other.runs, self.cpu_seconds + other.cpu_seconds)


@dataclass(frozen=True)
class Difference:
    """A claim that differs or is undecided, and why, in one line."""

    id: str
    claim: str
    reason: str
    verdict: str


@dataclass(frozen=True)
class RowStanding:
    """A row: how many claims have which verdict, the runs behind it, and how to run it again."""

    ids: tuple[str, ...]
    artifact: str
    verdict: str
    note: str
    claims: Mapping[str, int]
    differs: tuple[Difference, ...]
    data: tuple[str, ...]
    command: str


@dataclass(frozen=True)
class Standing:
    """A paper: how many of its rows and claims have which verdict, and each row."""

    paper: str
    rows: Mapping[str, int]
    claims: Mapping[str, int]
    cost: Cost
    each: tuple[RowStanding, ...] = field(default=())


def standings(
    rows: Sequence[RowVerdict],
    verdicts: Sequence[Verdict],
    costs: Mapping[str, Cost],
    again: Callable[[Iterable[str]], str],
) -> tuple[Standing, ...]:
    """Return where every paper of `rows` stands; `again` writes the command for some ids."""
    papers = dict.fromkeys(row.paper for row in rows)
    return tuple(
        Standing(
            paper,
            dict(Counter(row.verdict for row in rows if row.paper == paper)),
            dict(Counter(v.verdict for v in verdicts if paper_of(v.id) == paper)),
            costs.get(paper, Cost()),
            tuple(_row(row, verdicts, again) for row in rows if row.paper == paper),
        )
        for paper in papers
    )


def _row(
    row: RowVerdict, verdicts: Sequence[Verdict], again: Callable[[Iterable[str]], str]
) -> RowStanding:
    own = [verdict for verdict in verdicts if verdict.id in row.ids]
    other = row.elsewhere
    ids = tuple(name for name in row.ids if not other or name != other.id)
    figures = tuple(dict.fromkeys(map(figure_of, ids)))
    return RowStanding(
        row.ids,
        row.artifact,
        row.verdict,
        row.note,
        dict(Counter(verdict.verdict for verdict in own)),
        tuple(Difference(v.id, v.claim, v.reason, v.verdict) for v in own if not v.holds),
        tuple(map(data_file, figures)) if own else (),
        f"{again(ids)} && {other.command}" if other else again(ids),
    )


def data_file(figure: str) -> str:
    """Return the file of the runs behind a figure, as seen from the page."""
    return f"{DATA}/{figure.replace('/', '-')}.parquet"


def minutes(seconds: float) -> str:
    """Write a time: "42 s", "3.1 min"."""
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.1f} min"


def time_needed(costs: Iterable[Cost], *, quick: bool) -> str:
    """Return the processor time of all runs, and the time on the idle cores of the target."""
    total = sum(costs, Cost())
    seconds, target = total.cpu_seconds / CORES, TARGETS_S[quick]
    return (
        f"simulated in {minutes(total.cpu_seconds)} of one core, {minutes(seconds)} of {CORES} "
        f"(the target for all papers{' with --quick' if quick else ''} is {minutes(target)})"
    )

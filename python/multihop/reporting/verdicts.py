"""What became of a claim, of a row of a paper's checklist, and of a paper as a whole.

A claim that holds is **reproduced**, or **calibrated** if the set-up was fitted to what it says.
A claim whose contrary was measured **differs**. A claim is **undecided** if the 95 % interval of
what it compares reaches over its bound. A row is an artifact of the paper: it can also be run only
**partly**, or be **missing**. What is missing counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

REPRODUCED = "reproduced"
CALIBRATED = "calibrated"
UNDECIDED = "undecided"
DIFFERS = "differs"
PARTLY = "partly"
MISSING = "missing"
VERDICTS = (REPRODUCED, CALIBRATED, UNDECIDED, DIFFERS, PARTLY, MISSING)
# Those of claims, the best first.
OF_CLAIMS = (REPRODUCED, CALIBRATED, UNDECIDED, DIFFERS)
# What stands for the reason of a claim that is undecided.
TOO_FEW = "Undecided: the 95 % interval of what is compared reaches over the bound."
# What stands for the reason of a claim that differs, where none was found.
OPEN = "Open; nothing was tested."
SENTENCE = re.compile(r".*?\.(?= [A-Z]|$)", re.DOTALL)


class Verdict(NamedTuple):
    """What became of one claim.

    `verdict` is "reproduced", "calibrated", "undecided" or "differs". `interval` is the 95 %
    interval of what decides the claim, lower end first, in the unit that `measured` names. It is
    `None` for a fact that does not vary, and where a single run gives no interval.
    """

    id: str
    claim: str
    expected: str
    measured: str
    verdict: str
    note: str = ""
    interval: tuple[float, float] | None = None

    @property
    def holds(self) -> bool:
        """Whether what the paper says was measured, fitted or not."""
        return self.verdict in (REPRODUCED, CALIBRATED)

    @property
    def reason(self) -> str:
        """Why it does not hold, in one line: the first sentence of its note."""
        if self.holds:
            return ""
        if self.verdict == UNDECIDED:
            return TOO_FEW
        first = SENTENCE.match(self.note)
        return first[0] if first else self.note or OPEN


class Elsewhere(NamedTuple):
    """A panel that `reproduce` does not run, and the command that does; what it found is kept."""

    id: str
    command: str


class RowVerdict(NamedTuple):
    """What became of one row of a paper's checklist, any of `VERDICTS`; `note` says what lacks."""

    ids: tuple[str, ...]
    artifact: str
    verdict: str
    note: str = ""
    elsewhere: Elsewhere | None = None

    @property
    def paper(self) -> str:
        """The paper's name in ids."""
        return paper_of(self.ids[0])


class Flip(NamedTuple):
    """A claim by default, and with a reading of what the paper leaves open."""

    default: Verdict
    reading: Verdict

    @property
    def flips(self) -> bool:
        """Whether the claim holds with one and differs with the other."""
        breaks = self.default.holds and self.reading.verdict == DIFFERS
        return breaks or (self.reading.holds and self.default.verdict == DIFFERS)


@dataclass(frozen=True)
class Score:
    """How many rows and claims of a paper have which verdict."""

    paper: str
    rows: Counter[str]
    claims: Counter[str]

    def __str__(self) -> str:
        parts = []
        if rows := self.rows.total():
            missing = self.rows[MISSING]
            run = self.rows - Counter({MISSING: missing})
            text = f"{_many(rows, 'row')}: {rows - missing} run" + (
                f" ({counts(run)})" if run else ""
            )
            parts.append(text + (f", {missing} missing" if missing else ""))
        if claims := self.claims.total():
            parts.append(f"{_many(claims, 'claim')}: {counts(self.claims)}")
        return f"{self.paper.upper()}: {'; '.join(parts)}"


def scores(
    rows: Sequence[RowVerdict], verdicts: Iterable[Verdict], also: Iterable[str] = ()
) -> list[Score]:
    """Count rows and claims by paper, in the order of the rows.

    Those of `also` have nothing to judge, unless there is something.
    """
    claims: dict[str, Counter[str]] = {}
    for verdict in verdicts:
        claims.setdefault(paper_of(verdict.id), Counter())[verdict.verdict] += 1
    papers = dict.fromkeys([*(row.paper for row in rows), *claims, *also])
    return [
        Score(
            paper,
            Counter(row.verdict for row in rows if row.paper == paper),
            claims.get(paper, Counter()),
        )
        for paper in papers
    ]


def paper_of(name: str) -> str:
    """Return the paper of an id: `cxcc` of `cxcc/fig8a`."""
    return name.partition("/")[0]


def figure_of(panel: str) -> str:
    """Return the figure that a panel belongs to: `cxcc/fig8` of `cxcc/fig8a`."""
    return panel.rstrip("abcdefghij")


def counts(by_verdict: Mapping[str, int]) -> str:
    """Write counts: "54 reproduced, 3 undecided, 8 differ"."""
    words = {DIFFERS: "differ"}
    return ", ".join(
        f"{by_verdict[name]} {words.get(name, name)}" for name in VERDICTS if by_verdict.get(name)
    )


def _many(count: int, what: str) -> str:
    """Write how many there are: "1 row", "2 rows"."""
    return f"{count} {what}{'' if count == 1 else 's'}"

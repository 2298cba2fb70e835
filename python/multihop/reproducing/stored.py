"""What full runs have found, kept for the guides: a file for each paper, and tables made of them.

    multihop reproduce cl
    python -m multihop.reproducing.stored results/reproduce/verdicts.json [--keep-costs]

takes what was found of every paper in that run, and of `OWN`, into `docs/reproduced/PAPER.json`,
claim by claim; of a run with `--quick` it takes only what it cost. Of a paper that was run in part,
the panels that were judged anew replace theirs: `parts` has the command and the engine of these,
and the file's own `command` and `engine` are those of all other panels. The tables of
`docs/guides/standing.md` and `docs/wake` are made of these files (`python -m tests.test_docs`), the
reasons of the notes as they are now. What `reproduce` does not run has a file of its own, which the
command that runs it writes (`multihop lab fig22 --keep`).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..reporting.glossary import written
from ..reporting.markdown import markdown_table
from ..reporting.standing import minutes
from ..reporting.verdicts import (
    CALIBRATED,
    DIFFERS,
    OF_CLAIMS,
    PARTLY,
    UNDECIDED,
    RowVerdict,
    Verdict,
    counts,
    figure_of,
    paper_of,
)
from ..results.result import replacing
from ..sweeping.batches import engine
from .registry import CITATIONS, FIGURES, ROWS
from .spec import Claim, Row

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "reproduced"
# No papers: their figures have no checklist, and are so many that each may be run alone.
OWN = ("wake", "today", "spots", "lora")
# Whose claims are kept.
KEPT = (*CITATIONS, *OWN)
CLAIM = ("id", "claim", "expected", "measured", "verdict", "interval")
# How a full run says what has found its claims.
MADE_BY = ("command", "engine", "about")
Stored = dict[str, Any]


def take(found: Mapping[str, Any], folder: Path, *, keep_costs: bool = False) -> list[str]:
    """Take what a run of `reproduce` has found into the papers' files; return which papers.

    With `keep_costs` the times that are known stay: those of a busy machine say little. Of a paper
    of which no claims are kept, a part is not taken; of `OWN` it is.
    """
    quick = "--quick" in found["command"].split()
    costs = {standing["paper"]: standing["cost"] for standing in found["papers"]}
    taken = []
    # What other commands have found stands beside it, and is kept by them.
    others = {row.elsewhere.id for row in ROWS if row.elsewhere}
    ran = [claim for claim in found["claims"] if claim["id"] not in others]
    for paper in dict.fromkeys(paper_of(claim["id"]) for claim in ran):
        claims = [written_claim(c) for c in ran if _of(c, paper)]
        whole = [(c["id"], c["claim"]) for c in claims] == _named_claims(paper)
        known = load(paper, folder)
        takes_parts = not quick and ("claims" in known or paper in OWN)
        if paper not in KEPT or not (whole or takes_parts):
            continue
        effort = "quick" if quick else "full"
        if whole and paper in costs and not (keep_costs and effort in known):
            known[effort] = costs[paper]
        if not quick:
            made = {key: found[key] for key in MADE_BY}
            known = _whole(known, claims, made) if whole else _in_part(paper, known, claims, made)
        with replacing(folder / f"{paper}.json") as temporary:
            temporary.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
        taken.append(paper)
    return taken


def _whole(known: Stored, claims: Sequence[Stored], made: Stored) -> Stored:
    """Replace all that is kept by what one command has found."""
    rest = {key: value for key, value in known.items() if key != "parts"}
    return rest | made | {"claims": claims}


def _in_part(paper: str, known: Stored, claims: Sequence[Stored], made: Stored) -> Stored:
    """Replace what is kept of some panels, in the order of the figures, and say who found it."""
    panels = list(dict.fromkeys(claim["id"] for claim in claims))
    rest = [claim for claim in known.get("claims", ()) if claim["id"] not in panels]
    found = {(claim["id"], claim["claim"]): claim for claim in (*rest, *claims)}
    parts = [
        part | {"panels": left}
        for part in known.get("parts", ())
        if (left := [name for name in part["panels"] if name not in panels])
    ]
    ordered = [found[name] for name in _named_claims(paper) if name in found]
    return known | {"claims": ordered, "parts": [*parts, made | {"panels": panels}]}


def _named_claims(paper: str) -> list[tuple[str, str]]:
    """List the claims of a paper by panel and text."""
    return [(name, claim.text) for name, claim in claims_of(paper)]


def _of(claim: Mapping[str, str], paper: str) -> bool:
    return paper_of(claim["id"]) == paper


def written_claim(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is kept of the verdict on a claim."""
    return {key: found.get(key) for key in CLAIM}


def load(paper: str, folder: Path = FOLDER) -> Stored:
    """Read what is kept of a paper; nothing if there is no file."""
    path = folder / f"{paper}.json"
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def claims_of(paper: str) -> list[tuple[str, Claim]]:
    """List the claims of a paper, each with its panel."""
    figures = [figure for figure in FIGURES if paper_of(figure.id) == paper]
    return [(p.id, claim) for figure in figures for p in figure.panels for claim in p.claims]


def verdicts_of(paper: str, folder: Path = FOLDER) -> list[Verdict]:
    """Return what is kept of a paper's claims, with their notes as they are now."""
    notes = {(name, claim.text): claim for name, claim in claims_of(paper)}
    found = []
    for kept in load(paper, folder).get("claims", ()):
        verdict = read(kept)
        claim = notes.get((verdict.id, verdict.claim))
        notes_of = {DIFFERS: claim.note, CALIBRATED: claim.calibrated} if claim else {}
        found.append(verdict._replace(note=notes_of.get(verdict.verdict, "")))
    own = [row for row in ROWS if paper_of(row.ids[0]) == paper]
    return found + [verdict for row in own for verdict in found_elsewhere(row, folder)]


def keep(found: Mapping[str, Any], path: Path) -> None:
    """Keep what another command has found of a panel that it runs.

    To stand in reports and guides the file has to be `docs/reproduced/PAPER-PANEL.json`.
    """
    kept = {**found, "engine": engine()}
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def found_elsewhere(row: Row, folder: Path = FOLDER) -> list[Verdict]:
    """Return what is kept of a row's panel that `reproduce` does not run, if it has one."""
    kept = load(row.elsewhere.id.replace("/", "-"), folder) if row.elsewhere else {}
    return [read(claim) for claim in kept.get("claims", ())]


def read(claim: Mapping[str, Any]) -> Verdict:
    """Return the verdict that is kept of a claim."""
    interval = claim.get("interval")
    return Verdict(**{**claim, "interval": (interval[0], interval[1]) if interval else None})


def tables(rows: Sequence[Row], judged: Sequence[RowVerdict], folder: Path) -> dict[str, str]:
    """Return what guides show, by name: tables, and sentences of counts; of all, and of each."""
    made = {"papers": _papers(rows, judged, folder)}
    every: list[Verdict] = []
    for paper in CITATIONS:
        own = [row for row in judged if row.paper == paper]
        verdicts = verdicts_of(paper, folder)
        made[f"rows of {paper}"] = _rows(own, verdicts)
        made[f"counts of {paper}"] = sentence(own, verdicts)
        every += verdicts
    made |= {f"claims of {paper}": _claims(verdicts_of(paper, folder)) for paper in LISTED}
    for paper in OPEN:
        verdicts = verdicts_of(paper, folder)
        made[f"differing of {paper}"] = _of_verdict(verdicts, DIFFERS)
        made[f"undecided of {paper}"] = _of_verdict(verdicts, UNDECIDED)
    named = [row for row in judged if row.paper in CITATIONS]
    made["counts"] = sentence(named, every)
    return made


def sentence(rows: Sequence[RowVerdict], verdicts: Sequence[Verdict]) -> str:
    """Write how many rows and claims have which verdict."""
    by_row, by_claim = (counts(Counter(one.verdict for one in found)) for found in (rows, verdicts))
    return f"Of {len(rows)} rows: {by_row}. Of {len(verdicts)} claims: {by_claim}.\n"


# The papers whose guides list every claim, and those whose guides list the claims that do not hold.
LISTED = ("cl",)
OPEN = ("lecn", "hxh")


def _claims(verdicts: Sequence[Verdict]) -> str:
    """List claims with what counts, what was measured, and the verdict."""
    header = ("figure", "the paper says", "counts", "measured", "verdict")
    return markdown_table(header, ((*_said(verdict), verdict.verdict) for verdict in verdicts))


def _said(verdict: Verdict) -> tuple[str, ...]:
    named = verdict.id.partition("/")[2]
    return named, verdict.claim, verdict.expected, verdict.measured


def _of_verdict(verdicts: Sequence[Verdict], wanted: str) -> str:
    """List claims with a verdict: what counts, what was measured, and why, where it is known."""
    header = ("figure", "the paper says", "counts", "measured")
    found = [verdict for verdict in verdicts if verdict.verdict == wanted]
    if wanted != DIFFERS:
        return markdown_table(header, map(_said, found))
    return markdown_table(
        (*header, "why"), ((*_said(verdict), verdict.reason) for verdict in found)
    )


# What is kept of a run's cost, and how its column is called.
COSTS = {"full": "one core, full", "quick": "`--quick`"}


def _papers(rows: Sequence[Row], judged: Sequence[RowVerdict], folder: Path) -> str:
    kept = {paper: load(paper, folder) for paper in CITATIONS}
    costs = [key for key in COSTS if any(key in one for one in kept.values())]
    header = (
        *("paper", "rows", "run", "reproduced, calibrated, undecided, differ, partly", "claims"),
        *("reproduced", "calibrated", "undecided", "differ", *(COSTS[key] for key in costs)),
    )
    lines = []
    for paper, one in kept.items():
        own = Counter(row.verdict for row in judged if row.paper == paper)
        claims = Counter(verdict.verdict for verdict in verdicts_of(paper, folder))
        known = [row for row in rows if paper_of(row.ids[0]) == paper]
        rows_by = ", ".join(str(own[v]) for v in (*OF_CLAIMS, PARTLY))
        times = [minutes(one[key]["cpu_seconds"]) if key in one else "" for key in costs]
        by_claim = [str(claims[verdict]) for verdict in OF_CLAIMS]
        numbers = (f"{len(known)}", f"{sum(own.values())}", rows_by, f"{claims.total()}")
        lines.append((written(paper), *numbers, *by_claim, *times))
    return markdown_table(header, lines, right=(*header[1:3], *header[4:]))


def _rows(judged: Sequence[RowVerdict], verdicts: Sequence[Verdict]) -> str:
    counted = ("claims", "reproduced", "calibrated", "undecided", "differ")
    header = ("row", "what", "verdict", *counted, "why")
    lines = []
    for row in judged:
        own = [verdict for verdict in verdicts if verdict.id in row.ids]
        found = Counter(verdict.verdict for verdict in own)
        numbers = [str(len(own)), *(str(found[verdict]) for verdict in OF_CLAIMS)]
        lines.append((_named(row), row.artifact, row.verdict, *numbers, _why(row, own)))
    return markdown_table(header, lines, right=counted)


def _named(row: RowVerdict) -> str:
    return ", ".join(dict.fromkeys(figure_of(name).partition("/")[2] for name in row.ids))


def _why(row: RowVerdict, verdicts: Sequence[Verdict]) -> str:
    """Write each reason once, with how many claims it is of."""
    reasons = Counter(verdict.reason for verdict in verdicts if not verdict.holds)
    texts = [f"{reason} ({count})" if count > 1 else reason for reason, count in reasons.items()]
    return " ".join([row.note, *texts] if row.note else texts)


def _main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m multihop.reproducing.stored",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("verdicts", type=Path, help="what `multihop reproduce` has written")
    parser.add_argument(
        "--keep-costs", action="store_true", help="keep the times that are known of a quiet machine"
    )
    given = parser.parse_args()
    if not given.verdicts.is_file():
        parser.error(f"{given.verdicts}: there is no such file; run `multihop reproduce` first")
    found = json.loads(given.verdicts.read_text(encoding="utf-8"))
    taken = take(found, FOLDER, keep_costs=given.keep_costs)
    print("taken:", *taken or ["nothing: a part of a paper replaces what is kept of the whole"])


if __name__ == "__main__":
    _main()

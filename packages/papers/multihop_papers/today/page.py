"""What the study has found, as tables of `docs/today`; `python -m tests.test_docs` writes them.

The verdicts are those of the last full run (`docs/reproduced/today.json`). Tables of all schemes
are kept beside them (`docs/reproduced/today-league.json`):

    multihop reproduce today/RADIO
    python -m multihop.reproducing.stored results/reproduce/verdicts.json
    python -m multihop_papers.today.page results/reproduce/verdicts.json
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path

from multihop.comparing.measures import GOODPUT
from multihop.reporting.markdown import markdown_table
from multihop.reporting.report import Table
from multihop.reporting.verdicts import DIFFERS, MISSING, REPRODUCED, UNDECIDED, Verdict
from multihop.reproducing.preregistered import digest
from multihop.reproducing.stored import FOLDER, verdicts_of
from multihop.results.result import replacing

from . import league, spots
from .central import CLAIMS, FILE, Central
from .measures import MEASURED
from .radios import RADIOS, STEPS, Radio
from .setups import VARIANTS, refusal

KEPT = FOLDER / "today-league.json"


def kept() -> dict[str, Table]:
    """Return the tables that are kept, by radio."""
    found = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    return {radio: Table(**table) for radio, table in found.items()}


def keep(verdicts: Path) -> None:
    """Keep the tables of a run of `reproduce`, in place of those of these radios and networks."""
    read = json.loads(verdicts.read_text(encoding="utf-8"))["tables"]
    made = {table["title"]: Table(**table) for table in read}
    found = kept()
    for radio in RADIOS:
        if table := made.get(league.title(radio)):
            found[radio.id] = joined(found.get(radio.id), table)
    with replacing(KEPT) as temporary:
        text = json.dumps({name: asdict(table) for name, table in found.items()}, indent=1)
        temporary.write_text(f"{text}\n", encoding="utf-8")


def joined(before: Table | None, now: Table) -> Table:
    """Return a table with the rows of networks that another one does not have, before its own."""
    again = {row[0] for row in now.rows}
    old = before.rows if before and before.header == now.header else ()
    order = [place.title for place in league.PLACES.values()]
    rows = [row for row in old if row[0] not in again] + list(now.rows)
    return Table(now.title, now.header, sorted(rows, key=lambda row: order.index(row[0])))


# What a cell says of a verdict, before what was measured.
MARKS = {REPRODUCED: "yes", DIFFERS: "**no**", UNDECIDED: "open", MISSING: "not run"}
APART = "n/a"
NO_CHAINS = "a map has its own nodes: no chains, no grid, and nobody moves"


@cache
def _found(study: str = "today") -> dict[tuple[str, str], Verdict]:
    """Return the verdicts of a study by claim and radio."""
    return {
        (verdict.claim.partition(":")[0], _radio(verdict)): verdict
        for verdict in verdicts_of(study)
    }


def _radio(verdict: Verdict) -> str:
    return verdict.id.partition("/")[2].rpartition("-")[0]


def _refusal(claim: Central, radio: Radio) -> str:
    """Return why a radio does not take what a claim compares; empty if it does."""
    if radio.map and claim.setup != "random":
        return NO_CHAINS
    needs = MEASURED[claim.id].needs.items()
    compared = (VARIANTS[setup].get(name) for setup, names in needs for name in names)
    reasons = (refusal(radio, variant) for variant in compared if variant)
    return next(filter(None, reasons), "")


def _cell(claim: Central, radio: Radio, found: dict[tuple[str, str], Verdict]) -> str:
    return APART if _refusal(claim, radio) else _said(found.get((claim.id, radio.id)))


def verdict_on(claim: Central, radio: Radio) -> str:
    """Return the stored verdict on a claim on a radio; empty if there is none."""
    found = None if _refusal(claim, radio) else _found().get((claim.id, radio.id))
    return found.verdict if found else ""


def _said(verdict: Verdict | None) -> str:
    if verdict is None:
        return MARKS[MISSING]
    return f"{MARKS[verdict.verdict]} {verdict.measured.partition(';')[0]}"


def _spots(found: dict[tuple[str, str], Verdict]) -> Iterator[Sequence[str]]:
    """Compare the verdicts of the spot checks with this simulator's."""
    theirs = _found("spots")
    for claim in CLAIMS:
        if claim.id not in spots.CHECKED:
            continue
        pair = found.get((claim.id, spots.OURS.id)), theirs.get((claim.id, spots.THEIRS.id))
        verdicts = [verdict.verdict if verdict else MISSING for verdict in pair]
        if not {UNDECIDED, MISSING}.isdisjoint(verdicts):
            agree = MARKS[UNDECIDED]
        else:
            agree = MARKS[REPRODUCED if verdicts[0] == verdicts[1] else DIFFERS]
        yield f"`{claim.id}`", claim.bound, *map(_said, pair), agree


def _matrix(found: dict[tuple[str, str], Verdict]) -> Iterator[Sequence[str]]:
    for claim in CLAIMS:
        cells = (_cell(claim, radio, found) for radio in RADIOS)
        yield f"`{claim.id}`", claim.bound, *cells


def _groups(found: dict[tuple[str, str], Verdict]) -> Iterator[Sequence[str]]:
    """Say which claims hold, differ, or turn over the radios that were run."""
    groups: dict[str, list[str]] = {}
    for claim in CLAIMS:
        own = [found[claim.id, r.id].verdict for r in RADIOS if (claim.id, r.id) in found]
        decided = {verdict for verdict in own if verdict in (REPRODUCED, DIFFERS)}
        if len(decided) > 1:
            words = "hold on some radios, and differ on others"
        elif UNDECIDED in own or not decided:
            words = "hold or differ, and are undecided on others"
        else:
            words = "hold on all" if REPRODUCED in decided else "differ on all"
        groups.setdefault(words, []).append(f"`{claim.id}`")
    for words, claims in sorted(groups.items(), key=lambda group: -len(group[1])):
        yield words, str(len(claims)), ", ".join(claims)


# The radios from which the steps go.
BASES = {radio.id: radio for radio in RADIOS if any(step.base == radio.id for step in STEPS)}
OLD = RADIOS[0]


def from_base(base: Radio) -> tuple[Radio, ...]:
    """Return a radio and the steps from it."""
    return base, *(step for step in STEPS if step.base == base.id)


def _turned(
    claim: Central, base: Radio, others: Iterable[Radio], found: dict[tuple[str, str], Verdict]
) -> bool:
    """Whether runs decide a claim on a radio, and contrary to that on another one."""
    old = found.get((claim.id, base.id))
    decided = {REPRODUCED: DIFFERS, DIFFERS: REPRODUCED}
    contrary = decided.get(old.verdict) if old else None
    verdicts = (found.get((claim.id, radio.id)) for radio in others)
    return any(verdict is not None and verdict.verdict == contrary for verdict in verdicts)


def _steps(base: Radio, found: dict[tuple[str, str], Verdict]) -> str:
    shown = from_base(base)
    # From the old radio, what turns on any; from another one, what turns with its steps.
    others = RADIOS if base == OLD else shown
    rows = (
        (f"`{claim.id}`", claim.bound, *(_cell(claim, radio, found) for radio in shown))
        for claim in CLAIMS
        if _turned(claim, base, others, found)
    )
    return markdown_table(("claim", "holds if", *(f"`{radio.id}`" for radio in shown)), rows)


def _properties() -> Iterator[Sequence[str]]:
    for step in STEPS:
        base = BASES[step.base]
        # JSON and TOML write these values alike.
        changes = (
            f"`{key} = {json.dumps(own)}`"
            for key, own in step.settings.items()
            if base.settings.get(key) != own
        )
        yield f"`{step.id}`", f"`{base.id}`", step.title, ", ".join(changes)


def _league(radio: Radio, tables: Mapping[str, Table]) -> str:
    if radio.id not in tables:
        return f"{MARKS[MISSING].capitalize()}.\n"
    return markdown_table(tables[radio.id].header, tables[radio.id].rows)


def goodputs(radio: Radio, tables: Mapping[str, Table]) -> dict[tuple[str, str], float]:
    """Return the mean goodput in kbit/s, by network and scheme, of a radio's kept table."""
    if radio.id not in tables:
        return {}
    at = tables[radio.id].header.index(GOODPUT.title)
    return {(row[0], row[1]): float(row[at].split()[0]) for row in tables[radio.id].rows}


def _adapted(tables: Mapping[str, Table]) -> Iterator[Sequence[str]]:
    """Say what schemes carry as they are, and set to the radio, or not where they are."""
    for radio in RADIOS:
        found, variants = goodputs(radio, tables), league.variants(radio)
        for name, variant in league.adaptations(radio).items():
            default = variants.get(name.removesuffix("-adapted"))
            if default is None:
                continue
            pairs = (
                (found.get((place.title, default.title)), found.get((place.title, variant.title)))
                for place in league.PLACES.values()
            )
            cells = (
                f"{before:g} → {after:g}" if before is not None and after is not None else "-"
                for before, after in pairs
            )
            yield f"`{radio.id}`", default.title, variant.title, *cells


def _claims() -> Iterator[Sequence[str]]:
    for one in CLAIMS:
        where = f"{one.paper.upper()} {one.where}"
        yield f"`{one.id}`", f'"{one.sentence}" ({where})', one.setup, one.measure, one.bound


def _radios() -> Iterator[Sequence[str]]:
    for radio in RADIOS:
        metres = () if radio.map else (radio.range_m, radio.sense_m, radio.spacing_m)
        yield (
            f"`{radio.id}`",
            radio.title,
            f"{radio.payload} B",
            *(f"{number:.4g}" for number in metres),
            *("-",) * (3 - len(metres)),
            f"{radio.link_packets_s:.4g}",
            f"{radio.seconds(60):.4g} s",
        )


def _counts(found: dict[tuple[str, str], Verdict]) -> Iterator[Sequence[str]]:
    for radio in RADIOS:
        own = [_cell(claim, radio, found).partition(" ")[0] for claim in CLAIMS]
        count = Counter(own)
        marks = (MARKS[REPRODUCED], MARKS[UNDECIDED], MARKS[DIFFERS], APART)
        yield f"`{radio.id}`", *(str(count[mark]) for mark in marks)


def _refusals() -> Iterator[Sequence[str]]:
    """Say once for each reason of which claims and radios it is."""
    reasons: dict[str, dict[str, list[str]]] = {}
    for claim in CLAIMS:
        for radio in RADIOS:
            why = _refusal(claim, radio)
            if why:
                reasons.setdefault(why, {}).setdefault(claim.id, []).append(radio.id)
    for why, of in reasons.items():
        radios = sorted({name for names in of.values() for name in names})
        yield ", ".join(f"`{name}`" for name in of), ", ".join(radios), why


def tables() -> dict[str, str]:
    """Return the tables of the study's pages by name."""
    found = _found()
    names = [f"`{radio.id}`" for radio in RADIOS]
    return {
        "today matrix": markdown_table(("claim", "holds if", *names), _matrix(found)),
        "today counts": markdown_table(
            ("radio", "holds", "undecided", "differs", "n/a"), _counts(found)
        ),
        "today claims": markdown_table(
            ("claim", "sentence", "set-up", "measured", "holds if"), _claims()
        ),
        "today radios": markdown_table(
            (
                *("radio", "what", "payload", "decoded up to (m)", "noticed up to (m)"),
                *("spacing of chains (m)", "one link (packets/s)", "measured"),
            ),
            _radios(),
        ),
        "today groups": markdown_table(
            ("on the radios that were run", "claims", "which"), _groups(found)
        ),
        **{f"today steps {base.id}": _steps(base, found) for base in BASES.values()},
        "today spots": markdown_table(
            ("claim", "holds if", "here", "in ns-3", "same verdict"), _spots(found)
        ),
        "today properties": markdown_table(
            ("step", "of", "what is changed", "keys"), _properties()
        ),
        **{f"today league {radio.id}": _league(radio, kept()) for radio in RADIOS},
        "today adapted": markdown_table(
            (
                *("radio", "as it is", "set otherwise"),
                *(f"{place.title} (kbit/s)" for place in league.PLACES.values()),
            ),
            _adapted(kept()),
        ),
        "today refusals": markdown_table(("claims", "radios", "why"), _refusals()),
        "today digest": f"`{digest(FILE)}`\n",
    }


if __name__ == "__main__":
    keep(Path(sys.argv[1]))

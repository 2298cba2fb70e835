"""What WAKE's evaluation has found, as tables and a picture of its pages.

    python -m multihop_papers.wake.page docs/wake

draws `ahead.svg`; the tables are written by `python -m tests.test_docs`. Both are made of what is
kept of the last full run (`docs/reproduced/wake.json`).
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from multihop.charting.figure import COLORS, FAINT, INK, canvas, lay_out, save_small
from multihop.reporting.markdown import markdown_table
from multihop.reporting.verdicts import MISSING, UNDECIDED, Verdict
from multihop.reproducing.registry import FIGURES
from multihop.reproducing.stored import claims_of, verdicts_of

from . import age, deafness, restated, steep

# "246.5 against 153.1 kbit/s (EZ-Flow)".
NUMBER = r"-?\d+(?:\.\d+)?"
AGAINST = re.compile(rf"({NUMBER}) against ({NUMBER}) (kbit/s|ms|s) \((.*)\)")
RULE = re.compile(r"WAKE.* (?:more|less time) than with (.*)")
HOLDS, DIFFERS = COLORS[2], COLORS[3]
DOES_NOT = "**does not hold**"


class Lead(NamedTuple):
    """What WAKE has against the best rival, and whether it is ahead of every rival for sure."""

    gain: float
    holds: bool


def verdicts() -> list[Verdict]:
    """Return every claim with what is kept of it; what was not run is missing."""
    kept = {(verdict.id, verdict.claim): verdict for verdict in verdicts_of("wake")}
    return [
        kept.get((name, claim.text), Verdict(name, claim.text, claim.expected, "not run", MISSING))
        for name, claim in claims_of("wake")
    ]


def _holds(verdict: Verdict) -> bool:
    return verdict.holds and verdict.verdict != MISSING


def _value(verdict: Verdict) -> str:
    """Return what was measured, without the interval of what decides."""
    return verdict.measured.partition("; ")[0]


def _figure(verdict: Verdict) -> str:
    """Return the figure of a claim: its panel is one of it."""
    return next(figure.id for figure in FIGURES if verdict.id.startswith(f"{figure.id}-"))


def _parts(verdict: Verdict) -> tuple[str, str]:
    """Split a claim into the place and what is said of it."""
    place, _, said = verdict.claim.partition(": ")
    return place, re.sub(r"^(at .* a flow|below the knee), ", "below the knee, ", said)


def _summary(verdicts: Sequence[Verdict]) -> Iterator[tuple[str, ...]]:
    for figure, own in groupby(verdicts, key=_figure):
        by_claim: dict[str, list[Verdict]] = {}
        for verdict in own:
            by_claim.setdefault(_parts(verdict)[1], []).append(verdict)
        for said, found in by_claim.items():
            behind = "; ".join(_parts(v)[0] for v in found if not _holds(v))
            if all(verdict.verdict == MISSING for verdict in found):
                behind = "not run"
            held = str(sum(_holds(verdict) for verdict in found))
            yield f"`{figure}`", said, str(len(found)), held, behind


def tables() -> dict[str, str]:
    """Return the tables of WAKE's pages by name: what holds how often, and every claim."""
    known, before = verdicts(), restated.third()
    every = (
        (f"`{verdict.id.partition('/')[2]}`", verdict.claim, verdict.measured, _word(verdict))
        for verdict in known
    )
    return {
        "wake overload": markdown_table(("network", *OVERLOAD), _overload(known, OVERLOAD)),
        "wake": _summarised(known),
        "wake counts": _counts(known),
        "wake restated": markdown_table(
            ("goal of the third evaluation", "held", "why it was changed", "now"),
            restated.rows(before),
        ),
        "wake third": _summarised(before),
        "wake third overload": markdown_table(("network", *THIRD), _overload(before, THIRD)),
        "wake claims": markdown_table(("panel", "claim", "measured", ""), every),
        "wake age": age.table(age.stored()),
        "wake steep": steep.table(steep.stored()),
        "wake deafness": deafness.table(deafness.stored()),
        "wake rules": markdown_table(("WAKE with", "where", "WAKE", "it"), _rules(known)),
    }


def _summarised(verdicts: Sequence[Verdict]) -> str:
    """Write how often each claim holds, figure by figure."""
    head = ("figure", "claim", "places", "hold", "not")
    return markdown_table(head, _summary(verdicts), right=("places", "hold"))


def _counts(verdicts: Sequence[Verdict]) -> str:
    """Write how many claims hold, are undecided, and so on."""
    found = Counter(_word(verdict) for verdict in verdicts)
    words = {"holds": "hold", UNDECIDED: "are undecided", DOES_NOT: "do not hold", MISSING: "lack"}
    said = ", ".join(f"{found[word]} {text}" for word, text in words.items() if found[word])
    return f"Of the {len(verdicts)} claims that `multihop reproduce wake` judges {said}.\n"


# What is said of the networks of ten hops, and which claims say it.
OVERLOAD = {
    "goodput": "rival in goodput",
    "network delay at that goodput": "delay at the same goodput",
    "smallest flow": "rival in smallest flow",
    "UDP at its best load": "its best load",
}
THIRD = {
    "goodput": "rival in goodput",
    "network delay": "rival in network delay",
    "smallest flow": "rival in smallest flow",
    "UDP at its best load": "its best load",
}


def _overload(verdicts: Sequence[Verdict], columns: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    own = [verdict for verdict in verdicts if _figure(verdict) == "wake/overload"]
    for network in dict.fromkeys(_parts(verdict)[0] for verdict in own):
        cells = dict.fromkeys(columns, "")
        for name, ending in columns.items():
            for verdict in own:
                if _parts(verdict)[0] == network and verdict.claim.endswith(ending):
                    cells[name] = f"**{_value(verdict)}**" if _holds(verdict) else _value(verdict)
        yield network, *cells.values()


def _rules(verdicts: Sequence[Verdict]) -> Iterator[tuple[str, ...]]:
    for verdict in verdicts:
        place, said = _parts(verdict)
        found = RULE.fullmatch(said)
        if found:
            own, _, without = _value(verdict).partition(" against ")
            own += without[without.rfind(" ") :]
            yield found[1], place, f"**{own}**" if _holds(verdict) else own, without


def _word(verdict: Verdict) -> str:
    if verdict.verdict in (MISSING, UNDECIDED):
        return verdict.verdict
    return "holds" if verdict.holds else DOES_NOT


def lead(verdict: Verdict) -> Lead | None:
    """Return how far WAKE is ahead of the best rival, where a claim says so."""
    found = AGAINST.fullmatch(_value(verdict))
    if found is None or "every rival" not in verdict.claim:
        return None
    own, best = float(found[1]), float(found[2])
    if min(own, best) <= 0:
        return None
    return Lead(best / own if found[3] in ("ms", "s") else own / best, verdict.holds)


def draw(folder: Path) -> Path:
    """Draw how far WAKE is ahead of the best rival, or behind, in every network."""
    leads = [(f"{_figure(v)}, {v.claim.rpartition(' in ')[2]}", lead(v)) for v in verdicts()]
    rows = list(dict.fromkeys(name for name, found in leads if found))
    with canvas("wake-ahead", 1, columns=1, size=(7.2, 0.24 * len(rows) + 1.2)) as drawing:
        (axes,) = drawing.axes
        for holds, color, label in (
            (True, HOLDS, "ahead of every rival, and the runs agree"),
            (False, DIFFERS, "not"),
        ):
            shown = [
                (rows.index(name), one.gain) for name, one in leads if one and one.holds is holds
            ]
            axes.plot(
                [gain for _, gain in shown],
                [at for at, _ in shown],
                marker="o" if holds else "X",
                color=color,
                linestyle="none",
                alpha=0.8,
                label=label,
            )
        axes.axvline(1, color=FAINT, linewidth=1)
        axes.set_xscale("log")
        ticks = (0.25, 0.5, 0.8, 1, 1.25, 2, 4)
        axes.set_xticks(ticks, [f"{gain:g}" for gain in ticks], color=INK)
        axes.minorticks_off()
        axes.set_yticks(range(len(rows)), [row.removeprefix("wake/") for row in rows])
        axes.invert_yaxis()
        axes.set_xlabel(
            "WAKE against the best rival: goodput over goodput, network delay under network delay"
        )
        drawing.legend()
        lay_out(drawing.figure)
        path = folder / "ahead.svg"
        save_small(drawing.figure, path)
    return path


if __name__ == "__main__":
    draw(Path(sys.argv[1]))

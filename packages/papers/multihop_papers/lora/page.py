"""What was found, as tables of `docs/lora`; `python -m tests.test_docs` writes them.

The verdicts are those of the last full run (`docs/reproduced/lora.json`), the numbers those of
`docs/reproduced/lora-numbers.json`, which `python -m multihop_papers.lora` keeps.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from multihop.reporting.markdown import markdown_table
from multihop.reporting.verdicts import DIFFERS, REPRODUCED, UNDECIDED, Verdict
from multihop.reproducing.preregistered import digest
from multihop.reproducing.stored import FOLDER, verdicts_of

from .figures import panel_id
from .questions import FILE, QUESTIONS, Claimed, Question
from .setups import CAPTURES, places

NUMBERS = FOLDER / "lora-numbers.json"
MARKS = {REPRODUCED: "yes", DIFFERS: "**no**", UNDECIDED: "open"}
NOT_RUN = "not run"
PERCENT = ("near", "far", "direct", "direct_smallest", "air", "worst_air")
HEADS = {
    "place": "place",
    "capture_db": "capture (dB)",
    "variant": "variant",
    "near": "texts, near (%)",
    "far": "texts, far (%)",
    "direct": "direct messages (%)",
    "direct_smallest": "of the smallest flow (%)",
    "direct_delay_s": "their delay (s)",
    "direct_air_s": "air for each (s)",
    "delay_s": "delay (s)",
    "frames": "frames a text",
    "air": "a node sends (%)",
    "worst_air": "the busiest node (%)",
    "fairness": "fairness",
}
Found = Mapping[tuple[str, str], Verdict]


def _found() -> Found:
    """Return the verdicts by panel and claim."""
    return {(one.id, one.claim.partition(":")[0]): one for one in verdicts_of("lora")}


def worlds(question: Question) -> list[tuple[str, int]]:
    """Return the places of a question with the capture ratios."""
    return [(place, capture) for place in places(question) for capture in CAPTURES]


def _verdicts(question: Question, claimed: Claimed, found: Found) -> list[Verdict | None]:
    return [found.get((panel_id(question, *world), claimed.id)) for world in worlds(question)]


def answer(question: Question, claimed: Claimed, found: Found) -> str:
    """Return what all places and capture ratios say of a claim together."""
    verdicts = [one.verdict for one in _verdicts(question, claimed, found) if one]
    if len(verdicts) < len(worlds(question)):
        return NOT_RUN
    kinds = set(verdicts)
    if kinds == {REPRODUCED}:
        return "yes"
    if kinds == {DIFFERS}:
        return "**no**"
    counts = (f"{MARKS[kind]} on {verdicts.count(kind)}" for kind in MARKS if kind in kinds)
    return f"{', '.join(counts)} of {len(verdicts)} worlds"


def _summary(found: Found) -> Iterator[Sequence[str]]:
    for question in QUESTIONS:
        says = [f"`{one.id}` {answer(question, one, found)}" for one in question.claims]
        title = f"[{question.title}](#{question.id})"
        yield str(question.number), question.mesh, title, "; ".join(says) or "not decided"


def _claims(question: Question, found: Found) -> Iterator[Sequence[str]]:
    for one in question.claims:
        cells = [
            f"{MARKS.get(verdict.verdict, NOT_RUN)} {verdict.measured.partition(';')[0]}"
            if verdict
            else NOT_RUN
            for verdict in _verdicts(question, one, found)
        ]
        yield f"`{one.id}`", f"{one.sentence} ({one.measure}: {one.bound})", *cells


def _cell(name: str, value: str) -> str:
    if name in ("place", "capture_db", "variant"):
        return value
    number = float(value)
    if number != number:
        return "-"
    return f"{100 * number:.1f}" if name in PERCENT else f"{number:.3g}"


def _shown(question: Question) -> str:
    kept = json.loads(NUMBERS.read_text("utf-8")) if NUMBERS.exists() else {}
    table = kept.get(question.id)
    if table is None:
        return f"{NOT_RUN}\n"
    columns: dict[str, list[str]] = defaultdict(list)
    for row in table["rows"]:
        for name, value in zip(table["header"], row, strict=True):
            columns[name].append(_cell(name, value))
    used = [name for name, cells in columns.items() if set(cells) != {"-"}]
    rows = zip(*(columns[name] for name in used), strict=True)
    return markdown_table([HEADS[name] for name in used], rows)


def tables() -> dict[str, str]:
    """Return the tables of the study's page by name."""
    found = _found()
    made = {
        "lora questions": markdown_table(("", "mesh", "question", "answer"), _summary(found)),
        "lora digest": f"`{digest(FILE)}`\n",
    }
    for question in QUESTIONS:
        if question.claims:
            rows = _claims(question, found)
            heads = (f"{place}, {capture} dB" for place, capture in worlds(question))
            made[f"lora {question.id}"] = markdown_table(("claim", "holds if", *heads), rows)
            made[f"lora {question.id} numbers"] = _shown(question)
        else:
            made[f"lora {question.id}"] = f"{question.undecided}\n"
    return made

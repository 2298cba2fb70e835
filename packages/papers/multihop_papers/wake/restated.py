"""Goals of WAKE's third evaluation that were stated anew before the fourth one, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from multihop.reporting.verdicts import Verdict
from multihop.reproducing.stored import FOLDER, read


class Restated(NamedTuple):
    """A goal: panels and end of the claims that said it, the reason, and what is said now."""

    goal: str
    panels: tuple[str, ...]
    ending: str
    why: str
    now: str


RESTATED = (
    Restated(
        "75 % of what is proportionally fair in random networks",
        ("fairness",),
        "75 % of what is proportionally fair",
        "Sources that are paced at the best multiple of the fair rates do not reach it over plain "
        "802.11, nor over a MAC that knows which frames would be lost. So no choice of rates does, "
        "and WAKE chooses rates.",
        "95 % of what such paced sources get over plain 802.11, and 70 % without collisions",
    ),
    Restated(
        "less network delay than every rival",
        ("overload", "window", "length", "spacing", "shadowing", "radio", "rates"),
        "rival in network delay",
        "Delay and goodput are two ends of one choice, the spacing. The rival with less delay "
        "carries less.",
        "no rival has less network delay at the same goodput, with the spacing swept",
    ),
    Restated(
        "who stays takes over sooner than with every rival",
        ("joining",),
        "who stays has taken over",
        "A source of constant rate that stops has 50 packets in its queue, which take 3 s to "
        "leave; transfers have no such queue. The measure itself takes 2 s.",
        "counted from the last delivered packet of the flow that leaves: at most 0.5 s behind "
        "every rival",
    ),
    Restated(
        "the largest total where nodes move",
        ("mobile",),
        "rival in goodput",
        "The rival with the largest total starves its longer flows.",
        "sum of logarithms and smallest flow, with four runs a network in place of one",
    ),
    Restated(
        "a lone packet on an idle chain is the soonest",
        ("transfers",),
        "idle, 1 packet: WAKE is ahead of every rival in mean time to complete",
        "WAKE's frames have link acknowledgments, which CXCC's do not.",
        "at most 5 % behind every rival",
    ),
    Restated(
        "more goodput than every rival with radios without capture",
        ("radio",),
        "no capture: WAKE is ahead of every rival in goodput",
        "No order of frames saves two of them there.",
        "level with Flush: at least 95 % of its goodput",
    ),
)


def third() -> list[Verdict]:
    """Return the verdicts of the third evaluation, by intervals as far as they were judged so."""
    kept = json.loads((FOLDER / "wake-third.json").read_text(encoding="utf-8"))
    return [read(claim) for claim in kept["claims"]]


def rows(verdicts: Sequence[Verdict]) -> Iterator[tuple[str, ...]]:
    """Write each goal, how many of its claims held then, why it was changed, and what it is now."""
    for goal, panels, ending, why, now in RESTATED:
        own = [
            verdict
            for verdict in verdicts
            if verdict.id.removeprefix("wake/").startswith(panels)
            and verdict.claim.endswith(ending)
        ]
        held = sum(verdict.holds for verdict in own)
        yield goal, f"{held} of {len(own)}", why, now

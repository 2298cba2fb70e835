"""The page's sections on timing, backoff, capture, and radio."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from . import probes
from .curves import table
from .probes import Capture, Step
from .probing import DISTANCES_M, EXTENDED_US, Backoff
from .store import DATA


def micro() -> dict[str, Any]:
    """Return what ns-2 does in single frames."""
    return tomllib.loads((DATA / "micro.toml").read_text(encoding="utf-8"))


def timing(steps: Sequence[Step]) -> tuple[str, bool]:
    """Return the section on the frame exchange, and whether every time agrees."""
    rows, agree = [], True
    for number, step in enumerate(steps):
        difference = step.ours - step.reference
        if number == len(steps) - 1:
            # DIFS and a random number of slots after the one before.
            earlier = steps[number - 1]
            waits = step.reference - earlier.reference, step.ours - earlier.ours
            slots = [(wait - probes.DIFS_US) / probes.SLOT_US for wait in waits]
            agree &= all(abs(count - round(count)) < 1e-3 for count in slots)
            words = [f"DIFS and {round(count)} slots later" for count in slots]
            rows.append(["next RTS begins", *words, "whole slots"])
            continue
        agree &= abs(difference) < 0.5
        shown = f"{abs(difference):.3f}"
        rows.append([step.what, f"{step.reference:.3f}", f"{step.ours:.3f}", shown])
    text = f"""## (a) The frame exchange, to the microsecond

One exchange over 200 m, data at 2 Mbit/s, in us after the RTS began. A difference of 0.001 is
rounding: multihop counts whole nanoseconds, 667 for the way of one frame, ns-2 666.67.

{table(("moment", "ns-2", "multihop", "difference"), rows)}
"""
    return text, agree


def backoff(found: Backoff) -> tuple[str, bool]:
    """Return the section on backoff and retries."""
    drawn = sum(found.draws)
    seen = [slots for slots, count in enumerate(found.draws) if count]
    rows = []
    agree = found.chi_square < probes.CHI_SQUARE_99 and seen == list(range(probes.WINDOW))
    for name, gaps in found.gaps.items():
        agree &= found.attempts[name] == [7] and all(gap.agrees for gap in gaps)
        for gap in gaps:
            last = gap.base + (gap.window - 1) * probes.SLOT_US
            rows.append(
                [
                    f"{name} {gap.attempt} to {gap.attempt + 1}",
                    f"{gap.window}",
                    f"{gap.base:.0f}..{last:.0f}",
                    "{:.0f}..{:.0f}".format(*gap.reference),
                    "{:.0f}..{:.0f}".format(*gap.ours),
                    "inside" if gap.agrees else "OUTSIDE",
                ]
            )
    most = len(found.long_data) - 1
    agree &= most == 4
    agree &= found.waits.whole_slots and found.waits.smallest >= EXTENDED_US - 0.01
    agree &= all(got == min(burst, 50) for burst, got in found.bursts)
    agree &= all(case.agrees for case in found.together)
    shares = [
        [case.places, *(f"{100 * shares[2]:.1f} %" for shares in (case.reference, case.ours))]
        for case in found.together
    ]
    theirs = micro()
    rules = [[rule["rule"], rule["seen"], f"`{rule['test']}`"] for rule in theirs["rule"]]
    wait = theirs["extended_wait"]
    text = f"""## (b) Backoff and retries

Backoff of a saturated sender: {drawn} draws, {seen[0]} to {seen[-1]} slots, \
{len(seen)} distinct values (ns-2: 0 to 30,
31 distinct). Chi-square against evenness {found.chi_square:.1f}; 99 % of even samples stay below \
{probes.CHI_SQUARE_99:.1f}.

Time from one attempt to the next, towards a receiver that does not answer, in us. Both give up
after seven attempts, every time. ns-2's extremes are those of
{theirs["retries"]["packets"]} packets, ours of {found.packets}.

{table(("attempt", "window", "possible", "ns-2", "multihop", "verdict"), rows)}

Data behind an RTS is sent at most {most} times (ns-2: 4): of {sum(found.long_data)} \
packets dropped, {found.long_data[4]} after
four data frames, the others after seven RTS in a row.

After a frame that it can only sense, from 400 m away, a saturated sender waits at least \
{found.waits.smallest:.1f} us,
with a median of {found.waits.median:.1f} us (ns-2: {wait["smallest"]} and {wait["median"]} us), and
always EIFS, DIFS and whole slots.

A burst into an idle node with room for 50 packets, packets offered and delivered (the same in
ns-2): {", ".join(f"{burst} and {got}" for burst, got in found.bursts)}.

A station whose backoff has run out sends, although frames of the same slot are under way to it. Of
three saturated stations that draw from four slots, all three begin in so many of the slots in which
any does (where two are near each other, the third could ignore one of them, had it heard it):

{table(("stations", "ns-2", "multihop"), shares)}

Rules that only a look at single frames can show have tests in `crates/medium/src/mac/tests`:

{table(("rule", "ns-2 (`micro_mac.txt`, `micro_rules.txt`)", "test"), rules)}
"""
    return text, agree


def capture(cases: Sequence[Capture]) -> tuple[str, bool]:
    """Return the section on capture."""
    rows = []
    for case in cases:
        places = " and ".join(f"({x}, {y})" for x, y in case.interferers)
        first = "wanted" if case.first == "S" else "interferer"
        shares = [f"{100 * share:.0f} %" for share in (case.reference, case.ours)]
        same = "same" if case.reference == case.ours else "DIFFERENT"
        rows.append([f"{case.wanted_m} m", places, first, *shares, same])
    agreeing = sum(case.reference == case.ours for case in cases)
    header = ("wanted sender at", "interferer at (m)", "first", "ns-2", "multihop", "outcome")
    text = f"""## (c) Reception and capture

A receiver at the origin, two senders that do not hear each other, the second 3 ms after the first:
how often the wanted frame is received. **{agreeing} of {len(cases)} outcomes are the same.**

<details><summary>All cases</summary>

{table(header, rows)}

</details>
"""
    return text, agreeing == len(cases)


def reception(shares: Sequence[tuple[float, float]]) -> tuple[str, bool]:
    """Return the table of single links under shadowing: shares decoded and sensed."""
    theirs = micro()["reception"]
    rows, agree = [], True
    for distance, here in zip(DISTANCES_M, shares, strict=True):
        model = probes.reception_model(distance)
        agree &= all(abs(a - b) < 0.015 for a, b in zip(here, model, strict=True))
        words = [f"{100 * share:.2f} %" for pair in zip(model, here, strict=True) for share in pair]
        rows.append([f"{distance} m", *words, theirs.get(f"{distance}", "-")])
    header = ("distance", "decoded, model", "multihop", "sensed, model", "multihop", "ns-2")
    return table(header, rows), agree


def routes(places_routes: list[list[int]], taken: list[list[tuple[int, int]]]) -> str:
    """Say whether the engine takes the given routes."""
    given = [list(pairwise(route)) for route in places_routes]
    same = sum(sorted(a) == sorted(b) for a, b in zip(given, taken, strict=True))
    if same == len(given):
        return (
            f"Its {same} routes were given to ns-2 hop by hop; multihop's fixed shortest paths are "
            "the same."
        )
    return f"Only {same} of {len(given)} routes are those that ns-2 was given."

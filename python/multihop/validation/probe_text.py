"""The page's sections on timing, backoff, capture, and radio."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from . import probes
from .curves import table

BURSTS = (40, 49, 50, 51, 60, 100)
DISTANCES_M = (150, 200, 250, 300, 400, 550, 700)
# What was measured on ns-2's links, at low load.
REFERENCE_RECEPTION = {200: "99.4 % decoded"}

# What ns-2 does, what micro_*.txt says of it, and the test that holds this simulator to it.
RULES = (
    (
        "A countdown that a frame interrupts keeps its whole slots",
        "slots before + after: 1..30, whole in 1337 of 1337",
        "backoff::an_interrupted_backoff_keeps_its_whole_slots",
    ),
    (
        "Also the first frame on an idle medium backs off",
        "slots 0..30, 31 distinct",
        "backoff::a_first_frame_backs_off_as_well",
    ),
    (
        "After a frame that cannot be decoded: 364 us and DIFS",
        "smallest wait 435.3 us = 1.3 + 364 + 50 + 20",
        "backoff::after_a_frame_that_cannot_be_decoded_the_medium_is_reserved_for_eifs",
    ),
    (
        "After a drop the window is that of a new packet",
        "slots 0..30, 31 distinct",
        "retries::the_window_is_reset_when_a_packet_is_given_up",
    ),
    (
        "Seven attempts, windows of 31, 63, .. 1023 slots",
        "7 in 295 of 295",
        "retries::seven_attempts_with_windows_that_double",
    ),
    (
        "Data behind an RTS: four attempts",
        "4 data frames in 396 of 400, fewer in 4",
        "retries::data_behind_an_rts_is_sent_four_times",
    ),
    (
        "A station whose NAV is set sends no CTS, but an ACK",
        "400 of 400, 400 of 400",
        "responses::a_reserved_medium_suppresses_the_cts_but_not_the_ack",
    ),
    (
        "The same while an ignored weaker frame is on the air",
        "1193 of 1193, 3000 of 3000",
        "responses::a_captured_frame_suppresses_the_cts_but_not_the_ack",
    ),
    (
        "Data is held back if the medium is busy after the CTS; the window widens",
        "973 of 973; slots 0..62",
        "responses::a_busy_medium_holds_back_the_data_and_widens_the_window",
    ),
)


def timing(data: Path) -> tuple[str, bool]:
    """Return the section on the frame exchange, and whether every time agrees."""
    steps = probes.exchange(data)
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


def backoff(data: Path) -> tuple[str, bool]:
    """Return the section on backoff and retries."""
    counts, chi_square = probes.backoff()
    drawn = sum(counts.values())
    even = chi_square < probes.CHI_SQUARE_99 and list(counts) == list(range(probes.WINDOW))
    rows, agree = [], even
    for rts, name in ((True, "RTS"), (False, "data")):
        attempts, gaps = probes.retries(data, rts=rts)
        agree &= list(attempts) == [7] and all(gap.agrees for gap in gaps)
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
    long_data = probes.long_retries()
    agree &= max(long_data) == 4
    waits = probes.extended_wait()
    phase = 1000 * 400 / 3e8 * 1e3 + probes.EIFS_US + probes.DIFS_US
    lattice = all(abs((w - phase + 10) % probes.SLOT_US - 10) < 0.01 for w in waits)
    agree &= lattice and waits[0] >= phase - 0.01
    bursts = [(burst, *probes.queue(burst)) for burst in BURSTS]
    agree &= all(got == min(burst, 50) for burst, got, _ in bursts)
    middle = waits[len(waits) // 2]
    together = probes.slots(data)
    agree &= all(found.agrees for found in together)
    shares = [
        [found.places, *(f"{100 * shares[2]:.1f} %" for shares in (found.reference, found.ours))]
        for found in together
    ]
    rules = [[rule, seen, f"`{test}`"] for rule, seen, test in RULES]
    text = f"""## (b) Backoff and retries

Backoff of a saturated sender: {drawn} draws, {min(counts)} to {max(counts)} slots, \
{len(counts)} distinct values (ns-2: 0 to 30,
31 distinct). Chi-square against evenness {chi_square:.1f}; 99 % of even samples stay below \
{probes.CHI_SQUARE_99:.1f}.

Time from one attempt to the next, towards a receiver that does not answer, in us. Both give up
after seven attempts, every time. ns-2's extremes are those of 295 packets, ours of 2989.

{table(("attempt", "window", "possible", "ns-2", "multihop", "verdict"), rows)}

Data behind an RTS is sent at most {max(long_data)} times (ns-2: 4): of {sum(long_data.values())} \
packets given up, {long_data[4]} after
four data frames, the others after seven RTS in a row.

After a frame that it can only sense, from 400 m away, a saturated sender waits at least \
{waits[0]:.1f} us,
with a median of {middle:.1f} us (ns-2: 435.3 and 495.3 us), and always EIFS, DIFS and whole slots.

A burst into an idle node with room for 50 packets, packets offered and delivered (the same in
ns-2): {", ".join(f"{burst} and {got}" for burst, got, _ in bursts)}.

A station whose backoff has run out sends, although frames of the same slot are under way to it. Of
three saturated stations that draw from four slots, all three begin in so many of the slots in which
any does (where two are near each other, the third could ignore one of them, had it heard it):

{table(("stations", "ns-2", "multihop"), shares)}

Rules that only a look at single frames can show have tests in `crates/medium/src/mac/tests`:

{table(("rule", "ns-2 (`micro_mac.txt`, `micro_rules.txt`)", "test"), rules)}
"""
    return text, agree


def capture(data: Path) -> tuple[str, bool]:
    """Return the section on capture."""
    cases = probes.captures(data)
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


def reception() -> tuple[str, bool]:
    """Return the table of single links under shadowing."""
    shares = probes.reception(DISTANCES_M)
    rows, agree = [], True
    for distance, here in zip(DISTANCES_M, shares, strict=True):
        model = probes.reception_model(distance)
        agree &= all(abs(a - b) < 0.015 for a, b in zip(here, model, strict=True))
        words = [f"{100 * share:.2f} %" for pair in zip(model, here, strict=True) for share in pair]
        rows.append([f"{distance} m", *words, REFERENCE_RECEPTION.get(distance, "-")])
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

#!/usr/bin/env python3
"""Run the behavioural probes of ns-2's MAC and radio and print what the traces show.

    python3 run_micro.py capture|mac|rules [> micro_capture.txt]

All times are microseconds.  "slots" are (gap - DIFS) / 20 us.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

HERE = Path(__file__).resolve().parent
NO_NS = "ns-2 is not installed: apt-get install ns2"
PLCP_BYTES = 24
DIFS = 50.0
SLOT = 20.0


@dataclass(frozen=True)
class Event:
    """One MAC trace record; `time` in microseconds, `duration` is the frame's NAV field."""

    what: str
    time: float
    node: int
    reason: str
    kind: str
    size: int
    duration: int


def run_ns(script: str, **options: object) -> tuple[str, list[str]]:
    """Run a script; return its RESULT line (or nothing) and its trace."""
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "micro.tr"
        command = ["ns", str(HERE / script), "-trace", str(trace)]
        for name, value in options.items():
            command += [f"-{name}", str(value)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
        lines = trace.read_text().splitlines()
    found = [x for x in done.stdout.splitlines() if x.startswith("RESULT")]
    return (found[0] if found else ""), lines


def mac_events(
    script: str, after: float, layers: tuple[str, ...] = ("MAC",), **options: object
) -> list[Event]:
    """Run a script; return the records of these layers later than `after` seconds."""
    events = []
    for line in run_ns(script, **options)[1]:
        word = line.split()
        if len(word) > 8 and word[3] in layers and float(word[1]) > after:
            duration = int(word[8].lstrip("["), 16)
            node = int(word[2].strip("_"))
            time = float(word[1]) * 1e6
            events.append(Event(word[0], time, node, word[4], word[6], int(word[7]), duration))
    return events


def airtime(size: int, rate: float = 1e6) -> float:
    """Return the time a frame of a traced size takes on the air."""
    return 8 * PLCP_BYTES + 1e6 * 8 * (size - PLCP_BYTES) / rate


def span(values: Iterable[float]) -> str:
    """Return count, smallest, median and largest value."""
    order = sorted(values)
    if not order:
        return "n=0"
    middle = order[len(order) // 2]
    return f"n={len(order)} min {order[0]:.1f} median {middle:.1f} max {order[-1]:.1f}"


def slot_span(gaps: Iterable[float]) -> str:
    """Return the smallest and largest number of slots behind DIFS and how many values occur."""
    slots = [round((gap - DIFS) / SLOT, 2) for gap in gaps]
    return f"n={len(slots)} slots {min(slots):g}..{max(slots):g}, {len(set(slots))} distinct"


# ---- capture ---------------------------------------------------------------


def capture() -> None:
    """Print which frame survives when two overlap at a receiver."""

    def line(first: str, wanted: int, *places: int) -> None:
        ipos = " ".join(map(str, places))
        print(run_ns("micro_capture.tcl", first=first, sd=wanted, ipos=ipos)[0])

    print("# capture: ratio = (I distance / S distance)^4; threshold 10 -> distance ratio 1.778")
    print("# -> S at 200 m: I beyond 355.7 m")
    for place in (310, 350, 355, 356, 360, 400, 500, 549):
        line("S", 250, place, 0)
    for place in (352, 355, 356, 360, 400, 500, 549, 551):
        for first in "SI":
            line(first, 200, place, 0)
    print("# two interferers at +-45 deg, each ratio 16 (sum ratio 8 < 10)")
    for first in "SI":
        line(first, 200, 283, 283, 283, -283)
    print("# weak sensed-only frame first, strong S second: distance 540 (ratio 53)")
    line("I", 200, 540, 0)
    line("I", 50, 549, 0)
    print("# not sensed (551)")
    line("I", 50, 551, 0)


# ---- timing ----------------------------------------------------------------


def broadcast_gaps() -> None:
    """Print the gaps of a saturated broadcaster."""
    print("== broadcast, saturated: gap between end of own frame and next start")
    events = mac_events("micro_mac.tcl", 30, mode="bcast")
    sent = [e for e in events if e.what == "s" and e.node == 0]
    gaps = [b.time - a.time - airtime(a.size) for a, b in pairwise(sent)]
    gaps = [gap for gap in gaps if gap < 5000]
    print("size at MAC", sent[0].size, slot_span(gaps))
    counts = sorted(Counter(round((gap - DIFS) / SLOT) for gap in gaps).items())
    print("  counts:", counts[:4], "...", counts[-3:])


def exchange() -> None:
    """Print the timing of RTS, CTS, DATA and ACK."""
    print("== unicast saturated RTS/CTS at 2 Mb: gap ACK received -> next RTS; exchange timing")
    events = mac_events("micro_mac.tcl", 30, mode="ucast", rate="2Mb")
    ack, gaps = None, []
    for event in events:
        if event.what == "r" and event.node == 0 and event.kind == "ACK":
            ack = event.time
        elif event.what == "s" and event.node == 0 and event.kind == "RTS" and ack:
            gaps.append(event.time - ack)
            ack = None
    print(span(gap for gap in gaps if gap < 5000), "us")
    for event in events[60:70]:
        print(f"    {event.what} node {event.node} {event.kind} {event.size} {event.time:.3f}")


def split_packets(events: list[Event], pause: float = 3e5) -> list[list[Event]]:
    """Split events where nothing happened for a while (one packet a second is sent)."""
    groups: list[list[Event]] = []
    for event in events:
        if not groups or event.time - groups[-1][-1].time > pause:
            groups.append([])
        groups[-1].append(event)
    return groups


def retries() -> None:
    """Print the retry schedule towards a node that hears nothing."""
    print("== deaf receiver: attempts per packet and spacing")
    for rts in (0, 3000):
        events = mac_events("micro_mac.tcl", 36, mode="deaf", rts=rts, dur=300)
        sent = [e for e in events if e.what == "s" and e.node == 0 and e.kind != "ARP"]
        groups = split_packets(sent)
        print(f" RTSThreshold {rts} attempts per packet:", dict(Counter(map(len, groups))))
        for i in range(max(map(len, groups)) - 1):
            gaps = [g[i + 1].time - g[i].time for g in groups if len(g) > i + 1]
            wide = (max(gaps) - min(gaps)) / SLOT
            print(
                f"   attempt {i + 1} -> {i + 2}: min {min(gaps):.0f} max {max(gaps):.0f} us"
                f"  (spread {wide:.1f} slots, n={len(gaps)})"
            )


def lossy() -> None:
    """Print how often a data frame behind an RTS is sent before it is given up."""
    print("== lossy receiver, RTS on: RTS and DATA sent per packet")
    events = mac_events("micro_mac.tcl", 30, mode="lossy", pkt=1400, dur=400)
    own = [e for e in events if e.what == "s" and e.node == 0 and e.kind in ("RTS", "udp")]
    groups = split_packets(own)
    pairs = Counter(tuple(sum(e.kind == k for e in g) for k in ("RTS", "udp")) for g in groups)
    print("   (RTS sent, DATA sent) -> count:", sorted(pairs.items()))


def eifs() -> None:
    """Print the wait after a decodable and after a sensed-only frame."""
    print("== EIFS: own next frame after a frame of the neighbour ends")
    for distance in (200, 400):
        events = mac_events("micro_mac.tcl", 30, mode="eifs", d=distance, dur=120)
        end, gaps = None, []
        for event in events:
            if event.what != "s":
                continue
            if event.node == 1 and event.kind != "message":
                end = event.time + airtime(event.size)
            elif event.node == 0 and end is not None:
                gaps.append(event.time - end)
                end = None
        print(f" neighbour at {distance} m: {span(g for g in gaps if 0 < g < 3000)} us")


def mac() -> None:
    """Print the timing of the MAC."""
    for probe in (broadcast_gaps, exchange, retries, lossy, eifs):
        probe()


# ---- single rules ----------------------------------------------------------


def rule_queue() -> None:
    """Print how many packets of a burst survive."""
    print("== interface queue: burst into an idle node, limit 50")
    for burst in (40, 49, 50, 51, 60, 100):
        lines = run_ns("micro_rules.tcl", mode="queue", burst=burst)[1]
        words = [line.split() for line in lines if float(line.split()[1]) > 4.9]
        kept = sum(w[0] == "r" and w[3] == "AGT" for w in words)
        lost = sum(w[0] == "D" and w[3] == "IFQ" for w in words)
        print(f"   burst {burst}: {kept} delivered, {lost} dropped at the queue")


def rule_drop() -> None:
    """Print the wait of the first attempt of the packet after a dropped one."""
    print("== first attempt after a drop for retries (next packet waiting): gap from the drop")
    for rts, attempt in ((0, "RTS"), (3000, "udp")):
        events = mac_events("micro_rules.tcl", 5.2, mode="drop", rts=rts, n=8000)
        gaps, seconds, state = [], [], None
        for event in events:
            if event.what == "D" and event.kind == "udp":
                state, at = "first", event.time
            elif event.what == "s" and event.kind == attempt and state == "first":
                gaps.append(event.time - at)
                state, at = "second", event.time
            elif event.what == "s" and event.kind == attempt and state == "second":
                seconds.append(event.time - at)
                state = None
        print(f"   RTSThreshold {rts}: {span(gaps)} us; {slot_span(gaps)}")
        print(f"      its first retry: {span(seconds)} us")


def rounds(events: list[Event]) -> list[list[Event]]:
    """Split the records of a probe that starts a round every 50 ms from t=10 s."""
    groups: dict[int, list[Event]] = {}
    for event in events:
        groups.setdefault(int((event.time - 10e6) // 50e3), []).append(event)
    return [groups[k] for k in sorted(groups)]


def first(events: list[Event], what: str, node: int, kind: str, after: float = 0) -> Event | None:
    """Return the first matching record."""
    for e in events:
        if e.what == what and e.node == node and e.kind == kind and e.time > after:
            return e
    return None


def answer(group: list[Event], node: int, frame: Event, kind: str) -> str:
    """Say whether a node answered a frame (its receive record) after SIFS."""
    reply = first(group, "s", node, kind, frame.time)
    quick = reply is not None and reply.time - frame.time < 11
    return f"{kind} {'sent after SIFS' if quick else 'not sent'}"


def rule_nav() -> None:
    """Print whether a node whose NAV is set answers."""
    print("== answers while the NAV of the answering node is set (by an RTS of a third node)")
    for rts, frame, kind in ((0, "RTS", "CTS"), (3000, "udp", "ACK")):
        events = mac_events("micro_rules.tcl", 9.9, mode="nav", rts=rts, lead=0.002)
        seen: Counter[str] = Counter()
        for group in rounds(events):
            lone = first(group, "s", 0, "RTS")
            if lone is None:
                continue
            mine = first(group, "r", 1, frame, lone.time + 1000)
            if mine is None:
                continue
            left = lone.time + airtime(lone.size) + lone.duration - mine.time
            seen[f"NAV {'set' if left > 10 else 'over'}: {answer(group, 1, mine, kind)}"] += 1
        report(seen)


def report(seen: Counter[str]) -> None:
    """Print counted outcomes."""
    for text, count in sorted(seen.items()):
        print(f"   {text}: {count}")


def rule_busy() -> None:
    """Print whether a node answers while another, weaker and later frame is on the air."""
    print("== answers after a frame that was captured over a later, weaker one still on the air")
    for rts, frame, kind, lead in ((0, "RTS", "CTS", 0.0), (3000, "udp", "ACK", 0.002)):
        events = mac_events("micro_rules.tcl", 9.9, mode="busy", rts=rts, lead=lead, n=3000)
        seen: Counter[str] = Counter()
        refused: list[float] = []
        answered: list[float] = []
        for group in rounds(events):
            noise, own = first(group, "s", 2, "udp"), first(group, "s", 0, frame)
            if noise is None or own is None:
                continue
            end = own.time + airtime(own.size)
            if not own.time + 1 < noise.time + 1.7 < end:
                continue
            got = first(group, "r", 1, frame)
            if got is None or abs(got.time - end) > 2:
                seen[f"{frame} not decoded"] += 1
                continue
            seen[f"{frame} decoded: {answer(group, 1, got, kind)}"] += 1
            over = noise.time + airtime(noise.size) + 1.7
            for later in (e for e in group if (e.what, e.node, e.kind) == ("r", 1, "RTS")):
                late = later.time + 10 - over
                given = "after SIFS" in answer(group, 1, later, "CTS")
                (answered if given else refused).append(late)
        report(seen)
        if rts == 0:
            print(f"   time CTS was due - end of the other frame: refused {span(refused)} us,")
            print(f"      answered {span(answered)} us")


def rule_cts_busy() -> None:
    """Print what a sender does whose medium is busy when its CTS has arrived."""
    print("== data after a CTS that was captured over a frame still on the air at the sender")
    events = mac_events("micro_rules.tcl", 9.9, mode="ctsbusy", n=3000, lead=0.0002, spread=0.0008)
    seen: Counter[str] = Counter()
    waits = []
    for group in rounds(events):
        noise, rts = first(group, "s", 2, "udp"), first(group, "s", 0, "RTS")
        cts = first(group, "s", 1, "CTS")
        if noise is None or rts is None or cts is None:
            continue
        end = cts.time + airtime(cts.size)
        if not cts.time + 1 < noise.time + 1.8 < end:
            continue
        got = first(group, "r", 0, "CTS")
        ok = got is not None and abs(got.time - end) < 2
        data = first(group, "s", 0, "udp")
        quick = data is not None and 9 < data.time - end < 13
        verdict = f"data {'' if quick else 'not '}sent after SIFS"
        seen[f"CTS {'decoded' if ok else 'lost'}: {verdict}"] += 1
        again = first(group, "s", 0, "RTS", rts.time)
        if ok and not quick and again is not None:
            waits.append(again.time - noise.time - airtime(noise.size) - 1.8)
    report(seen)
    if waits:
        print(f"   next RTS after the end of the other frame: {span(waits)} us")
        print(f"      slots behind EIFS and DIFS: {slot_span(round(w - 364) for w in waits)}")


def rule_pause() -> None:
    """Print the wait of a sender whose countdown an RTS of another node interrupts."""
    print("== backoff interrupted by an RTS that sets the NAV: wait from the end of the NAV")
    for label, lead in (("packet comes about when that RTS starts", 0.0), ("after it", 0.003)):
        events = mac_events("micro_rules.tcl", 9.9, ("MAC", "AGT"), mode="pause", n=4000, lead=lead)
        waits, before = [], []
        for group in rounds(events):
            other, own = first(group, "s", 0, "RTS"), first(group, "s", 1, "RTS")
            if other is None or own is None or own.time < other.time + airtime(other.size):
                continue
            nav = other.time + airtime(other.size) + other.duration + 0.67
            waits.append(own.time - nav)
            packet = first(group, "s", 1, "udp")
            begin = packet.time + 25 + DIFS if packet else nav
            if begin < other.time:
                before.append((other.time + 0.67 - begin, own.time - nav - DIFS))
        print(f"   {label}: {span(waits)} us; {slot_span(round(w) for w in waits)}")
        if before:
            total = [int(a // SLOT) + round(b / SLOT) for a, b in before]
            exact = sum(abs(b / SLOT - round(b / SLOT)) < 0.01 for _, b in before)
            print(
                f"      countdown had begun in {len(before)}; whole slots before + slots after:"
                f" {min(total)}..{max(total)}; slots after a whole number in {exact}"
            )


def rule_slots() -> None:
    """Print how many of three stations begin in the same slot."""
    print("== three stations that draw from four slots: how many begin in a slot")
    for places, label in (("far", "equally far apart"), ("near", "two near each other")):
        events = mac_events("micro_rules.tcl", 6, mode="slots", places=places, n=1000)
        slots: list[list[float]] = []
        for event in events:
            if (event.what, event.kind) == ("s", "cbr"):
                if not slots or event.time - slots[-1][0] > SLOT / 2:
                    slots.append([])
                slots[-1].append(event.time)
        counts = Counter(map(len, slots))
        shares = ", ".join(f"{size}: {counts[size] / len(slots):.4f}" for size in sorted(counts))
        print(f"   {label}: {len(slots)} slots; {shares}")


def rules() -> None:
    """Print single rules of the MAC."""
    for probe in (
        rule_queue,
        rule_drop,
        rule_nav,
        rule_busy,
        rule_cts_busy,
        rule_pause,
        rule_slots,
    ):
        probe()


def main() -> int:
    """Parse the arguments and run the probes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("capture", "mac", "rules"))
    args = parser.parse_args()
    if shutil.which("ns") is None:
        print(NO_NS, file=sys.stderr)
        return 3
    {"capture": capture, "mac": mac, "rules": rules}[args.what]()
    return 0


if __name__ == "__main__":
    sys.exit(main())

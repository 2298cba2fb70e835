"""Finding the situations of CXCC 4.1 and 5.2 in the trace of a real run.

What happens to a packet on one hop, from the upstream node `u` to the downstream node `d`, is
written down as a word, one letter an event in the order of time; a situation is a pattern of
such words.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

# The letters. "d" and "u" say where an event is recorded.
#   D data sent by u to d          r received by d         l lost at d
#   Q request for ACK sent by u    q received by d
#   F data sent onward by d        x lost at u (the implicit acknowledgment)
#   A ACK sent by d    N NACK sent by d
#   T timeout at u     I implicit, E explicit acknowledgment taken by u     G duplicate ignored by d
SENT = {"data": "D", "rfa": "Q"}
ANSWERED = {"data": "F", "ack": "A", "nack": "N"}
SELF = -1
TAKEN = {"timeout": "T", "implicit_acknowledgment": "I", "explicit_acknowledgment": "E"}


@dataclass(frozen=True)
class Case:
    """A situation: its name in the paper, and its word in basic CXCC and with RFA alike."""

    name: str
    title: str
    pattern: re.Pattern[str]


CASES = (
    Case("forwarding", "forwarding", re.compile("^DrFI$")),
    Case("data_lost", "data lost", re.compile("^DlT(DrF|QqNDrF)I$")),
    Case("acknowledgment_lost", "implicit ACK lost", re.compile("^DrFxT(Dr|Qq)AE$")),
    Case("early_timeout", "early timeout", re.compile("^DrT(Dr|Qq)G?FI$")),
)


@dataclass(frozen=True)
class Window:
    """Where in a run a situation was found."""

    start: float
    end: float
    flow: int
    packet: int
    nodes: tuple[int, ...]


@dataclass
class _Hop:
    """One packet on one hop."""

    up: int
    down: int
    onward: int
    word: str
    start: float
    end: float


def find_cases(events: pl.DataFrame, *, flow: int = 0) -> dict[str, Window]:
    """Find the clearest instance of each case: the one with the fewest frames and losses in it.

    A case that does not happen is left out. The keys are the names of the cases.
    """
    traffic = _traffic(events)
    best: dict[str, tuple[int, Window]] = {}
    for packet, rows in _packets(events, flow):
        for hop in _hops(rows):
            case = next((case for case in CASES if case.pattern.match(hop.word)), None)
            if case is None:
                continue
            window = Window(hop.start, hop.end, flow, packet, (hop.up, hop.down, hop.onward))
            crowd = sum(
                bisect(traffic[node, peer], hop.end) - bisect(traffic[node, peer], hop.start)
                for node in window.nodes
                for peer in (SELF, *window.nodes)
            )
            if case.name not in best or crowd < best[case.name][0]:
                best[case.name] = (crowd, window)
    return {name: window for name, (_, window) in best.items()}


def _traffic(events: pl.DataFrame) -> dict[tuple[int, int], list[float]]:
    """List when a node sent anything (peer `SELF`), and when it lost what a peer had sent."""
    times: dict[tuple[int, int], list[float]] = defaultdict(list)
    rows = events.select("time_s", "node", "event", "peer")
    for time, node, event, peer in rows.iter_rows():
        if event == "transmit_start":
            times[node, SELF].append(time)
        elif event == "loss":
            times[node, peer].append(time)
    return times


Row = tuple[float, int, str, str, int, float]


def _packets(events: pl.DataFrame, flow: int) -> Iterator[tuple[int, list[Row]]]:
    """List what happened to each packet of a flow, in the order of time."""
    columns = ["packet", "time_s", "node", "event", "frame", "peer", "duration_s"]
    packets: dict[int, list[Row]] = defaultdict(list)
    for packet, *row in events.filter(flow=flow).select(columns).iter_rows():
        packets[packet].append((row[0], row[1], row[2], row[3], row[4], row[5]))
    yield from packets.items()


def _hops(rows: list[Row]) -> Iterator[_Hop]:
    """Follow a packet hop by hop; the last hop, which has no onward node, is left out."""
    route = {
        node: peer
        for _, node, event, frame, peer, _ in rows
        if (event, frame) == ("transmit_start", "data")
    }
    for up, down in route.items():
        if down in route and route[down] != up:
            yield _read(rows, up, down, route[down])


def _read(rows: list[Row], up: int, down: int, onward: int) -> _Hop:
    word, start, end = "", 0.0, 0.0
    for time, node, event, frame, peer, duration in rows:
        letter = ""
        if node == up:
            if event == "transmit_start" and peer == down:
                letter = SENT.get(frame, "")
            elif event == "loss" and peer == down and frame == "data":
                letter = "x"
            else:
                letter = TAKEN.get(event, "")
        elif node == down:
            if event == "transmit_start":
                addressee = onward if frame == "data" else up
                letter = ANSWERED.get(frame, "") if peer == addressee else ""
            elif event in ("receive", "loss") and peer == up and frame in SENT:
                letter = _arrival(event, frame)
            elif event == "duplicate_ignored":
                letter = "G"
        if letter:
            start = start if word else time
            end = time + duration
            word += letter
        if letter in ("I", "E"):
            break
    return _Hop(up, down, onward, word, start, end)


def _arrival(event: str, frame: str) -> str:
    received = event == "receive"
    if frame == "data":
        return "r" if received else "l"
    return "q" if received else ""

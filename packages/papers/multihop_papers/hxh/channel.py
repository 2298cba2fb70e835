"""What a trace says of the channel and of HxH's packets.

exchange()     the time of an exchange that carries data (1.1)
share()        the part of the channel's time that end-to-end acknowledgments take (1.2)
nacks()        how many of HxH's packets are negative acknowledgments (4.1.3)
overtaken()    how many packets reach the destination behind later ones (4.1.1)
repeats()      how many lost NACKs the destination's repetition made up for (4.1.3)
recoveries()   who sends the first NACK of each gap, and who saw the gap first (4.1.3)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from multihop.statistics.stats import Values

# HxH 1.2: the time that RTS, CTS and the MAC's acknowledgment take, at 1 Mbit/s whatever the rate.
RESERVATION_S = 792e-6
ACKNOWLEDGMENT = 40
# HxH 3.2.1: "state was released whenever flows were inactive for more than two seconds"
FORGOTTEN_S = 2.0
# A node passes a NACK on at once, if it has a way.
PASSED_ON_S = 0.5


def overhead(rate: float | Values, data: float) -> float | Values:
    """Return equation 1.2: the part of the time for `data` bytes that a 40 B ACK takes at a rate.

    The rate is in bit/s.
    """
    own = RESERVATION_S + 8 * ACKNOWLEDGMENT / rate
    return own / (own + RESERVATION_S + 8 * data / rate)


def _exchanges(events: pl.DataFrame) -> pl.DataFrame:
    """List the exchanges in a network of one hop, where they follow one another.

    An exchange begins with an RTS and ends with the end of its last frame; whose it is says the
    frame that it carries. What the stations wait before it does not count, as in equation 1.1.
    """
    sent = (
        events.filter(event="transmit_start")
        .sort("time_s")
        .with_columns(exchange=(pl.col("frame") == "rts").cum_sum())
    )
    return sent.group_by("exchange").agg(
        time=(pl.col("time_s") + pl.col("duration_s")).max() - pl.col("time_s").min(),
        data=(pl.col("frame") == "data").any(),
        acknowledgment=(pl.col("frame") == "transport_ack").any(),
    )


def exchange(events: pl.DataFrame) -> float:
    """Return how long in s an exchange takes that carries data."""
    return float(str(_exchanges(events).filter("data")["time"].mean()))


def share(events: pl.DataFrame) -> float:
    """Return the measured part in a network of one hop."""
    exchanges = _exchanges(events)
    acknowledgments = exchanges.filter("acknowledgment")["time"].sum()
    both = exchanges.filter(pl.col("data") | pl.col("acknowledgment"))["time"].sum()
    return float(acknowledgments) / float(both)


def nacks(events: pl.DataFrame) -> tuple[int, int]:
    """Return how many NACKs were sent by any node, and how many packets of HxH in all."""
    sent = events.filter(pl.col("frame").is_in(["data", "ack", "nack"]), event="transmit_start")
    return sent.filter(frame="nack").height, sent.height


def overtaken(events: pl.DataFrame, link: tuple[int, int]) -> tuple[int, int]:
    """Return how many packets come over the last link of a path behind later ones, and how many.

    They are counted where the radio of the destination decodes them first: its transport hands them
    to the application in order in any case.
    """
    node, destination = link
    arrivals = (
        events.filter(pl.col("packet") >= 0, event="receive", frame="data")
        .filter(node=destination, peer=node)
        .unique(["flow", "packet"], keep="first", maintain_order=True)
        .with_columns(latest=pl.col("packet").cum_max().over("flow"))
    )
    return int((arrivals["packet"] < arrivals["latest"]).sum()), arrivals.height


class Recovery(NamedTuple):
    """A NACK at its origin: when, by whom, and who first received a packet beyond a gap."""

    time: float
    node: int
    first: int


def recoveries(events: pl.DataFrame, path: tuple[int, ...]) -> list[Recovery]:
    """List the NACKs at their origins, with the node that saw a gap first.

    `path` are nodes in the order of the flow. A node sees a gap when it is sent a packet whose
    number is not the one behind the highest that it was sent. A node that was sent none for two
    seconds has forgotten the flow (3.2.1) and sees none; the destination remembers. A NACK without
    a gap that is new to all of them repeats an earlier one: `first` is -1.
    """
    seen: dict[int, tuple[float, int]] = {}
    sent: dict[int, int] = {}
    told: dict[int, float] = {}
    missing: set[int] = set()
    first = -1
    found = []
    rows = events.filter(
        pl.col("frame").is_in(["data", "nack"]),
        pl.col("event").is_in(["transmit_start", "receive"]),
        pl.col("node").is_in(path),
    ).select("time_s", "node", "event", "frame", "peer", "packet")
    for time, node, event, frame, peer, packet in rows.iter_rows():
        if event == "transmit_start":
            sent[node] = peer
            if frame == "nack" and time - told.pop(node, -np.inf) >= PASSED_ON_S:
                found.append(Recovery(time, node, first))
                first = -1
        elif sent.get(peer, -1) != node:
            continue
        elif frame == "nack":
            told[node] = time
        else:
            last, highest = seen.get(node, (-np.inf, -1))
            knows = node == path[-1] or time - last < FORGOTTEN_S
            gap = set(range(highest + 1, packet)) - missing if knows else set()
            if gap and first < 0:
                first = node
            missing |= gap
            seen[node] = (time, max(highest, packet) if knows else packet)
    return found


def repeats(events: pl.DataFrame, path: tuple[int, ...]) -> tuple[int, int]:
    """Count the NACKs that got lost on their way to the source, and how many were made up for.

    A NACK got lost if the source was told of none before the destination repeated it. It was made
    up for if the source was told of a repetition.
    """
    heard = events.filter(event="negative_acknowledgment", node=path[0])["time_s"].to_numpy()
    found = recoveries(events, path)
    lost = repaired = 0
    for number, origin in enumerate(found):
        again = [r.time for r in found[number + 1 :] if r.node == path[-1] and r.first < 0]
        if origin.first < 0 or not again or np.any((heard > origin.time) & (heard < again[0])):
            continue
        # The next gap is another matter.
        until = next((r.time for r in found[number + 1 :] if r.first >= 0), np.inf)
        if again[0] < until:
            lost += 1
            repaired += bool(np.any((heard > again[0]) & (heard < until)))
    return lost, repaired


def line(rates: Values, throughputs: Values, payload: int) -> tuple[float, float]:
    """Fit time per packet = a + b / rate: return a in s and b in bytes.

    Rates in bit/s; the times are those of `payload` bytes at the measured throughputs.
    """
    times = 8 * payload / throughputs
    slope, constant = np.polyfit(1 / rates, times, 1)
    return float(constant), float(slope) / 8

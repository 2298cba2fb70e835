"""The probes of MAC and radio that were made with ns-2, made again here from event traces."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from multihop.running.runner import simulate
from multihop.scenario.form import Scenario

SLOT_US, DIFS_US, EIFS_US = 20.0, 50.0, 364.0
WINDOW = 31
# 99 % quantile of chi-square with 30 degrees of freedom.
CHI_SQUARE_99 = 50.89
# What ns-2's trace adds to a frame's length, in bytes: preamble and PLCP header.
PLCP_BYTES = 24

FRAMES = {"rts": "RTS", "cts": "CTS", "data": "data", "link_ack": "ACK"}


@dataclass(frozen=True)
class Step:
    """One moment of a frame exchange, in us after the RTS began."""

    what: str
    reference: float
    ours: float


@dataclass(frozen=True)
class Gaps:
    """How long after its last attempt a station tries again, in us."""

    attempt: int
    window: int
    base: float
    reference: tuple[float, float]
    ours: tuple[float, float]
    whole_slots: bool

    @property
    def agrees(self) -> bool:
        """Whether both keep to base + 0 .. window-1 slots, and this simulator uses them all.

        ns-2's sample is too small for that, and of the largest windows we may miss a hundredth.
        """
        last = self.base + (self.window - 1) * SLOT_US
        ends = (*self.reference, *self.ours)
        within = all(self.base - 0.5 <= end <= last + 0.5 for end in ends)
        missed = self.window / 100 * SLOT_US
        used = self.ours[0] <= self.base + missed + 0.5 and self.ours[1] >= last - missed - 0.5
        return self.whole_slots and within and used


@dataclass(frozen=True)
class Capture:
    """One probe of which of two overlapping frames is received, of how many tries."""

    first: str
    wanted_m: int
    interferers: tuple[tuple[int, int], ...]
    reference: float
    ours: float


@dataclass(frozen=True)
class Slots:
    """Three stations that draw from four slots: how often one, two or three begin in a slot."""

    places: str
    reference: tuple[float, ...]
    ours: tuple[float, ...]

    @property
    def agrees(self) -> bool:
        """Whether no share differs by more than 0.015, some two standard errors of the largest."""
        return bool(np.allclose(self.reference, self.ours, rtol=0, atol=0.015))


def _scenario(nodes: dict[str, tuple[float, float]], flows: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "name": "probe",
        "warmup": "0 s",
        "topology": {"kind": "explicit"},
        "scheme": {"name": "udp"},
        "traffic": {"payload": "512 B", "start": "1 s", "start_jitter": "0 s"},
        "node": [{"name": n, "x": f"{x} m", "y": f"{y} m"} for n, (x, y) in nodes.items()],
        "flow": flows,
    }


def pair(**tables: Any) -> dict[str, Any]:
    """Return a scenario with one flow over one hop of 200 m, with some tables replaced."""
    base = _scenario({"a": (0, 0), "b": (200, 0)}, [{"from": "a", "to": "b"}])
    for name, table in tables.items():
        base[name] = {**base[name], **table} if isinstance(base.get(name), dict) else table
    return base


def trace(tables: dict[str, Any]) -> pl.DataFrame:
    """Run a scenario and return its events."""
    return simulate(Scenario.from_dict(tables), events=True).events


def exchange(data: Path) -> list[Step]:
    """Follow one exchange RTS, CTS, data, ACK at 2 Mb/s, up to the next RTS."""
    pattern = re.compile(r"^ {4}([sr]) node (\d) (\w+) \d+ ([\d.]+)$")
    found = [pattern.match(line) for line in _lines(data / "micro_mac.txt")]
    theirs = [match.groups() for match in found if match][:9]
    tables = pair(duration="2 s", mac={"rts_cts": True, "data_rate": "2 Mbit/s"})
    tables["traffic"]["load"] = "2000 kbit/s"
    events = trace(tables).filter(pl.col("event").is_in(["transmit_start", "receive"]))
    rows = events.select("time_s", "event", "node", "frame").rows()
    begin = next(i for i, row in enumerate(rows) if row[0] > 1.5 and row[1:] == _RTS)
    steps = []
    for (kind, node, name, time), row in zip(theirs, rows[begin : begin + 9], strict=True):
        frame = FRAMES[row[3]]
        verb = "begins" if row[1] == "transmit_start" else "is received"
        same = (kind == "s") == (verb == "begins") and int(node) == row[2]
        if not same or name not in (frame, "udp"):
            raise ValueError(f"{frame} {verb} at node {row[2]}, but in ns-2 it is {name} {kind}")
        sent_from = "the receiver" if row[2] else "the sender"
        offset = (row[0] - rows[begin][0]) * 1e6
        steps.append(
            Step(f"{frame} {verb} at {sent_from}", float(time) - float(theirs[0][3]), offset)
        )
    return steps


_RTS = ("transmit_start", 0, "rts")


def backoff() -> tuple[dict[int, int], float]:
    """Count the backoffs of a saturated sender, in slots, and test that they are even."""
    tables = pair(duration="60 s", mac={"rts_cts": True, "data_rate": "2 Mbit/s"})
    tables["traffic"]["load"] = "2000 kbit/s"
    own = trace(tables).filter(
        ((pl.col("event") == "receive") & (pl.col("frame") == "link_ack"))
        | ((pl.col("event") == "transmit_start") & (pl.col("frame") == "rts"))
    )
    waits = [
        (later[0] - earlier[0]) * 1e6 - DIFS_US
        for earlier, later in pairwise(own.select("time_s", "event").rows())
        if earlier[1] == "receive"
    ]
    counts = Counter(round(wait / SLOT_US) for wait in waits)
    if any(abs(wait - round(wait / SLOT_US) * SLOT_US) > 0.01 for wait in waits):
        raise ValueError("a backoff is not a whole number of slots")
    expected = len(waits) / WINDOW
    chi_square = sum((counts[k] - expected) ** 2 / expected for k in range(WINDOW))
    return dict(sorted(counts.items())), chi_square


def retries(data: Path, *, rts: bool) -> tuple[Counter[int], list[Gaps]]:
    """Count the attempts towards a deaf receiver, and measure the time between them."""
    tables = pair(duration="300 s", radio={"bit_error_rate": 0.5}, mac={"rts_cts": rts})
    tables["traffic"]["load"] = "40.96 kbit/s"
    sent = trace(tables).filter(pl.col("event") == "transmit_start")
    attempts = sent.group_by("packet", maintain_order=True).agg(pl.col("time_s"))["time_s"]
    full = [np.array(times) * 1e6 for times in attempts.to_list()[:-1]]
    base = 720.0 if rts else 5088.0
    gaps = []
    for number, theirs in enumerate(_reference_gaps(data, rts=rts)):
        window = min(1024, 32 << (number + 1)) - 1
        waits = np.array([times[number + 1] - times[number] for times in full])
        slots = (waits - base) / SLOT_US
        whole = bool(np.all(np.abs(slots - np.round(slots)) < 1e-3))
        ours = (float(np.min(waits)), float(np.max(waits)))
        gaps.append(Gaps(number + 1, window, base, theirs, ours, whole))
    return Counter(len(times) for times in full), gaps


def _reference_gaps(data: Path, *, rts: bool) -> list[tuple[float, float]]:
    """Read smallest and largest time between attempts of ns-2."""
    lines = _lines(data / "micro_mac.txt")
    start = next(
        i for i, x in enumerate(lines) if x.startswith(f" RTSThreshold {0 if rts else 3000} ")
    )
    pattern = re.compile(r"^ +attempt \d -> \d: min (\d+) max (\d+) us")
    found = [pattern.match(line) for line in lines[start + 1 : start + 7]]
    return [(float(match[1]), float(match[2])) for match in found if match]


def long_retries() -> Counter[int]:
    """Count the data frames of packets dropped where short frames mostly arrive, long ones die."""
    tables = pair(duration="300 s", radio={"bit_error_rate": 0.0005}, mac={"rts_cts": True})
    tables["traffic"] |= {"load": "80 kbit/s", "payload": "2000 B"}
    events = trace(tables)
    given_up = events.filter((pl.col("event") == "drop") & (pl.col("cause") == "retries_spent"))
    sent = events.filter((pl.col("event") == "transmit_start") & (pl.col("node") == 0))
    frames = sent.filter(pl.col("packet").is_in(given_up["packet"].to_list()))
    data = frames.group_by("packet").agg((pl.col("frame") == "data").sum())
    return Counter(data["frame"].to_list())


def extended_wait() -> list[float]:
    """Measure the wait of a saturated sender after frames that it can only sense (400 m)."""
    nodes = {"to": (-100.0, 0.0), "from": (0.0, 0.0), "far": (400.0, 0.0), "beyond": (600.0, 0.0)}
    flows = [
        {"from": "from", "to": "to", "load": "2000 kbit/s"},
        {"from": "far", "to": "beyond", "load": "10.24 kbit/s", "payload": "64 B"},
    ]
    sent = trace(_scenario(nodes, flows) | {"duration": "120 s"}).filter(
        (pl.col("event") == "transmit_start") & pl.col("node").is_in([1, 2])
    )
    rows = sent.select("node", "time_s", "duration_s").rows()
    waits = [
        (later[1] - earlier[1] - earlier[2]) * 1e6
        for earlier, later in pairwise(rows)
        if (earlier[0], later[0]) == (2, 1)
    ]
    return sorted(wait for wait in waits if 0 < wait < 3000)


# Where the third station and the receiver are, in m; the others are at (100, 100) and (300, 100).
_PLACES = {
    "equally far apart": ((200.0, 273.205), (200.0, 157.735)),
    "two near each other": ((130.0, 100.0), (230.0, 200.0)),
}


def slots(data: Path) -> list[Slots]:
    """Count how many of three saturated stations begin to send data in the same slot."""
    pattern = re.compile(r"^ +(.*): \d+ slots; 1: ([\d.]+), 2: ([\d.]+), 3: ([\d.]+)$")
    found = [match for line in _lines(data / "micro_rules.txt") if (match := pattern.match(line))]
    rows = []
    for places, *shares in (match.groups() for match in found):
        third, sink = _PLACES[places]
        nodes = {"a": (100.0, 100.0), "b": (300.0, 100.0), "c": third, "sink": sink}
        tables = _scenario(nodes, [{"from": name, "to": "sink"} for name in "abc"])
        tables["duration"], tables["mac"] = "60 s", {"cw_min": 4, "cw_max": 4}
        tables["traffic"]["load"] = "2000 kbit/s"
        sent = trace(tables).filter(
            (pl.col("event") == "transmit_start") & (pl.col("frame") == "data")
        )
        begins = np.diff(sent["time_s"].to_numpy(), prepend=-1.0) > SLOT_US / 2e6
        sizes = Counter(np.bincount(np.cumsum(begins))[1:].tolist())
        ours = tuple(sizes[size] / sizes.total() for size in (1, 2, 3))
        rows.append(Slots(places, tuple(map(float, shares)), ours))
    return rows


def queue(burst: int) -> tuple[int, int]:
    """Offer a burst to an idle node; return how many packets are delivered and dropped."""
    tables = pair(duration="2 s")
    stop = f"{1_000_000 + burst - 0.5:.1f} us"
    tables["traffic"] |= {"load": "4.096 Gbit/s", "stop": stop}
    flow = simulate(Scenario.from_dict(tables)).flows.row(0, named=True)
    return flow["run_delivered"], flow["lost_queue_full"]


def captures(data: Path, tries: int = 5) -> list[Capture]:
    """Repeat every line of the capture probe."""
    pattern = re.compile(r"RESULT first=([SI]) sd=(\d+) ipos=([-\d,]+) n=(\d+) got_1=(\d+) (.*)$")
    rows = []
    for match in map(pattern.match, _lines(data / "micro_capture.txt")):
        if match is None:
            continue
        first, wanted, places, count, received, others = match.groups()
        if any(int(other.split("=")[1]) for other in others.split()):
            raise ValueError("ns-2 received a frame from beyond the receive range")
        numbers = list(map(int, places.split(",")))
        interferers = tuple(zip(numbers[::2], numbers[1::2], strict=True))
        got = [_captured(first, int(wanted), interferers, seed) for seed in range(1, tries + 1)]
        shares = int(received) / int(count), sum(got) / tries
        rows.append(Capture(first, int(wanted), interferers, *shares))
    return rows


def _captured(first: str, wanted: int, interferers: Sequence[tuple[int, int]], seed: int) -> bool:
    """Whether the wanted frame is received although the interferers send as well."""
    nodes: dict[str, tuple[float, float]] = {"receiver": (0, 0), "wanted": (-wanted, 0)}
    start = {True: "1 s", False: "1.003 s"}
    # The stop lets each source send one packet.
    flows = [{"from": "wanted", "to": "receiver", "start": start[first == "S"]}]
    for number, (x, y) in enumerate(interferers):
        outward = 1 + 20 / math.hypot(x, y)
        nodes |= {f"i{number}": (x, y), f"j{number}": (x * outward, y * outward)}
        flows.append({"from": f"i{number}", "to": f"j{number}", "start": start[first == "I"]})
    tables = _scenario(nodes, flows) | {"duration": "1.2 s", "seed": seed}
    tables["traffic"] |= {"load": "12 kbit/s", "payload": "1500 B", "stop": "1.5 s"}
    events = trace(tables)
    sent = events.filter((pl.col("event") == "transmit_start") & (pl.col("node") == 1))
    time, air = sent.select("time_s", "duration_s").row(0)
    received = events.filter(
        (pl.col("event") == "receive") & (pl.col("node") == 0) & (pl.col("peer") == 1)
    )["time_s"]
    return bool(((received - time - air).abs() < 1e-5).any())


def reception(distances_m: Sequence[int], seconds: int = 60) -> list[tuple[float, float]]:
    """Return the shares of frames decoded and sensed at some distances under shadowing."""
    nodes: dict[str, tuple[float, float]] = {"a": (0.0, 0.0), "b": (-100.0, 0.0)}
    nodes |= {f"at {d}": (float(d), 0.0) for d in distances_m}
    tables = _scenario(nodes, [{"from": "a", "to": "b", "load": "2000 kbit/s"}])
    tables |= {"duration": f"{seconds} s", "radio": {"propagation": "log-normal-shadowing"}}
    events = trace(tables).filter(pl.col("frame") == "data")
    begun = events.filter((pl.col("event") == "transmit_start") & (pl.col("node") == 0))
    sent = begun.filter(pl.col("time_s") + pl.col("duration_s") < seconds).height
    shares = []
    for number, _ in enumerate(distances_m):
        here = events.filter((pl.col("node") == number + 2) & (pl.col("peer") == 0))
        decoded = here.filter(pl.col("event") == "receive").height
        shares.append((decoded / sent, here.height / sent))
    return shares


def reception_model(distance_m: float) -> tuple[float, float]:
    """Return the shares that log-normal shadowing of exponent 4 and 4 dB asks for."""

    def share(range_m: float) -> float:
        margin = 40 * math.log10(range_m / distance_m) / 4 + 1.6448536269514722
        return 0.5 * math.erfc(-margin / math.sqrt(2))

    return share(250), share(550)


def routes_taken(tables: dict[str, Any]) -> list[list[tuple[int, int]]]:
    """Return the hops over which each flow's data travels."""
    events = trace(tables).filter(
        (pl.col("event") == "transmit_start") & (pl.col("frame") == "data")
    )
    flows = events["flow"].unique().sort().to_list()
    hops = events.select("flow", "node", "peer").unique(maintain_order=True)
    return [hops.filter(flow=flow).select("node", "peer").rows() for flow in flows]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()

"""802.11a in ns-3.37 and here: links and chains of nodes, by ns-3's rules and receiver."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from multihop._multihop import Cancel
from multihop.running.runner import simulate, spread
from multihop.scenario.form import Scenario

from . import store
from .compare import Comparison, Estimate

FILE = "ns3_ofdm"
# As ns-3 counts: MAC header and FCS, LLC and SNAP, and for datagrams UDP's.
HEADER, UDP_HEADER = 36, 8
# ns-3's 100 packets include the one that is on the air.
QUEUE = 99
# Attempts for a frame, also behind an RTS; TCP's buffers in segments.
ATTEMPTS, WINDOW = 7, 64
# ns-3's sources offer a fifth more than the rate where nothing is said.
SATURATED = 1.2
# Of 802.11a, in us: spaces, half the smallest window, a preamble with its SIGNAL field, a symbol.
SIFS, DIFS, BACKOFF, PREAMBLE, SYMBOL = 16, 34, 7.5 * 9, 20, 4
# What a bar asks of a share of the points.
MOST, NEARLY_ALL = 0.80, 0.95
# Those bars, by transport: of most points, of nearly all.
BARS = {"udp": (0.05, 0.10), "tcp": (0.10, 0.20), "sack": (0.10, 0.20)}
# The scheme here, and the name of each transport.
SCHEMES = {"udp": "udp", "tcp": "newreno", "sack": "sack"}
NAMES = {"udp": "UDP", "tcp": "TCP", "sack": "TCP with SACK"}
# Points below this part of what a chain could carry have collapsed, and are compared by a factor.
COLLAPSED, FACTOR = 0.2, 1.5
# Standard errors of the difference within which a point keeps the narrower bar.
ERRORS = 3.0
# Hops of which one sends at a time, by rate in Mbit/s: so far away is an interferer to whom 10 % of
# frames are lost, where the path loss exponent is 3.
REUSE = {6: 3, 12: 3, 18: 4, 24: 4, 36: 5, 48: 7, 54: 7}


@dataclass(frozen=True)
class Case:
    """A link or a chain, what goes over it, and what receivers are like."""

    part: str
    rate: int
    hops: int
    spacing_m: float
    transport: str
    rts: bool
    payload: int
    # Of every source; 0: more than any link carries.
    load_kbps: float
    both: bool
    # From which signal on preambles are noticed, in dBm.
    noticed_dbm: float
    errors: str
    # How long the first run in ns-3 took before and while it was measured. Chains that collapse do
    # so within seconds, so that the runs here have the same times.
    warmup_s: float = field(compare=False)
    duration_s: float = field(compare=False)

    def scenario(self, seed: int) -> Scenario:
        """Return this simulator's scenario."""
        udp = self.transport == "udp"
        load = (
            f"{self.load_kbps:g} kbit/s" if self.load_kbps else f"{SATURATED * self.rate:g} Mbit/s"
        )
        traffic = {"load": load} if udp else {"kind": "ftp"}
        start = {"start": "100 ms", "start_jitter": "20 ms", "payload": f"{self.payload} B"}
        names = [f"n{number}" for number in range(self.hops + 1)]
        ways = [names, names[::-1]] if self.both else [names]
        flows = [{"from": way[0], "to": way[-1], "via": way[1:-1]} for way in ways]
        window = {} if udp else {"window_limit": WINDOW}
        return Scenario.from_dict(
            {
                "name": self.title,
                "seed": seed,
                "warmup": f"{self.warmup_s:g} s",
                "duration": f"{self.duration_s:g} s",
                "topology": {"kind": "explicit"},
                "node": [
                    {"name": name, "x": f"{self.spacing_m * number:g} m", "y": "0 m"}
                    for number, name in enumerate(names)
                ],
                "flow": flows,
                "mac": {
                    "rules": "ns3",
                    # Packets in ns-3's queues lived as long as the runs.
                    "lifetime": "10000 s",
                    "data_rate": f"{self.rate:g} Mbit/s",
                    "rts_cts": self.rts,
                    **({"long_retry_limit": ATTEMPTS} if self.rts else {}),
                    **self.mac(UDP_HEADER * udp),
                },
                "radio": {
                    "propagation": "log-normal-shadowing",
                    "path_loss_exponent": 3,
                    "shadowing_deviation": "0 dB",
                    "transmit_power": "40 mW",
                    "receive_threshold": f"{self.noticed_dbm:g} dBm",
                    "sense_threshold": "-101 dBm",
                    "errors": self.errors,
                },
                "scheme": {"name": SCHEMES[self.transport], "queue_limit": QUEUE, **window},
                "traffic": traffic | start,
            }
        )

    def mac(self, datagram_header: int) -> dict[str, Any]:
        """Return the keys of its MAC, where so many bytes of headers are not counted elsewhere."""
        return {"timing": "ofdm-5", "header": f"{HEADER + datagram_header} B"}

    @property
    def title(self) -> str:
        """What it is, in a line."""
        ways = "both ways, " if self.both else ""
        load = f"{self.load_kbps:g} kbit/s, " if self.load_kbps else ""
        rts = ", RTS/CTS" if self.rts else ""
        special = "" if self.noticed_dbm == -82 else f", noticed from {self.noticed_dbm:g} dBm"
        special += "" if self.errors == "nist" else f', errors "{self.errors}"'
        return (
            f"{self.hops} x {self.spacing_m:g} m, {ways}{load}{self.payload} B, "
            f"{NAMES[self.transport]} at {self.rate:g} Mbit/s{rts}{special}"
        )

    @property
    def is_full(self) -> bool:
        """Return whether its queue always has what a frame may carry."""
        return True

    @property
    def saturation(self) -> float:
        """What one link carries of datagrams, in kbit/s (IEEE 802.11-2020, 17.4.3 and 10.3)."""
        answer = max(rate for rate in (6, 12, 24) if rate <= self.rate)
        handshake = air_us(6, 20) + air_us(6, 14) + 2 * SIFS if self.rts else 0.0
        frame = self.payload + 20 + UDP_HEADER + HEADER
        cycle = DIFS + BACKOFF + handshake + air_us(self.rate, frame) + SIFS + air_us(answer, 14)
        return self.payload * 8e3 / cycle

    @property
    def offered(self) -> float:
        """What all sources offer, in kbit/s."""
        sources = 2 if self.both else 1
        return sources * (self.load_kbps or 1e3 * SATURATED * self.rate)

    @property
    def bound(self) -> float:
        """What a chain could carry, in kbit/s, if as many hops sent at a time as may."""
        return self.saturation / min(self.reuse, self.hops)

    @property
    def reuse(self) -> int:
        """Return of how many hops one sends at a time."""
        return REUSE[self.rate]


def air_us(rate: int, frame: int) -> float:
    """How long a frame is on the air, in us."""
    return PREAMBLE + SYMBOL * -(-(16 + 6 + 8 * frame) // (rate * SYMBOL))


@dataclass(frozen=True)
class Point:
    """A case by ns-3 and by this simulator."""

    case: Case
    goodput: Comparison

    @property
    def is_collapsed(self) -> bool:
        """Whether so little arrives in ns-3 that a difference in per cent says nothing."""
        return self.goodput.reference.mean < self._little

    @property
    def _little(self) -> float:
        return COLLAPSED * min(self.case.bound, self.case.offered)

    @property
    def off(self) -> float:
        """By what part of ns-3's goodput ours is another, without a sign."""
        return abs(self.goodput.difference)

    def is_close(self) -> bool:
        """Whether it keeps the bar of most points."""
        if self.is_collapsed:
            return self.is_near()
        near = self.off <= BARS[self.case.transport][0]
        return near or abs(self.goodput.standard_errors) <= ERRORS

    def is_near(self) -> bool:
        """Whether it keeps the bar of nearly all points."""
        if self.goodput.reference.mean == 0:
            return self.goodput.ours.mean < self._little
        if self.is_collapsed:
            ratio = self.goodput.ours.mean / self.goodput.reference.mean
            return 1 / FACTOR <= ratio <= FACTOR
        return self.off <= BARS[self.case.transport][1]


Runs = dict[Case, list[float]]


def read(folder: Path, file: str = FILE, kind: type[Case] = Case) -> Runs:
    """Read ns-3's goodputs in kbit/s, case by case."""
    names = [one.name for one in fields(kind)]
    found: dict[Case, list[float]] = defaultdict(list)
    for row in store.rows(folder, file):
        found[kind(**{name: row[name] for name in names})].append(row["goodput_kbps"])
    return dict(found)


def measure(
    cases: Iterable[Case],
    seeds: int,
    *,
    title: str = "802.11a",
    workers: int | None = None,
    progress: bool = True,
) -> Runs:
    """Run every case with the seeds 1, 2, ... to that count."""
    jobs = [(case, seed) for case in cases for seed in range(1, seeds + 1)]
    found = [0.0] * len(jobs)

    def job(index: int, cancel: Cancel) -> None:
        case, seed = jobs[index]
        result = simulate(case.scenario(seed), cancel=cancel)
        found[index] = result.runs["goodput_bit_s"].item() / 1e3

    spread(job, len(jobs), workers=workers, progress=progress, title=title)
    runs: Runs = defaultdict(list)
    for (case, _), goodput in zip(jobs, found, strict=True):
        runs[case].append(goodput)
    return dict(runs)


def points(reference: Runs, ours: Mapping[Case, list[float]]) -> list[Point]:
    """Compare those cases that were run here."""
    return [
        Point(
            case,
            Comparison(Estimate.of(reference[case]), Estimate.of(own), BARS[case.transport][0]),
        )
        for case, own in ours.items()
    ]

"""What the probes of MAC and radio have found here: measured, kept and read."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from multihop.results.result import make_folder, replacing

from . import probes
from .probes import Capture, Gaps, Slots, Step
from .reference import Case

FILE = "ours_probes.json"
BURSTS = (40, 49, 50, 51, 60, 100)
DISTANCES_M = (150, 200, 250, 300, 400, 550, 700)
# When the first slot begins after a frame that a sender, 400 m away, can only sense, in us.
EXTENDED_US = 1000 * 400 / 3e8 * 1e3 + probes.EIFS_US + probes.DIFS_US


@dataclass(frozen=True)
class Waits:
    """How long a saturated sender waits after frames that it can only sense, in us."""

    smallest: float
    median: float
    # Whether each is EIFS, DIFS and whole slots.
    whole_slots: bool


@dataclass(frozen=True)
class Backoff:
    """Backoffs, retries, waits and bursts."""

    # How often a saturated sender has drawn so many slots, from 0 on, and chi-square of that.
    draws: list[int]
    chi_square: float
    # Packets towards a deaf receiver, how many attempts each had, and the time between them: of
    # RTS, of data.
    packets: int
    attempts: dict[str, list[int]]
    gaps: dict[str, list[Gaps]]
    # How many packets were dropped after so many data frames behind an RTS, from 0 on.
    long_data: list[int]
    waits: Waits
    # Packets offered at once, and delivered.
    bursts: list[tuple[int, int]]
    together: list[Slots]


@dataclass(frozen=True)
class Probes:
    """What all probes have found."""

    exchange: list[Step]
    backoff: Backoff
    captures: list[Capture]
    # Shares of frames decoded and sensed at each of `DISTANCES_M`.
    reception: list[tuple[float, float]]
    # The hops that each flow of the random network takes; nothing where there is no such network.
    routes: list[list[tuple[int, int]]]


def measure(data: Path, random: Case | None) -> Probes:
    """Run every probe; `random` is a case of the random network."""
    routes = []
    if random is not None:
        tables = random.scenario(1).to_dict() | {"duration": "2 s", "warmup": "0 s"}
        routes = probes.routes_taken(tables)
    return Probes(
        exchange=probes.exchange(data),
        backoff=backoff(data),
        captures=probes.captures(data),
        reception=probes.reception(DISTANCES_M),
        routes=routes,
    )


def backoff(data: Path) -> Backoff:
    """Run the probes of backoff and queue."""
    counts, chi_square = probes.backoff()
    found = {name: probes.retries(data, rts=name == "RTS") for name in ("RTS", "data")}
    waits = probes.extended_wait()
    long_data = probes.long_retries()
    lattice = all(abs((wait - EXTENDED_US + 10) % probes.SLOT_US - 10) < 0.01 for wait in waits)
    return Backoff(
        draws=[counts.get(slots, 0) for slots in range(max(counts) + 1)],
        chi_square=chi_square,
        packets=max(attempts.total() for attempts, _ in found.values()),
        attempts={name: sorted(attempts) for name, (attempts, _) in found.items()},
        gaps={name: gaps for name, (_, gaps) in found.items()},
        long_data=[long_data[frames] for frames in range(max(long_data) + 1)],
        waits=Waits(waits[0], waits[len(waits) // 2], lattice),
        bursts=[(burst, probes.queue(burst)[0]) for burst in BURSTS],
        together=probes.slots(data),
    )


def keep(folder: Path, found: Probes) -> None:
    """Write what was found into a folder."""
    with replacing(make_folder(folder) / FILE) as temporary:
        # A line for each probe.
        lines = ",\n".join(f' "{name}": {json.dumps(it)}' for name, it in asdict(found).items())
        temporary.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def kept(folder: Path) -> Probes:
    """Read what was found."""
    tree = json.loads((folder / FILE).read_text(encoding="utf-8"))
    backoff = tree["backoff"]
    return Probes(
        exchange=[Step(**step) for step in tree["exchange"]],
        backoff=Backoff(
            **backoff
            | {
                "gaps": {n: [_gaps(one) for one in own] for n, own in backoff["gaps"].items()},
                "waits": Waits(**backoff["waits"]),
                "bursts": [tuple(burst) for burst in backoff["bursts"]],
                "together": [_slots(one) for one in backoff["together"]],
            }
        ),
        captures=[_capture(one) for one in tree["captures"]],
        reception=[tuple(shares) for shares in tree["reception"]],
        routes=[[(hop[0], hop[1]) for hop in route] for route in tree["routes"]],
    )


def _gaps(one: dict[str, Any]) -> Gaps:
    return Gaps(**one | {"reference": tuple(one["reference"]), "ours": tuple(one["ours"])})


def _slots(one: dict[str, Any]) -> Slots:
    return Slots(one["places"], tuple(one["reference"]), tuple(one["ours"]))


def _capture(one: dict[str, Any]) -> Capture:
    return Capture(**one | {"interferers": tuple(map(tuple, one["interferers"]))})

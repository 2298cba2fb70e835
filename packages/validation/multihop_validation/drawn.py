"""Scenarios drawn at random beside ns-2: the drawn cases, the same as scenarios, the comparison."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from multihop._multihop import Cancel
from multihop.running.runner import simulate, spread
from multihop.scenario.form import Scenario

from . import dsr, networks, store, tcp
from .compare import BELOW, BEYOND, DELIVERED_AT_KNEE, Comparison, Estimate
from .reference import RATES
from .starts import start_times

CASES, RUNS = "ns2_drawn.json", "ns2_drawn"
ROUTINGS = {"TUNNEL": "fixed", "AODV": "aodv", "DSR": "dsr"}
# Measured as in ns-2 (benches/ns2/run_drawn.py).
START_S, WARMUP_S, DURATION_S = 1, 11, 30
# Before the load of nodes that rest, every flow has some lone packets in ns-2, one flow after the
# other, which fill ARP tables: when the first comes, how far they are apart, and flows.
LONE, LONE_S, LONE_APART_S, FLOWS_APART_S = 3, 0.5, 0.6, 1.8
# A queue in ns-2 counts the packet that the MAC has, but not that of DSR.
WITH_MAC = {"TUNNEL": 1, "AODV": 1, "DSR": 0}


@dataclass(frozen=True)
class Case:
    """A drawn scenario, in the words of ns-2's scripts."""

    # All of a case follows from it.
    number: int
    drawn: Mapping[str, Any] = field(compare=False)

    @property
    def routes(self) -> Sequence[Sequence[int]]:
        """The way of every flow, both ends included; where routing searches, a shortest one."""
        routes: Sequence[Sequence[int]] = self.drawn["routes"]
        return routes

    @property
    def is_transfer(self) -> bool:
        """Whether flows are transfers over TCP."""
        return "tcp" in self.drawn

    @property
    def moves(self) -> Sequence[Sequence[float]]:
        """When which node leaves, for which place and how fast; nothing if nodes rest."""
        moves: Sequence[Sequence[float]] = self.drawn.get("moves", ())
        return moves

    @property
    def offered(self) -> float:
        """What all sources with a constant rate offer, in kbit/s."""
        return len(self.routes) * float(self.drawn["load"])

    def is_beyond(self, goodput: float) -> bool:
        """Whether it lies beyond the knee if ns-2 delivers so much, in kbit/s."""
        return not self.is_transfer and goodput < DELIVERED_AT_KNEE * self.offered

    def bar(self, goodput: float) -> float:
        """How far goodput may be from ns-2's, as a fraction: the bars of the other pages."""
        if self.drawn["rp"] == "TUNNEL":
            beyond, below = BEYOND, tcp.FIXED if self.is_transfer else BELOW
        else:
            beyond, below = dsr.BEYOND, tcp.AODV if self.is_transfer else dsr.BELOW
        return beyond if self.is_beyond(goodput) else below

    def beside_ns2(self, seed: int, like: int) -> Scenario:
        """Return the scenario with what else there is in ns-2: its habits, and lone packets.

        These find routes, of which AODV still knows when the load comes.
        """
        knows_routes = self.drawn["rp"] == "AODV" and not self.asks
        return self._scenario(seed, like, lone=knows_routes).override(self.habits)

    def scenario(self, seed: int, like: int) -> Scenario:
        """Return this simulator's scenario; sources start as in ns-2's run `like`."""
        return self._scenario(seed, like, lone=False)

    def _scenario(self, seed: int, like: int, *, lone: bool) -> Scenario:
        drawn = self.drawn
        routing = drawn["rp"]
        # `net_build` in benches/ns2/lib.tcl
        before = max(8.0, FLOWS_APART_S * len(self.routes) + 0.8) if lone else 0.0
        tables: dict[str, Any] = {
            "name": f"drawn {self.number}",
            "seed": seed,
            "warmup": f"{before + WARMUP_S} s",
            "duration": f"{DURATION_S} s",
            "topology": {"kind": "explicit"},
            "node": networks.nodes(drawn["nodes"]),
            "flow": [self._flow(route) for route in self.routes],
            "mac": {
                "rts_cts": drawn["rts"] == 0,
                "data_rate": RATES[drawn["rate"]],
                "basic_rate": RATES[drawn["basic"]],
                "short_retry_limit": drawn["short"],
                "long_retry_limit": drawn["long"],
            },
            "routing": {"kind": ROUTINGS[routing], "arp": "ns2" if self.asks or lone else "off"},
            "scheme": {"queue_limit": drawn["ifqlen"] - WITH_MAC[routing]},
            "traffic": {"payload": f"{drawn['pkt']} B", "start_jitter": "0 s"},
        }
        if self.moves:
            tables["mobility"] = {"kind": "ns2", "movements": self._movements()}
        if drawn["prop"] == "shadowing":
            tables["radio"] = {"propagation": "log-normal-shadowing"}
        if self.is_transfer:
            tables["scheme"] |= {
                "name": tcp.SCHEMES[drawn["tcp"]],
                "window_limit": drawn["window"],
                "delayed_ack": drawn["sink"] == "delack",
                "acknowledgments_first": routing == "DSR",
            }
            tables["traffic"] |= {"kind": "ftp", "start": f"{before + START_S} s"}
        else:
            tables["scheme"] |= {"name": "udp"}
            tables["traffic"] |= {"load": f"{drawn['load']} kbit/s"}
            for flow, late in zip(tables["flow"], start_times(like, len(self.routes)), strict=True):
                flow["start"] = f"{before + START_S + late:.9f} s"
        if lone:
            tables["flow"] += [self._lone(flow) for flow in range(len(self.routes))]
        return Scenario.from_dict(tables)

    def _lone(self, flow: int) -> dict[str, Any]:
        """Return the lone packets of a flow."""
        return self._flow(self.routes[flow]) | {
            "kind": "cbr",
            "transport": "datagram",
            "load": f"{round(self.drawn['pkt'] * 8 / LONE_APART_S)} bit/s",
            "start": f"{LONE_S + FLOWS_APART_S * flow} s",
            "lifetime": f"{LONE * LONE_APART_S - 0.1} s",
        }

    @property
    def asks(self) -> bool:
        """Whether nodes ask for addresses while traffic runs; others have done so before."""
        return bool(self.moves) or self.drawn["rp"] == "DSR"

    @property
    def habits(self) -> dict[str, Any]:
        """With which keys it is as in ns-2, where that departs from what is specified."""
        return {"routing.default_flow_errors": False} if self.drawn["rp"] == "DSR" else {}

    def _movements(self) -> str:
        lines = [
            f'$ns_ at {at} "$node_({node}) setdest {x} {y} {speed}"\n'
            for at, node, x, y, speed in self.moves
        ]
        return "".join(lines)

    def _flow(self, route: Sequence[int]) -> dict[str, Any]:
        ends: dict[str, Any] = {"from": f"n{route[0]}", "to": f"n{route[-1]}"}
        if ROUTINGS[self.drawn["rp"]] == "fixed":
            ends["via"] = [f"n{node}" for node in route[1:-1]]
        return ends


@dataclass(frozen=True)
class Runs:
    """The seeds of some runs, and the goodput of every flow of each, in kbit/s."""

    seeds: tuple[int, ...]
    flows: tuple[tuple[float, ...], ...]

    @property
    def goodput(self) -> Estimate:
        """Of all flows together."""
        return Estimate.of([sum(run) for run in self.flows])

    @property
    def shares(self) -> tuple[float, ...]:
        """Of the goodput of all flows, how much each has in the mean; of nothing, nothing."""
        flows = [math.fsum(flow) for flow in zip(*self.flows, strict=True)]
        whole = math.fsum(flows)
        return tuple(flow / whole if whole else 0.0 for flow in flows)


@dataclass(frozen=True)
class Point:
    """A case by another simulator, ns-2, and by this one: goodput of all flows together."""

    case: Case
    goodput: Comparison
    # How much of it goes to other flows than there, as a fraction.
    moved: float

    @property
    def is_hard(self) -> bool:
        """Whether the other one does not simply deliver all that is offered."""
        return self.case.is_transfer or self.case.is_beyond(self.goodput.reference.mean)


def cases(folder: Path) -> list[Case]:
    """Read the cases."""
    drawn = json.loads((folder / CASES).read_text(encoding="utf-8"))
    return [Case(one["case"], one) for one in drawn]


def read(folder: Path, file: str = RUNS) -> dict[Case, Runs]:
    """Read the cases of which the file has runs of another simulator, ns-2's, and those runs."""
    rows: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in store.rows(folder, file):
        rows[int(row["case"])].append(row)
    return {case: _runs(rows[case.number]) for case in cases(folder) if case.number in rows}


def _runs(rows: Iterable[Mapping[str, Any]]) -> Runs:
    found = [
        (row["seed"], tuple(float(flow) for flow in row["per_flow_kbps"].split("/")))
        for row in rows
    ]
    return Runs(tuple(seed for seed, _ in found), tuple(flows for _, flows in found))


def measure(
    reference: Mapping[Case, Runs],
    seeds: int,
    *,
    scenario: Callable[[Case, int, int], Scenario],
    workers: int | None = None,
    progress: bool = True,
) -> dict[Case, Runs]:
    """Run every case with the seeds 1, 2, ... to `seeds`.

    `scenario` makes one of a case, the seed, and the other simulator's run whose starts it has.
    """
    jobs = [(case, seed) for case in reference for seed in range(1, seeds + 1)]
    found: list[tuple[float, ...]] = [()] * len(jobs)

    def job(index: int, cancel: Cancel) -> None:
        case, seed = jobs[index]
        starts = reference[case].seeds
        like = starts[(seed - 1) % len(starts)]
        result = simulate(scenario(case, seed, like), cancel=cancel)
        goodput = result.flows["goodput_bit_s"][: len(case.routes)]
        found[index] = tuple(float(flow) / 1e3 for flow in goodput)

    spread(job, len(jobs), workers=workers, progress=progress, title="drawn scenarios")
    measured: dict[Case, list[tuple[float, ...]]] = defaultdict(list)
    for (case, _), flows in zip(jobs, found, strict=True):
        measured[case].append(flows)
    every = tuple(range(1, seeds + 1))
    return {case: Runs(every, tuple(flows)) for case, flows in measured.items()}


def keep(folder: Path, name: str, runs: Mapping[Case, Runs]) -> None:
    """Record our runs."""
    rows = [
        {"case": case.number, "seed": seed, "flows_kbps": list(flows)}
        for case, own in runs.items()
        for seed, flows in zip(own.seeds, own.flows, strict=True)
    ]
    folder.mkdir(parents=True, exist_ok=True)
    store.record(folder, name, pl.DataFrame(rows, infer_schema_length=None))


def kept(folder: Path, name: str, cases: Iterable[Case]) -> dict[Case, Runs]:
    """Read our runs of these cases."""
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in store.rows(folder, name):
        found[row["case"]].append(row)
    return {
        case: Runs(
            tuple(row["seed"] for row in found[case.number]),
            tuple(tuple(row["flows_kbps"]) for row in found[case.number]),
        )
        for case in cases
    }


def points(
    reference: Mapping[Case, Runs], ours: Mapping[Case, Runs], bar: float | None = None
) -> list[Point]:
    """Compare every case, by this bar or by those of ns-2's pages."""
    found = []
    for case, runs in reference.items():
        goodput, measured = runs.goodput, ours[case]
        bound = case.bar(goodput.mean) if bar is None else bar
        comparison = Comparison(goodput, measured.goodput, bound)
        pairs = zip(runs.shares, measured.shares, strict=True)
        moved = math.fsum(abs(one - other) for one, other in pairs) / 2
        found.append(Point(case, comparison, moved))
    return found

"""The upper bound of a scenario's throughput, over all schedules of its MAC's frames.

>>> import multihop
>>> found = multihop.bound(multihop.Scenario.from_file("chain.toml"), "max-min")
>>> found.bound_bit_s, found.flows
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypedDict, TypeVar, Unpack

import polars as pl

from ..engine.errors import BoundError
from ..scenario.form import Given, Scenario, as_scenario
from ..statistics.stats import Values
from .activities import Activity, Model, conflicts, members, over
from .fairness import Objective, optimise
from .network import Flow, Network, Overhead, read_network
from .program import Problem, Program, Stream

E = TypeVar("E", bound=StrEnum)

# The table of which activities exclude each other has as many rows and as many columns.
MOST_ACTIVITIES = 6000

# Prices below this are rounding.
CHEAP = 1e-4

SHADOWED = (
    "log-normal shadowing: links are those of mean signals, while every frame has a strength of "
    "its own; this is an estimate and no bound"
)


class Routes(StrEnum):
    """Which routes packets may take."""

    # Those of fixed routing.
    FIXED = "fixed"
    # All, and several at a time.
    FREE = "free"


class Load(StrEnum):
    """How much the flows have to send."""

    UNLIMITED = "unlimited"
    # What the scenario says; a transfer always has more.
    OFFERED = "offered"


@dataclass(frozen=True)
class Assumptions:
    """The assumptions of a bound; each may be given by its name."""

    model: Model = Model.RECEIVER
    routes: Routes = Routes.FIXED
    # Costs that are left out.
    without: frozenset[Overhead] = frozenset()
    load: Load = Load.UNLIMITED
    # When, for nodes that move.
    at_s: float | None = None
    # The largest relative optimality gap: how far the bound may exceed the best schedule found.
    gap: float = 0.0

    @property
    def about(self) -> str:
        """The assumptions in one line: model, routes, costs, load and time."""
        left_out = ", ".join(cost for cost in Overhead if cost in self.without)
        parts = [
            f"{self.model} model",
            "routes of fixed routing" if self.routes is Routes.FIXED else "any routes",
            f"without {left_out}" if left_out else "with all costs of MAC and headers",
        ]
        if self.load is Load.OFFERED:
            parts.append("no more than is offered")
        if self.at_s:
            parts.append(f"positions at {self.at_s:g} s")
        return ", ".join(parts)


@dataclass(frozen=True)
class Bound:
    """The upper bound of a network's throughput for an objective, in bit/s, and a schedule near it.

    The rates in `flows` and the shares of time in `schedule` reach `value_bit_s`; `bound_bit_s` is
    the upper bound. Their relative difference is the optimality `gap`, 0 where all was proven.
    `binding` has the activities that limit it, with their `price`: what a second of each costs,
    over a second of the medium (a shadow price). At 1 no other of them can be on the air beside it.
    It is empty where the offered load is all that limits.
    """

    objective: Objective
    assumptions: Assumptions
    value_bit_s: float
    bound_bit_s: float
    flows: pl.DataFrame
    schedule: pl.DataFrame
    binding: pl.DataFrame
    notes: tuple[str, ...]

    @property
    def gap(self) -> float:
        """The optimality gap: by how much the bound exceeds the schedule found, relatively."""
        return self.bound_bit_s / self.value_bit_s - 1

    @property
    def total_bit_s(self) -> float:
        """The rate of all flows together, in bit/s."""
        return float(self.flows["goodput_bit_s"].sum())

    def share(self, goodputs: Sequence[float]) -> float:
        """Return the share of the bound that flows with these goodputs, in bit/s, reach."""
        return self.objective.worth(goodputs) / self.bound_bit_s

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "objective": str(self.objective),
            "about": self.assumptions.about,
            "value_bit_s": self.value_bit_s,
            "bound_bit_s": self.bound_bit_s,
            "gap": self.gap,
            "flows": self.flows.to_dicts(),
            "schedule": self.schedule.to_dicts(),
            "binding": self.binding.to_dicts(),
            "notes": list(self.notes),
        }


def bound(
    scenario: Given, objective: str = Objective.MAX_MIN, **assumptions: Unpack[Assumed]
) -> Bound:
    """Compute the upper bound of the throughput of a scenario's flows, for an objective.

    The objective is "total", "max-min" or "proportional". The `model` of interference is
    "receiver" (with the radio's capture), "carrier-sense" (also, no node begins a frame while it
    senses another) or "protocol" (ranges alone); `routes` are "fixed" or "free"; `without` leaves
    out "backoff", "control" (RTS, CTS, link acknowledgments and gaps) or "headers"; `load` is
    "unlimited" or "offered"; `at_s` is the moment in seconds, where nodes move; `gap` is the
    largest relative optimality gap. Raises `BoundError` where no bound can be computed.
    """
    region = Region.of(as_scenario(scenario), assume(**assumptions))
    return region.bound(named(Objective, objective))


class Assumed(TypedDict, total=False):
    """Assumptions by their names."""

    model: str
    routes: str
    without: Iterable[str]
    load: str
    at_s: float | None
    gap: float


def assume(**given: Unpack[Assumed]) -> Assumptions:
    """Read assumptions that are given by their names."""
    gap, at_s = given.get("gap", 0.0), given.get("at_s")
    if not 0 <= gap < 1:
        raise BoundError(f"a gap is a share from 0 to below 1, as 0.01, not {gap:g}")
    return Assumptions(
        named(Model, given.get("model", Model.RECEIVER)),
        named(Routes, given.get("routes", Routes.FIXED)),
        frozenset(named(Overhead, name) for name in given.get("without", ())),
        named(Load, given.get("load", Load.UNLIMITED)),
        at_s,
        gap,
    )


def named(kind: type[E], name: str) -> E:
    """Return the member of this kind with this name."""
    if name not in list(kind):
        noun = kind.__name__.lower()
        raise BoundError(f"there is no {noun} '{name}'; there are: {', '.join(kind)}")
    return kind(name)


class Region:
    """All rates that the flows of a network can have at the same time."""

    def __init__(self, network: Network, assumptions: Assumptions) -> None:
        self.network = network
        self.assumptions = assumptions
        lost = next((flow for flow in network.flows if not flow.way), None)
        names = network.names
        if lost is not None and not 0 <= lost.destination < len(names):
            raise BoundError(
                f"the flow '{lost.name}' goes to several nodes, and a bound is of flows to one; "
                "name one node as its destination"
            )
        if lost is not None:
            raise BoundError(
                f"there is no route for the flow '{lost.name}' from {names[lost.source]} "
                f"to {names[lost.destination]}; move nodes closer together, raise "
                "radio.receive_range, or take the flow away"
            )
        problem = _problem(network, assumptions)
        count = len(problem.conflicts.activities)
        if count > MOST_ACTIVITIES:
            raise BoundError(
                f"{count} activities could overlap, and {MOST_ACTIVITIES} are the most that are "
                "looked at; take fixed routes, fewer flows, or leave costs out (--without)"
            )
        self.program = Program(problem, assumptions.gap)

    @classmethod
    def of(cls, scenario: Scenario, assumptions: Assumptions) -> Region:
        """Return the region of a scenario."""
        return cls(read_network(scenario, assumptions.at_s, assumptions.without), assumptions)

    def bound(self, objective: Objective, offered: Sequence[float] | None = None) -> Bound:
        """Find the best rates and their upper bound; `offered` replaces the network's loads."""
        unit = self.program.unit_bit_s
        loads = offered or [flow.offered_bit_s for flow in self.network.flows]
        limited = self.assumptions.load is Load.OFFERED
        most = [load / unit if limited else float("inf") for load in loads]
        found = optimise(self.program, objective, most)
        reached = objective.worth(found.rates)
        return Bound(
            objective,
            self.assumptions,
            reached * unit,
            max(float(found.at_most), reached) * unit,
            _flow_table(self.network.flows, loads, found.rates * unit),
            self._schedule(found.rates),
            self._binding(found.prices),
            (SHADOWED,) if self.network.shadowed else (),
        )

    def _binding(self, prices: Values) -> pl.DataFrame:
        activities = self.program.problem.conflicts.activities
        rows = [
            (activity.label(self.network.names), float(price))
            for activity, price in zip(activities, prices, strict=True)
            if price > CHEAP
        ]
        found = pl.DataFrame(rows, {"activity": pl.String, "price": pl.Float64}, orient="row")
        return found.sort("price", "activity", descending=[True, False])

    def _schedule(self, rates: Values) -> pl.DataFrame:
        activities = self.program.problem.conflicts.activities
        rows = [
            {
                "share": share,
                "activities": [activities[at].label(self.network.names) for at in members(mask)],
            }
            for share, mask in self.program.schedule(rates)
        ]
        return pl.DataFrame(rows)


def _flow_table(flows: Sequence[Flow], loads: Sequence[float], rates: Values) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "name": [flow.name for flow in flows],
            "hops": [len(flow.way) for flow in flows],
            "offered_bit_s": list(loads),
            "goodput_bit_s": rates.tolist(),
        }
    )


def _problem(network: Network, assumptions: Assumptions) -> Problem:
    fixed = assumptions.routes is Routes.FIXED
    plans = [
        (number, links)
        for number, flow in enumerate(network.flows)
        for links in ([flow.way] if fixed else [(link,) for link in network.links])
    ]
    needs: list[dict[Activity, float]] = []
    for number, links in plans:
        flow, times = network.flows[number], dict[Activity, float]()
        for link in links:
            for activity, time in over(link, flow).items():
                times[activity] = times.get(activity, 0.0) + time / flow.payload_bits
        needs.append(times)
    activities = tuple(dict.fromkeys(activity for times in needs for activity in times))
    place = {activity: at for at, activity in enumerate(activities)}
    shares, balances = _fixed(network) if fixed else _free(network)
    streams = [
        Stream({place[activity]: time for activity, time in times.items()}, balance)
        for times, balance in zip(needs, balances, strict=True)
    ]
    found = conflicts(network, activities, assumptions.model)
    return Problem(found, len(network.flows), streams, shares)


Balances = tuple[list[tuple[int, float]], list[dict[int, float]]]


def _fixed(network: Network) -> Balances:
    """Each flow is one stream."""
    flows = range(len(network.flows))
    return [(flow, 1.0) for flow in flows], [{flow: 1.0} for flow in flows]


def _free(network: Network) -> Balances:
    """Balance each flow at every node: as much leaves as came, but at the flow's two ends."""
    nodes = len(network.names)
    shares = [
        (number, float((node == flow.source) - (node == flow.destination)))
        for number, flow in enumerate(network.flows)
        for node in range(nodes)
    ]
    balances = [
        {number * nodes + sender: 1.0, number * nodes + receiver: -1.0}
        for number in range(len(network.flows))
        for sender, receiver in network.links
    ]
    return shares, balances

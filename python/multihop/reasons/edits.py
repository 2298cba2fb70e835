"""Scenarios with one thing changed: keys, links, and flows that stay silent."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from .._multihop import network
from ..scenario.explicit import Tables, begin_last, explicit
from ..scenario.form import Scenario
from .geometry import Geometry, geometry

Edit = Callable[[Tables], None]

# Nobody senses a signal of so many dBm.
NOTHING_DBM = -300.0


@dataclass(frozen=True)
class Subject:
    """A scenario that is asked about, the network that it has, and who hears whom there.

    `links` are pairs (sender, receiver) that data went over in a traced run, and the air time in s
    that each took, largest first.
    """

    scenario: Scenario
    network: dict[str, Any]
    geometry: Geometry | None
    links: tuple[tuple[tuple[int, int], float], ...]

    @property
    def tables(self) -> Tables:
        """A copy of the scenario's tables."""
        return self.scenario.to_dict()

    @property
    def names(self) -> list[str]:
        """The names of the nodes in their order."""
        return [name for name, _, _ in self.network["nodes"]]

    @property
    def flows(self) -> list[tuple[str, tuple[int, int]]]:
        """The name of every flow, and its two ends."""
        return [(name, tuple(ends)) for name, ends in self.network["flows"]]

    def changed(self, edit: Edit) -> Scenario:
        """Return the scenario after an edit; raises `ScenarioError` where it cannot be run."""
        tables = self.tables
        edit(tables)
        return Scenario.from_dict(tables)

    def at(self, edit: Edit) -> Subject:
        """Return this subject after an edit, with the same links."""
        changed = self.changed(edit)
        return Subject(changed, network(changed.json), geometry(changed), self.links)


def frozen(scenario: Scenario) -> Scenario:
    """Return a scenario whose places do not depend on the seed of the run."""
    tables = scenario.to_dict()
    topology = tables.get("topology", {})
    if topology.get("kind") == "random" and "topology_seed" not in topology:
        topology["topology_seed"] = network(scenario.json)["seed"]
        return Scenario.from_dict(tables)
    return scenario


def keys(**values: Any) -> Edit:
    """Set keys; two underscores stand for the dot, and `None` takes a key away."""

    def edit(tables: Tables) -> None:
        for name, value in values.items():
            table, _, key = name.partition("__")
            if value is None:
                tables.get(table, {}).pop(key, None)
            else:
                tables.setdefault(table, {})[key] = copy.deepcopy(value)

    return edit


def both(one: Edit, other: Edit) -> Edit:
    """Make two edits, one after the other."""

    def edit(tables: Tables) -> None:
        one(tables)
        other(tables)

    return edit


@dataclass(frozen=True)
class Listed:
    """What `[[link]]` is to say of one direction between two nodes; `None` leaves a key alone."""

    sender: str
    receiver: str
    signal_dbm: float | None = None
    delivery: float | None = None


def links(found: Iterable[Listed]) -> Edit:
    """List links, in place of what is listed of them; others stay as they are."""
    wanted = {(one.sender, one.receiver): one for one in found}

    def edit(tables: Tables) -> None:
        kept: list[Tables] = []
        for row in _one_way(tables.get("link", [])):
            one = wanted.get((row["from"], row["to"]))
            kept.append(row if one is None else _listed(one, row))
        given = {(row["from"], row["to"]) for row in kept}
        if "link" not in tables and wanted:
            # With a list, pairs that it leaves out would be silent.
            tables.setdefault("radio", {})["unlisted"] = "propagation"
        fresh = [_listed(one, {}) for key, one in wanted.items() if key not in given]
        if kept or fresh:
            tables["link"] = kept + fresh

    return edit


def _one_way(rows: Iterable[Tables]) -> Iterable[Tables]:
    for row in rows:
        one = {key: value for key, value in row.items() if key != "both_ways"}
        yield one
        if row.get("both_ways"):
            yield {**one, "from": row["to"], "to": row["from"]}


def _listed(one: Listed, row: Tables) -> Tables:
    made = {**row, "from": one.sender, "to": one.receiver}
    if one.signal_dbm is not None:
        made |= {"signal": f"{one.signal_dbm:.3f} dBm", "deviation": "0 dB"}
        made.pop("delivery", None)
    if one.delivery is not None:
        made["delivery"] = one.delivery
        made.pop("deviation", None)
    return made


def dbm(power_w: float) -> float:
    """Return a power in dBm."""
    return 10 * math.log10(power_w * 1e3)


def of_node(subject: Subject, name: str, **values: Any) -> Edit:
    """Set keys of one node, which is written down if it is of a topology."""

    def edit(tables: Tables) -> None:
        explicit(tables, subject.network)
        next(row for row in tables["node"] if row["name"] == name).update(values)

    return edit


def silence(subject: Subject, flow: int) -> Edit:
    """Let a flow begin when the run ends, so that all others keep their random numbers."""

    def edit(tables: Tables) -> None:
        explicit(tables, subject.network)
        begin_last(tables["flow"][flow], subject.network["duration_ns"] / 1e9)

    return edit

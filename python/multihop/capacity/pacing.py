"""Sources that send at the rates of a bound: what a scheme could know at best."""

from __future__ import annotations

from .._multihop import network
from ..engine.errors import BoundError
from ..scenario.explicit import begin_last, explicit
from ..scenario.form import Given, Scenario, as_scenario
from .bound import Bound

# What a flow keeps of itself; how much it sends is what the bound says.
KEPT = (
    "name",
    "from",
    "to",
    "via",
    "class",
    "transport",
    "source_queue",
    "payload",
    "start",
    "start_jitter",
    "stop",
    "lifetime",
    "stop_before_end",
)


def paced(scenario: Given, found: Bound, share: float = 1.0) -> Scenario:
    """Return a scenario whose sources send at a share of their rates in its bound.

    Each source is periodic ("cbr"). It is an upper reference and no scheme: nobody in a network
    knows these rates. Raises `BoundError` for a share that is not above 0, or flows that are not
    those of the scenario, and `ScenarioError` where a source cannot be periodic.
    """
    if not 0 < share < float("inf"):
        raise BoundError(f"a share of the rates is above 0, as 0.9, not {share:g}")
    given = as_scenario(scenario)
    tables = given.to_dict()
    built = network(given.json)
    explicit(tables, built)
    names = [name for name, _ in built["flows"]]
    if names != found.flows["name"].to_list():
        raise BoundError("the bound is of other flows than the scenario's; compute it of this one")
    rates = found.flows["goodput_bit_s"].to_list()
    rows = []
    for row, rate in zip(tables["flow"], rates, strict=True):
        kept = {key: row[key] for key in KEPT if key in row}
        load = int(share * rate)
        if load == 0:
            begin_last(kept, built["duration_ns"] / 1e9)
        rows.append({**kept, "kind": "cbr", "load": f"{max(1, load)} bit/s"})
    tables["flow"] = rows
    tables.get("traffic", {}).pop("load", None)
    return Scenario.from_dict(tables)

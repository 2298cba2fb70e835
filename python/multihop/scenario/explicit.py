"""The nodes and flows of a topology, written down one by one."""

from __future__ import annotations

from typing import Any

from .._multihop import ScenarioError

Tables = dict[str, Any]

# A flow that is to stay silent begins so long before the end of the run, in s.
LAST_S = 1e-6


def explicit(tables: Tables, network: Tables) -> None:
    """Write down the nodes and flows of a topology one by one; the runs stay the same.

    `network` is what the engine makes of the scenario. Raises `ScenarioError` where an entry of
    `[[flow]]` stands for several flows.
    """
    names = [name for name, _, _ in network["nodes"]]
    flows = network["flows"]
    rows = tables.get("flow", [])
    made = flows[: len(flows) - len(rows)]
    # Behind those of the topology stand those of the file, in their order.
    if [names[ends[0]] for _, ends in flows[len(made) :]] != [row["from"] for row in rows]:
        raise ScenarioError("an entry of [[flow]] stands for several flows")
    if tables["topology"]["kind"] == "explicit":
        return
    tables["topology"] = {"kind": "explicit"}
    tables["node"] = [
        {"name": name, "x": f"{x!r} m", "y": f"{y!r} m"} for name, x, y in network["nodes"]
    ]
    ends = [(name, names[a], names[b]) for name, (a, b) in made]
    tables["flow"] = [{"name": name, "from": a, "to": b} for name, a, b in ends] + rows


def begin_last(row: Tables, end_s: float) -> None:
    """Let the flow of a row begin when the run ends: it is silent, and keeps its number."""
    for key in ("stop", "lifetime", "stop_before_end"):
        row.pop(key, None)
    row |= {"start": f"{end_s - LAST_S!r} s", "start_jitter": "0 s"}

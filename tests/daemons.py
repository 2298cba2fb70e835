"""The table that a page has of routing daemons on good and bad days (benches/daemons.json)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from multihop.reporting.markdown import markdown_table

ROOT = Path(__file__).resolve().parent.parent
RUNS = ROOT / "benches" / "daemons.json"
DAEMONS = {"babeld": "babeld", "bird": "OSPF (BIRD)"}
DAYS = ("good", "busy", "bad")
HEAD = (
    *("daemon", "nodes are joined by", "day", "route at the start (s)", "pings lost at rest"),
    *("route again (s)", "pings lost until then", "events late (ms)"),
)

Run = dict[str, Any]


def cases() -> dict[tuple[str, str, str], list[Run]]:
    """Return the runs of every daemon, network and day."""
    found: dict[tuple[str, str, str], list[Run]] = {}
    for run in json.loads(RUNS.read_text(encoding="utf-8"))["runs"]:
        found.setdefault((run["daemon"], run["network"], run["day"]), []).append(run)
    return found


def tables() -> dict[str, str]:
    """Make the table by name."""
    order = sorted(
        cases().items(), key=lambda one: (*one[0][:1], one[0][1] == "links", DAYS.index(one[0][2]))
    )
    rows = [
        (
            *(DAEMONS[daemon], network, day),
            _each([run["start_s"] for run in runs], "{:.1f}"),
            _each([run["rest_lost"] for run in runs if run["start_s"] is not None], "{:.0%}"),
            _each([run["repair_s"] for run in runs if run["start_s"] is not None], "{:.1f}"),
            _each([run["repair_lost"] for run in runs if run["start_s"] is not None], "{:.0f}"),
            _worst([run["late_s"] for run in runs]),
        )
        for (daemon, network, day), runs in order
    ]
    return {"routing daemons": markdown_table(HEAD, rows)}


def _each(values: Sequence[float | None], form: str) -> str:
    known = sorted(value for value in values if value is not None)
    said = [form.format(value).replace("%", " %") for value in known]
    return ", ".join(said + ["none in 60"] * (len(values) - len(known))) or "none"


def _worst(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{max(known) * 1e3:.1g}" if known else "none"

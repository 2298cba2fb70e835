"""The tables of `docs/guides/learned.md`, made of what `judge.py` has kept."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from multihop.reporting.markdown import markdown_table

RESULTS = Path(__file__).resolve().parent / "results.json"
MARKS = {"holds": "holds", "does not hold": "**does not hold**", "open": "open"}
FLOWS = {"chain": "one direction", "bidirectional-chain": "both directions"}


def tables() -> dict[str, str]:
    """Make the tables by name."""
    found = json.loads(RESULTS.read_text(encoding="utf-8"))
    return {
        "learned claims": markdown_table(
            ("claim", "ratio", "verdict"),
            [
                (
                    one["claim"],
                    f"{one['ratio']:.3f} ({one['low']:.3f} to {one['high']:.3f})",
                    MARKS[one["verdict"]],
                )
                for one in found["claims"]
            ],
        ),
        "learned loads": _loads(found["means"]),
    }


def _loads(means: list[dict[str, Any]]) -> str:
    places: dict[tuple[str, str], dict[str, list[dict[str, Any]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for row in means:
        places[row["topology.kind"], row["traffic.load"]][row["scheme"]].append(row)
    entries = list(dict.fromkeys(row["scheme"] for row in means))
    rows = [
        (
            f"{FLOWS[kind]}, {load}",
            *(f"{_mean(of[entry], 'goodput_bit_s') / 1e3:.0f}, "
              f"{_mean(of[entry], 'network_delay_mean_s') * 1e3:.0f}" for entry in entries),
        )
        for (kind, load), of in places.items()
    ]  # fmt: skip
    return markdown_table(("flows, load of each", *(f"`{entry}`" for entry in entries)), rows)


def _mean(rows: list[dict[str, Any]], column: str) -> float:
    values = [row[column] for row in rows if row[column] is not None]
    return float(sum(values) / len(values))

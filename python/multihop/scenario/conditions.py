"""Under which conditions schemes run: their MAC, queue and headers, beside each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from .form import Scenario

# What the conditions of a scenario are called.
TITLES = {
    "mac": "MAC",
    "cw_min": "smallest contention window (slots)",
    "cw_max": "largest contention window (slots)",
    "rts_cts": "RTS/CTS",
    "short_retry_limit": "attempts without RTS/CTS",
    "long_retry_limit": "attempts with RTS/CTS",
    "queue_limit": "queue limit (packets)",
    "header_bytes": "headers above the MAC (B)",
    "mac_header_bytes": "MAC header (B)",
    "data_rate_bit_s": "data rate (bit/s)",
    "basic_rate_bit_s": "basic rate (bit/s)",
    "rate_control": "rate control",
    "slot_us": "slot (us)",
    "receive_threshold_dbm": "noticed from (dBm)",
    "sense_threshold_dbm": "counted from (dBm)",
    "noise_dbm": "noise (dBm)",
    "errors": "error model",
    "error_margin_db": "better than the error model by (dB)",
    "neighbour_range_m": "neighbours up to (m)",
    "link_queue": "queue of a link (packets)",
    "routing": "routing",
}
NOTHING = "-"


def title(name: str) -> str:
    """Return what a condition is called: a parameter of a MAC by its key, without underscores."""
    return TITLES.get(name, name.replace("_", " "))


def conditions(scenarios: Iterable[tuple[str, Scenario]]) -> pl.DataFrame:
    """Return a row for each condition and a column for each scheme, what differs first.

    The column `condition` is its name with its unit, `differs` whether schemes differ in it. A
    condition that was varied has all its values; "-" is where a scheme has no such thing.
    """
    found: dict[str, dict[str, dict[str, None]]] = {}
    for scheme, scenario in scenarios:
        known = found.setdefault(scheme, {})
        for name, value in scenario.conditions.items():
            known.setdefault(name, {})[text(value)] = None
    names = [name for name in TITLES if any(name in known for known in found.values())]
    rows = [_row(name, found) for name in names]
    rows.sort(key=lambda row: not row["differs"])
    schema = {"condition": pl.String, "differs": pl.Boolean, **dict.fromkeys(found, pl.String)}
    return pl.DataFrame(rows, schema)


def receiver(found: Mapping[str, Any]) -> str | None:
    """Say what decides who hears whom, of the conditions of a scenario with receivers of OFDM."""
    if "noise_dbm" not in found:
        return None
    return (
        f"frames are noticed from {found['receive_threshold_dbm']:g} dBm; error model "
        f'"{found["errors"]}"; neighbours are up to {found["neighbour_range_m"]:g} m apart'
    )


def _row(name: str, found: Mapping[str, Mapping[str, Mapping[str, None]]]) -> dict[str, Any]:
    values = {
        scheme: ", ".join(known.get(name, {NOTHING: None})) for scheme, known in found.items()
    }
    return {"condition": name, "differs": len(set(values.values())) > 1, **values}


def text(value: Any) -> str:
    """Write the value of a condition; "-" where there is no such thing."""
    if value is None:
        return NOTHING
    return f"{value:g}" if isinstance(value, float) else str(value)


def readable(table: pl.DataFrame) -> tuple[list[str], list[list[str]]]:
    """Return header and rows for people; a star marks what differs."""
    schemes = table.columns[2:]
    rows = [
        [("* " if row["differs"] else "") + TITLES[row["condition"]], *(row[s] for s in schemes)]
        for row in table.iter_rows(named=True)
    ]
    return ["condition (* differs)", *schemes], rows

"""Traces on disk: a folder of Parquet tables that a run writes while it lasts.

A table is a folder of parts (`frames/part-000001.parquet`, ...) until the run is over, and then
one file (`frames.parquet`). What is cut off stays readable: `read` takes either.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from .. import _multihop
from .._multihop import Cancel
from ..engine.errors import OutputError, ScenarioError, TraceError
from ..engine.headers import Layouts
from ..engine.texts import read_json
from ..prototype.identity import digest_of
from ..results.columns import TRACE, TRACE_TYPES
from ..results.result import Result, explained, replacing
from ..scenario.form import Scenario

# The version of the format: another number wherever a reader has to know.
FORMAT = 4
DESCRIPTION = "run.json"

TYPES = {
    "int64": pl.Int64,
    "int32": pl.Int32,
    "float64": pl.Float64,
    "string": pl.String,
    "binary": pl.Binary,
}


def run_traced(
    scenario: Scenario,
    folder: str | Path,
    *,
    cancel: Cancel | None = None,
    batch: int | None = None,
) -> Result:
    """Run one scenario in this thread, and write its trace into `folder`, which is new or empty.

    `batch` is how many rows of a table are kept in memory before they are written.
    """
    about = describe(scenario)
    folder = new_folder(folder)
    write_description(folder, {**about, "complete": False, "tables": {}})
    sizes = {} if batch is None else {"batch": batch}
    with explained(folder, "--trace"):
        tables, rows = _multihop.run_traced(scenario.json, folder, cancel=cancel, **sizes)
    write_description(folder, {**about, "complete": True, "tables": rows})
    return Result.from_columns(tables)


# Of networks of so many nodes at most a description says who hears whom.
MOST_HEARING = 150
# A signal that is sensed or decoded as often as not.
OFTEN = 0.5


def write_description(folder: Path, description: dict[str, Any]) -> None:
    """Write what is said of a trace beside its tables, a line for each key."""
    lines = (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in description.items())
    with replacing(folder / DESCRIPTION, "--trace") as temporary:
        temporary.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def new_folder(folder: str | Path) -> Path:
    """Make a folder for a trace, or say why it cannot be and what to do."""
    folder = Path(folder)
    with explained(folder, "--trace"):
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise OutputError(
                f"cannot write a trace to '{folder}': it is not empty; name a new folder with "
                "--trace, or remove what is there"
            )
    return folder


def made_by(scenario: Scenario) -> str:
    """Return the engine, and the scheme if that is in Python: runs of the same repeat."""
    return f"{_multihop.version} {_multihop.sources} {digest_of(scenario.json)}".rstrip()


def describe(scenario: Scenario) -> dict[str, Any]:
    """Return what `run.json` says of a run, before it begins."""
    network = _multihop.network(scenario.json)
    # to the millimetre: the engine rounds them up
    ranges = [round(range_m, 3) for range_m in network["ranges_m"] or ()] or [None, None]
    nodes = [
        {"node": number, "x_m": x, "y_m": y, "label": name}
        | ({"role": role} if role else {})
        | ({"scheme": scheme} if scheme else {})
        for number, ((name, x, y), (role, scheme)) in enumerate(
            zip(network["nodes"], network["own"], strict=True)
        )
    ]
    flows = [
        {"flow": number, "source": source, "destination": destination, "label": name}
        for number, (name, (source, destination)) in enumerate(network["flows"])
    ]
    return {
        "format": FORMAT,
        "engine": made_by(scenario),
        "scenario": scenario.to_dict(),
        **{key: network[key] for key in ("seed", "scheme", "routing", "warmup_ns", "duration_ns")},
        "rate_bit_s": network["rate_bit_s"],
        "range_m": ranges[0],
        "sense_range_m": ranges[1],
        "mac": network["mac"],
        **(_hearing(scenario.json) if len(nodes) <= MOST_HEARING else {"hears": None}),
        "flows": flows,
        "nodes": nodes,
        "headers": _multihop.headers(),
    }


def _hearing(scenario_json: str) -> dict[str, Any]:
    """Return who hears whom: [from, to, 2, signal] if frames are decoded, 1 for 2 if only sensed.

    The signal is the mean one in dBm. `decodes_from_dbm` is the least that is decoded, `noise_dbm`
    the noise of receivers, null where it does not count. `hears` is null where nodes move, or on
    wires, and nothing else is said.
    """
    try:
        found = _multihop.hearers(scenario_json, [0.0])
    except _multihop.ScenarioError:
        return {"hears": None}
    rules: dict[str, Any] = found["rules"]
    if rules["moves"][0]:
        return {"hears": None}
    signals: dict[str, Any] = found["signals"]
    columns = (signals[name].tolist() for name in ("from", "to", "sensed", "decoded", "power_w"))
    return {
        "hears": [
            [sender, receiver, 2 if decoded >= OFTEN else 1, _dbm(power)]
            for sender, receiver, sensed, decoded, power in zip(*columns, strict=True)
            if sensed >= OFTEN
        ],
        "decodes_from_dbm": _dbm(float(rules["decodes_from_w"][0])),
        "noise_dbm": _dbm(float(rules["noise_w"][0])),
    }


def _dbm(watts: float) -> float | None:
    """Return a power in dBm, to a tenth; `None` for none."""
    return round(10 * math.log10(watts) + 30, 1) if 0 < watts < math.inf else None


@cache
def schema(table: str) -> dict[str, Any]:
    """Return the types of a table's columns."""
    return {name: TYPES[kind] for name, kind in TRACE_TYPES[table].items()}


class Trace:
    """The trace of a run in a folder, complete or up to where the run stopped.

    >>> Trace("out").scan("frames").filter(pl.col("class") == "rts").collect()
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.about = _about(self.folder)

    @property
    def is_complete(self) -> bool:
        """Whether the traced run came to its end."""
        return bool(self.about["complete"])

    @property
    def scenario(self) -> Scenario:
        """The scenario of the traced run."""
        try:
            return Scenario.from_dict(self.about["scenario"])
        except (ScenarioError, TypeError) as error:
            raise TraceError(
                f"{self.folder / DESCRIPTION} has no scenario that can be run: {error}; make the "
                "trace again"
            ) from None

    def scan(self, table: str) -> pl.LazyFrame:
        """Return a table of the trace as a lazy frame; rows are read when they are collected."""
        if table not in TRACE:
            raise TraceError(f"a trace has no table '{table}'; its tables are {', '.join(TRACE)}")
        whole = self.folder / f"{table}.parquet"
        if whole.is_file():
            return pl.scan_parquet(whole)
        parts = sorted((self.folder / table).glob("part-*.parquet"))
        if parts:
            return pl.scan_parquet(parts)
        if self.is_complete:
            raise TraceError(f"{whole} is missing; run the scenario again with --trace")
        return pl.LazyFrame(schema=schema(table))

    def decoded(
        self, *headers: str, frames: pl.LazyFrame | pl.DataFrame | None = None
    ) -> pl.DataFrame:
        """Return frames with a column for each field of their headers, as `tcp.sequence`.

        `headers` names the headers to decode, all by default. `frames` has some rows of the table
        `frames`, with its column `header`; all by default. A field is null where a frame has no
        such header. Kinds are words, addresses and counts are numbers, and options behind the
        fields are bytes. Raises `TraceError` for an unknown header.

        >>> Trace("out").decoded("tcp").filter(pl.col("tcp.kind") == "ack")
        """
        layouts = Layouts(self.about["headers"])
        if unknown := next((name for name in headers if name not in layouts.names), None):
            raise TraceError(
                f"there is no header '{unknown}'; there are: {', '.join(layouts.names)}"
            )
        table = (self.scan("frames") if frames is None else frames.lazy()).collect()
        if "header" not in table.columns:
            raise TraceError("these frames have no column 'header', which is decoded; keep it")
        found = table["header"].unique(maintain_order=True)
        rows = [_fields(layouts, packet, headers) for packet in found]
        names = list(dict.fromkeys(name for row in rows for name in row))
        fields = {name: [row.get(name) for row in rows] for name in names}
        return table.join(pl.DataFrame({"header": found, **fields}), on="header", how="left")


def _fields(layouts: Layouts, packet: bytes, wanted: Sequence[str]) -> dict[str, Any]:
    """Return the fields of the wanted headers of a packet, by the names of their columns."""
    return {
        name: value
        for header in layouts.read(packet)
        if not wanted or header.name in wanted
        for name, value in header.in_words().items()
    }


def _about(folder: Path) -> dict[str, Any]:
    """Return what `run.json` says, if this version can read the tables beside it."""
    try:
        about = read_json(folder / DESCRIPTION)
        version = about["format"]
        if version == FORMAT:
            _ = [about[key] for key in ("engine", "scenario", "complete")]
    except OSError as error:
        raise TraceError(
            f"'{folder}' is no trace: {DESCRIPTION} cannot be read ({error.strerror}); make one "
            f"with multihop run FILE --trace {folder}"
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise TraceError(f"{folder / DESCRIPTION} is damaged; make the trace again") from error
    if version != FORMAT:
        raise TraceError(
            f"'{folder}' has format {version}, and this version of multihop reads {FORMAT}; make "
            "the trace again"
        )
    return dict(about)

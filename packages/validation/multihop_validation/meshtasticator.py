"""Meshes of Meshtasticator, the simulator of Meshtastic's community, again by its rules.

`python -m multihop_validation.meshtasticator` runs all of them, keeps what was measured, and writes
the page.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from multihop._multihop import Cancel
from multihop.results.result import Result, make_folder, replacing
from multihop.running.runner import simulate, spread
from multihop.scenario.form import Scenario

from . import store
from .meshes import (
    COLLIDED,
    LEAST_SHOWN,
    Difference,
    MeshValidation,
    Metric,
    differences,
    table_of_meshes,
    table_of_metrics,
)
from .store import DATA, PAGE_FOLDER

CASES, MESSAGES, REFERENCE = "meshtasticator.json", "meshtasticator_messages", "meshtasticator"
RUNS, PAGE = "ours_meshtasticator", "meshtasticator.md"
PAYLOAD_B = 40
NOISE_DBM = -119.25
CAPTURE_DB = 6
# The preset's name here, the slot in ms of the firmware, and the sensitivity in dBm.
PRESETS = {"LONG_FAST": ("long-fast", 28, -131.5), "MEDIUM_FAST": ("medium-fast", 12, -126.5)}

# What the page leaves out of the rules, one at a time and together.
WHOLE = ""
_NO_LIST: Mapping[str, Any] = {"scheme.common_list": False}
_NO_TURNS: Mapping[str, Any] = {"mac.withdraw_at_once": True}
_FIRMWARE = {"scheme.rules": "firmware", "mac.redraw_after_reception": True}
LESS: Mapping[str, Mapping[str, Any]] = {
    WHOLE: {},
    "the list of all nodes": _NO_LIST,
    "turns that pass in vain": _NO_TURNS,
    "both": {**_NO_LIST, **_NO_TURNS},
    "all: the firmware's rules": {**_NO_LIST, **_NO_TURNS, **_FIRMWARE},
}

METRICS = (
    Metric("reach_pct", "reach (%)", 1.5, relative=False),
    Metric("frames_per_message", "frames a message", 0.03, relative=True),
    Metric("useful_pct", "useful copies (%)", 1.0, relative=False),
    Metric("collided_per_sensed", "collided copies", 0.015, relative=False),
    Metric("delay_all_ms", "delay of all copies (ms)", 0.04, relative=True),
    Metric("delay_first_ms", "delay of first copies (ms)", 0.04, relative=True),
    Metric("tx_pct", "time on air (%)", 0.03, relative=True),
)


@dataclass(frozen=True)
class Case:
    """A mesh of the reference, in its words."""

    name: str
    place: Mapping[str, Any]
    preset: str
    hop_limit: int
    duration_s: int
    seeds: Sequence[int]

    def scenario(self, seed: int, messages: Iterable[tuple[float, int]]) -> Scenario:
        """Return the scenario with these messages: times in s, and the nodes that send."""
        preset, slot_ms, sensitivity = PRESETS[self.preset]
        nodes = self.place["nodes"]
        times = "".join(f"{time:.6f},n{origin}\n" for time, origin in messages)
        routers = [f"n{node['id']}" for node in nodes if node["role"] == "ROUTER"]
        tables: dict[str, Any] = {
            "name": self.name,
            "seed": seed,
            "warmup": "0 s",
            "duration": f"{self.duration_s} s",
            "topology": {"kind": "explicit"},
            "node": [
                {"name": f"n{node['id']}", "x": f"{node['x']} m", "y": f"{node['y']} m"}
                for node in nodes
            ],
            "radio": {"propagation": "log-distance", "transmit_power": "1 W"},
            "mac": {
                "kind": "lora",
                "preset": preset,
                "slot": f"{slot_ms} ms",
                "sensitivity": f"{sensitivity} dBm",
                # Frames below the sensitivity do not exist there, and frames that were
                # destroyed when they began harm nobody.
                "interfere_from": f"{sensitivity} dBm",
                "interferers": "received",
                "capture_locked": f"{CAPTURE_DB} dB",
                "capture_unlocked": f"{CAPTURE_DB} dB",
                "grace": 11,
                # A reception is known at once, other frames after a slot.
                "detect_symbols": 0,
                "preamble_timeout": 0,
                "cad_symbols": 0,
                "cad_delay": f"{slot_ms} ms",
                "redraw_after_reception": False,
                "withdraw_at_once": False,
            },
            "scheme": {
                "name": "meshtastic",
                "rules": "meshtasticator-corrected",
                "hop_limit": self.hop_limit,
                "slot": f"{slot_ms} ms",
                "noise_floor": f"{NOISE_DBM} dBm",
                "common_list": True,
            },
            "traffic": {
                "payload": f"{PAYLOAD_B} B",
                "kind": "replay",
                "times": f"time_s,from\n{times}",
            },
            "flow": [{"from": "every node", "to": "everyone"}],
        }
        if routers:
            tables["roles"] = {"router": {"nodes": routers, "scheme": {"role": "router"}}}
        return Scenario.from_dict(tables)


def cases(data: Path) -> list[Case]:
    """Return the meshes that were recorded."""
    recorded = json.loads((data / CASES).read_text(encoding="utf-8"))
    places = recorded["places"]
    return [
        Case(
            name=case["name"],
            place=places[case["place"]],
            preset=case["preset"],
            hop_limit=case["hop_limit"],
            duration_s=case["duration_s"],
            seeds=case["seeds"],
        )
        for case in recorded["cases"]
    ]


def metrics(result: Result, case: Case, messages: pl.DataFrame) -> dict[str, float]:
    """Return what Meshtasticator measures, of a run with events."""
    # Flows stand in the order of nodes, and packets of a flow in that of time.
    offers = messages.sort("time_ms").select(
        flow="origin",
        packet=pl.col("time_ms").cum_count().over("origin").cast(pl.Int64) - 1,
        sent=pl.col("time_ms") / 1e3,
    )
    copies = result.events.join(offers, on=["flow", "packet"], how="inner").with_columns(
        delay=pl.col("time_s") - pl.col("sent")
    )
    received = copies.filter(pl.col("event") == "receive")
    first = copies.filter(pl.col("event") == "deliver")
    # What is too weak, or comes while a node transmits, is not sensed there.
    lost = (pl.col("event") == "loss") & pl.col("cause").is_in(COLLIDED)
    collided = copies.filter(lost).height
    frames = copies.filter(pl.col("event") == "transmit_start").height
    others = len(case.place["nodes"]) - 1
    sent = offers.height
    transmitting = float(result.nodes["transmit_s"].sum()) / (others + 1) / case.duration_s
    return {
        "reach_pct": 100 * first.height / (sent * others),
        "frames_per_message": frames / sent,
        "useful_pct": 100 * first.height / received.height,
        "collided_per_sensed": collided / (received.height + collided),
        "delay_all_ms": 1e3 * _mean(received["delay"]),
        "delay_first_ms": 1e3 * _mean(first["delay"]),
        "tx_pct": 100 * transmitting,
    }


def _mean(values: pl.Series) -> float:
    return statistics.fmean(values.to_list())


def measure(
    data: Path,
    *,
    workers: int | None = None,
    progress: bool = True,
    seeds: int | None = None,
    names: Sequence[str] | None = None,
) -> pl.DataFrame:
    """Run all cases, or those of these names, with the messages of each of their seeds.

    Each is run with all rules and with less of them: `LESS`.
    """
    messages = store.table(data, MESSAGES)
    chosen = [case for case in cases(data) if names is None or case.name in names]
    jobs = [(less, case, seed) for less in LESS for case in chosen for seed in case.seeds[:seeds]]
    found: list[dict[str, Any]] = [{} for _ in jobs]

    def job(index: int, cancel: Cancel) -> None:
        less, case, seed = jobs[index]
        of_run = messages.filter((pl.col("name") == case.name) & (pl.col("seed") == seed))
        rows = of_run.select(pl.col("time_ms") / 1e3, "origin").rows()
        scenario = case.scenario(seed, rows).with_(**LESS[less])
        result = simulate(scenario, events=True, cancel=cancel)
        measured = metrics(result, case, of_run)
        found[index] = {"name": case.name, "seed": seed, "without": less, **measured}

    spread(job, len(jobs), workers=workers, progress=progress, title="meshes of Meshtasticator")
    return pl.DataFrame(found)


def validate(
    out: Path | None = None,
    *,
    data: Path | None = None,
    workers: int | None = None,
    progress: bool = True,
) -> MeshValidation:
    """Run every mesh again, keep what was measured, and write the page."""
    data = DATA if data is None else data
    out = make_folder(PAGE_FOLDER if out is None else out)
    store.record(out / "data", RUNS, measure(data, workers=workers, progress=progress))
    return write(out, data=data)


def compared(kept: pl.DataFrame, reference: pl.DataFrame, less: str = WHOLE) -> list[Difference]:
    """Compare the runs that are kept, with all rules or less of them."""
    return differences(kept.filter(pl.col("without") == less), reference, METRICS)


def write(out: Path | None = None, *, data: Path | None = None) -> MeshValidation:
    """Write the page from the runs that are kept."""
    data = DATA if data is None else data
    out = make_folder(PAGE_FOLDER if out is None else out)
    kept, reference = store.table(out / "data", RUNS), store.table(data, REFERENCE)
    by = {less: compared(kept, reference, less) for less in LESS}
    found = MeshValidation(by[WHOLE], out / PAGE)
    with replacing(found.page) as temporary:
        temporary.write_text(_page(found, by), encoding="utf-8")
    return found


def _off(metric: Metric, of_metric: Sequence[Difference]) -> str:
    """Return by how much a metric is off, on average over the meshes."""
    if metric.relative:
        return f"{100 * statistics.fmean(one.ours / one.theirs - 1 for one in of_metric):+.1f} %"
    off = statistics.fmean(one.ours - one.theirs for one in of_metric)
    return f"{off:+.3f}" if metric.tolerance < LEAST_SHOWN else f"{off:+.1f}"


def _table_of_rules(by: Mapping[str, Sequence[Difference]]) -> str:
    """Return the table of what each rule changes."""
    rows = []
    for less, found in by.items():
        inside = f"{sum(one.inside for one in found)} of {len(found)}"
        off = (_off(metric, [one for one in found if one.metric == metric]) for metric in METRICS)
        rows.append(f"| {less or 'nothing'} | {inside} | {' | '.join(off)} |")
    heads = " | ".join(metric.title for metric in METRICS)
    return "\n".join(
        [f"| left out | within | {heads} |", f"|---|{'--:|' * (1 + len(METRICS))}", *rows]
    )


def _page(found: MeshValidation, by: Mapping[str, Sequence[Difference]]) -> str:
    return f"""# Meshes beside Meshtasticator

This page is made by `make generate` from the runs that `make validate` keeps; do not edit it.

[Meshtasticator](https://github.com/meshtastic/Meshtasticator) is the simulator of Meshtastic's
community. A copy of a304b7d (2026-03-25) with the firmware's time on air, slot and windows, and
without interference from outside, ran the meshes below. Here each run has the same messages at
the same times, by the rules `meshtasticator-corrected` of the [scheme](../guides/meshtastic.md)
over the MAC `lora`.

**{found.said}.** A comparison keeps its tolerance if the means differ by no more than that, or by
no more than two standard errors of both.

{table_of_metrics(found, METRICS)}

## What its rules change

Two rules of Meshtasticator are no node's (`lib/node.py`). Its numbers follow only with both:

- *The list of all nodes* (`scheme.common_list`). All nodes share one list of packets. A relay that
  hears any further copy of a text marks its own entry there as acknowledged. The source looks
  through all entries of its text, and repeats nothing if one is marked. Nothing on the air says so:
  it is [an oracle](../adr/0163-a-list-that-all-nodes-share.md).
- *Turns that pass in vain* (`mac.withdraw_at_once = false`). A relay that has heard a copy too many
  waits for its slots and for the medium all the same, and is dropped then. Further copies are
  queued again to wait and to be dropped. What stands behind them waits, too.

The table leaves them out: how many comparisons are within tolerance then, and how far the metrics
are off on average over all meshes. The last row has the firmware's rules, which draw a wait anew
after each reception: it is how far Meshtasticator is from the firmware's protocol on its own radio.

{_table_of_rules(by)}

## All meshes

Each cell has the mean here and there; bold is outside.

{table_of_meshes(found, METRICS)}
"""


def main() -> int:
    """Validate, and say what was found."""
    print(validate().said)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

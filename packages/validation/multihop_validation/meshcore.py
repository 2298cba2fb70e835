"""Meshes of meshcore_simv2, a simulator that runs MeshCore's own firmware, again by its rules.

`python -m multihop_validation meshcore` runs all of them, keeps what was measured, and writes the
page.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
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
    TARGET,
    MeshValidation,
    Metric,
    differences,
    table_of_meshes,
    table_of_metrics,
)
from .store import DATA, PAGE_FOLDER

CASES, REFERENCE = "meshcore.json", "meshcore"
RUNS, PAGE = "ours_meshcore", "meshcore.md"
# Runs of each mesh here. The reference has 4 or 5.
SEEDS = 30
# Noise in 62.5 kHz with a noise figure of 6 dB.
NOISE_DBM = -174 + 10 * math.log10(62_500) + 6
# The first minute is not counted. Within two minutes, each repeater says once who it is.
WARMUP_S = 60
ADVERTS_S = 120
ADVERT_DATA_B = 4
# What meshcore_simv2 does otherwise than the firmware, and what it leaves out.
MAC: Mapping[str, Any] = {
    "kind": "lora",
    "preset": "meshcore-sf8",
    # Up to 1.15; the firmware has 32 symbols at this spreading factor since 1.16.
    "preamble": 16,
    "capture_locked": "3 dB",
    "capture_unlocked": "6 dB",
    "forgiven_symbols": 1,
    # Every frame at or above the sensitivity keeps a node from sending, from the next step of 1 ms
    # on, also one that was destroyed or that began while the node was sending.
    "detect_symbols": 0.25,
    "cad": True,
    "cad_symbols": 0,
    "cad_delay": "1 ms",
    "cad_floor": "0 dB",
    "duty_cycle": 0.5,
}

METRICS = (
    Metric("channel_pct", "texts to everyone that arrive (%)", 3.0, relative=False),
    Metric("dm_pct", "texts to one node that arrive (%)", 3.0, relative=False),
    Metric("ack_pct", "of those acknowledged (%)", 4.0, relative=False),
    Metric("tx_per_message", "frames a message", 0.03, relative=True),
    Metric("collision_per_rx", "collided copies", 0.02, relative=False),
)


@dataclass(frozen=True)
class Case:
    """A mesh of the reference, in its words."""

    name: str
    repeaters: Sequence[str]
    companions: Sequence[str]
    links: Sequence[tuple[str, str, float]]
    traffic: Sequence[Mapping[str, Any]]
    settings: Mapping[str, float]
    duration_s: int

    def scenario(self, seed: int) -> Scenario:
        """Return the scenario of one run."""
        rng = random.Random(f"{self.name} {seed}")
        adverts = sorted((rng.uniform(0, ADVERTS_S), name) for name in self.repeaters)
        flows: list[dict[str, Any]] = [
            {
                "name": "advert",
                "from": list(self.repeaters),
                "to": "everyone",
                "kind": "replay",
                "class": "announcement",
                "payload": f"{ADVERT_DATA_B} B",
                "times": "time_s,from\n" + "".join(f"{at:.3f},{name}\n" for at, name in adverts),
            }
        ]
        for part in self.traffic:
            sources, mean = part["from"], part["mean_interval_s"]
            of_part = {"kind": "poisson", "payload": f"{part['text_bytes']} B"}
            if part["kind"] == "channel":
                flow = {"name": "channel", "from": sources, "to": "everyone"}
                flows.append(flow | of_part | {"interval": f"{mean} s"})
                continue
            # Each source writes to the others in turn by chance.
            others = len(part["to"]) - 1
            flows += [
                {"name": f"dm {source} {to}", "from": source, "to": to}
                | of_part
                | {"interval": f"{mean * others} s"}
                for source, to in permutations(part["to"], 2)
                if source in sources
            ]
        return Scenario.from_dict(
            {
                "name": self.name,
                "seed": seed,
                "warmup": f"{WARMUP_S} s",
                "duration": f"{self.duration_s} s",
                "topology": {"kind": "explicit"},
                "mac": dict(MAC),
                "scheme": {
                    "name": "meshcore",
                    "keys": seed,
                    "ack_size": "4 B",
                    "loop_detect": "off",
                    "flood_adverts": 0,
                    "sender_name": f"{len(self.companions[0])} B",
                    "noise_floor": f"{NOISE_DBM:.4f} dBm",
                    **self.settings,
                },
                "roles": {
                    "companion": {
                        "nodes": list(self.companions),
                        "scheme": {"role": "companion"},
                    }
                },
                "node": [{"name": name} for name in (*self.repeaters, *self.companions)],
                "link": [
                    {
                        "from": one,
                        "to": other,
                        "signal": f"{NOISE_DBM + snr:.4f} dBm",
                        "both_ways": True,
                    }
                    for one, other, snr in self.links
                ],
                "traffic": {"kind": "poisson"},
                "flow": flows,
            }
        )


# The firmware's settings, by its words.
SETTINGS = {"txdelay": "txdelay", "rxdelay": "rxdelay", "direct.txdelay": "direct_txdelay"}


def cases(data: Path) -> list[Case]:
    """Return the meshes that were recorded."""
    recorded = json.loads((data / CASES).read_text(encoding="utf-8"))
    found = []
    for case in recorded["cases"]:
        said = [line.split() for line in case["repeater_settings"]]
        found.append(
            Case(
                name=case["name"],
                repeaters=case["repeaters"],
                companions=case["companions"],
                links=[tuple(link) for link in case["links"]],
                traffic=case["traffic"],
                settings={SETTINGS[key]: float(value) for _, key, value in said},
                duration_s=case["duration_s"],
            )
        )
    return found


def metrics(result: Result, case: Case) -> dict[str, float | None]:
    """Return what was measured with meshcore_simv2, of a run with events."""
    events = result.events.filter(pl.col("time_s") >= WARMUP_S)
    flows = result.flows.select("flow", "name", "source")
    companions = result.nodes.filter(pl.col("name").is_in(list(case.companions)))["node"]
    named = result.nodes.select("node", source="name")
    sources = flows.join(named, on="source").select("flow", "name", origin="node")
    of_flows = events.join(sources, on="flow")
    sent = (
        of_flows.filter(
            (pl.col("event") == "transmit_start")
            & (pl.col("node") == pl.col("origin"))
            & (pl.col("packet") >= 0)
            & ~pl.col("name").str.starts_with("advert")
        )
        .select("flow", "packet", is_channel=pl.col("name").str.starts_with("channel"))
        .unique()
    )
    got = (
        events.filter((pl.col("event") == "deliver") & pl.col("node").is_in(companions.implode()))
        .select("flow", "packet", "node")
        .join(sent, on=["flow", "packet"])
    )
    counts = events["event"].value_counts()
    by_event = dict(counts.iter_rows())
    collided = events.filter((pl.col("event") == "loss") & pl.col("cause").is_in(COLLIDED)).height
    channel, direct = (sent.filter(pl.col("is_channel") == of) for of in (True, False))
    due = channel.height * (len(case.companions) - 1)
    received = by_event.get("receive", 0)

    def share(of: int, all_: int) -> float | None:
        return 100 * of / all_ if all_ else None

    return {
        "channel_pct": share(got.filter(pl.col("is_channel")).height, due),
        "dm_pct": share(got.filter(~pl.col("is_channel")).height, direct.height),
        "ack_pct": share(by_event.get("explicit_acknowledgment", 0), direct.height),
        "tx_per_message": by_event.get("transmit_start", 0) / sent.height,
        "collision_per_rx": collided / (received + collided),
    }


def measure(
    data: Path,
    *,
    workers: int | None = None,
    progress: bool = True,
    seeds: int = SEEDS,
    names: Sequence[str] | None = None,
) -> pl.DataFrame:
    """Run all cases, or those of these names, with so many seeds."""
    chosen = [case for case in cases(data) if names is None or case.name in names]
    jobs = [(case, seed) for case in chosen for seed in range(1, seeds + 1)]
    found: list[dict[str, Any]] = [{} for _ in jobs]

    def job(index: int, cancel: Cancel) -> None:
        case, seed = jobs[index]
        result = simulate(case.scenario(seed), events=True, cancel=cancel)
        found[index] = {"name": case.name, "seed": seed, **metrics(result, case)}

    spread(job, len(jobs), workers=workers, progress=progress, title="meshes of MeshCore")
    return pl.DataFrame(found, infer_schema_length=None)


def validate(
    out: Path | None = None,
    *,
    data: Path | None = None,
    workers: int | None = None,
    progress: bool = True,
) -> MeshValidation:
    """Run every mesh, keep what was measured, and write the page."""
    data = DATA if data is None else data
    out = make_folder(PAGE_FOLDER if out is None else out)
    store.record(out / "data", RUNS, measure(data, workers=workers, progress=progress))
    return write(out, data=data)


def write(out: Path | None = None, *, data: Path | None = None) -> MeshValidation:
    """Write the page from the runs that are kept."""
    data = DATA if data is None else data
    out = make_folder(PAGE_FOLDER if out is None else out)
    runs = store.table(out / "data", RUNS)
    found = MeshValidation(differences(runs, store.table(data, REFERENCE), METRICS), out / PAGE)
    with replacing(found.page) as temporary:
        temporary.write_text(_page(found, seeds=runs["seed"].n_unique()), encoding="utf-8")
    return found


# What is otherwise there, and the keys that say so here.
OTHERWISE = (
    (
        "firmware 1.15: acknowledgments of 4 B, no detection of loops",
        "scheme.ack_size, scheme.loop_detect",
    ),
    ("a preamble of 16 symbols at SF 8; since 1.16 it is 32", "mac.preamble"),
    ("capture of 3 dB once locked, 6 dB before", "mac.capture_locked, mac.capture_unlocked"),
    ("a symbol of overlap is forgiven at 4/8", "mac.forgiven_symbols"),
    (
        "each frame that could be decoded keeps a node from sending, from the next step (1 ms) on",
        "mac.cad, mac.cad_delay, mac.detect_symbols",
    ),
    ("the air budget of the firmware, a factor of 1", "mac.duty_cycle"),
    ("names of nodes as long as theirs", "scheme.sender_name"),
)


def _table_of_keys() -> str:
    rows = [
        f"| {there} | {', '.join(f'`{key}`' for key in here.split(', '))} |"
        for there, here in OTHERWISE
    ]
    return "\n".join(["| there | here |", "|---|---|", *rows])


def _page(found: MeshValidation, *, seeds: int) -> str:
    outside = [one for one in found.differences if not one.inside]
    left = ", ".join(dict.fromkeys(f"`{one.case}`" for one in outside))
    rest = (
        f"Outside: {left}. The limit is two standard errors over the few runs of the reference,\n"
        "which may be small by chance: in each run fewer than a hundred messages arrive or do not."
        if outside
        else "No mesh is outside."
    )
    return f"""# Meshes beside meshcore_simv2

This page is made by `make generate` from the runs that `make validate` keeps; do not edit it.

[meshcore_simv2](https://github.com/stachuman/meshcore_simv2) runs MeshCore's own firmware, 1.15,
over a model of the radio. A copy of b87eda8 (2026-05-03) ran the meshes below, with four or five
seeds each: chains, fans of relays that do not hear each other, a grid, and a random net. Here the
[scheme](../guides/meshcore.md) `meshcore` runs them over the MAC `lora` with {seeds} seeds.

**{found.said}.** A comparison keeps its tolerance if the means differ by no more than that, or by
no more than two standard errors of both. The target is {100 * TARGET:g} %.

{rest}

{table_of_metrics(found, METRICS)}

## What the scenarios say

Sources send at random times (Poisson), a first minute is not counted, and each repeater says once
in two minutes who it is, to its neighbours. What meshcore_simv2 does otherwise than the firmware of
today, or than this model by default, stands in the scenarios:

{_table_of_keys()}

Not in the scenarios: a radio there turns around for 5 ms after it has sent, all times are whole
milliseconds, and an overlap is forgiven behind the preamble only.

## All meshes

Each cell has the mean here and there; bold is outside.

{table_of_meshes(found, METRICS)}
"""

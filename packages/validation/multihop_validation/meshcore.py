"""Meshes of meshcore_simv2, a simulator that runs MeshCore's own firmware, again by its rules.

`python -m multihop_validation meshcore` runs all of them, keeps what was measured, and writes the
page.
"""

from __future__ import annotations

import json
import math
import random
import statistics
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
from .meshtasticator import COLLIDED, Difference, Metric
from .store import DATA, PAGE_FOLDER

CASES, REFERENCE = "meshcore.json", "meshcore"
RUNS, PAGE = "ours_meshcore", "meshcore.md"
# Runs of each mesh here. The reference has 4 or 5.
SEEDS = 12
# The share of comparisons that must be within tolerance.
TARGET = 0.9
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
    collided = events.filter(
        (pl.col("event") == "loss") & pl.col("cause").is_in(COLLIDED)
    ).height
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

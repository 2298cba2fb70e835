"""Whether a receiver can know ahead that it will be deaf: by what it has sensed before.

    python -m multihop_papers.wake.deafness

runs WAKE in random networks, and asks of every hop how often a frame fails if its receiver senses,
now or a lag ago, the frame of a station that the sender does not sense and the receiver cannot
decode. Of all lags from `AHEAD` on that hop takes the one that tells most in the first half of its
frames; the second half is judged. Writes `docs/reproduced/wake-deafness.json`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from multihop import Scenario, Trace, run
from multihop.reporting.markdown import markdown_table
from multihop.reproducing.stored import FOLDER

from .. import kept
from ..kept import Rows
from .setup import HERE

PATH = FOLDER / "wake-deafness.json"
# Nodes and topology seed; these seeds are those of experiments, not of the evaluation.
NETWORKS = ((100, 1), (150, 1), (150, 2), (150, 4))
DECODED_M, SENSED_M = 250.0, 550.0
# Time goes in such steps; the lags that are tried begin at one of `AHEAD`.
STEP_NS = 250_000
AHEAD_MS, MOST_MS = (10.0, 20.0), 300.0
# Hops with fewer frames tell nothing.
FEWEST = 300
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Warned:
    """What a warning would be worth at a hop: frames that were judged, and shares of them."""

    frames: int
    failed: float
    # Of those without a warning: how many there are of all, and how many of them failed.
    free: float
    failed_free: float


def judged(warned: Flags, failed: Flags) -> Warned:
    """Judge one flag for each frame."""
    free = ~warned
    share = float(failed[free].mean()) if free.any() else 0.0
    return Warned(len(failed), float(failed.mean()), float(free.mean()), share)


def best_lag(before: Flags, failed: Flags) -> int:
    """Return the column of `before`, frames by lags, which tells most of whether frames failed."""
    warned, busy = before.sum(axis=0), before.mean(axis=0)
    late = (before & failed[:, None]).sum(axis=0) / np.maximum(warned, 1)
    free = (~before & failed[:, None]).sum(axis=0) / np.maximum(len(failed) - warned, 1)
    return int(np.argmax((late - free) * np.sqrt(busy * (1 - busy))))


def _hops(trace: Trace, x: NDArray[Any], y: NDArray[Any]) -> Iterator[tuple[Flags, Any, Flags]]:
    """Yield of every hop when its receiver senses disturbance, and steps and fates of frames."""
    columns = ("frame", "start_ns", "length_ns", "sender", "receiver", "class")
    frames = trace.scan("frames").select(columns).collect()
    fates = trace.scan("receptions").select("frame", "node", "outcome").collect()
    data = frames.filter(pl.col("class") == "data").join(
        fates, left_on=["frame", "receiver"], right_on=["frame", "node"], how="left"
    )
    start, length = (frames[name].to_numpy() for name in ("start_ns", "length_ns"))
    senders = frames["sender"].to_numpy()
    steps = int((start + length).max() // STEP_NS) + 2
    for (sender, receiver), of_hop in data.sort("start_ns").group_by(
        ["sender", "receiver"], maintain_order=True
    ):
        if len(of_hop) < FEWEST:
            continue
        from_sender = np.hypot(x - x[sender], y - y[sender])
        away = np.hypot(x - x[receiver], y - y[receiver])
        hidden = (away > DECODED_M) & (away <= SENSED_M) & (from_sender > SENSED_M)
        deaf = np.zeros(steps, dtype=bool)
        disturbs = hidden[senders]
        for begin, lasts in zip(start[disturbs], length[disturbs], strict=True):
            deaf[begin // STEP_NS : (begin + lasts) // STEP_NS + 1] = True
        failed = (of_hop["outcome"].fill_null("") != "decoded").to_numpy()
        yield deaf, of_hop["start_ns"].to_numpy() // STEP_NS, failed


def measured(
    networks: Sequence[tuple[int, int]] = NETWORKS, duration: str = "60 s"
) -> list[dict[str, Any]]:
    """Return a row for each network and kind of warning: means over hops, weighted by frames."""
    most = int(MOST_MS * 1e6 / STEP_NS)
    rows = []
    for nodes, seed in networks:
        keys = {"topology.nodes": nodes, "topology.topology_seed": seed}
        scenario = Scenario.from_file(HERE / "random.toml").with_(
            **keys, **{"traffic.load": "900 kbit/s"}, warmup="5 s", duration=duration
        )
        found: dict[str, list[Warned]] = {}
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "trace"
            result = run(scenario, trace=place)
            x, y = (result.nodes[name].to_numpy() for name in ("x_m", "y_m"))
            for deaf, at, failed in _hops(Trace(place), x, y):
                at, failed = at[at >= most], failed[at >= most]
                half = len(at) // 2
                if half == 0:
                    continue
                found.setdefault("now", []).append(judged(deaf[at[half:]], failed[half:]))
                for ahead in AHEAD_MS:
                    lags = np.arange(int(ahead * 1e6 / STEP_NS), most)
                    before = deaf[at[:, None] - lags[None, :]]
                    lag = best_lag(before[:half], failed[:half])
                    told = judged(before[half:, lag], failed[half:])
                    found.setdefault(f"{ahead:g} ms ahead", []).append(told)
        for warning, hops in found.items():
            weights = [hop.frames for hop in hops]
            rows.append(
                {"nodes": nodes, "seed": seed, "warning": warning, "hops": len(hops)}
                | {
                    name: float(np.average([getattr(hop, name) for hop in hops], weights=weights))
                    for name in ("failed", "free", "failed_free")
                }
            )
    return rows


def table(rows: Rows) -> str:
    """Write what frames fail, by network and warning."""
    lines = (
        (
            f"{row['nodes']} nodes, seed {row['seed']}",
            row["warning"],
            *(f"{100 * row[name]:.0f} %" for name in ("failed", "failed_free", "free")),
        )
        for row in rows
    )
    titles = ("network", "warning", "frames that fail", "fail without a warning", "not warned of")
    return markdown_table(titles, lines, right=titles[2:])


def stored() -> Rows:
    """Return the rows that are kept."""
    return kept.stored(PATH)


if __name__ == "__main__":
    kept.keep(PATH, "python -m multihop_papers.wake.deafness", measured())

"""What LECN's differing claims depend on: the tests behind `notes.py`.

    python -m multihop_papers.lecn.sensitivity

The first table varies what the paper leaves open, one thing at a time, in the chain of 8 hops. The
others read figures 2, 4 and 5 in other ways than their claims do. What a reading does to all claims
is shown by `multihop reproduce lecn --with KEY=VALUE`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table

from multihop.running.runner import run_many
from multihop.scenario.form import Scenario
from multihop.statistics.stats import confidence

from .potential import (
    LEVELS,
    NODE,
    Before,
    around_drops,
    correlation,
    correlations,
    during_stay,
    just_before,
    last,
    levels,
    potential,
    stays,
)
from .setup import CHAIN, LECN_40, LECN_60, TCP, THINNING, THINNING_LECN_60, TRACES, VARIANTS

SHOWN = (TCP, LECN_40, LECN_60, THINNING, THINNING_LECN_60)
OPEN: tuple[Mapping[str, Any], ...] = (
    {},
    {"scheme.min_rto": 1000},
    {"routing.expanding_ring": True},
    {"routing.local_repair": False},
    {"mac.header": "28 B"},
    {"scheme.count_segments": True},
    {"scheme.heed_ack_marks": True},
)


def open_parameters(base: Scenario, seeds: int = 5) -> Table:
    """Vary what the paper leaves open: goodput, and time at each level of the maximum CP."""
    table = Table("setting", "variant", "kbit/s", *(f"{level} (%)" for level in range(LEVELS)))
    measured = base.with_(**{"measure.congestion_potential": True})
    cases = [(setting, variant) for setting in OPEN for variant in SHOWN]
    results = run_many(
        [
            VARIANTS[variant].apply(measured).with_(**setting, seed=seed + 1)
            for setting, variant in cases
            for seed in range(seeds)
        ]
    )
    for index, (setting, variant) in enumerate(cases):
        own = results[index * seeds : (index + 1) * seeds]
        goodput = np.mean([result.runs["goodput_bit_s"].item() for result in own]) / 1e3
        name = ", ".join(f"{key} = {value}" for key, value in setting.items()) or "as it is"
        shares = np.mean([levels(result.congestion) for result in own], axis=0)
        table.add_row(
            name, VARIANTS[variant].title, f"{goodput:.0f}", *(f"{share:.1f}" for share in shares)
        )
    return table


# What could count as "before" a drop.
BEFORE: Mapping[str, Before] = {
    "just before": just_before,
    "while the packet is in the MAC": during_stay,
    **{f"last {1e3 * seconds:g} ms": last(seconds) for seconds in (0.05, 0.2, 1.0)},
}


def before_drops(traces: Sequence[pl.DataFrame]) -> Table:
    """Read "before a drop" in other ways: how much higher the maximum CP is."""
    table = Table("before", "CP before drops", "before controls", "difference")
    for name, before in BEFORE.items():
        pairs = [around_drops(events, before) for events in traces]
        means = np.array([[value.mean() for value in pair] for pair in pairs if len(pair[0])])
        higher = means[:, 0] - means[:, 1]
        table.add_row(
            name,
            *(f"{value:.2f}" for value in means.mean(axis=0)),
            f"{higher.mean():+.2f} +- {confidence(higher):.2f}",
        )
    return table


def coincidence(traces: Sequence[pl.DataFrame]) -> Table:
    """Correlate staying time and retries with the CP of a node, in means over spans of time."""
    table = Table("means over (ms)", "staying time", "retry count")
    rows = {"each packet": [correlations(events, NODE) for events in traces]}
    for span in (0.1, 0.25, 0.5):
        rows[f"{1e3 * span:g}"] = [_by_span(events, span) for events in traces]
    for name, pairs in rows.items():
        sides = zip(*pairs, strict=True)
        table.add_row(name, *(f"{min(side):.2f} to {max(side):.2f}" for side in sides))
    return table


def held_levels(traces: Mapping[str, Sequence[pl.DataFrame]]) -> Table:
    """Read the maximum CP just after each end of service, as figure 2 does, and hold it."""
    table = Table("variant", *(f"{level} (%)" for level in range(LEVELS)))
    for name, runs in traces.items():
        shares = []
        for events in runs:
            ends = np.unique(events.filter(event="service_end")["time_s"].to_numpy())
            after = potential(events).before(np.nextafter(ends, np.inf))
            level = np.minimum(after, LEVELS - 1).astype(int)
            time = np.bincount(level[:-1], np.diff(ends), minlength=LEVELS)
            shares.append(100 * time / time.sum())
        table.add_row(name, *(f"{share:.1f}" for share in np.mean(shares, axis=0)))
    return table


def _by_span(events: pl.DataFrame, span: float) -> tuple[float, float]:
    packets = stays(events, NODE)
    spans, member = np.unique(np.floor(packets.end / span), return_inverse=True)
    level = potential(events, NODE).means(span * spans, span * (spans + 1))
    count = np.bincount(member)
    staying, retries = (
        correlation(np.bincount(member, values) / count, level)
        for values in (packets.duration, packets.retries)
    )
    return staying, retries


if __name__ == "__main__":
    console = Console(width=120)
    console.print(open_parameters(Scenario.from_file(CHAIN)))
    traced = {
        VARIANTS[name].title: [
            result.events
            for result in run_many(
                [replace(trace, variant=VARIANTS[name]).scenario() for trace in TRACES], events=True
            )
        ]
        for name in (TCP, LECN_60)
    }
    console.print(before_drops(traced[VARIANTS[TCP].title]))
    console.print(coincidence(traced[VARIANTS[TCP].title]))
    console.print(held_levels(traced))

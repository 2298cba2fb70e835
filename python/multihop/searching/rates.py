"""The best sending rates over chains of each length, as a table that CL reads.

>>> import multihop
>>> found = multihop.optimum_rates(multihop.ScenarioFile.read("chain.toml"), range(1, 13))
>>> found.write("rates.toml")
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from .._multihop import survey
from ..engine.errors import SearchError
from ..results.result import Result, replacing
from ..running.runner import run_many
from ..scenario.form import Base, Given, Scenario, as_base, seed_list
from ..scenario.noting import told_before

# What a rate carries less than the best one, and is taken for as good: where the curve is flat the
# lowest rate is the best, since all above it only fills queues.
AS_GOOD = 0.99
# A rate is carried if so much of it is, up to packets that are on their way when measuring begins
# and ends; the search for the knee begins beyond the last one that is.
CARRIED = 0.99
ON_THEIR_WAY = 2
# Points in each of the two sweeps that close in on the best rate.
POINTS = 8
# In packets/s: the first rate that is tried, doubled until it is not carried.
FIRST_RATE = 2.0
MOST_DOUBLINGS = 16

Rates = dict[float, list[float]]


@dataclass(frozen=True)
class RateTable:
    """The best sending rate over chains of each length, and all rates that were tried.

    `rates` has the columns `hops`, `rate` (packets/s), `carried` (packets/s, the mean over the
    seeds) and `standard_error` (packets/s, null for a single seed); `tried` has the same for every
    rate that was tried. With a scheme that acknowledges, carried counts acknowledged packets.
    """

    rates: pl.DataFrame
    tried: pl.DataFrame
    seeds: Sequence[int]
    # One of the scenarios that were run: what the rates were measured for.
    scenario: Scenario = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "rates": self.rates.to_dicts(),
            "tried": self.tried.to_dicts(),
            "seeds": list(self.seeds),
            "made_for": _made_for(self.scenario),
        }

    def to_toml(self, command: str = "") -> str:
        """Return the table of rates as TOML; `command` is the command that measures it again."""
        from ..sweeping.batches import engine

        payload_bits = 8 * _payload(self.scenario)
        measured = {
            "command": command,
            "engine": engine(),
            "seeds": _span(self.seeds),
            "scenario": json.dumps(self.scenario.to_dict(), sort_keys=True),
        }
        lines = ["# The best sending rates over chains, in packets/s; goodputs in kbit/s.", ""]
        lines += ["[measured]", *_keys(measured)]
        made_for = _made_for(self.scenario)
        lines += ["", "[made_for]", *_keys({"payload": made_for.pop("payload")})]
        for name, keys in made_for.items():
            lines += ["", f"[made_for.{name}]", *_keys(keys)]
        for row in self.rates.iter_rows(named=True):
            lines += ["", "[[rate]]", f"hops = {row['hops']}", f"rate = {row['rate']:g}"]
            lines.append(f"goodput = {row['carried'] * payload_bits / 1e3:.2f}")
            if row["standard_error"] is not None:
                error = row["standard_error"] * payload_bits / 1e3
                lines.append(f"standard_error = {error:.2f}")
        return "\n".join(lines) + "\n"

    def write(self, path: str | Path, command: str = "") -> None:
        """Write the table of rates as a TOML file."""
        with replacing(Path(path)) as temporary:
            temporary.write_text(self.to_toml(command), encoding="utf-8")


def optimum_rates(
    scenario: Given,
    hops: Iterable[int] = range(1, 13),
    *,
    seeds: int | Iterable[int] = 5,
    workers: int | None = None,
    progress: bool = True,
) -> RateTable:
    """Search the best rate of a constant-rate source over chains of each length.

    The rate is doubled until less than 99 % of it is carried. Then two sweeps close in on the rate
    with the highest throughput, to about 1.5 %. The best rate is the lowest with 99 % of that. The
    scenario's scheme is `udp` for rates without acknowledgments and `udp-ack` for rates with them.
    """
    lengths, numbers = sorted(set(hops)), sorted(set(seed_list(seeds)))
    if not lengths or not numbers:
        missing = "length" if not lengths else "seed"
        raise SearchError(f"there is no {missing} to try; name at least one")
    search = _Search(as_base(scenario), numbers, workers, progress)
    found: dict[int, Rates] = {length: {} for length in lengths}
    below = dict.fromkeys(lengths, FIRST_RATE)
    open_ = list(lengths)
    for _ in range(MOST_DOUBLINGS):
        search.measure(found, {length: [below[length]] for length in open_})
        open_ = [length for length in open_ if search.is_carried(found[length], below[length])]
        if not open_:
            break
        below.update({length: 2 * below[length] for length in open_})
    for _ in range(2):
        search.measure(found, {length: _closer(found[length]) for length in lengths})
    tried = pl.DataFrame([row for length in lengths for row in _rows(length, found[length])])
    best = [_best(found[length]) for length in lengths]
    chosen = pl.DataFrame({"hops": lengths, "rate": best})
    rates = chosen.join(tried, on=("hops", "rate"), how="left", maintain_order="left")
    return RateTable(rates, tried, numbers, search.scenario(lengths[0], best[0], numbers[0]))


class _Search:
    """The runs of a search."""

    def __init__(
        self, base: Base, seeds: Sequence[int], workers: int | None, progress: bool
    ) -> None:
        # From the file itself: what is not given there need not be valid.
        self.base = base
        self.seeds = seeds
        self.workers = workers
        self.progress = progress
        self.payload_bits = 1
        self.payload_bits = 8 * _payload(self.scenario(1, 1e3, seeds[0]))
        self.seconds = 0.0

    def scenario(self, hops: int, rate: float, seed: int) -> Scenario:
        """Return the run with this length, rate in packets/s and seed."""
        load = round(rate * self.payload_bits)
        keys = {
            "topology.kind": "chain",
            "topology.hops": hops,
            "traffic.kind": "cbr",
            "traffic.load": f"{load} bit/s",
            "seed": seed,
        }
        return self.base.override(keys, "--rates")

    def measure(self, found: Mapping[int, Rates], wanted: Mapping[int, Sequence[float]]) -> None:
        """Run every rate of each length that was not run yet, with every seed."""
        new = [
            (hops, rate)
            for hops, rates in wanted.items()
            for rate in rates
            if rate not in found[hops]
        ]
        scenarios = [self.scenario(hops, rate, seed) for hops, rate in new for seed in self.seeds]
        results = iter(
            run_many(scenarios, workers=self.workers, progress=self.progress, tell=told_before)
        )
        for hops, rate in new:
            runs = [next(results) for _ in self.seeds]
            self.seconds = float(runs[0].runs["duration_s"][0])
            found[hops][rate] = [_carried(run) for run in runs]

    def is_carried(self, rates: Rates, rate: float) -> bool:
        """Find whether a rate that was run is carried."""
        return _mean(rates[rate]) >= CARRIED * rate - ON_THEIR_WAY / self.seconds


def _carried(result: Result) -> float:
    """Return the packets per second that arrived, or, with acknowledgments, were acknowledged."""
    run = result.runs.row(0, named=True)
    acknowledged = run["scheme"] == "udp-ack"
    column = "acknowledged" if acknowledged else "delivered"
    return float(result.flows[column][0]) / float(run["duration_s"])


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _best(rates: Rates) -> float:
    most = max(map(_mean, rates.values()))
    return min(rate for rate, carried in rates.items() if _mean(carried) >= AS_GOOD * most)


def _closer(rates: Rates) -> list[float]:
    """Return rates between the neighbours of the best one, with three digits."""
    tried = sorted(rates)
    at = tried.index(_best(rates))
    low, high = tried[max(at - 1, 0)], tried[min(at + 1, len(tried) - 1)]
    step = (high - low) / (POINTS + 1)
    points = (low + step * (number + 1) for number in range(POINTS))
    return [float(f"{point:.3g}") for point in points]


def _rows(hops: int, rates: Rates) -> list[dict[str, Any]]:
    rows = []
    for rate, carried in sorted(rates.items()):
        mean = _mean(carried)
        several = len(carried) > 1
        variance = sum((one - mean) ** 2 for one in carried) / (len(carried) - 1) if several else 0
        error = math.sqrt(variance / len(carried)) if several else None
        rows.append({"hops": hops, "rate": rate, "carried": mean, "standard_error": error})
    return rows


# ---- the file -----------------------------------------------------------------------------------


def _payload(scenario: Scenario) -> int:
    """Return the payload of a packet in B: the scenario's own, or the default."""
    return int(survey(scenario.json)["flows"]["payload_bytes"][0])


def _made_for(scenario: Scenario) -> dict[str, Any]:
    """Return for what a table holds: link, payload, and whether packets are acknowledged."""
    tables = scenario.to_dict()
    scheme = tables["scheme"]
    answered = scheme["name"] == "udp-ack"
    setting: dict[str, Any] = {"acknowledge": answered}
    if answered and "acknowledgment" in scheme:
        setting["acknowledgment"] = scheme["acknowledgment"]
    links = {name: tables[name] for name in ("radio", "mac") if tables.get(name)}
    return {"payload": f"{_payload(scenario)} B", **links, "scheme": setting}


def _keys(table: Mapping[str, Any]) -> list[str]:
    # A text or number in JSON is one in TOML.
    return [f"{key} = {json.dumps(value)}" for key, value in table.items()]


def _span(numbers: Sequence[int]) -> str:
    return f"{numbers[0]} to {numbers[-1]}, {len(numbers)} of them"

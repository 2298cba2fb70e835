#!/usr/bin/env python3
"""What seeds cost: runs until means are precise, and until verdicts are decided.

    precision.py            prints the tables
    precision.py --write    writes them into docs/guides/statistics.md

Three tables. The first has how often 95 % intervals hold the mean of a measure, drawn from the 400
seeds of tests/null_world.py or from a distribution. The second has the same when a rule has stopped
by itself, and how many seeds it took: an ordinary interval that is looked at after every seed, and
`Until`. The third counts the runs of real sweeps, and those of a fixed number of seeds that gives
every combination the same precision, or every verdict.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from multihop import Decided, Scenario, Sweep, Until, compare
from multihop.reporting.markdown import markdown_table
from multihop.statistics.intervals import ANY, FIXED, POSITIVE, Bounds, Design, interval
from multihop.statistics.stats import Values
from multihop.sweeping.sweeps import Means

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.null_world import values  # noqa: E402

PAGE = ROOT / "docs" / "guides" / "statistics.md"
BLOCK = re.compile(r"(?<=^<!-- measured: )(\w+) -->\n(.*?)(?=^<!-- end -->$)", re.M | re.DOTALL)
DRAWS, STOPPED = 4000, 4000
SEEDS = (3, 5, 10, 20, 40)
SHARES = (0.05, 0.1)
# Seeds at most in the second table, so that nearly all means get their precision.
MOST = 320
QUIET = Means(progress=False)
Draw = Callable[[np.random.Generator, tuple[int, ...]], Values]


def stored(measure: str) -> tuple[Draw, float]:
    """Draw from the seeds of one scheme."""
    known = values(measure)
    return lambda random, shape: random.choice(known, shape), float(known.mean())


def normal(random: np.random.Generator, shape: tuple[int, ...]) -> Values:
    return random.normal(1, 0.2, shape)


def lognormal(random: np.random.Generator, shape: tuple[int, ...]) -> Values:
    return np.exp(random.normal(0, 0.5, shape))


SOURCES: dict[str, tuple[Draw, float]] = {
    "goodput": stored("goodput"),
    "network delay": stored("network_delay"),
    "end-to-end delay": stored("end_to_end_delay"),
    "normal, deviation 20 %": (normal, 1.0),
    "lognormal, sigma 0.5": (lognormal, math.exp(0.125)),
}


def held(rows: Values, mean: float, bounds: Bounds) -> float:
    """Return how often intervals hold the mean."""
    ends = (interval(row, bounds) for row in rows.tolist())
    return float(np.mean([low <= mean <= high for low, high in ends]))


def coverage() -> Iterator[list[str]]:
    """Compare intervals of a fixed number of seeds with Student's."""
    yield ["95 % intervals that hold the mean", *(f"{count} seeds" for count in SEEDS)]
    for name, (draw, mean) in SOURCES.items():
        random = np.random.default_rng(1)
        rows = [draw(random, (DRAWS, count)) for count in SEEDS]
        for way, bounds in (("multihop's", POSITIVE), ("Student's", ANY)):
            found = (held(one, mean, bounds) for one in rows)
            yield [f"{name}, {way}", *(f"{share:.1%}" for share in found)]


class Ordinary(Until):
    """Looks at the interval of a fixed number after every seed."""

    @property
    def design(self) -> Design:  # type: ignore[override]
        return FIXED

    def wanted(self, given: Sequence[float]) -> int:
        enough = self.width(given) <= self.share or len(given) >= self.most
        return len(given) + (not enough)


def stop(rule: Until, row: list[float]) -> tuple[int, float, float]:
    """Return how many seeds a rule takes, and its interval."""
    count = rule.least
    while (more := rule.wanted(row[:count])) > count:
        count = more
    low, high = interval(row[:count], design=rule.design) or (math.nan, math.nan)
    return count, low, high


def stopping() -> Iterator[list[str]]:
    """Compare rules that stop by themselves."""
    yield ["measure", "precision", "ordinary: holds", "seeds", "`until`: holds", "seeds"]
    for name, (draw, mean) in SOURCES.items():
        rows = draw(np.random.default_rng(2), (STOPPED, MOST)).tolist()
        for share in SHARES:
            cells = [name, f"{share:.0%}"]
            for rule in (Ordinary(share, least=5, most=MOST), Until(share, most=MOST)):
                found = np.array([stop(rule, row) for row in rows])
                inside = np.mean((found[:, 1] <= mean) & (mean <= found[:, 2]))
                cells += [f"{inside:.1%}", f"{found[:, 0].mean():.0f}"]
            yield cells


def savings() -> Iterator[list[str]]:
    """Count the runs of sweeps, and those of a fixed number of seeds."""
    yield ["what is run", "asked for", "combinations", "seeds", "runs", "fixed number", "saved"]
    file = Sweep.from_file(ROOT / "examples" / "sweeps" / "chain-load.toml")
    asked = file.set({"duration": "5 s"}, "--set")
    for share in (0.05, 0.02):
        with tempfile.TemporaryDirectory() as out:
            done = asked.until(Until(share), "").run(out, QUIET)
            keys = [c for c in done.table("runs").columns if "." in c]
            yield _saved("chain-load.toml", f"goodput within {share:.0%}", done.table("runs"), keys)
    base = Scenario.from_file(ROOT / "examples" / "bidirectional-chain.toml", {"duration": "5 s"})
    loads = {"traffic.load": ["25 kbit/s", "50 kbit/s", "100 kbit/s", "150 kbit/s"]}
    schemes = ["udp", "cxcc", "newreno", "vegas"]
    with tempfile.TemporaryDirectory() as out:
        seeds = Decided(0.05)
        base = base.with_(**{"scheme.rfa": None})
        found = compare(
            base, schemes, loads, seeds=seeds, baseline="newreno", out=out, progress=False
        )
        keys = ["traffic.load", "scheme"]
        yield _saved("4 schemes at 4 loads", "verdicts, 5 %", found.result.runs, keys)


def _saved(what: str, asked: str, runs: Any, keys: list[str]) -> list[str]:
    counts = runs.group_by(keys, maintain_order=True).len()["len"].to_list()
    fixed = len(counts) * max(counts)
    return [
        *(what, asked, f"{len(counts)}", f"{min(counts)} to {max(counts)}"),
        *(f"{sum(counts)}", f"{fixed}", f"{1 - sum(counts) / fixed:.0%}"),
    ]


TABLES = {"coverage": coverage, "stopping": stopping, "savings": savings}
TITLES = {
    "coverage": "How often intervals hold the mean",
    "stopping": "How often they do when a rule has stopped",
    "savings": "What it saves",
}


def show(name: str, rows: Sequence[Sequence[str]]) -> None:
    """Print a table."""
    table = Table(*rows[0], title=TITLES[name])
    for row in rows[1:]:
        table.add_row(*row)
    Console().print(table)


def main() -> int:
    """Parse the arguments, measure, and print or write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    args = parser.parse_args()
    made = {name: list(rows()) for name, rows in TABLES.items()}
    if args.write:
        text = PAGE.read_text(encoding="utf-8")
        renew = partial(_renewed, made)
        PAGE.write_text(BLOCK.sub(renew, text), encoding="utf-8")
    else:
        for name, rows in made.items():
            show(name, rows)
    return 0


def _renewed(made: dict[str, list[list[str]]], block: re.Match[str]) -> str:
    return f"{block[1]} -->\n{markdown_table(made[block[1]][0], made[block[1]][1:])}"


if __name__ == "__main__":
    sys.exit(main())

"""Worlds in which what WXCP says holds, in which it does not, and in which nothing depends."""

from collections.abc import Callable
from functools import cache, partial

import numpy as np
import polars as pl

from multihop.reproducing.spec import Data, Study
from multihop.statistics.stats import Values
from multihop_papers import wxcp
from multihop_papers.wxcp.setup import (
    BY_ERRORS,
    BY_SIZE,
    CHANGING,
    ENDS_S,
    INTERVAL_S,
    JOINS_S,
    LATTICE,
    LEAVES_S,
    LEVEL,
    ONE_FLOW,
    TABLE_HOPS,
    TCP,
    TWO_FLOWS,
    WXCP,
    XCP,
)
from multihop_papers.wxcp.table1 import PAPER as WINDOWS
from multihop_papers.wxcp.table2 import PAPER as VARIATIONS
from tests.worlds import Rule, measured, null, studies

PAYLOAD = 1000
SECONDS = 120.0
TIMES = np.arange(round(ENDS_S / INTERVAL_S)) * INTERVAL_S
SEEDS = (1, 2)
# The schemes change places in the world in which nothing is as the paper says.
SWAPPED = {TCP: WXCP, WXCP: TCP, XCP: WXCP}


def by_hops(paper: dict[str, str], variant: str, hops: float) -> float:
    """Look up a number of the paper's tables."""
    numbers = dict(zip(TABLE_HOPS, map(float, paper[variant].split()), strict=True))
    return numbers[int(hops)]


def shared(total: float, variation: float) -> list[dict[str, float]]:
    """Give two flows shares of this coefficient of variation: (a - b) / (a + b)."""
    return [{"delivered": total * (1 + sign * variation) / 2} for sign in (1, -1)]


def throughput(variant: str, hops: float) -> float:
    """Return a throughput over a chain in bit/s, as the paper says."""
    gain = {1: 1.0, 2: 1.0, 3: 1.1, 4: 1.2, 6: 1.2}.get(int(hops), 1.8)
    return 1e6 / hops * (gain if variant == WXCP else 1.0)


def one_flow(variant: str, hops: float, as_the_paper: bool) -> dict[str, float]:
    name = variant if as_the_paper else SWAPPED[variant]
    window = by_hops(WINDOWS, name, hops) if name != XCP else 50.0
    return {
        "delivered": throughput(name, hops) * SECONDS / 8 / PAYLOAD,
        "window_change_mean": window,
        "segment_delay_mean_s": {TCP: 0.5, WXCP: 0.1, XCP: 1.0}[name],
        "segment_retransmissions": {TCP: 20.0, WXCP: 1.0, XCP: 50.0}[name],
    }


def others_of_the_text(
    study: str, name: str, x: float, as_the_paper: bool
) -> tuple[float, list[dict[str, float]]]:
    """Return throughput and window with other packet sizes, and with errors of the medium."""
    ahead = 1.2 if name == WXCP else 1.0
    if study == BY_SIZE.name:
        grows = x if as_the_paper or name == TCP else 1 / x
        return 100.0 * ahead * grows, [{"delivered": 1.0, "window_change_mean": 2.0}]
    window = 2.0 - 0.03 * x if name == WXCP and as_the_paper else 2.0
    return 1e5 * ahead * (1 - x / 100), [{"delivered": 1.0, "window_change_mean": window}]


def rule(study: str, as_the_paper: bool) -> Rule:
    """Make what a study measures in `runs` and `flows`."""

    def row(variant: str, x: float, seed: int) -> tuple:  # type: ignore[type-arg]
        name = variant if as_the_paper else SWAPPED[variant]
        run = {"warmup_s": 5.0, "duration_s": SECONDS}
        flows: list[dict[str, float]]
        if study == LATTICE.name:
            total = 3e5 * (1.3 if name == WXCP else 1.0)
            flows = [{"delivered": 1.0}]
        elif study == TWO_FLOWS.name:
            total = throughput(name, x) * (1.05 if name == WXCP else 1.0)
            differ = by_hops(VARIATIONS, name, x)
            flows = shared(total, differ if as_the_paper else min(1.0, 2 * differ))
        elif study in (BY_SIZE.name, BY_ERRORS.name):
            total, flows = others_of_the_text(study, name, x, as_the_paper)
        elif study == ONE_FLOW.name:
            total = throughput(name, x)
            flows = [one_flow(variant, x, as_the_paper)]
        else:
            total, flows = 1e5, [{"delivered": 1.0}] * (2 if study == CHANGING.name else 1)
            flows = [{**f, "window_reductions": 30.0 if name == TCP else 2.0} for f in flows]
        if not as_the_paper and study in (ONE_FLOW.name, TWO_FLOWS.name) and variant == TCP:
            # It grows with the length, and is more in short chains too.
            total *= 2 * x**2
        return {**run, "goodput_bit_s": total}, flows

    return row


def labelled(study: Study, variant: str, seed: int, x: float, table: pl.DataFrame) -> pl.DataFrame:
    labels = {"study": study.name, "variant": variant, "x": x, "seed": seed}
    return table.with_columns(**{name: pl.lit(value) for name, value in labels.items()})


def nodes(study: Study, of: Callable[[str, float], float]) -> pl.DataFrame:
    """Give the two stations of each run losses of every kind."""
    kinds = {"capture_lost": [0, 1], "bit_errors": [0, 0], "link_failures": [3, 4]}
    return pl.concat(
        labelled(
            study, variant, seed, float(x),
            pl.DataFrame({"collisions": [of(variant, x), 2 * of(variant, x)], **kinds}),
        )
        for variant in study.variants for x in study.quick_values for seed in SEEDS
    )  # fmt: skip


def losses(as_the_paper: bool) -> Callable[[str, float], float]:
    def of(variant: str, hops: float) -> float:
        part = 0.1 if hops < 8 else 0.95
        if not as_the_paper:
            part = 2.0 if hops < 8 else 20.0
        return 1000.0 * hops * (part if variant == WXCP else 1.0)

    return of


def series(study: Study, flows: int, of: Callable[[str, int, int], pl.DataFrame]) -> pl.DataFrame:
    """Give each flow of each run what it has over time."""
    return pl.concat(
        labelled(study, variant, seed, 0.0, of(variant, flow, seed)).with_columns(flow=pl.lit(flow))
        for variant in study.variants
        for seed in SEEDS
        for flow in range(flows)
    )


def over_time(window: Values, delivered: Values) -> pl.DataFrame:
    return pl.DataFrame(
        {"time_s": TIMES, "window_mean": window, "delivered_bytes": np.round(delivered)}
    )


def level(as_the_paper: bool) -> Callable[[str, int, int], pl.DataFrame]:
    def of(variant: str, _: int, seed: int) -> pl.DataFrame:
        saw = 4 + (TIMES + seed) % 7
        flat = np.full(len(TIMES), 2.0 + 0.01 * seed)
        return over_time(saw if (variant == TCP) == as_the_paper else flat, flat)

    return of


def changing(as_the_paper: bool) -> Callable[[str, int, int], pl.DataFrame]:
    """Let flows share at once and take over all, or take turns and take half."""

    def of(variant: str, flow: int, seed: int) -> pl.DataFrame:
        there = (TIMES < LEAVES_S) if flow == 0 else (TIMES >= JOINS_S)
        alone = (TIMES < JOINS_S) | (TIMES >= LEAVES_S)
        if (variant == WXCP) == as_the_paper:
            rate = np.where(alone, 1000.0, 500.0)
        else:
            mine = ((TIMES + 0.1 * seed) // 12 % 2).astype(int) == flow
            rate = np.where(alone, 1000.0 if flow == 0 else 600.0, np.where(mine, 900.0, 100.0))
        return over_time(rate / 100, np.where(there, rate, 0.0))

    return of


def others(as_the_paper: bool) -> dict[str, dict[str, pl.DataFrame]]:
    """Make the tables beside `runs` and `flows`, by the name of the study."""
    return {
        ONE_FLOW.name: {"nodes": nodes(ONE_FLOW, losses(as_the_paper))},
        LEVEL.name: {"series": series(LEVEL, 1, level(as_the_paper))},
        CHANGING.name: {"series": series(CHANGING, 2, changing(as_the_paper))},
    }


def known() -> dict[str, Study]:
    return studies(panel for figure in wxcp.FIGURES for panel in figure.panels)


@cache
def world(as_the_paper: bool) -> Data:
    tables = others(as_the_paper)
    return Data(
        {
            name: measured(study, rule(name, as_the_paper), tables.get(name))
            for name, study in known().items()
        }
    )


def without_relations(by_lot: tuple[str, ...], draw: int | None = None) -> Data:
    """Make a null world: everything is the same everywhere, up to chance if there is a `draw`."""
    chance = np.random.default_rng(draw)

    def noisy(value: float, count: int) -> Values:
        spread = 0.0 if draw is None else 0.05 * value
        found: Values = chance.normal(value, spread, count)
        return found

    def flat(_: str, __: int, ___: int) -> pl.DataFrame:
        return over_time(noisy(5.0, len(TIMES)), noisy(500.0, len(TIMES)))

    levelled = null(world(as_the_paper=True), by_lot)
    levelled.studies[ONE_FLOW.name].others["nodes"] = nodes(
        ONE_FLOW, lambda *_: float(noisy(1000.0, 1)[0])
    )
    levelled.studies[LEVEL.name].others["series"] = series(LEVEL, 1, flat)
    levelled.studies[CHANGING.name].others["series"] = series(CHANGING, 2, flat)
    return levelled


# The second has the shares of flows by lot.
NULLS = (
    partial(without_relations, ()),
    partial(without_relations, ("delivered",)),
    *(partial(without_relations, (), draw) for draw in range(1, 4)),
)

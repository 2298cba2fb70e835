"""Worlds in which what LECN says holds, in which it does not, and in which nothing depends."""

from functools import cache, partial

import numpy as np
import polars as pl

from multihop import Result
from multihop.reproducing.spec import Data, Panel
from multihop_papers import lecn
from multihop_papers.lecn import setup
from multihop_papers.lecn.fig5 import PAPER as LEVELS
from multihop_papers.lecn.table1 import MOST, WINDOWS
from multihop_papers.lecn.table2 import MOST as MOST_BESIDE_UDP, WINDOWS as WINDOWS_BESIDE_UDP
from multihop_papers.lecn.table3 import PAPER as LATTICE
from tests.worlds import Rule, measured


def rates(throughput: float, size: float, window: float = 1.0) -> Rule:
    """Give every run a throughput in kbit/s, headers counted, and a mean window."""
    goodput = 1e3 * throughput / (1 + 40 / size)
    return lambda *_: (
        {"goodput_bit_s": goodput},
        [{"goodput_bit_s": goodput, "window_mean": window, "delivered": 1}],
    )


def over_windows(name: str, as_the_paper: bool) -> Rule:
    def row(variant: str, x: float, seed: int) -> tuple:  # type: ignore[type-arg]
        size = setup.SIZES[0]
        if name == setup.CONGESTED.name:
            at, most = WINDOWS_BESIDE_UDP[variant], MOST_BESIDE_UDP[variant]
        else:
            index = next(i for i, s in enumerate(setup.BY_SIZE) if s.name == name)
            size = setup.SIZES[index]
            at, most = WINDOWS[variant].split()[index], MOST[variant].split()[index]
        if not as_the_paper:
            at, most = "16", "900"
        top = float(most) * (1 - 0.02 * abs(x - int(at)))
        return rates(top, size)(variant, x, seed)

    return row


def over_lengths(as_the_paper: bool) -> Rule:
    def row(variant: str, x: float, seed: int) -> tuple:  # type: ignore[type-arg]
        moderate, thinned = 5 <= x <= 10, "thinning" in variant
        factor, window = 1.0, 50.0
        if "lecn" in variant:
            factor, window = (2.0 if thinned else 1.5), 5.0
        elif variant == setup.THINNING:
            factor = 1.55 if moderate else 1.7
        elif variant == setup.VEGAS:
            factor = 1.6
        if x <= 4:
            factor = (1.31 if "lecn" in variant else 1.3) if thinned else 1.0
        if not as_the_paper:
            factor = {setup.TCP: 1.0, setup.THINNING: 0.4, setup.VEGAS: 0.5}.get(variant, 0.2)
            window = 10.0
        return rates(factor * 800 / x, 512, window)(variant, x, seed)

    return row


def searched(thinned: bool, as_the_paper: bool) -> Rule:
    def row(variant: str, x: float, seed: int) -> tuple:  # type: ignore[type-arg]
        top = (2.1 if thinned else 1.55) * 800 / x
        at = 2 + x // 4 if as_the_paper else 16
        return rates(top * (1 - 0.07 * abs(int(variant) - at)), 512)(variant, x, seed)

    return row


def over_thresholds(as_the_paper: bool) -> Rule:
    at = 50 if as_the_paper else 90
    return lambda variant, x, seed: rates(100 - 0.5 * abs(x - at), 512)(variant, x, seed)


def lattice(as_the_paper: bool) -> Rule:
    def row(variant: str, x: float, seed: int) -> tuple:  # type: ignore[type-arg]
        text = LATTICE[variant].split()[setup.SIZES.index(int(x))]
        other = {setup.TCP: 50, setup.LECN_60: 40, setup.VEGAS: 80}.get(variant, 30)
        return rates(float(text) if as_the_paper else other, x)(variant, x, seed)

    return row


def levels(as_the_paper: bool) -> pl.DataFrame:
    """Give every variant of figure 5 times at the levels of the maximum potential."""
    rows = []
    for variant in setup.POTENTIAL.variants:
        side = "lecn" in variant
        percent = {level: float(text.split()[side]) for level, text in LEVELS.items()}
        if variant == setup.THINNING:
            percent = {0: 10.0, 2: 30.0, 3: 40.0, 5: 3.0}
        elif variant == setup.THINNING_LECN_60:
            percent = {0: 5.0, 2: 33.0, 3: 44.0, 5: 1.0}
        if not as_the_paper:
            lecn_thinned = 60.0 if variant == setup.THINNING_LECN_60 else 1.0
            percent = {0: 9.0 if side else 2.0, 2: 3.0, 3: 3.0, 5: lecn_thinned}
        rest = 100 - sum(percent.values())
        rows += [
            {"study": setup.POTENTIAL.name, "variant": variant, "seed": seed, "node": node,
             "congestion_potential": level, "time_s": 1.2 * time}
            for seed in (1, 2)
            for node in (-1, 0)
            for level, time in {**percent, 1: rest / 2, 4: rest / 2}.items()
        ]  # fmt: skip
    return pl.DataFrame(rows)


def event(time: float, node: int, kind: str, **values: object) -> dict[str, object]:
    row = {"time_s": time, "node": node, "event": kind, "flow": -1, "packet": -1}
    return {**row, "duration_s": 0.0, "value": float("nan"), "cause": "", **values}


# The steps at which packets are dropped.
LOST_AT = (61, 151)


@cache
def events(as_the_paper: bool) -> pl.DataFrame:
    """Let the potential of nodes 2 and 3 swing from 1 to 4 and back, and node 5's stand beside."""
    rows = []
    for step in range(200):
        # It stays high for the second before a drop.
        time, high = step * 0.1, step % 2 == 1 or any(0 <= at - step < 11 for at in LOST_AT)
        own = 4.0 if high else 1.0
        nodes = {2: own, 3: own} if as_the_paper else {2: own / 4, 3: own / 4, 5: 5.0 - own}
        rows += [
            event(time, node, "congestion_potential", value=value) for node, value in nodes.items()
        ]
        stay, retries = (0.08, 1.0) if high else (0.02, 2.0)
        if not as_the_paper:
            stay, retries = 0.1 - stay, 3.0 - retries
        lost = step in LOST_AT
        rows.append(
            event(time + 0.09, 2, "service_end", flow=0, packet=step, duration_s=stay,
                  value=retries, cause="failed" if lost else "acknowledged")
        )  # fmt: skip
    return pl.DataFrame(rows)


@cache
def world(as_the_paper: bool) -> Data:
    rules = {
        **{s.name: over_windows(s.name, as_the_paper) for s in (*setup.BY_SIZE, setup.CONGESTED)},
        setup.LENGTHS.name: over_lengths(as_the_paper),
        setup.SEARCH.name: searched(thinned=False, as_the_paper=as_the_paper),
        setup.SEARCH_THINNING.name: searched(thinned=True, as_the_paper=as_the_paper),
        setup.THRESHOLDS.name: over_thresholds(as_the_paper),
        setup.LATTICE.name: lattice(as_the_paper),
        setup.POTENTIAL.name: rates(100, 512),
    }
    known = {study.name: study for panel in panels() for study in panel.studies}
    return Data(
        {
            name: measured(study, rules[name], {"congestion": levels(as_the_paper)})
            for name, study in known.items()
        },
        {trace.name: Result({"events": events(as_the_paper)}) for trace in setup.TRACES},
    )


def without_relations(seed: int, spread: float = 0.01) -> Data:
    """Make a null world: each number is the same everywhere, up to a relative spread by chance.

    Throughputs and windows are those of no table, with every variant, window, threshold, length
    and packet size; the potential of a node has to do with no other, no drop, no staying time and
    no retry.
    """
    draw = np.random.default_rng(seed)

    def row(variant: str, x: float, seed: int) -> tuple:  # type: ignore[type-arg]
        throughput, window = 1e3 * draw.normal(1, spread), 10 * draw.normal(1, spread)
        return rates(throughput, 512, window)(variant, x, seed)

    known = {study.name: study for panel in panels() for study in panel.studies}
    congestion = pl.DataFrame(
        [
            {"study": setup.POTENTIAL.name, "variant": variant, "seed": seed, "node": -1,
             "congestion_potential": level, "time_s": 20 * draw.normal(1, spread)}
            for variant in setup.POTENTIAL.variants
            for seed in (1, 2)
            for level in range(6)
        ]
    )  # fmt: skip
    return Data(
        {name: measured(study, row, {"congestion": congestion}) for name, study in known.items()},
        {trace.name: Result({"events": _unrelated(draw)}) for trace in setup.TRACES},
    )


def _unrelated(draw: np.random.Generator) -> pl.DataFrame:
    rows = []
    for step in range(400):
        time = step * 0.1
        rows += [
            event(time, node, "congestion_potential", value=float(draw.integers(6)))
            for node in range(9)
        ]
        rows.append(
            event(time + 0.09, 2, "service_end", flow=0, packet=step,
                  duration_s=draw.uniform(0.01, 0.08), value=float(draw.integers(7)),
                  cause="failed" if draw.random() < 0.1 else "acknowledged")
        )  # fmt: skip
    return pl.DataFrame(rows)


def panels() -> list[Panel]:
    return [panel for figure in lecn.FIGURES for panel in figure.panels]


NULLS = (
    partial(without_relations, 4, spread=0.0),
    *(partial(without_relations, draw) for draw in range(4, 8)),
)

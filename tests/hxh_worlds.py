"""Worlds for HxH's claims: as the thesis says, the other way round, and without relations."""

from collections.abc import Mapping
from enum import Enum, auto
from itertools import pairwise
from statistics import NormalDist

import numpy as np
import polars as pl

from multihop import Result
from multihop.reproducing.spec import Data, Study, StudyData
from multihop.statistics.stats import Values
from multihop_papers import hxh
from multihop_papers.hxh import channel, setup
from multihop_papers.hxh.fig4_15 import EDGE, INNER
from multihop_papers.hxh.table4_1 import PAPER as RATES
from multihop_papers.hxh.table4_2 import FAIRNESS, FLOWS, TOTALS
from multihop_papers.hxh.table4_3 import PAPER as GRID
from multihop_papers.hxh.table4_4 import DEVIATIONS, PAPER as RANDOM

PANELS = [panel for figure in hxh.FIGURES for panel in figure.panels]
SECONDS = 60
STEPS = SECONDS * 10
TIME = np.arange(STEPS) / 10
SCENARIOS = 50
# So many standard deviations is each scenario off the mean.
OFF = np.array([NormalDist().inv_cdf((i + 0.5) / SCENARIOS) for i in range(SCENARIOS)])


class World(Enum):
    """What is there to be found."""

    # All is as the thesis says.
    PAPER = auto()
    # Nothing is, and most is the other way round.
    OPPOSITE = auto()
    # Nothing depends on anything: every flow of every protocol has the same rate, at any time.
    NULL = auto()


# ---- rates over time -----------------------------------------------------------------------------


def steady(rate: float) -> Values:
    return np.full(STEPS, rate)


def swinging(rate: float, part: float) -> Values:
    """Swing by a part of the rate, with a period of four seconds."""
    return rate * (1 + part * np.sign(np.sin(np.pi * TIME / 2 + 0.1)))


def active(rate: Values, start: float, end: float) -> Values:
    return np.where((start <= TIME) & (end > TIME), rate, 0.0)


def drifting(alone: float, together: float, swing: float, lasts: float) -> list[Values]:
    """Let two flows meet, swing for so many seconds, and part again."""
    met = (TIME >= setup.MEET_S) & (TIME < setup.PART_S)
    swings = met & (setup.MEET_S + lasts > TIME)
    wave = swing * np.sign(np.sin(np.pi * TIME / 2))
    return [
        alone * np.where(met, together, 1.0) * (1 + sign * np.where(swings, wave, 0.0))
        for sign in (1, -1)
    ]


def staggered(rate: float, shares: tuple[float, float, float], swing: float = 0.0) -> list[Values]:
    """Let three flows share a rate, each for thirty seconds; shares beside one another."""
    spans = [(10 * flow, 10 * flow + 30) for flow in range(3)]
    parts = [active(steady(share), *span) for share, span in zip(shares, spans, strict=True)]
    total = np.maximum(sum(parts), 1e-9)
    return [swinging(rate, swing) * part / total for part in parts]


# ---- one study each ------------------------------------------------------------------------------


def fairness(index: float, flows: int) -> Values:
    """Return shares with this Jain index: one flow has more than the others."""
    more = np.sqrt((1 / index - 1) * (flows - 1))
    return np.array([1 + more, *[1 - more / (flows - 1)] * (flows - 1)]) / flows


def dumbbell(variant: str, as_the_paper: bool) -> list[Values]:
    late = (
        np.array([float(number) for number in FLOWS[variant].split()])
        if variant in FLOWS
        else float(TOTALS[variant]) * fairness(float(FAIRNESS[variant]), 4)
    )
    swing = {setup.HXH: 0.1, setup.ATP: 0.5}.get(variant, 0.9)
    if not as_the_paper:
        late = np.array([0.9, 0.01, 0.01, 0.01] if variant == setup.HXH else [2.5, 2.6, 2.5, 2.6])
        swing = 0.9 if variant == setup.HXH else 0.0
    rates = late * 8e6 / 30
    flows = [np.where(TIME >= 30, swinging(rate, swing), 0.0) for rate in rates]
    # HxH's first flow is jagged while it is alone.
    jagged = 0.3 if (variant == setup.HXH) == as_the_paper else 0.05
    flows[0] = np.where(TIME < 30, swinging(2 * rates.sum(), jagged), flows[0])
    if not as_the_paper:
        # The second flow is on time.
        flows[1] = np.where((TIME >= 10) & (TIME < 30), rates[1], flows[1])
    return flows


def slower(variant: str, x: float, as_the_paper: bool) -> list[Values]:
    lead = {1.0: 1.2, 11.0: 1.6}[x] if as_the_paper else 3.0
    return [steady(1e5 * (lead if variant == setup.HXH else 1))] * 4


def lattice(variant: str, x: float, as_the_paper: bool) -> list[Values]:
    early = float(dumbbell(variant, as_the_paper)[0][: STEPS // 6].mean())
    loses = {setup.HXH: 0.082, setup.ATP: 0.02}.get(variant, 0.5)
    if not as_the_paper:
        early, loses = 3 * early, 0.7 if variant in (setup.HXH, setup.ATP) else 0.01
    return [steady(early * (1 - loses * x / 60))]


def grid(variant: str, as_the_paper: bool) -> list[Values]:
    weights = np.array([{**dict.fromkeys(EDGE, 3.0), **dict.fromkeys(INNER, 1.0)}.get(flow, 2.0)
                        for flow in range(12)])  # fmt: skip
    total = float(GRID[variant])
    # What flows with the same contention get apart.
    uneven = 1.0 if variant == setup.HXH else 1.5
    if not as_the_paper:
        # Vegas is fair.
        weights = weights ** (-0.05 if variant == setup.VEGAS else -1.0)
        total, uneven = 40 - total, 1.5 if variant == setup.HXH else 1.0
    weights[::2] *= uneven
    return [steady(8e6 * total * weight / weights.sum() / SECONDS) for weight in weights]


def random(variant: str, seed: int, as_the_paper: bool) -> list[Values]:
    """Let five flows share what a scenario has.

    The thesis's own numbers do not give its p < 0.0001 for ATP, but some within 25 % of them do.
    """
    mean = 1.45e6 if variant in setup.TCPS else float(RANDOM[variant]) * 1e6
    deviation = 0.95 * float(DEVIATIONS[variant]) * 8e6 / SECONDS
    if variant == setup.ATP:
        mean *= 0.88
    if not as_the_paper:
        others = {setup.HXH: 1e6, setup.ATP: 4e6, setup.TAHOE: 2e6, setup.SACK: 2.5e6}
        mean, deviation = others.get(variant, 3e6), 1.0
    return [steady((mean + deviation * OFF[seed - 1]) / 5)] * 5


def acknowledged(variant: str, x: float, as_the_paper: bool) -> list[Values]:
    if as_the_paper:
        alone = 1e6 * float(RATES[variant].split()[setup.RATES.index(x)])
        return drifting(alone, 0.5, 0.3, 2)
    return drifting(1e6 * (3 - x / 54), 0.9, 0.6, 27)


def end_to_end(variant: str, as_the_paper: bool) -> list[Values]:
    if as_the_paper:
        return drifting(3.3e6, 0.5, 0.6, 5 if variant == setup.VEGAS else 20)
    return drifting(3.3e6, 0.5, 0.1 if variant == setup.NEWRENO else 0.3, 0.5)


def ten_hops(variant: str, as_the_paper: bool) -> list[Values]:
    smooth = variant in (setup.RATE, setup.VEGAS)
    return [swinging(1e6, 0.1) if smooth == as_the_paper else swinging(0.5e6, 0.5)]


def related(study: str, variant: str, x: float, seed: int, as_the_paper: bool) -> list[Values]:
    """Return the throughput of every flow in bit/s, every 100 ms."""
    one_hop = staggered(5.6e6, (1, 1, 1)) if as_the_paper else staggered(9e6, (5, 1, 2), swing=0.3)
    chain = staggered(1.2e6, (1, 1, 1), 0.05) if as_the_paper else staggered(12e6, (5, 1, 2))
    found: dict[str, list[Values]] = {
        setup.CONTROL.name: one_hop,
        setup.FIVE_NODES.name: chain,
        setup.CEILING.name: [steady(5.7e6 if as_the_paper else 9e6)],
        setup.ATP_ALONE.name: [swinging(0.6e6, 0.8 if as_the_paper else 0.0)],
        setup.ATP_BY_LENGTH.name: [swinging(0.6e6, 0.1 * x if as_the_paper else 0.1)],
        setup.TWO_SIZES.name: [steady(1e6), steady(4e6 if as_the_paper else 1e6)],
    }
    if study in found:
        return found[study]
    if study == setup.TEN_HOPS.name:
        return ten_hops(variant, as_the_paper)
    if study == setup.ACKNOWLEDGED.name:
        return acknowledged(variant, x, as_the_paper)
    if study == setup.END_TO_END.name:
        return end_to_end(variant, as_the_paper)
    if study == setup.SHARED.name:
        return dumbbell(variant, as_the_paper)
    if study == setup.SLOWER.name:
        return slower(variant, x, as_the_paper)
    if study == setup.MOBILE.name:
        return lattice(variant, x, as_the_paper)
    if study == setup.PLANNED.name:
        return grid(variant, as_the_paper)
    if study == setup.SCENARIOS.name:
        return random(variant, seed, as_the_paper)
    return [steady(1e6)]


# How many flows a study has; of the others, two drift and the rest are alone.
FLOWS_OF = {
    setup.CONTROL.name: 3,
    setup.FIVE_NODES.name: 3,
    setup.ACKNOWLEDGED.name: 2,
    setup.END_TO_END.name: 2,
    setup.SHARED.name: 4,
    setup.SLOWER.name: 4,
    setup.PLANNED.name: 12,
    setup.SCENARIOS.name: 5,
    setup.TWO_SIZES.name: 2,
}


def unrelated(study: str, seed: int) -> list[Values]:
    """Return the same for every protocol, rate and time. Topologies have nothing in common."""
    level = 3e6 if study == setup.MOBILE.name else 1e6
    return [steady(level * (1 + 0.01 * OFF[seed - 1]))] * FLOWS_OF.get(study, 1)


def measured(study: Study, world: World) -> StudyData:
    """Make what a study measured with `--quick` and two seeds, or all of its scenarios."""
    runs, flows, series = [], [], []
    good = world is World.PAPER
    seeds = SCENARIOS if study is setup.SCENARIOS else 2
    whole = {"run_offered": 100, "run_delivered": 100 if good else 90,
             "run_inside": 0 if good else 3, "segment_retransmissions": 5,
             "lost_route_broken": 0 if good else 7, "copies_dropped": 0 if good else 9}  # fmt: skip
    for variant in study.variants:
        for x in study.quick_values:
            for seed in range(1, seeds + 1):
                label = {"study": study.name, "variant": variant, "x": float(x), "seed": seed}
                found = (
                    unrelated(study.name, seed)
                    if world is World.NULL
                    else related(study.name, variant, x, seed, good)
                )
                means = [float(rate.mean()) for rate in found]
                runs.append({**label, "goodput_bit_s": sum(means), "duration_s": float(SECONDS),
                             "warmup_s": 0.0})  # fmt: skip
                for flow, rate in enumerate(found):
                    own = {"delivered": means[flow], "goodput_bit_s": means[flow]}
                    flows.append({**label, "flow": flow, **own, **whole})
                    if study.tables:
                        series += [
                            {**label, "flow": flow, "time_s": time, "delivered_bytes": value / 80}
                            for time, value in zip(TIME, rate, strict=True)
                        ]
    others = {"series": pl.DataFrame(series)} if series else {}
    return StudyData(study, pl.DataFrame(runs), pl.DataFrame(flows), others)


# ---- traces --------------------------------------------------------------------------------------


def event(time: float, node: int, kind: str, frame: str, **values: object) -> dict[str, object]:
    row = {
        "time_s": time,
        "node": node,
        "event": kind,
        "frame": frame,
        "peer": -1,
        "packet": -1,
        "flow": 0,
    }
    return {**row, "duration_s": 0.0, **values}


def sent(
    time: float, node: int, peer: int, frame: str, packet: int = -1
) -> list[dict[str, object]]:
    """Let a node send a frame to another, which receives it."""
    return [
        event(time, node, "transmit_start", frame, peer=peer, packet=packet),
        event(time + 0.001, peer, "receive", frame, peer=node, packet=packet),
    ]


def told(time: float, *path: int) -> list[dict[str, object]]:
    """Let a NACK go along a path to the source, which is told."""
    rows = [
        row
        for hop, (node, peer) in enumerate(pairwise(path))
        for row in sent(time + hop / 100, node, peer, "nack")
    ]
    return [*rows, event(time + len(path) / 100, 0, "negative_acknowledgment", "nack")]


def recovery(world: World) -> pl.DataFrame:
    """Let packets 1 and 300 get lost with node 2, so that node 4 sees a gap each time.

    As in the thesis, node 4 sends a NACK at once; the second one is lost, and node 5 repeats it.
    The other way round, only node 5 sends any, too late and to nobody. Without relations, every
    node but the source sends them in turn, all the time, and nobody is told.
    """
    rows = [*sent(0.1, 2, 4, "data", 0), *sent(0.2, 4, 5, "data", 0)]
    for packet in range(2, 600):
        if packet != 300:
            rows += sent(packet / 10 + 0.1, 3, 4, "data", packet)
    if world is World.PAPER:
        rows += [*told(0.31, 4, 3, 1, 0), *sent(30.21, 4, 3, "nack"), *told(31.0, 5, 4, 3, 1, 0)]
    elif world is World.OPPOSITE:
        rows += [row for time in range(40) for row in sent(61 + time, 5, 4, "nack")]
    else:
        for time in range(59):
            node = 1 + time % 5
            rows += sent(time + 0.55, node, node - 1, "nack")
    return pl.DataFrame(rows).sort("time_s", maintain_order=True)


def exchanges(size: int, rate: float, world: World) -> pl.DataFrame:
    """Let data and acknowledgments take turns, each with the time of equation 1.1.

    Without relations, data takes three milliseconds and its acknowledgment one.
    """
    rows, time = [], 0.0
    for _ in range(10):
        for frame, length in (("data", size), ("transport_ack", 40)):
            took = channel.RESERVATION_S + 8 * length / (rate * 1e6)
            if world is World.NULL:
                took = 0.003 if frame == "data" else 0.001
            elif frame == "data" and world is World.OPPOSITE:
                took /= 50
            rows += [
                event(time, 0, "transmit_start", "rts", duration_s=1e-6),
                event(time + 2e-6, 0, "transmit_start", frame, duration_s=1e-6),
                event(time + took - 1e-6, 1, "transmit_start", "link_ack", duration_s=1e-6),
            ]
            time += 2 * took
    return pl.DataFrame(rows)


def make(world: World) -> Data:
    """Make what every figure of HxH looks at."""
    studies = {study.name: study for panel in PANELS for study in panel.studies}
    # Over the last link of four hops; in order in one of them only.
    forth, back = (
        [row for time, packet in enumerate(order, 1) for row in sent(time, 3, 4, "data", packet)]
        for order in ((0, 1, 1, 2), (0, 2, 1, 2))
    )
    chain = {
        World.PAPER: forth,
        World.OPPOSITE: [*back, *sent(9, 4, 3, "nack")],
        World.NULL: [*back, *sent(9, 4, 3, "nack")],
    }
    traces: Mapping[str, pl.DataFrame] = {
        **{trace.name: recovery(world) for trace in setup.NACKS},
        **{
            trace.name: exchanges(size, rate, world)
            for (size, rate), trace in setup.ACK_SHARES.items()
        },
        **{trace.name: pl.DataFrame(chain[world]) for trace in setup.NACKS_CHAIN},
    }
    return Data(
        {name: measured(study, world) for name, study in studies.items()},
        {name: Result({"events": events}) for name, events in traces.items()},
    )

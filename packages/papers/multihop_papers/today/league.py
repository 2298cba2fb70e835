"""All schemes on a radio, side by side: what each delivers at overload, how late, and how evenly.

Every source offers several times what its flow could have. Each scheme has its defaults, and CL its
analytic rates: its measured ones are of ns-2's radio.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from multihop import BoundError, bound
from multihop.charting.figure import Line, draw_lines, scheme_style
from multihop.comparing.measures import END_TO_END_DELAY, GOODPUT, NETWORK_DELAY, OVERHEAD, Measure
from multihop.reporting.report import Table
from multihop.reproducing.judging import number
from multihop.reproducing.panels import Draw
from multihop.reproducing.spec import Data, Study, StudyData, Variant
from multihop.statistics.intervals import Bounds, interval
from multihop.statistics.stats import Values, sliding_mean

from ..compare.entries import ALONE, BATCHES, entries
from .radios import Radio
from .setups import (
    BASE,
    MEASURED_S,
    OVERLOAD,
    bidirectional,
    common,
    efforts,
    network,
    taken,
)

# Seeds, or networks, and with `--quick`.
SEEDS, QUICK_SEEDS = 10, 2
SMALLEST = Measure("smallest", "smallest flow", "kbit/s", 1e-3, 2)
LOGS = Measure("logs", "sum of logarithms", "ln kbit/s", 1, 2)
# From the start until for the first time, over a span, what all flows get together is off its mean
# over the measured time by at most WITHIN of that: when the span begins, or all the time if that
# never happens. The measured time has so many spans, and series have so many intervals for a span.
SETTLING = Measure("settling", "settling", "s", 1, 2)
WITHIN = 0.1
SPANS, INTERVALS = 20, 10
SHOWN = (GOODPUT, SMALLEST, LOGS, NETWORK_DELAY, END_TO_END_DELAY, OVERHEAD, SETTLING)
OF_BOUND = "of the bound (%)"


class Place(NamedTuple):
    """Where schemes are compared: its name, and whether there is a bound for it."""

    title: str
    bounded: bool
    # That of its panel.
    letter: str


PLACES = {
    "league-chain": Place("chain of 10 hops, both ways", True, "i"),
    "league-random": Place("five flows at random", False, "j"),
}


_LECN = Variant(
    "LECN, thinning, T of 11 exchanges",
    "lecn",
    {"scheme.ack_thinning": True, "scheme.threshold_exchanges": 11},
    secondary=True,
)


def _cl(reuse: int) -> Variant:
    """Return CL for a rate at which so many hops share the medium, by the ratio that it needs.

    Of a sender `reuse` hops away, the signal is the more below the one of a hop, the higher the
    exponent of path loss. At 3, as of these radios, it leaves what 90 % of frames need where
    (reuse - 1)^3 is that ratio. The default, 4, is right for 24 Mbit/s.
    """
    own = {"scheme.rates": "analytic", "scheme.reuse": reuse}
    return Variant(f"CL, one in {reuse} hops at a time", "cl", own, secondary=True)


# What a scheme has besides its defaults where the MAC or the rate is such a one: adapted to it
# where the default is the paper's rule, or the paper's rule where the default is adapted.
ADAPTATIONS: Mapping[str, tuple[tuple[str, Variant], ...]] = {
    "ofdm-5": (("lecn", _LECN),),
    "ht-5": (
        ("cxcc", Variant("CXCC, batches", "cxcc-batches", {})),
        ("lecn", _LECN),
        ("wake", Variant("WAKE, packets alone", "wake", ALONE["wake"], secondary=True)),
        ("hxh", Variant("HxH, batches", "hxh", BATCHES["hxh"], secondary=True)),
        ("flush", Variant("Flush, batches", "flush", BATCHES["flush"], secondary=True)),
    ),
    "6 Mbit/s": (("cl", _cl(3)),),
    "54 Mbit/s": (("cl", _cl(7)),),
    "52 Mbit/s": (("cl", _cl(7)),),
    "lora": (("cxcc", Variant("CXCC for LoRa", "cxcc-lora", {})),),
}


def adaptations(radio: Radio) -> dict[str, Variant]:
    """Return schemes that are set to such a radio, or not where their defaults are."""
    keys = ("mac.timing", "mac.kind", "mac.data_rate")
    mac = {str(radio.settings.get(key)) for key in keys}
    return {
        f"{name}-adapted": variant
        for kind in sorted(mac & ADAPTATIONS.keys())
        for name, variant in ADAPTATIONS[kind]
    }


def variants(radio: Radio) -> dict[str, Variant]:
    """Return all schemes that the radio's MAC takes, none of them with RTS/CTS."""
    own = {
        name: replace(entry, settings={k: v for k, v in entry.settings.items() if k[:4] != "mac."})
        for name, entry in entries().items()
    }
    own["cl"] = replace(own["cl"], settings={"scheme.rates": "analytic"})
    return taken(radio, {"udp": Variant("UDP", "udp", {}), **own, **adaptations(radio)})


def _interval_s(radio: Radio) -> float:
    """Return the time resolution of what shows when goodput settles."""
    return round(radio.seconds(MEASURED_S) / SPANS / INTERVALS, 3)


def studies(radio: Radio) -> dict[str, Study]:
    """Return the runs of all schemes on a radio, by the name of the place."""
    own = efforts(radio, SEEDS)
    own = replace(own, quick=replace(own.quick, seeds=QUICK_SEEDS))
    chain = Study(
        f"today-league-chain-{radio.id}",
        BASE,
        common(radio) | {"series_interval": f"{_interval_s(radio):.3f} s"},
        variants(radio),
        (OVERLOAD,),
        (OVERLOAD,),
        own,
        at=lambda share: bidirectional(radio, share),
        tables=("series",),
    )
    networks = tuple(float(seed) for seed in range(1, SEEDS + 1))
    drawn = replace(
        chain,
        name=f"today-league-random-{radio.id}",
        values=networks,
        quick_values=networks[:QUICK_SEEDS],
        efforts=efforts(radio, 1),
        at=lambda seed: network(radio, seed) | {"traffic.load": radio.load(1 / 3)},
        unit="x",
    )
    made = dict(zip(PLACES, (chain, drawn), strict=True))
    return {name: made[name] for name in PLACES if not (radio.map and name == "league-chain")}


def settling(delivered: Values, warmup: int) -> float:
    """Return after how many intervals of a run what is delivered in them settles (`SETTLING`).

    The first `warmup` intervals are before the measured time. NaN if nothing is delivered there.
    """
    mean = delivered[warmup:].mean()
    if not mean:
        return float("nan")
    near = np.abs(sliding_mean(delivered, INTERVALS) / mean - 1) <= WITHIN
    return float(np.argmax(near)) if near.any() else float(len(delivered))


def _settling(own: StudyData, variant: str, interval_s: float) -> Values:
    runs = own.runs.filter(variant=variant)
    warmup = round(float(runs["warmup_s"][0]) / interval_s)
    after = [
        settling(delivered, warmup)
        for x in own.x
        for delivered in own.delivered_bytes(variant, float(x), interval_s).sum(axis=1)
    ]
    return interval_s * np.array(after)


def values(data: Data, study: Study, variant: str, measure: Measure) -> Values:
    """Return a measure of a scheme, an entry for each seed or network; NaN where there is none."""
    own = data.studies[study.name]
    if measure is SETTLING:
        return _settling(own, variant, float(study.settings["series_interval"].split()[0]))
    if measure not in (SMALLEST, LOGS):
        return own.values(variant, measure.column).ravel()
    flows = own.flows.filter(variant=variant).sort("x", "seed", "flow")
    rates: Values = flows["goodput_bit_s"].to_numpy().reshape(-1, flows["flow"].n_unique())
    if measure is SMALLEST:
        smallest: Values = rates.min(axis=1)
        return smallest
    known = (rates > 0).all(axis=1)
    logs = np.full(len(rates), np.nan)
    logs[known] = np.log(rates[known] / 1e3).sum(axis=1)
    return logs


class Span(NamedTuple):
    """A mean with the ends of its 95 % interval."""

    mean: float
    low: float
    high: float


def _span(values: Values, measure: Measure) -> Span | None:
    """Return the mean over what has a value; none if nothing has."""
    known = measure.scale * values[np.isfinite(values)]
    if not len(known):
        return None
    low = -np.inf if measure is LOGS else 0.0
    ends = interval(known.tolist(), Bounds(low, measure.most)) or (np.nan, np.nan)
    return Span(float(known.mean()), *ends)


def _cell(values: Values, measure: Measure) -> str:
    found = _span(values, measure)
    if found is None:
        return "-"
    mean, low, high = map(number, found)
    missing = int((~np.isfinite(values)).sum())
    about = [f"{low} to {high}"] if np.isfinite(found.low) else []
    about += [f"{missing} of {len(values)} without"] if missing else []
    return f"{mean} ({'; '.join(about)})" if about else mean


def _bound_bit_s(study: Study) -> float:
    """Return what all flows have where the proportionally fair share is largest; NaN if unknown."""
    scenario = study.points(study.efforts.full)[0].scenario
    try:
        return float(bound(scenario, "proportional").flows["goodput_bit_s"].sum())
    except BoundError:
        return float("nan")


def table(data: Data, radio: Radio) -> Table:
    """Write every measure of every scheme, with its 95 % interval."""
    rows = []
    for name, study in studies(radio).items():
        if study.name not in data.studies:
            continue
        place = PLACES[name]
        most = _bound_bit_s(study) if place.bounded else float("nan")
        for variant in data.studies[study.name].variants:
            found = [values(data, study, variant, measure) for measure in SHOWN]
            share = 100 * found[0].mean() / most
            rows.append(
                (
                    place.title,
                    study.variants[variant].title,
                    *(_cell(*pair) for pair in zip(found, SHOWN, strict=True)),
                    "-" if np.isnan(share) else f"{share:.0f}",
                )
            )
    header = ("network", "scheme", *(measure.title for measure in SHOWN), OF_BOUND)
    return Table(title(radio), header, rows)


def title(radio: Radio) -> str:
    """Return what the table of a radio is called."""
    return f"All schemes, {radio.id}"


def draw(study: Study) -> Draw:
    """Return what draws the delay of each scheme over its goodput."""

    def drawn(axes: Axes, data: Data) -> None:
        lines = []
        for name in data.studies[study.name].variants:
            spans = [
                _span(values(data, study, name, measure), measure)
                for measure in (GOODPUT, NETWORK_DELAY)
            ]
            if None in spans:
                continue
            (goodput, *_), (delay, low, high) = (span for span in spans if span)
            error = np.nan_to_num(np.array([[delay - low], [high - delay]]))
            style = scheme_style(study.variants[name].scheme)
            at = np.array([goodput]), np.array([delay])
            lines.append(Line(study.variants[name].title, style, *at, error))
        draw_lines(axes, lines, x=GOODPUT.title, y=NETWORK_DELAY.title, log=True)

    return drawn

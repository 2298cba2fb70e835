"""The set-ups whose runs decide the claims, on a radio (`radios.py` has the rules)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

from multihop import Scenario, ScenarioError
from multihop.reproducing.spec import Effort, Efforts, Study, Variant, accepted

from .radios import NS2_PACKETS_S, Radio

BASE = Path(__file__).with_name("base.toml")
BULK = {"traffic.kind": "ftp", "traffic.load": None}

# Over how many hops two ways, and transfers and rates.
BIDIRECTIONAL_HOPS = 10
LENGTHS = (2.0, 4.0, 6.0, 8.0)
# Of the load with which one of three hops may send at a time, shared by both sources.
OVERLOAD = 4.0
LOADS = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, OVERLOAD)
QUICK_LOADS = (0.5, 1.0, 1.5, OVERLOAD)
# The same for one source, in steps that tell a rate from one a quarter above it.
RATES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 3.0)
AT_ONCE = 3
# Broadcasts of 802.11n have rates of 802.11a: the one with the modulation and code of MCS 5.
OF_80211A = {"52 Mbit/s": "48 Mbit/s"}
# What is measured, in s of ns-2's radio, and the warm-up as a part of it.
MEASURED_S, WARM = 60.0, 0.2
# With `--quick`: what part of that is measured, what at least, which is also the least warm-up, in
# s, and how many networks are drawn.
QUICK, QUICK_LEAST_S, QUICK_NETWORKS = 1 / 4, 2.0, 3

UDP, UDP_RTS, BASIC, CXCC = "udp", "udp-rts", "cxcc-basic", "cxcc"
NEWRENO, RENO, ADTCP, TCP_AP, VEGAS = "newreno", "reno", "adtcp", "tcp-ap", "vegas"
WXCP, HXH, EXPLICIT, ATP, CL = "wxcp", "hxh", "hxh-explicit", "atp", "cl"
LECN, LECN_THIN, THIN, LINK_RED = "lecn", "lecn-thinning", "newreno-thinning", "link-red"
WINDOWS = (2, 3, 4, 6, 8)

# Of a radio, what says which schemes it takes: another MAC, or a choice of rates with its timing.
MAC_OR_RATE = ("mac.kind", "mac.rate")
# Of a radio, what MACs without link acknowledgments do not have.
OF_SOME = ("mac.aggregation", "mac.lifetime")

FLOWS = 5
NETWORKS = tuple(float(seed) for seed in range(1, 31))


def _bulk(title: str, scheme: str, **settings: Any) -> Variant:
    return Variant(title, scheme, BULK | {f"scheme.{key}": own for key, own in settings.items()})


def limited(window: int) -> str:
    """Name NewReno with a window limit."""
    return f"newreno-{window}"


MARKERS = "os^DvPX*<>ph8dH"


def _marked(variants: Mapping[str, Variant]) -> dict[str, Variant]:
    """Give each variant a marker of its own."""
    pairs = zip(variants.items(), MARKERS[: len(variants)], strict=True)
    return {name: replace(variant, marker=marker) for (name, variant), marker in pairs}


_TRANSFERS: dict[str, Variant] = {
    NEWRENO: _bulk("NewReno", "newreno", window_limit=64),
    RENO: _bulk("Reno", "reno"),
    THIN: _bulk("NewReno, thinning", "newreno", window_limit=64, ack_thinning=True),
    VEGAS: _bulk("Vegas", "vegas", window_limit=64),
    LECN: _bulk("LECN", "lecn", window_limit=64),
    LECN_THIN: _bulk("LECN, thinning", "lecn", window_limit=64, ack_thinning=True),
    LINK_RED: _bulk("Link RED", "link-red", window_limit=64),
    WXCP: _bulk("WXCP", "wxcp"),
    HXH: _bulk("HxH", "hxh"),
    EXPLICIT: _bulk("HxH, explicit ACKs", "hxh", passive_acks=False),
    **{limited(n): _bulk(f"NewReno, window {n}", "newreno", window_limit=n) for n in WINDOWS},
}
TRANSFERS = _marked(_TRANSFERS)
BIDIRECTIONAL: dict[str, Variant] = {
    UDP: Variant("UDP", "udp", {}),
    UDP_RTS: Variant("UDP, RTS/CTS", "udp", {"mac.rts_cts": True}, secondary=True),
    BASIC: Variant("CXCC, basic", "cxcc", {"scheme.rfa": False}, secondary=True),
    CXCC: Variant("CXCC+RFA", "cxcc", {}),
}
RANDOM: dict[str, Variant] = {
    CXCC: _bulk("CXCC+RFA", "cxcc"),
    NEWRENO: _bulk("NewReno", "newreno"),
    ADTCP: _bulk("ADTCP", "adtcp"),
    TCP_AP: _bulk("TCP-AP", "tcp-ap"),
    CL: _bulk("CL, analytic rates", "cl", rates="analytic"),
}


FEW = {name: TRANSFERS[name] for name in (NEWRENO, WXCP)}
HOP_BY_HOP = {
    HXH: TRANSFERS[HXH],
    NEWRENO: _bulk("NewReno", "newreno"),
    ATP: _bulk("ATP", "atp"),
}
# What is compared in each set-up, but where rates are swept: there, all is UDP.
VARIANTS: dict[str, Mapping[str, Variant]] = {
    "bidirectional-chain": BIDIRECTIONAL,
    "transfer-chain": TRANSFERS,
    "rate-chain": {},
    "two-transfers": FEW,
    "dumbbell": HOP_BY_HOP,
    "grid": FEW,
    "random": RANDOM,
    "mobile": HOP_BY_HOP,
}


def _chain(radio: Radio, hops: int, *flows: Mapping[str, Any]) -> dict[str, Any]:
    """Return a chain whose flows take every node on their way; `flows` say more of each."""
    names = [f"n{number}" for number in range(hops + 1)]
    ways = {False: names, True: names[::-1]}
    return {
        "topology": {"kind": "explicit"},
        "node": [
            {"name": name, "x": f"{number * radio.spacing_m:.3f} m", "y": "0 m"}
            for number, name in enumerate(names)
        ],
        "flow": [
            {"from": way[0], "to": way[-1], "via": way[1:-1]}
            | {key: value for key, value in flow.items() if key != "back"}
            for flow in flows
            for way in (ways[bool(flow.get("back"))],)
        ],
    }


def bidirectional(radio: Radio, share: float) -> dict[str, Any]:
    """Return a chain of 10 hops with flows both ways; they offer a share of its saturation load."""
    load = radio.load(share / AT_ONCE / 2)
    flows = ({"load": load}, {"load": load, "back": True})
    return _chain(radio, BIDIRECTIONAL_HOPS, *flows)


def _transfer(radio: Radio, hops: float) -> dict[str, Any]:
    return _chain(radio, int(hops), {})


def _rate(radio: Radio, share: float) -> dict[str, Any]:
    return {"traffic.load": radio.load(share / AT_ONCE)}


def _both(radio: Radio, efforts: Efforts, _: float) -> dict[str, Any]:
    """Return two transfers; the later one begins when measuring does."""
    own = {"series_interval": interval(efforts)}
    return own | _chain(radio, 6, {"start": "0 s"}, {"start": efforts.full.warmup, "name": "later"})


def interval(efforts: Efforts) -> str:
    """Return a tenth of the measured time."""
    return f"{float(efforts.full.duration.split()[0]) / 10:.4f} s"


def _searched(radio: Radio, topology: Mapping[str, Any], seed: float) -> dict[str, Any]:
    """Return a network of another seed that searches for its routes."""
    own = {"topology_seed": int(seed)} if topology["kind"] == "random" else {}
    routing = {"kind": "aodv" if radio.searches else "fixed"}
    return {"topology": {**topology, **own}, "routing": routing, **broadcasts(radio)}


def random(radio: Radio, seed: float, width: float = 1250, height: float = 1250) -> dict[str, Any]:
    """Return 100 nodes at random with five flows; the area is that of ns-2's radio, in m."""
    area = {"width": radio.metres(width), "height": radio.metres(height)}
    return _searched(radio, {"kind": "random", "nodes": 100, "flows": FLOWS, **area}, seed)


def _on_map(radio: Radio, seed: float) -> dict[str, Any]:
    """Return the nodes of a map with five flows between nodes drawn at random."""
    names = list(dict.fromkeys(name for link in radio.links for name in link[:2]))
    draw = Random(int(seed))
    flows = [draw.sample(names, 2) for _ in range(FLOWS)]
    return {
        "topology": {"kind": "explicit"},
        "routing": {"kind": "aodv"},
        "node": [
            {"name": name, "x": f"{number} m", "y": "0 m"} for number, name in enumerate(names)
        ],
        "link": [{"from": a, "to": b, "delivery": share} for a, b, share in radio.links],
        "flow": [{"name": f"f{number}", "from": a, "to": b} for number, (a, b) in enumerate(flows)],
    }


def network(radio: Radio, seed: float) -> dict[str, Any]:
    """Return five flows at random: among 100 nodes at random, or on the radio's map."""
    return _on_map(radio, seed) if radio.map else random(radio, seed)


def _mobile(radio: Radio, seed: float) -> dict[str, Any]:
    """Return such a network whose nodes move."""
    scale = radio.range_m / 250 * radio.link_packets_s / NS2_PACKETS_S
    moving = {
        "kind": "random-waypoint",
        "min_speed": f"{scale:.3f} m/s",
        "max_speed": f"{10 * scale:.3f} m/s",
        "min_pause": "0 s",
        "max_pause": "0 s",
    }
    return random(radio, seed, 1500, 1000) | {"mobility": moving}


def broadcasts(radio: Radio) -> dict[str, str]:
    """Return what sends broadcasts at the rate of data, where that is not the one of the rules."""
    rate = radio.settings.get("mac.data_rate", "")
    rate = OF_80211A.get(rate, rate)
    return {"mac.basic_rate": rate} if rate else {}


def efforts(radio: Radio, seeds: int, seconds: float = MEASURED_S) -> Efforts:
    """Return how much is simulated: as many packets as in so many seconds with ns-2.

    Fast radios measure for ten seconds, in which more packets fit; with `--quick` a quarter of the
    packets, and two seconds.
    """
    measured = radio.seconds(seconds)
    quick = radio.seconds(QUICK * seconds, QUICK_LEAST_S)
    times = f"{WARM * measured:.3f} s", f"{measured:.3f} s"
    fewer = f"{max(WARM * quick, QUICK_LEAST_S):.3f} s", f"{quick:.3f} s"
    return Efforts(Effort(False, seeds, *times), Effort(True, min(seeds, 3), *fewer))


def refusal(radio: Radio, variant: Variant) -> str:
    """Return why the MAC of a radio does not take a variant; empty if it does.

    One without link acknowledgments does not take schemes that need them, nor RTS/CTS; one that
    chooses rates does not take schemes without link acknowledgments, of which it cannot learn.
    """
    if radio.settings.keys().isdisjoint(MAC_OR_RATE):
        return ""
    looked_at = (*MAC_OR_RATE, "mac.timing")
    keys = tuple((key, own) for key, own in radio.settings.items() if key in looked_at)
    return _refusal(keys, variant.scheme, "mac.rts_cts" in variant.settings)


@cache
def _refusal(keys: tuple[tuple[str, Any], ...], scheme: str, rts: bool) -> str:
    base = Scenario.from_file(BASE)
    own = {"mac.rts_cts": True} if rts else {}
    try:
        base.with_(**dict(keys), **{"scheme.name": scheme, **own})
    except ScenarioError as error:
        return str(error)
    return ""


def common(radio: Radio) -> dict[str, Any]:
    """Return what all set-ups of a radio have in common."""
    own = {key: value for key, value in radio.settings.items() if key not in OF_SOME}
    return {**own, "traffic.payload": f"{radio.payload} B"}


def taken(radio: Radio, variants: Mapping[str, Variant]) -> dict[str, Variant]:
    """Return the variants that a radio's MAC takes, with those of its keys that only some have."""
    found = {name: own for name, own in variants.items() if not refusal(radio, own)}
    some = {key: value for key, value in radio.settings.items() if key in OF_SOME}
    if not some:
        return found
    base = Scenario.from_file(BASE).with_(**common(radio))
    return {
        name: replace(own, settings={**accepted(own.apply(base), some), **own.settings})
        for name, own in found.items()
    }


def _study(
    radio: Radio,
    name: str,
    x: tuple[tuple[float, ...], tuple[float, ...]],
    at: Callable[[float], Mapping[str, Any]],
    efforts: Efforts,
    unit: str = "seed",
    tables: tuple[str, ...] = (),
) -> Study:
    values, quick = x
    return Study(
        f"today-{name}-{radio.id}",
        BASE,
        common(radio),
        taken(radio, VARIANTS[name] or _of_rates(radio)),
        values,
        quick,
        efforts,
        at=at,
        unit=unit,
        tables=tables,
    )


def _of_rates(radio: Radio) -> dict[str, Variant]:
    """Return chains of several lengths as variants of UDP, for each of which rates are swept."""
    chains = {
        f"udp-{hops:g}": Variant(f"{hops:g} hops", "udp", _transfer(radio, hops))
        for hops in LENGTHS
    }
    return _marked(chains)


def studies(radio: Radio) -> dict[str, Study]:
    """Return the studies of a radio, by the name of their set-up."""
    chains, networks = efforts(radio, 30), efforts(radio, 1)
    # The later of two transfers begins when measuring does.
    timed = replace(chains, quick=replace(chains.full, quick=True, seeds=chains.quick.seeds))
    drawn = (NETWORKS, NETWORKS[:QUICK_NETWORKS])
    at_random = _study(radio, "random", drawn, partial(network, radio), networks, unit="x")
    if radio.map:
        return {"random": at_random}
    lattice = {
        "kind": "grid",
        "rows": 7,
        "columns": 7,
        "spacing": radio.metres(200),
        "horizontal_flows": 2,
        "vertical_flows": 2,
    }
    ends = {
        "kind": "dumbbell",
        "hops": 3,
        "flows": 4,
        "spacing": radio.metres(200),
    }
    study = partial(_study, radio)
    searched = partial(_searched, radio)
    one = ((1.0,), (1.0,))
    return {
        "bidirectional-chain": study(
            "bidirectional-chain", (LOADS, QUICK_LOADS), partial(bidirectional, radio), chains
        ),
        "transfer-chain": study(
            "transfer-chain", (LENGTHS, LENGTHS), partial(_transfer, radio), chains
        ),
        "rate-chain": study("rate-chain", (RATES, RATES[::2]), partial(_rate, radio), chains),
        "two-transfers": study(
            "two-transfers",
            ((6.0,), (6.0,)),
            partial(_both, radio, timed),
            timed,
            tables=("series",),
        ),
        "dumbbell": study("dumbbell", one, partial(searched, ends), chains),
        "grid": study("grid", one, partial(searched, lattice), chains),
        "random": at_random,
        "mobile": study("mobile", drawn, partial(_mobile, radio), networks, unit="x"),
    }

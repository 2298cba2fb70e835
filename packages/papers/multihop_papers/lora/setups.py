"""The runs behind each question: places, meshes, traffic, and what is compared.

Each question has a study for every place and every capture ratio: whether a frame survives another
one is what field measurements disagree about most, so an answer has to hold for 1 dB and for 6 dB.
A network is a place that is drawn anew; all variants run in the same networks, with the same
messages at the same times.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from multihop.meshes.presets import mesh_preset, reach_m
from multihop.meshes.writing import of_setting
from multihop.reproducing.spec import Effort, Efforts, Study, Variant

from . import maps, unicast
from .places import PLACES
from .questions import Question

BASE = Path(__file__).with_name("base.toml")
# In dB.
CAPTURES = (6, 1)
NETWORKS = tuple(float(number) for number in range(1, 25))
USUAL_NETWORKS = 8
PRESETS = {"meshtastic": "long-fast", "meshcore": "meshcore-sf8"}
# From which power on a frame is decoded, in dBm: noise of 62.5 kHz with a noise figure of 6 dB, and
# the -10 dB that SF 8 needs; for SF 11 at 250 kHz the mesh's preset says it.
MESHCORE_DBM = -130.0
MARKERS = "os^DvPX*"

Settings = Mapping[str, Any]


def _scheme(**parameters: Any) -> Settings:
    return {f"scheme.{name}": value for name, value in parameters.items()}


# How much of the time a mesh is observed; hop scaling looks at hours.
_TIMES: Mapping[str, tuple[str, str]] = {"hop-scaling": ("60 min", "120 min")}
_USUAL = ("20 min", "60 min")
_COUNTS: Mapping[str, int] = {"hop-scaling": 100}
# A hundred nodes for hours take as long as the networks of all other questions. Questions 3 and 5,
# which eight networks left open, got more of them, once.
_NETWORKS: Mapping[str, int] = {
    "hop-scaling": 4,
    "dm-attempts": len(NETWORKS),
    "later-window": 16,
}
# The published map of repeaters, on which all questions are asked, too, but for one.
MAP = maps.SEATTLE
# That which is asked on all published maps, and nowhere else; and the same question on made places.
ON_MAPS, OFF_MAPS = "custody-maps", "flood-custody"
# Those that are asked on chains, too.
CHAINED = ("wake-order",)
# On the map all nodes together send as many messages as on the other places.
CHANNEL_S = 3600
TEXT_S = 3600
# The share of nodes that are mobile, and what their antennas gain, in dBi.
MOBILE, MOBILE_DBI = 0.6, -5
# Above this share of duplicates announcements and reports wait (custody_tuning.py).
TUNED = 0.0


def _variants(question: str, place: str) -> Mapping[str, tuple[str, Settings]]:
    """Return what is compared on a place: title and settings by name."""
    scale = _scale(question, place)

    def loaded(factor: int) -> Settings:
        return {"traffic.load_factor": _load(factor, scale)}

    def channel(factor: int) -> Settings:
        return {"traffic.interval": f"{CHANNEL_S * scale / factor:.0f} s"}

    # Ten texts an hour and node would be a busy day; the default is one.
    busy = loaded(10)
    three = _scheme(direct_attempts=3, relay_attempts=2)
    five = _scheme(direct_attempts=5, relay_attempts=3)
    # The map's links say who hears mobile nodes, and its nodes who is one.
    drawn = {"share": f"{100 * MOBILE:.0f} %", "antenna_gain": f"{MOBILE_DBI} dBi"}
    mobile = {} if place == MAP else drawn
    others = {"scheme.role": "client_base"}
    of: Mapping[str, Mapping[str, tuple[str, Settings]]] = {
        "hop-scaling": {
            "off": ("off", {}),
            "gated": ("gated", _scheme(hop_scaling="gated")),
            "always": ("always", _scheme(hop_scaling="always")),
        },
        "dm-attempts": {
            "three": ("3 and 2", three),
            "five": ("5 and 3", five),
            "three-busy": ("3 and 2, tenfold load", {**three, **busy}),
            "five-busy": ("5 and 3, tenfold load", {**five, **busy}),
        },
        "early-flood": {
            f"{name}{suffix}": (f"{title}{load_title}", {**_scheme(early_flood=early), **own})
            for suffix, load_title, own in (
                ("", "", three),
                ("-busy", ", tenfold load", {**three, **busy}),
                ("-five", ", tenfold load, 5 and 3", {**five, **busy}),
            )
            for early, name, title in (
                (False, "late", "last attempt floods"),
                (True, "early", "second attempt floods"),
            )
        },
        "later-window": {
            "now": ("the firmware's window", {**others, **_mobile(mobile, 0)}),
            "later": ("256 slots later", {**others, **_mobile(mobile, 256)}),
            "mute": ("muted", {**others, **_mobile(mobile, None)}),
        },
        "flood-reserve": {
            "stock": ("no cap", {}),
            "floods-1": ("floods 1 %", _scheme(flood_share=0.01)),
            "floods-3": ("floods 3 %", _scheme(flood_share=0.03)),
            "relays-1": ("relays 1 %", _scheme(relay_share=0.01)),
        },
        "echo-retry": {
            f"{name}{suffix}": (f"{count}{title}", {**_scheme(relay_attempts=count), **load})
            for suffix, title, load in (
                ("", "", {}),
                ("-busy", ", fourfold load", channel(4)),
            )
            for count, name in ((1, "one"), (2, "two"), (3, "three"))
        },
        "busy-tracker": {
            f"{name}{suffix}": (f"{title}{load_title}", {**own, **load})
            for suffix, load_title, load in (
                ("", "", {}),
                ("-busy", ", tenfold load", channel(10)),
            )
            for name, title, own in (
                ("stock", "stock", {}),
                ("tracked", "tracked", _scheme(busy_tracker=True)),
            )
        },
        "redundancy": {
            "stock": ("off", {}),
            "adaptive": ("adaptive", _scheme(redundancy=2, redundancy_adapts=True)),
            "fixed": ("weight 2", _scheme(redundancy=2)),
            "three": ("weight 3", _scheme(redundancy=3)),
        },
        "txdelay": {
            "stock": ("0.5", {}),
            "one": ("1", _scheme(txdelay=1.0)),
            "two": ("2", _scheme(txdelay=2.0)),
            "tuned": ("tuned", _scheme(autotune=True)),
            "half": ("half tuned", {"roles": {"tuned": _half()}}),
        },
        "flood-custody": {
            f"{name}{suffix}": (f"{name}{title}", {**own, **load})
            for suffix, title, load in (
                ("", "", {}),
                ("-busy", ", fivefold load", loaded(5)),
            )
            for name, own in (("stock", {}), ("custody", _scheme(flood_custody=True)))
        },
        ON_MAPS: {
            f"{name}{suffix}": (f"{title}{load_title}", {**own, **load})
            for suffix, load_title, load in (
                ("", "", {}),
                ("-busy", ", fivefold load", loaded(5)),
            )
            for name, title, own in (
                ("stock", "stock", {}),
                ("untuned", "custody", _scheme(flood_custody=True)),
                ("custody", "custody, tuned", _scheme(flood_custody=True, duplicates=TUNED)),
            )
        },
        "listen": {
            "stock": ("while receiving", {}),
            "power": ("power", {"mac.energy_threshold": "-110 dBm"}),
            "cad": ("CAD", {"mac.cad": True}),
            "both": ("both", {"mac.cad": True, "mac.energy_threshold": "-110 dBm"}),
        },
    }
    return of[question]


def _half() -> dict[str, Any]:
    return {"share": "50 %", "scheme": {"autotune": True}}


def _mobile(mobile: Settings, offset: int | None) -> Settings:
    """Return the mobile nodes with so many slots before a relay; mute without a number."""
    own = {"role": "client", "relay_offset": offset} if offset is not None else None
    return {"roles": {"mobile": {**mobile, "scheme": own or {"role": "client_mute"}}}}


def _flows(question: Question, place: str, there: Sequence[str], number: int) -> Sequence[Settings]:
    """Return the flows of a network, besides the default traffic of Meshtastic."""
    direct = [unicast.flow(*pair) for pair in unicast.pairs(there, number)]
    if question.id in ("dm-attempts", "early-flood"):
        # Fewer texts of each node on the map are not fewer of these flows.
        own = {"text_interval": f"{TEXT_S / _scale(question.id, place):.0f} s"}
        return [{**flow, **own} for flow in direct] if place == MAP else direct
    if question.mesh == "meshtastic":
        return []
    channel = {"name": "channel", "from": "every node", "to": "everyone"}
    advert = {"name": "advert", "from": "every node", "to": "everyone", "class": "announcement"}
    flows = [channel, {**advert, "payload": "20 B", "interval": "900 s"}]
    if question.id in ("flood-reserve", "echo-retry", "busy-tracker"):
        flows += [{**flow, "interval": "600 s"} for flow in direct]
    if question.id == "flood-reserve":
        flows.append({"name": "attack", "from": there[0], "to": "everyone", "interval": "3 s"})
    return flows


def reach(mesh: str) -> float:
    """Return up to where frames of a mesh are decoded, in m."""
    known = mesh_preset("meshtastic", PRESETS["meshtastic"])
    return reach_m(known if mesh != "meshcore" else replace(known, receive_dbm=MESHCORE_DBM))


def _scale(question: str, place: str) -> float:
    """Return how many times as many nodes there are as on the made places."""
    there = place == MAP and question != ON_MAPS
    return maps.expected() / _COUNTS.get(question, unicast.COUNT) if there else 1


def _load(factor: int, scale: float) -> float:
    """Return a node's load factor where so many times as many nodes share it."""
    return factor if scale == 1 else factor / scale


def _drawn(question: Question, place: str, number: int) -> tuple[Settings, Sequence[str]]:
    """Return [[node]] and [[link]] of a network, and who may send direct messages."""
    if place == MAP:
        mobile = (MOBILE, MOBILE_DBI) if question.id == "later-window" else (0, 0)
        drawn = maps.sample(number, *mobile)
        return drawn, maps.connected(drawn)
    count = _COUNTS.get(question.id, unicast.COUNT)
    return unicast.made(place, reach(question.mesh), count, number)


def _network(question: Question, place: str, number: float) -> Settings:
    """Return the topology and the flows of a network."""
    if question.id == ON_MAPS:
        of_map = maps.sample if place == MAP else partial(maps.sample_of_shares, place)
        return {"topology": {"kind": "explicit"}, **of_map(int(number))}
    drawn, there = _drawn(question, place, int(number))
    flows = _flows(question, place, there, int(number))
    network = {"topology": {"kind": "explicit"}, **drawn}
    return {**network, "flow": flows} if flows else network


def _mesh(question: Question, place: str) -> Settings:
    """Return the keys of MAC, scheme and traffic on a place."""
    scale = _scale(question.id, place)
    keys: dict[str, Any] = {
        "mac.preset": PRESETS[question.mesh],
        "scheme.name": question.mesh,
    }
    if question.mesh == "meshtastic":
        preset = mesh_preset("meshtastic", PRESETS["meshtastic"])
        setting = tomllib.loads("".join(f"{k} = {v}\n" for k, v in of_setting(preset).items()))
        traffic = {
            "kind": "meshtastic",
            "stop_before_end": "60 s",
            "stretch": preset.symbol_ms / 100,
            "telemetry": True,
        }
        load = 4 if question.id == "hop-scaling" else 1
        if load != scale:
            traffic["load_factor"] = _load(load, scale)
        return {**keys, **_scheme(**setting, hop_limit=7), "traffic": traffic}
    interval = f"{CHANNEL_S * scale:.0f} s"
    keys["traffic"] = {"kind": "poisson", "interval": interval, "payload": "40 B"}
    keys |= {"mac.duty_cycle": 0.5, "scheme.attempts": 2, "scheme.flood_adverts": 0}
    return keys


def study(question: Question, place: str, capture: int) -> Study:
    """Return the runs of a question on a place, with a capture ratio in dB."""
    captured = {"mac.capture_locked": f"{capture} dB", "mac.capture_unlocked": f"{capture} dB"}
    name = f"lora-{question.id}-{place}-{capture}"
    count = USUAL_NETWORKS if place == MAP else _NETWORKS.get(question.id, USUAL_NETWORKS)
    if question.id in unicast.QUESTIONS:
        numbers = NETWORKS[: unicast.CHAINS if place == unicast.CHAIN else count]
        drawn = partial(_drawn, question, place)
        return unicast.study(question.id, name, place, captured, numbers, drawn)
    warmup, duration = _TIMES.get(question.id, _USUAL)
    full, quick = Effort(False, 1, warmup, duration), Effort(True, 1, warmup, duration)
    pairs = zip(_variants(question.id, place).items(), MARKERS, strict=False)
    variants = {
        name: Variant(title, question.mesh, own, marker=marker)
        for (name, (title, own)), marker in pairs
    }
    return Study(
        name,
        BASE,
        {**_mesh(question, place), **captured},
        variants,
        NETWORKS[:count],
        NETWORKS[: min(4, count)],
        Efforts(full, quick),
        at=partial(_network, question, place),
        tables=("nodes", "messages"),
        unit="x",
    )


def places(question: Question) -> tuple[str, ...]:
    """Return the places on which a question is asked."""
    if question.id == ON_MAPS:
        return (*maps.SHARES, maps.SEATTLE)
    chains = (unicast.CHAIN,) if question.id in CHAINED else ()
    return (*chains, *PLACES, *((MAP,) if question.id != OFF_MAPS else ()))


def studies(question: Question) -> dict[tuple[str, int], Study]:
    """Return the studies of a question by place and capture ratio."""
    return {
        (place, capture): study(question, place, capture)
        for place in places(question)
        for capture in CAPTURES
    }

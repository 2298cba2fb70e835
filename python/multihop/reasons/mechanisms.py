"""Mechanisms of a network, each idealised by keys of the scenario.

None is a wonder: each is a scenario that anybody can run, and its name says what is different.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from .._multihop import ScenarioError, schemes
from .accounts import Accounts
from .edits import (
    NOTHING_DBM,
    Edit,
    Listed,
    Subject,
    both,
    dbm,
    keys,
    links,
    of_node,
    silence,
)
from .geometry import Relation

# Links and flows that are looked at one by one.
MOST_LINKS = 3
MOST_FLOWS = 6
# No queue of a run gets so long, and no frame is repeated so often.
ENDLESS = 10_000
ENDLESS_ATTEMPTS = 1_000
# Nodes whose carrier sense is widened, those first that destroy most, and by how much.
WIDENED = 2
WIDER_DB = range(3, 31, 3)
# Losses of a link to the channel count from this share of its frames on.
LOSSY = 0.05


@dataclass(frozen=True)
class Change:
    """One change of a scenario: its name, the cause that it takes away, and what it does in words.

    `flow` is the number of a flow that it silences. `is_part` says that another mechanism does what
    it does, and more: it is not tried together with others.
    """

    name: str
    cause: str
    about: str
    edit: Edit
    flow: int | None = None
    is_part: bool = False


def mechanisms(subject: Subject, found: Accounts) -> list[Change]:
    """List the mechanisms that this network has, those first that its traced run points to."""
    return [
        *_medium(subject, found),
        *_channel(subject, found),
        *_mac(subject),
        *_queue(subject),
        *_routes(subject, found),
        *_flows(subject, found),
    ]


def _collisions(found: Accounts) -> str:
    """Name what most collisions of a traced run are."""
    lost = found.losses.filter(outcome="collision").group_by("relation")
    by = dict(lost.agg(pl.col("frames").sum()).iter_rows())
    if 2 * by.get(Relation.UNSENSED.value, 0) > sum(by.values()):
        return "hidden senders"
    return "collisions"


def _medium(subject: Subject, found: Accounts) -> Iterator[Change]:
    sensing = _sensing(subject)
    if pairs := _hidden(subject.at(sensing)):
        yield Change(
            "perfect carrier sense",
            "hidden senders",
            "senders sense all nodes whose frames meet theirs at a receiver",
            both(sensing, links(pairs)),
        )
    if pairs := _exposed(subject):
        yield Change(
            "no needless deferral",
            "exposed senders",
            "senders that do each other no harm do not sense each other",
            links(pairs),
        )
    if subject.network["mac"] is not None:
        yield Change(
            "no collisions",
            _collisions(found),
            "nodes know which frames would be lost, and wait",
            keys(mac__collision_free=True),
        )
    if _is_by_ratio(subject):
        yield Change(
            "perfect capture",
            _collisions(found),
            "of frames that overlap, the strongest is received",
            keys(radio__capture_ratio=1, radio__reception="message-in-message"),
        )

    if subject.scenario.conditions.get("capture_locked") is not None:
        yield Change(
            "perfect capture",
            _collisions(found),
            "of frames that overlap, the strongest is received",
            keys(mac__capture_locked="0 dB", mac__capture_unlocked="0 dB"),
        )
    yield from _wider(subject, found)


def _is_by_ratio(subject: Subject) -> bool:
    mac = subject.network["mac"]
    radio = subject.tables.get("radio", {})
    return mac is not None and radio.get("interference", "ratio") == "ratio"


def _sensing(subject: Subject) -> Edit:
    """Let stations of LoRa detect activity below what they decode, where they do not."""
    known = subject.scenario.conditions
    if known.get("cad") == "false":
        return keys(mac__cad=True)
    return keys(mac__cad_miss=0) if float(known.get("cad_miss", "0")) > 0 else keys()


def _wider(subject: Subject, found: Accounts) -> Iterator[Change]:
    """Widen the carrier sense of each of the nodes that destroy most frames of hidden senders."""
    around = subject.geometry
    if around is None or around.moves:
        return
    by = found.hidden.group_by("destroyer").agg(pl.col("frames").sum(), pl.col("sender"))
    for node, _, senders in by.sort(["frames", "destroyer"], descending=[True, False]).rows()[
        :WIDENED
    ]:
        name = subject.names[node]
        for wider in WIDER_DB:
            signal = f"{dbm(around.rules.defers_from_w) - wider:.2f} dBm"
            edit = of_node(subject, name, sense_threshold=signal)
            try:
                now = subject.at(edit).geometry
            except ScenarioError:
                # Not every radio has such a threshold.
                return
            if now is not None and all(now.senses(node, sender) for sender in senders):
                yield Change(
                    f"wider carrier sense of {name}",
                    "hidden senders",
                    f"{name} senses signals of {signal}, and so those whose frames it destroys",
                    edit,
                    is_part=True,
                )
                break


def _hidden(subject: Subject) -> list[Listed]:
    """List the signals that are missing between senders that meet at a receiver."""
    around = subject.geometry
    if around is None or around.moves or around.rules.defers_from_w == math.inf:
        return []
    least = around.rules.defers_from_w
    senders = {sender for (sender, _), _ in subject.links}
    missing: dict[tuple[int, int], None] = {}
    for (sender, receiver), _ in subject.links:
        for other in senders - {sender, receiver}:
            if around.meets(sender, other, receiver):
                for one, two in ((sender, other), (other, sender)):
                    if not around.senses(one, two):
                        missing[two, one] = None
    names = subject.names
    return [Listed(names[a], names[b], signal_dbm=dbm(least) + 0.01) for a, b in sorted(missing)]


def _exposed(subject: Subject) -> list[Listed]:
    """List the signals between senders that sense each other, and whose frames do no harm."""
    around = subject.geometry
    if around is None or around.moves:
        return []
    over: dict[int, set[int]] = {}
    for (sender, receiver), _ in subject.links:
        over.setdefault(sender, set()).add(receiver)
    names = subject.names
    found = []
    for one in sorted(over):
        for two in sorted(over):
            partners = two in over[one] or one in over[two]
            if one >= two or partners or over[one] & over[two]:
                continue
            senses = around.senses(one, two) or around.senses(two, one)
            harmless = all(
                around.survives(sender, other, receiver)
                for sender, other in ((one, two), (two, one))
                for receiver in over[sender]
            )
            if senses and harmless:
                found += [
                    Listed(names[a], names[b], signal_dbm=NOTHING_DBM)
                    for a, b in ((one, two), (two, one))
                ]
    return found


def _channel(subject: Subject, found: Accounts) -> Iterator[Change]:
    """Take the channel's own losses away, on all links and on each of the worst."""
    around = subject.geometry
    if around is None:
        return
    tables = subject.tables
    radio = tables.get("radio", {})
    used = [link for link, _ in subject.links]
    perfect: Edit = keys(radio__bit_error_rate=None)
    if radio.get("propagation") == "log-normal-shadowing":
        perfect = both(perfect, keys(radio__shadowing_deviation="0 dB"))
    if not around.moves:
        perfect = both(perfect, links(_sure(subject, used)))
    worst = _worst(found)
    if not worst:
        return
    cause = _losses(subject, worst)
    yield Change("perfect links", cause, "no link loses frames by itself", perfect)
    if around.moves or len(used) < 2:
        return
    for link in worst[:MOST_LINKS]:
        name = "->".join(subject.names[node] for node in link)
        yield Change(
            f"perfect link {name}",
            f"link {name}",
            f"the link {name} loses no frames by itself, in either direction",
            links(_sure(subject, [link])),
        )


def _worst(found: Accounts) -> list[tuple[int, int]]:
    """List the links that lose frames by themselves, those first that lose most."""
    own = ("undelivered", "bit_error", "too_weak")
    rows = found.receptions.filter(destroyer=-1).iter_rows(named=True)
    sent: dict[tuple[int, int], int] = {}
    lost: dict[tuple[int, int], int] = {}
    for row in rows:
        ends = (row["sender"], row["receiver"])
        link = (ends[1], ends[0]) if row["class"] in ("link_ack", "cts") else ends
        sent[link] = sent.get(link, 0) + row["frames"]
        if row["outcome"] in own:
            lost[link] = lost.get(link, 0) + row["frames"]
    lossy = [link for link, count in lost.items() if count >= LOSSY * sent[link]]
    return sorted(lossy, key=lambda link: (-lost[link], link))


def _losses(subject: Subject, worst: list[tuple[int, int]]) -> str:
    """Name what the losses of links come from: one link, or all of them."""
    if len(worst) == 1:
        return f"link {'->'.join(subject.names[node] for node in worst[0])}"
    return "losses of links"


def _sure(subject: Subject, used: list[tuple[int, int]]) -> list[Listed]:
    """List links, and their other directions, as they are but without losses."""
    around, names = subject.geometry, subject.names
    ways = dict.fromkeys(way for a, b in used for way in ((a, b), (b, a)))
    return [
        Listed(names[a], names[b], dbm(around.signals[a, b].power_w), 1.0)
        for a, b in ways
        if around is not None and (a, b) in around.signals
    ]


def _mac(subject: Subject) -> Iterator[Change]:
    mac = subject.network["mac"]
    if mac is None:
        return
    given = subject.tables.get("mac", {})
    if given.get("eifs", True):
        yield Change("no EIFS", "EIFS", "nodes do not wait EIFS", keys(mac__eifs=False))
    if mac["acknowledges"]:
        yield Change(
            "endless retries",
            "retry limit",
            "the MAC repeats frames until they are acknowledged",
            keys(mac__short_retry_limit=ENDLESS_ATTEMPTS, mac__long_retry_limit=ENDLESS_ATTEMPTS),
        )
        yield Change(
            "no delay of the link layer",
            "delay of the link layer",
            "packets pass between routing and MAC without a delay",
            keys(mac__link_layer_delay="0 s"),
        )
    yield Change(
        "shortest backoff",
        "backoff",
        "the smallest contention window is one slot",
        keys(mac__cw_min=1),
    )
    if given.get("rts_cts") or "rts_threshold" in given:
        yield Change(
            "no RTS/CTS",
            "RTS/CTS",
            "data frames go without RTS and CTS",
            keys(mac__rts_cts=False, mac__rts_threshold=None),
        )


def _queue(subject: Subject) -> Iterator[Change]:
    name = subject.network["scheme"]
    params = {param["name"] for one in schemes() if one["name"] == name for param in one["params"]}
    if "queue_limit" in params:
        yield Change(
            "endless queues",
            "queue limit",
            "no queue overflows",
            keys(scheme__queue_limit=ENDLESS),
        )


def _routes(subject: Subject, found: Accounts) -> Iterator[Change]:
    tables = subject.tables
    kind = subject.network["routing"]
    if kind in ("aodv", "dsr"):

        def fixed(tables: dict[str, object]) -> None:
            tables["routing"] = {"kind": "fixed"}

        yield Change(
            "oracle routes",
            _failures(found),
            "routes are known from the start, never change, and cost nothing",
            fixed,
        )
    elif any("via" in row for row in (*tables.get("flow", []), tables.get("traffic", {}))):

        def shortest(tables: dict[str, object]) -> None:
            rows = [*tables.get("flow", []), tables.get("traffic", {})]  # type: ignore[misc]
            for row in rows:
                row.pop("via", None)

        yield Change(
            "shortest routes", "given routes", "flows take the routes of fewest hops", shortest
        )


def _failures(found: Accounts) -> str:
    """Name what searched routes suffer from: most of their link failures, or the search."""
    failures, false = found.link_failures
    if not failures:
        return "searches for routes"
    return "false route failures" if 2 * false > failures else "route failures"


def _flows(subject: Subject, found: Accounts) -> Iterator[Change]:
    """Silence each of the flows that take most of the air."""
    if len(subject.flows) < 2:
        return
    moves = subject.geometry is not None and subject.geometry.moves
    if moves and subject.tables["topology"]["kind"] != "explicit":
        # Nodes that its topology moves are not written down one by one.
        return
    took = dict(found.air.group_by("flow").agg(pl.col("air_s").sum()).iter_rows())
    order = sorted(range(len(subject.flows)), key=lambda flow: (-took.get(flow, 0.0), flow))
    for flow in order[:MOST_FLOWS]:
        name = subject.flows[flow][0]
        yield Change(
            f"without flow {name}",
            f"flow {name}",
            f"the flow {name} sends nothing",
            silence(subject, flow),
            flow,
        )

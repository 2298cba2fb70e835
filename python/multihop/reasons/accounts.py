"""Where the air goes: frames, losses, drops and waits of one traced run, each counted once.

Everything is of the measured time, so the warm-up is left out. A frame counts when it begins, a
loss with its frame, a drop at its time, and a wait when its packet is delivered.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import polars as pl

from ..results.result import Result
from ..running.tracing import Trace
from ..scenario.form import Scenario
from .geometry import Geometry, Relation, geometry

ROUTING = ("rreq", "rrep", "rerr", "routing", "arp")
OF_MAC = ("rts", "cts", "link_ack")
# Frames that answer another one, so their link is that of the frame which they answer.
ANSWERS = ("cts", "link_ack")
RECEIVED = ("decoded", "overheard")
DESTROYED = ("collision", "capture_lost")
# A flow is starved if it gets less than this share of what the best flow gets.
STARVED = 0.1
# Flows that get so much of what they offer have nothing that limits them.
CARRIED = 0.98
# The medium around a node is full if it is busy for so much of the time.
FULL = 0.9
INTERVAL_NS = 100_000_000


class Purpose(StrEnum):
    """What a frame was for."""

    FIRST = "first attempts"
    RETRY = "retries"
    LOST_LATER = "packets lost later"
    ACKNOWLEDGMENTS = "acknowledgments of transports"
    SCHEME = "control of the scheme"
    ROUTING = "routing"
    MAC = "control of the MAC"


@dataclass(frozen=True)
class Accounts:
    """The accounts of one traced run, over `span_s` seconds.

    `air` has frames and seconds by sender, receiver (of the data that a frame is about; -1:
    everyone), flow (-1: none) and purpose. `receptions` has frames by sender, receiver, flow,
    class and outcome at the receivers that they were for, with the node whose frame destroyed
    them (-1: none), how the sender hears that node, and whether only the order destroyed them: the
    frame was strong enough to survive, had it begun first. Where what overlaps adds up, `by_sum`
    says that it did begin first, and that only all others together were too strong. `drops` has
    packets by node, flow and cause. `waits` has, for each flow, its delivered packets and their
    mean delay in s, as a sum of three waits: at the source, in custody of other nodes, and at the
    medium. `nodes` has the
    shares of the time in which a node sends, receives, and finds the medium busy otherwise.
    `flows` has goodput, packets and whether a flow starves; `occupied` the shares of the time in
    which the source of a starved flow sends or senses the frames of other flows.
    """

    names: tuple[str, ...]
    flow_names: tuple[str, ...]
    span_s: float
    air: pl.DataFrame
    receptions: pl.DataFrame
    drops: pl.DataFrame
    waits: pl.DataFrame
    nodes: pl.DataFrame
    flows: pl.DataFrame
    occupied: pl.DataFrame
    # Links that routing took for broken, and those of them whose other end was in range.
    link_failures: tuple[int, int] = (0, 0)
    around: Geometry | None = None

    @property
    def moves(self) -> bool:
        """Whether nodes move."""
        return self.around is not None and self.around.moves

    @property
    def losses(self) -> pl.DataFrame:
        """The rows of `receptions` whose frames were lost."""
        return self.receptions.filter(~pl.col("outcome").is_in(RECEIVED))

    @property
    def hidden(self) -> pl.DataFrame:
        """The pairs of nodes of which one destroys frames of the other, which cannot sense it."""
        return (
            self.losses.filter(relation=Relation.UNSENSED)
            .group_by("sender", "receiver", "destroyer")
            .agg(pl.col("frames").sum())
            .sort("frames", "sender", "receiver", "destroyer", descending=[True, *[False] * 3])
        )

    @property
    def full(self) -> list[int]:
        """The bottleneck region: the nodes around which the medium is full."""
        busy = pl.col("sending") + pl.col("receiving") + pl.col("busy")
        return self.nodes.filter(busy >= FULL)["node"].to_list()


def accounts(trace: Trace, result: Result) -> Accounts:
    """Make the accounts of a traced run; `result` has its tables."""
    about = trace.about
    begin, end = about["warmup_ns"], about["duration_ns"]
    around = geometry(trace.scenario)
    frames = trace.scan("frames").drop("header").collect()
    air = _air(frames, _fates(trace)).filter(pl.col("start_ns") >= begin)
    flows = _flows(result, trace.scenario)
    return Accounts(
        names=tuple(node["label"] for node in about["nodes"]),
        flow_names=tuple(flow["label"] for flow in about["flows"]),
        span_s=(end - begin) / 1e9,
        air=_summed(air),
        receptions=_receptions(trace, frames, begin, around),
        drops=_drops(trace, begin),
        waits=_waits(trace, frames, begin),
        nodes=_nodes(trace, begin, end),
        flows=flows,
        occupied=_occupied(air, flows, around, (end - begin) / 1e9),
        link_failures=(
            int(result.nodes["link_failures"].sum()),
            int(result.nodes["false_link_failures"].sum()),
        ),
        around=around,
    )


def _fates(trace: Trace) -> pl.DataFrame:
    """Return the packets that were dropped and never delivered."""
    packet = ("flow", "packet")
    delivered = trace.scan("events").filter(event="deliver").select(packet).unique()
    dropped = trace.scan("drops").filter(pl.col("packet") >= 0).select(packet).unique()
    lost = dropped.join(delivered, on=packet, how="anti")
    return lost.with_columns(is_lost=pl.lit(value=True)).collect()


def _air(frames: pl.DataFrame, lost: pl.DataFrame) -> pl.DataFrame:
    """Return every frame with its purpose, its link and its flow."""
    is_data = (pl.col("class") == "data") & (pl.col("packet") >= 0)
    attempt = pl.int_range(pl.len()).over("flow", "packet", "sender", "class")
    kind = pl.col("class")
    found = (
        frames.sort("start_ns", "frame")
        .with_columns(attempt=attempt)
        .join(lost, on=["flow", "packet"], how="left", maintain_order="left")
        .with_columns(
            purpose=pl.when(is_data & (pl.col("attempt") > 0))
            .then(pl.lit(Purpose.RETRY.value))
            .when(is_data & pl.col("is_lost").fill_null(value=False))
            .then(pl.lit(Purpose.LOST_LATER.value))
            .when(kind == "data")
            .then(pl.lit(Purpose.FIRST.value))
            .when(kind.is_in(OF_MAC))
            .then(pl.lit(Purpose.MAC.value))
            .when(kind.is_in(ROUTING))
            .then(pl.lit(Purpose.ROUTING.value))
            .when(kind == "transport_ack")
            .then(pl.lit(Purpose.ACKNOWLEDGMENTS.value))
            .otherwise(pl.lit(Purpose.SCHEME.value))
        )
    )
    answers = kind.is_in(ANSWERS)
    found = found.with_columns(
        link_from=pl.when(answers).then("receiver").otherwise("sender"),
        link_to=pl.when(answers).then("sender").otherwise("receiver"),
    )
    # An answer is about the flow of the last frame on its link.
    asked = pl.when(~answers & (pl.col("flow") >= 0)).then("flow").forward_fill()
    found = found.with_columns(asked=asked.over("link_from", "link_to"))
    flow = pl.when(answers & (pl.col("flow") < 0)).then(pl.col("asked").fill_null(-1))
    return found.with_columns(flow=flow.otherwise("flow"))


def _summed(air: pl.DataFrame) -> pl.DataFrame:
    keys = ["link_from", "link_to", "flow", "purpose"]
    found = air.group_by(keys).agg(
        frames=pl.len().cast(pl.Int64), air_s=pl.col("length_ns").sum() / 1e9
    )
    return found.sort(keys).rename({"link_from": "sender", "link_to": "receiver"})


def _receptions(
    trace: Trace, frames: pl.DataFrame, begin: int, around: Geometry | None
) -> pl.DataFrame:
    """Count what became of frames at the nodes that they were for."""
    sent = frames.lazy().select("frame", "start_ns", "sender", "receiver", "class", "flow")
    by = frames.lazy().select(other="frame", destroyer="sender", other_start_ns="start_ns")
    keys = ["sender", "node", "flow", "class", "outcome", "destroyer"]
    rows = (
        trace.scan("receptions")
        .join(sent, on="frame")
        .filter(
            pl.col("start_ns") >= begin,
            pl.col("receiver").is_in([-1]) | (pl.col("receiver") == pl.col("node")),
        )
        .join(by, on="other", how="left")
        .with_columns(
            destroyer=pl.when(outcome="transmitting")
            .then("node")
            .when(pl.col("outcome").is_in(DESTROYED))
            .then(pl.col("destroyer").fill_null(-1))
            .otherwise(-1),
            is_later=(pl.col("start_ns") > pl.col("other_start_ns")).fill_null(value=False),
        )
        .with_columns(moment=_moment(around))
        .group_by(*keys, "moment", "is_later")
        .agg(frames=pl.len().cast(pl.Int64))
        .sort(*keys, "moment", "is_later")
        .rename({"node": "receiver"})
        .collect()
    )
    keys[keys.index("node")] = "receiver"
    said = ["relation", "by_order", "by_sum"]
    found = [_said(row, around) for row in rows.iter_rows(named=True)]
    types = dict(zip(said, (pl.String, pl.Boolean, pl.Boolean), strict=True))
    rows = rows.hstack(pl.DataFrame(found, types, orient="row"))
    return rows.group_by(*keys, *said).agg(pl.col("frames").sum()).sort(*keys, *said)


def _moment(around: Geometry | None) -> pl.Expr:
    """Return the number of the moment of the geometry in which each frame begins."""
    if around is None or not around.moves:
        return pl.lit(0)
    span = max(around.end_ns - around.begin_ns, 1)
    at = (pl.col("start_ns") - around.begin_ns) * len(around.moments) // span
    return at.clip(0, len(around.moments) - 1)


def _said(row: dict[str, Any], around: Geometry | None) -> tuple[str | None, bool, bool]:
    """Say how the sender of lost frames hears who destroyed them, and whether order or sum did."""
    sender, receiver, destroyer = row["sender"], row["receiver"], row["destroyer"]
    if destroyer < 0:
        return None, False, False
    if around is None:
        return Relation.UNKNOWN.value, False, False
    moment = row["moment"]
    relation = around.relation(sender, destroyer, receiver, moment)
    stands = row["outcome"] in DESTROYED and around.survives(sender, destroyer, receiver, moment)
    by_order = stands and row["is_later"]
    return relation.value, by_order, stands and not by_order and around.rules.adds_up


def _drops(trace: Trace, begin: int) -> pl.DataFrame:
    keys = ["node", "flow", "cause"]
    rows = trace.scan("drops").filter(pl.col("time_ns") >= begin, pl.col("packet") >= 0)
    return rows.group_by(keys).agg(packets=pl.len().cast(pl.Int64)).sort(keys).collect()


def _waits(trace: Trace, frames: pl.DataFrame, begin: int) -> pl.DataFrame:
    """Split the delay of every delivered packet into its waits, which add up to it.

    A node has a packet from its first reception on, and waits for the medium from when the packet
    comes to its MAC until the next node has it.
    """
    packet = ["flow", "packet"]
    events = trace.scan("events").filter(pl.col("packet") >= 0)
    offered = events.filter(event="offer").group_by(packet).agg(offered=pl.col("time_ns").min())
    delivered = (
        events.filter(event="deliver")
        .group_by(packet)
        .agg(
            pl.col("source").first(),
            delivered=pl.col("time_ns").min(),
            last=pl.col("node").sort_by("time_ns").first(),
        )
        .filter(pl.col("delivered") >= begin)
    )
    served = (
        events.filter(event="service_start")
        .group_by(*packet, "node")
        .agg(served=pl.col("time_ns").min())
    )
    carried = frames.lazy().filter(pl.col("class") == "data", pl.col("packet") >= 0)
    began = carried.group_by(*packet, "sender").agg(began=pl.col("start_ns").min())
    received = (
        trace.scan("receptions")
        .filter(outcome="decoded")
        .join(carried.select("frame", "sender", *packet), on="frame")
        .sort("end_ns")
        .group_by(*packet, "node")
        .agg(pl.col("end_ns").first(), pl.col("sender").first())
    )
    hops = (
        received.join(delivered, on=packet)
        .filter(pl.col("end_ns") <= pl.col("delivered"))
        .join(began, on=[*packet, "sender"])
        .join(served, left_on=[*packet, "sender"], right_on=[*packet, "node"], how="left")
        .with_columns(served=pl.min_horizontal("served", "began"))
        .collect()
    )
    ways = _ways(hops, delivered.join(offered, on=packet).collect())
    means = [pl.col(name).mean() / 1e9 for name in ("source_s", "custody_s", "medium_s", "delay_s")]
    return ways.group_by("flow").agg(pl.len().cast(pl.Int64).alias("packets"), *means).sort("flow")


def _ways(hops: pl.DataFrame, ends: pl.DataFrame) -> pl.DataFrame:
    """Follow every packet from its destination back to its source, and sum its waits in ns."""
    came = {
        (flow, packet, node): (sender, served, end)
        for flow, packet, node, sender, served, end in hops.select(
            "flow", "packet", "node", "sender", "served", "end_ns"
        ).iter_rows()
    }
    rows = []
    for flow, packet, offered, delivered, last, source in ends.select(
        "flow", "packet", "offered", "delivered", "last", "source"
    ).iter_rows():
        custody = medium = 0
        node, until = last, delivered
        # A source may hear its own packet again; nobody forwards before he has it.
        while node != source and (hop := came.get((flow, packet, node))) is not None:
            if hop[2] > until:
                break
            node, served, end = hop
            # What passes between the reception and the next step is custody.
            custody += until - end
            medium += end - served
            until = served
        rows.append((flow, until - offered, custody, medium, delivered - offered))
    schema = ["flow", "source_s", "custody_s", "medium_s", "delay_s"]
    return pl.DataFrame(rows, dict.fromkeys(schema, pl.Int64), orient="row")


def _nodes(trace: Trace, begin: int, end: int) -> pl.DataFrame:
    lasts = pl.min_horizontal(pl.lit(INTERVAL_NS), end - pl.col("time_ns"))
    share = {"sending": "air_sending", "receiving": "air_receiving", "busy": "air_busy"}
    return (
        trace.scan("series")
        .filter(pl.col("node") >= 0, pl.col("time_ns") >= begin)
        .with_columns(lasts=lasts)
        .group_by("node")
        .agg((pl.col(of) * pl.col("lasts")).sum() / pl.col("lasts").sum() for of in share.values())
        .rename({of: name for name, of in share.items()})
        .sort("node")
        .collect()
    )


def _flows(result: Result, scenario: Scenario) -> pl.DataFrame:
    offers = (pl.col("offered") > 0) | (pl.col("run_inside") > 0)
    is_slow = pl.col("goodput_bit_s") < STARVED * pl.col("goodput_bit_s").max()
    # A flow that offers little and gets it does not starve.
    lacks = pl.col("delivered") < CARRIED * pl.col("offered")
    return result.flows.select(
        *("flow", "name", "hops", "offered", "delivered", "lost", "goodput_bit_s"),
        "end_to_end_delay_mean_s",
        *("run_offered", "run_delivered", "run_lost", "run_inside"),
        is_starved=offers & is_slow & (lacks | pl.lit(transfers(scenario))),
    )


def transfers(scenario: Scenario) -> bool:
    """Whether a flow is a transfer, which always has more to send than it has offered."""
    tables = scenario.to_dict()
    rows = (tables.get("traffic", {}), *tables.get("flow", []))
    return any(row.get("kind") in ("ftp", "file") for row in rows)


def _occupied(
    air: pl.DataFrame, flows: pl.DataFrame, around: Geometry | None, span_s: float
) -> pl.DataFrame:
    """Return for how long the sources of starved flows send or sense frames of other flows."""
    rows = []
    starved = flows.filter("is_starved")["flow"].to_list()
    sent = air.group_by("sender", "flow").agg(pl.col("length_ns").sum() / 1e9).rows()
    data = air.filter(pl.col("source") >= 0, pl.col("flow") >= 0)
    sources = dict(data.filter(pl.col("class") == "data").select("flow", "source").unique().rows())
    for flow in starved if around is not None else ():
        at: dict[int, float] = {}
        for sender, other, seconds in sent:
            source = sources.get(flow)
            if source is None or other in (flow, -1):
                continue
            if sender == source or (around is not None and around.senses(source, sender)):
                at[other] = at.get(other, 0.0) + seconds / span_s
        rows += [(flow, other, share) for other, share in at.items()]
    schema = {"flow": pl.Int64, "other": pl.Int64, "share": pl.Float64}
    found = pl.DataFrame(rows, schema, orient="row")
    return found.sort("flow", "share", descending=[False, True])

"""The life of one packet in a trace, and the reasons for a lost frame, as sentences.

>>> from multihop.reasons.life import packet_life
>>> packet_life(Trace("out"), flow=0, packet=17)
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from .._multihop import vocabulary
from ..engine.errors import TraceError
from ..running.tracing import Trace
from .geometry import Geometry, Relation, geometry

# Events that other rows of the story say already, or that are not about the packet's way.
SAID = ("drop", "transmit_start", "receive", "loss", "service_end", "segment_retransmission")
# Frames that wait for another node's: those that took most of the time are named.
NAMED = 3
HEARS = {
    Relation.UNSENSED: "{sender} cannot sense {other}",
    Relation.UNREAD: "{sender} senses {other} and cannot decode it",
    Relation.NEAR: "{sender} and {other} are in range, and began within a moment",
    Relation.RECEIVER: "{receiver} itself was sending",
    Relation.UNKNOWN: "how {sender} hears {other} is not known",
}


@dataclass(frozen=True)
class Step:
    """Something that happened to a packet: when, in ns since the start of the run, and where."""

    time_ns: int
    node: str
    words: str

    @property
    def line(self) -> str:
        """The step as a line, with its time in s."""
        return f"{self.time_ns / 1e9:.6f} s  {self.words}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {"time_ns": self.time_ns, "node": self.node, "words": self.words}


class Story:
    """What a trace says of packets and frames."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.names = [str(node["label"]) for node in trace.about["nodes"]]
        self.flows = [str(flow["label"]) for flow in trace.about["flows"]]
        self.around: Geometry | None = geometry(trace.scenario)
        self.frames = trace.scan("frames").drop("header").collect()
        words = vocabulary()
        self.events = words["events"]
        self.outcomes = words["outcomes"]

    def flow(self, given: str) -> int:
        """Return the number of a flow that is given by its name or its number."""
        if given in self.flows:
            return self.flows.index(given)
        if given.isdecimal() and int(given) < len(self.flows):
            return int(given)
        raise TraceError(f"there is no flow '{given}'; there are: {', '.join(self.flows)}")

    def at(self, flow: int, time_s: float) -> int:
        """Return the packet of a flow that was on the air last at a time, or first after it."""
        end_s = self.trace.about["duration_ns"] / 1e9
        if not 0 <= time_s <= end_s:
            raise TraceError(
                f"the trace has the time from 0 s to {end_s:g} s, and not {time_s:g} s"
            )
        sent = self.frames.filter(pl.col("packet") >= 0, flow=flow).sort("start_ns")
        if sent.is_empty():
            raise TraceError(f"no packet of the flow {self.flows[flow]} was ever on the air")
        before = sent.filter(pl.col("start_ns") <= time_s * 1e9)
        return int((before.tail(1) if before.height else sent.head(1))["packet"][0])

    def name(self, node: int) -> str:
        """Return the name of a node; -1 is everyone."""
        return "everyone" if node < 0 else self.names[node]

    def life(self, flow: int, packet: int) -> list[Step]:
        """Tell the life of a packet of data, from its application to its end."""
        key = {"flow": flow, "packet": packet}
        events = self.trace.scan("events").filter(**key).sort("time_ns", maintain_order=True)
        drops = self.trace.scan("drops").filter(**key).sort("time_ns").collect()
        happened = events.collect()
        if happened.is_empty() and drops.is_empty():
            raise TraceError(
                f"the flow {self.flows[flow]} has no packet {packet} in this trace; packets count "
                "from 0"
            )
        sent = [*self._sent(flow, packet, happened)]
        steps = [*sent, *self._events(flow, packet, happened), *self._drops(drops)]
        steps.sort(key=lambda step: step.time_ns)
        return [*steps, self._end(flow, packet, happened, drops)]

    def _came(self, flow: int, packet: int) -> dict[int, int]:
        """Return when each node had a packet first, in ns."""
        sent = self.frames.lazy().filter(flow=flow, packet=packet).select("frame")
        rows = self.trace.scan("receptions").filter(outcome="decoded").join(sent, on="frame")
        return dict(rows.group_by("node").agg(pl.col("end_ns").min()).collect().iter_rows())

    def _events(self, flow: int, packet: int, happened: pl.DataFrame) -> Iterator[Step]:
        began = self._came(flow, packet)
        for row in happened.iter_rows(named=True):
            node, name, time = row["node"], self.name(row["node"]), row["time_ns"]
            if row["event"] == "offer":
                began[node] = time
                yield Step(time, name, f"the application at {name} hands it over")
            elif row["event"] == "service_start":
                waited = self._queue(node, began.get(node), time)
                yield Step(time, name, f"it comes to the MAC of {name}{waited}")
                began[node] = time
            elif row["event"] == "deliver":
                yield Step(time, name, f"the application at {name} gets it")
            elif row["event"] not in SAID:
                about = self.events.get(row["event"], row["event"].replace("_", " "))
                yield Step(time, name, f"at {name}: {about}")

    def _queue(self, node: int, came: int | None, served: int) -> str:
        """Say how long a packet waited before its node's MAC took it, and behind what."""
        if came is None or served - came < 1000:
            return ""
        before = self.trace.scan("events").filter(
            pl.col("time_ns") > came, pl.col("time_ns") <= served, event="service_end", node=node
        )
        count = before.select(pl.len()).collect().item()
        behind = f", behind {count} other packets of this node" if count else ""
        return f" after {(served - came) / 1e6:.1f} ms of waiting{behind}"

    def _drops(self, drops: pl.DataFrame) -> Iterator[Step]:
        for row in drops.iter_rows(named=True):
            name = self.name(row["node"])
            cause = row["cause"].replace("_", " ")
            yield Step(row["time_ns"], name, f"{name} drops it: {cause}")

    def _sent(self, flow: int, packet: int, happened: pl.DataFrame) -> Iterator[Step]:
        """Tell of every frame that carried the packet, what it waited for, and its end."""
        served = happened.filter(event="service_start")
        sent = self.frames.filter(flow=flow, packet=packet).sort("start_ns")
        attempts: dict[int, int] = {}
        last: dict[int, int] = {}
        for frame in sent.iter_rows(named=True):
            node, start = frame["sender"], frame["start_ns"]
            attempts[node] = attempts.get(node, 0) + 1
            starts = served.filter(pl.col("time_ns") <= start, node=node)["time_ns"].to_list()
            since = max([*starts[-1:], last.get(node, 0)], default=0)
            waited = self._medium(node, since, start) if since else ""
            sender, receiver = self.name(node), self.name(frame["receiver"])
            kind = "it" if frame["class"] == "data" else f"a frame about it ({frame['class']})"
            yield Step(
                start,
                sender,
                f"{sender} sends {kind} to {receiver}: frame {frame['frame']}, attempt "
                f"{attempts[node]}, {frame['length_ns'] / 1e6:.2f} ms on the air{waited}",
            )
            last[node] = start + frame["length_ns"]
            yield from self._received(frame)

    def _medium(self, node: int, since: int, start: int) -> str:
        """Say what a node waited for before a frame: those whose frames it sensed, and the rest."""
        if start - since < 1000:
            return ""
        text = f", after {(start - since) / 1e6:.1f} ms"
        if self.around is None:
            return text
        overlap = pl.min_horizontal("end", pl.lit(start)) - pl.max_horizontal(
            "start_ns", pl.lit(since)
        )
        others = (
            self.frames.with_columns(end=pl.col("start_ns") + pl.col("length_ns"))
            .filter(pl.col("end") > since, pl.col("start_ns") < start)
            .with_columns(overlap=overlap)
            .group_by("sender")
            .agg(pl.col("overlap").sum())
            .sort("overlap", "sender", descending=[True, False])
        )
        parts = [
            f"{self.name(sender)} {busy / 1e6:.1f} ms"
            for sender, busy in others.iter_rows()
            if sender == node or self.around.senses(node, sender)
        ]
        if not parts:
            return f"{text} of pauses and backoff"
        return f"{text} in which it sensed or sent frames of {', '.join(parts[:NAMED])}"

    def _received(self, frame: Mapping[str, Any]) -> Iterator[Step]:
        rows = self.trace.scan("receptions").filter(frame=frame["frame"]).collect()
        if frame["receiver"] < 0:
            counts = rows.group_by("outcome").len().sort("len", "outcome", descending=[True, False])
            parts = [f"{outcome.replace('_', ' ')} at {n}" for outcome, n in counts.iter_rows()]
            if parts:
                yield Step(rows["end_ns"].max(), "", f"of the nodes: {', '.join(parts)}")  # type: ignore[arg-type]
            return
        for row in rows.filter(node=frame["receiver"]).iter_rows(named=True):
            receiver = self.name(row["node"])
            if row["outcome"] in ("decoded", "overheard"):
                yield Step(row["end_ns"], receiver, f"{receiver} receives it")
                yield from self._answered(frame, row["end_ns"])
            else:
                yield Step(row["end_ns"], receiver, f"it is lost: {self.lost(frame, row)}")

    def _answered(self, frame: Mapping[str, Any], end: int) -> Iterator[Step]:
        """Tell what became of the link acknowledgment of a frame, if it was lost."""
        mac = self.trace.about["mac"] or {}
        if not mac.get("acknowledges"):
            return
        until = end + mac["sifs_ns"] + mac["slot_ns"]
        answers = self.frames.filter(
            pl.col("start_ns") >= end,
            pl.col("start_ns") <= until,
            pl.col("class") == "link_ack",
            sender=frame["receiver"],
            receiver=frame["sender"],
        )
        for answer in answers.iter_rows(named=True):
            rows = self.trace.scan("receptions").filter(
                frame=answer["frame"], node=answer["receiver"]
            )
            for row in rows.collect().iter_rows(named=True):
                if row["outcome"] != "decoded":
                    name = self.name(answer["receiver"])
                    why = self.lost(answer, row)
                    yield Step(row["end_ns"], name, f"its link acknowledgment is lost: {why}")

    def lost(self, frame: Mapping[str, Any], row: Mapping[str, Any]) -> str:
        """Say why a frame was lost at a node, and how its sender hears who destroyed it."""
        sender, receiver = self.name(frame["sender"]), self.name(row["node"])
        about = self.outcomes.get(row["outcome"], row["outcome"].replace("_", " "))
        text = f"{about} at {receiver}"
        if row["other"] < 0:
            return text
        by = self.frames.row(row["other"], named=True)
        other = self.name(by["sender"])
        first = "before" if by["start_ns"] <= frame["start_ns"] else "after"
        apart = abs(by["start_ns"] - frame["start_ns"]) / 1e6
        text += (
            f"; that is frame {by['frame']} of {other} to {self.name(by['receiver'])} "
            f"({by['class'].replace('_', ' ')}), which began {apart:.3f} ms {first} it"
        )
        if self.around is None:
            return text
        moment = self.around.moment(frame["start_ns"])
        relation = self.around.relation(frame["sender"], by["sender"], row["node"], moment)
        said = HEARS[relation].format(sender=sender, other=other, receiver=receiver)
        mine, its = (
            self.around.moments[moment].get((node, row["node"]))
            for node in (frame["sender"], by["sender"])
        )
        ratio = ""
        if mine is not None and its is not None and its.power_w > 0:
            rules = self.around.rules
            ratio = (
                f"; its signal there is {mine.power_w / its.power_w:.1f} times as strong, and "
                f"{rules.over_later:.3g} times is enough for the first of two"
            )
            if rules.over_earlier < math.inf:
                ratio += f", {rules.over_earlier:.3g} times for the second"
            if rules.adds_up:
                ratio += "; what overlaps adds up"
        return f"{text}; {said}{ratio}"

    def loss(self, number: int) -> list[Step]:
        """Tell why the frame of this number was lost, wherever it was for."""
        if not 0 <= number < self.frames.height:
            raise TraceError(
                f"there is no frame {number}; the trace has frames 0 to {self.frames.height - 1}"
            )
        frame = self.frames.row(number, named=True)
        rows = self.trace.scan("receptions").filter(
            ~pl.col("outcome").is_in(["decoded", "overheard"]), frame=number
        )
        if frame["receiver"] >= 0:
            rows = rows.filter(node=frame["receiver"])
        found = rows.collect()
        if found.is_empty():
            raise TraceError(
                f"frame {number} was not lost where it was for; lost frames stand in the table "
                "receptions of the trace"
            )
        sender, receiver = self.name(frame["sender"]), self.name(frame["receiver"])
        begun = f"{sender} sends frame {number} ({frame['class'].replace('_', ' ')}) to {receiver}"
        if frame["packet"] >= 0:
            begun += f", with packet {frame['packet']} of the flow {self.flows[frame['flow']]}"
        steps = [Step(frame["start_ns"], sender, begun)]
        for row in found.iter_rows(named=True):
            words = f"it is lost: {self.lost(frame, row)}"
            steps.append(Step(row["end_ns"], self.name(row["node"]), words))
        return steps

    def _end(self, flow: int, packet: int, happened: pl.DataFrame, drops: pl.DataFrame) -> Step:
        offered = happened.filter(event="offer")["time_ns"].to_list()
        got = happened.filter(event="deliver")
        sent = self.frames.filter(pl.col("class") == "data", flow=flow, packet=packet).height
        about = f"packet {packet} of the flow {self.flows[flow]}"
        frames = f"{sent} frame{'' if sent == 1 else 's'}"
        if got.height:
            time, node = got.select("time_ns", "node").row(0)
            took = f" after {(time - offered[0]) / 1e6:.1f} ms" if offered else ""
            return Step(time, self.name(node), f"in all: {about} arrived{took}, in {frames}")
        if drops.height:
            time, node, cause = drops.select("time_ns", "node", "cause").row(-1)
            words = f"in all: {about} was lost in {frames}: {cause.replace('_', ' ')}"
            return Step(time, self.name(node), words)
        end = self.trace.about["duration_ns"]
        return Step(end, "", f"in all: {about} is still on its way at the end, in {frames}")


def packet_life(trace: Trace, flow: int | str, packet: int) -> list[Step]:
    """Return the life of a packet, of a flow by number or name; raises `TraceError` without it."""
    story = Story(trace)
    return story.life(story.flow(str(flow)), packet)


def frame_loss(trace: Trace, frame: int) -> list[Step]:
    """Return why a frame was lost; raises `TraceError` if it was not."""
    return Story(trace).loss(frame)


def packet_at(trace: Trace, flow: int | str, at_s: float) -> list[Step]:
    """Return the life of the packet of a flow that was on the air last at a time in s."""
    story = Story(trace)
    number = story.flow(str(flow))
    return story.life(number, story.at(number, at_s))

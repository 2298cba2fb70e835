"""Read the trace files that the ns-2 reference scripts write (old CMU trace format)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

CONTROL_FRAMES = ("RTS", "CTS", "ACK", "ARP", "message")


@dataclass
class Counters:
    """Drop records inside the measurement window, summed over all nodes."""

    mac_ret_data: int = 0
    mac_col: int = 0
    mac_col_rts: int = 0
    mac_col_cts: int = 0
    mac_col_data: int = 0
    mac_col_ack: int = 0
    ifq_full: int = 0
    rtr_cbk: int = 0

    def add_drop(self, layer: str, reason: str, kind: str) -> None:
        """Count one drop record."""
        control = kind in CONTROL_FRAMES
        if layer == "MAC" and reason == "COL":
            self.mac_col += 1
            name = f"mac_col_{kind.lower() if control else 'data'}"
            if hasattr(self, name):
                setattr(self, name, getattr(self, name) + 1)
        elif layer == "MAC" and reason == "RET" and not control:
            self.mac_ret_data += 1
        elif layer == "IFQ" and reason == "---":
            self.ifq_full += 1
        elif layer == "RTR" and reason == "CBK":
            self.rtr_cbk += 1


@dataclass
class FirstSend:
    """When each packet of one source went on the air for the first time.

    An RTS carries no packet number.  The RTS frames since the last data frame belong to the
    next data frame, unless the packet was given up in between.
    """

    rts: float | None = None
    start: dict[str, float] = field(default_factory=dict)

    def on_rts(self, now: float) -> None:
        """Note an RTS of the source."""
        if self.rts is None:
            self.rts = now

    def on_data(self, now: float, uid: str) -> None:
        """Note a data frame of the source."""
        self.start.setdefault(uid, now if self.rts is None else self.rts)
        self.rts = None


@dataclass
class TraceSummary:
    """What one run's trace says about the measurement window."""

    counters: Counters
    delays: list[float]
    net_delays: list[float]


def summarise(lines: Iterable[str], begin: float, end: float) -> TraceSummary:
    """Summarise a trace; delays are those of the packets that arrived in [begin, end]."""
    counters = Counters()
    sent: dict[str, float] = {}
    first: dict[str, FirstSend] = {}
    delays: list[float] = []
    net_delays: list[float] = []
    for line in lines:
        word = line.split()
        if len(word) < 7 or word[0] not in ("s", "r", "D"):
            continue
        event, now, node, layer, reason, uid, kind = word[0], float(word[1]), *word[2:7]
        if event == "D":
            if layer == "MAC" and reason == "RET" and node in first:
                first[node].rts = None
            if begin <= now <= end:
                counters.add_drop(layer, reason, kind)
        elif layer == "AGT" and event == "s":
            sent[uid] = now
        elif layer == "AGT" and begin <= now <= end:
            delays.append(now - sent[uid])
            source = first.get("_" + word[13].lstrip("[").split(":")[0] + "_")
            if source is not None and uid in source.start:
                net_delays.append(now - source.start[uid])
        elif layer == "MAC" and event == "s":
            if kind == "RTS":
                first.setdefault(node, FirstSend()).on_rts(now)
            elif kind not in CONTROL_FRAMES:
                first.setdefault(node, FirstSend()).on_data(now, uid)
    return TraceSummary(counters, delays, net_delays)

"""Datagrams at a rate that follows the destination's reports. A transport of its own.

Packets are numbered. The destination reports in intervals how many have come, and up to which
number. The source sends faster by a step if nearly all did, and slower by a share if not.

multihop --with reports.py run chain.toml --set scheme.name=reports
"""

import math
import struct
from datetime import timedelta

from multihop import prototype

# How many packets may be missing in an interval, at most, for the rate to rise.
TOLERATED = 0.02


class Source(prototype.Datagram):
    """Sends one packet after another, so many in a second."""

    def __init__(self, params, flow):
        super().__init__(params, flow)
        self.rate = params["first_rate"]
        self.number = 0
        self.next_s = 0.0

    def poll_send(self, context):
        if context.now_s < self.next_s:
            self.deadline_s = self.next_s
            return None
        packet = super().poll_send(context)
        if packet is not None:
            packet.transport_header = struct.pack(">I", self.number)
            self.number += 1
            self.next_s = context.now_s + 1 / self.rate
        return packet

    def on_packet(self, context, packet):
        expected, come = struct.unpack(">II", packet.transport_header)
        if come < expected * (1 - TOLERATED):
            self.rate = max(self.rate * 0.85, 1.0)
        else:
            self.rate += 0.5


class Destination(prototype.Transport):
    """Delivers, and reports."""

    def __init__(self, params, flow):
        super().__init__(params, flow)
        self.interval_s = params["interval"]
        self.expected = self.come = self.highest = 0
        self.last = None
        self.report = None

    def on_packet(self, context, packet):
        (number,) = struct.unpack(">I", packet.transport_header)
        self.come += 1
        self.expected += max(number + 1 - self.highest, 0)
        self.highest = max(self.highest, number + 1)
        self.last = packet
        if self.deadline_s == math.inf:
            self.deadline_s = context.now_s + self.interval_s
        context.deliver(packet)

    def on_deadline(self, context):
        self.deadline_s = math.inf
        self.report = self.last.answer()
        self.report.transport_header = struct.pack(">II", self.expected, self.come)
        self.expected = self.come = 0

    def poll_send(self, context):
        report, self.report = self.report, None
        return report


prototype.register(
    prototype.Scheme(
        "reports",
        source=Source,
        destination=Destination,
        params=[
            prototype.Param("first_rate", 5.0, "packets per second at first", "1/s", 0.1, 1e6),
            prototype.Param("interval", timedelta(seconds=1), "from one report to the next"),
        ],
        title="Rates by reports",
        color="#17becf",
        marker="P",
    )
)

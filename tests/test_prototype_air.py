"""Schemes in Python that hand packets on without acknowledgments of the link, or to everyone."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from multihop import prototype, run
from multihop.prototype import Context, Packet, Params, Received, Request, Sent
from multihop.results.columns import LOSSES
from tests.prototypes import forgotten, registered, scenario

pytestmark = pytest.mark.engine

__all__ = ["forgotten"]

SPARSE: dict[str, Any] = {
    "topology": {"kind": "chain", "hops": 4},
    "traffic": {"load": "10 kbit/s", "start": "0 s", "stop": "8 s"},
}


class Flood(prototype.Fifo):
    """Every node sends each packet once, to everyone."""

    def __init__(self, params: Params) -> None:
        super().__init__(params)
        self.had: set[bytes] = set()
        self.count = 0

    def on_enqueue(self, context: Context, packet: Packet, to: int) -> None:
        if packet.hop_header is None:
            packet.hop_header = bytes((context.node, self.count % 256))
            self.count += 1
            self.had.add(packet.hop_header)
        super().on_enqueue(context, packet, to)

    def on_heard(self, context: Context, frame: Received) -> bool | str:
        header = frame.packet.hop_header
        assert header is not None
        if frame.heard != "broadcast" or header in self.had:
            return False
        self.had.add(header)
        return True

    def poll_transmit(self, context: Context) -> Request | None:
        if self.sending or not self.waiting:
            return None
        self.sending = True
        packet, _ = self.waiting.popleft()
        return Request(packet, None)

    def on_tx_done(self, context: Context, frame: Sent) -> Packet | int | None:
        self.sending = False
        context.release(frame.packet)
        return None


def counted(name: str) -> dict[str, int]:
    """Return the counts of the flow, and check them against what applications got."""
    result = run(scenario(name, SPARSE), events=True)
    flow = result.flows.row(0, named=True)
    got = result.tables["events"].filter(pl.col("event") == "deliver")
    assert got["packet"].n_unique() == flow["run_delivered"]
    assert got.height - got["packet"].n_unique() == flow["run_duplicates"]
    lost = sum(flow.get(column, 0) for column in LOSSES)
    assert flow["run_offered"] == flow["run_delivered"] + lost + flow["run_inside"]
    return flow


def test_what_is_handed_on_without_acknowledgment_is_delivered() -> None:
    flow = counted(registered(hop=prototype.Fifo, mac="csma"))
    assert flow["run_offered"] > 15
    assert flow["run_delivered"] == flow["run_offered"]
    assert flow["lost_duplicate"] == flow["lost_not_received"] == 0


@pytest.mark.parametrize("mac", ["csma", "dcf"])
def test_a_flood_reaches_the_destination(mac: str) -> None:
    flow = counted(registered(hop=Flood, mac=mac))
    assert flow["run_delivered"] > flow["run_offered"] / 2
    assert flow["run_inside"] == 0
    assert flow["lost_duplicate"] == 0


def test_a_packet_that_is_let_go_before_it_is_sent_is_on_its_way() -> None:
    class Careless(prototype.Fifo):
        def poll_transmit(self, context: Context) -> Request | None:
            if not self.waiting:
                return None
            packet, to = self.waiting.popleft()
            context.release(packet)
            return Request(packet, to)

        def on_tx_done(self, context: Context, frame: Sent) -> Packet | int | None:
            return None

    for mac in ("csma", "dcf"):
        flow = counted(registered(hop=Careless, mac=mac))
        assert flow["run_delivered"] == flow["run_offered"]


def test_a_frame_contends_from_a_later_slot_on() -> None:
    services: dict[int, list[float]] = {0: [], 20: []}

    class Later(Flood):
        first: int

        def poll_transmit(self, context: Context) -> Request | None:
            if self.sending or not self.waiting:
                return None
            self.sending = True
            packet, _ = self.waiting.popleft()
            with pytest.raises(ValueError, match="first and attempts go with cw_min; give it, too"):
                Request(packet, None, first=self.first)
            return Request(packet, None, cw_min=1, first=self.first)

        def on_tx_done(self, context: Context, frame: Sent) -> Packet | int | None:
            services[self.first].append(frame.service_s)
            return super().on_tx_done(context, frame)

    for first in services:
        kept = type(f"Later{first}", (Later,), {"first": first})
        run(scenario(registered(hop=kept, mac="csma"), SPARSE))
    soon, later = (min(times) for times in services.values())
    # Twenty slots of 20 us.
    assert later - soon == pytest.approx(20 * 20e-6, abs=1e-6)


def test_a_packet_that_no_node_takes_is_not_received() -> None:
    class Deaf(prototype.Fifo):
        def on_heard(self, context: Context, frame: Received) -> bool | str:
            return context.node != 2 and super().on_heard(context, frame)

    flow = counted(registered(hop=Deaf, mac="csma"))
    assert flow["lost_not_received"] == flow["run_offered"] > 0


def test_a_frame_for_another_node_is_not_taken() -> None:
    class Greedy(prototype.Fifo):
        promiscuous = True

        def on_heard(self, context: Context, frame: Received) -> bool | str:
            return True

    with pytest.raises(ValueError, match=r"returns False for a frame that was for another node"):
        run(scenario(registered(hop=Greedy)))


def test_a_scheme_without_acknowledgments_passes_the_check(tmp_path: Path) -> None:
    rows = prototype.check(registered(hop=prototype.Fifo, mac="csma"))
    assert [row for row in rows if not row.ok] == []


class Silent(Flood):
    """Only the nodes with even numbers pass a packet on."""

    def on_heard(self, context: Context, frame: Received) -> bool | str:
        taken = super().on_heard(context, frame)
        return "deliver" if taken and context.node % 2 else taken


@pytest.mark.parametrize(("hop", "reached"), [(Flood, 4), (Silent, 1)])
def test_a_packet_for_everyone_is_delivered_and_goes_on_or_not(
    hop: type[Flood], reached: int
) -> None:
    name = registered(base="flooding", hop=hop)
    slow = SPARSE["traffic"] | {"load": "2 kbit/s"}
    everyone = {"flow": [{"from": "n0", "to": "everyone"}], "traffic": slow}
    messages = run(scenario(name, SPARSE | everyone)).messages
    assert messages["reached"].unique().to_list() == [reached]
    assert messages["frames"].unique().to_list() == [5 if reached == 4 else 1]

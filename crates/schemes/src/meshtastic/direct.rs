//! Direct messages: their acknowledgments, and what those say of the way (`ReliableRouter.cpp`, `NextHopRouter.cpp`).

use multihop_core::{Cx, EventKind, Packet, Payload, Rx};

use super::firmware::Priority;
use super::header::{Acknowledgment, Header, ROUTING, last_byte};
use super::hop::Meshtastic;
use super::queue::Turn;
use super::words::NEXT_HOP;

impl Meshtastic {
    /// An acknowledgment was heard: it shows a next hop, and nobody need send on what it acknowledges (`sniffReceived`).
    pub(super) fn hear_acknowledgment(
        &mut self,
        cx: &mut Cx,
        rx: &Rx,
        (header, request): (&Header, u32),
    ) {
        let flow = rx.packet.flow;
        let acknowledged = (flow.destination, request);
        let relayers = self.history.relayers(acknowledged, header.relay);
        let there_and_back = relayers.own && relayers.other || header.is_direct() && relayers.alone;
        if self.settings.next_hops
            && there_and_back
            && self.nodes.learn(flow.source, header.relay, cx.now)
        {
            cx.trace(&NEXT_HOP, flow, header.id, rx.packet.tag);
        }
        if flow.destination != cx.me {
            self.cancel(cx, acknowledged);
            self.stop(cx, acknowledged);
            return;
        }
        self.nodes.succeed(flow.source, cx.now);
        if self.stop(cx, acknowledged) {
            cx.trace(EventKind::ExplicitAcknowledgment, flow, request, rx.packet.tag);
        }
    }

    /// A direct message has come that asks for an acknowledgment. Of an acknowledgment that asks for one itself, only a
    /// neighbour is told.
    pub(super) fn acknowledge(
        &mut self,
        cx: &mut Cx,
        rx: &Rx,
        (header, request): (&Header, Option<u32>),
    ) {
        if request.is_none() {
            let hop_limit = self.hops_back(header);
            self.answer(cx, rx, (header.id, hop_limit), true);
        } else if header.is_direct() || header.next_hop != 0 {
            self.acknowledge_to_neighbour(cx, rx, header);
        }
    }

    /// It goes no farther than to a neighbour, and is not acknowledged.
    pub(super) fn acknowledge_to_neighbour(&mut self, cx: &mut Cx, rx: &Rx, header: &Header) {
        self.answer(cx, rx, (header.id, 0), false);
    }

    /// The hop limit of what goes back to where a packet comes from (`getHopLimitForResponse`): two more hops than it has
    /// taken, up to the node's own limit, but as many as it has taken in any case.
    fn hops_back(&self, header: &Header) -> u8 {
        let taken = header.hop_start.saturating_sub(header.hop_limit);
        taken.max(self.settings.hop_limit.min(taken + 2))
    }

    fn answer(&mut self, cx: &mut Cx, rx: &Rx, (request, hop_limit): (u32, u8), want_ack: bool) {
        let flow = rx.packet.flow.reverse();
        let mut packet = Packet::new(flow, Payload::Virtual(0), rx.packet.tag.control());
        packet.headers.set(ROUTING, &Acknowledgment { request }.emit());
        let mut header = self.number(cx);
        (header.hop_limit, header.hop_start, header.want_ack) = (hop_limit, hop_limit, want_ack);
        header.relay = last_byte(cx.me);
        header.next_hop = self.next_hop(cx, flow.destination);
        cx.copy(packet.tag);
        let turn = Turn::own((cx.me, header.id), Priority::Ack, hop_limit);
        let attempts = match (want_ack, header.next_hop) {
            (true, _) => self.settings.attempts[1],
            (false, next) if next != 0 && hop_limit > 0 => self.settings.relay_attempts,
            (false, _) => 1,
        };
        self.hand_over(cx, packet, (header, turn), attempts);
    }
}

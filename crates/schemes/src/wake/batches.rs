//! Which packets share a frame, and which of them the MAC has finished with.

use multihop_core::{Bytes, FlowId, NodeId, Packet, Time};

use super::flow::Below;
use super::header::{HEADER_LEN, Header};
use super::state::Wake;
use crate::parts::batch;

impl Wake {
    /// What is known of the packet, with which the MAC has finished.
    pub(super) fn take_below(&mut self, packet: &Packet) -> Option<Below> {
        if self.below.len() <= 1 {
            return self.below.pop();
        }
        let sequence = Header::of(packet).ok()?.sequence;
        let is = |below: &Below| (below.flow, below.sequence) == (packet.flow, sequence);
        let at = self.below.iter().position(is)?;
        Some(self.below.remove(at))
    }

    /// The flow whose head goes with what the MAC is about to send to `to`, if it is no longer than `room`. Rules hold for it
    /// as for any; and what is repeated takes no more once another flow may go.
    pub(super) fn joining(&self, now: Time, to: NodeId, room: Bytes) -> Option<FlowId> {
        let id = self.below.first()?.flow;
        if self.below.len() >= self.settings.batch || self.coding.below.is_some() {
            return None;
        }
        let flow = &self.flows[self.position(id).ok()?];
        let head = flow.packets.front()?;
        let has_header = Header::of(&head.packet).is_ok();
        let may_go = head.next == to && self.eligible(flow) <= now;
        if !may_go || !batch::fits(&head.packet, has_header, HEADER_LEN, room) {
            return None;
        }
        let waits = |other| other != id && self.may_go(now, other);
        let others = || self.flows.iter().map(|flow| flow.id).any(waits);
        (!self.exchange.is_repeated() || !others()).then_some(id)
    }
}

//! The packets that the MAC has: one, or those of a batch, which is one exchange.
//!
//! A MAC reports the packets of a batch one by one, those that arrived as those that it gives up; it repeats the rest, with
//! others that have joined. The rules count each of these exchanges once.

use multihop_core::{Bytes, FlowId, NodeId, Packet, Time};

use super::flow::Below;
use super::header::{HEADER_LEN, Header};
use super::state::Wake;
use crate::parts::batch;

/// How the exchange of the packets that the MAC has gets on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Exchange {
    /// How many packets have gone to the MAC.
    taken: u64,
    /// The turn of the first of those that it has.
    pub first: u64,
    /// Whose packets they are.
    flow: Option<FlowId>,
    /// Since when the first of them that has had no exchange could have gone.
    since: Time,
    /// When a packet of them was passed on last.
    passed: Option<Time>,
    /// When a packet of them was given up last, and until when such packets pause.
    pause: Option<(Time, Time)>,
    /// Whether the packets that start with it go in a wave; `None` before the first.
    pub in_wave: Option<bool>,
}

impl Exchange {
    /// One more packet goes to the MAC: its turn.
    pub fn take(&mut self) -> u64 {
        self.taken += 1;
        self.taken
    }

    /// The MAC has had none, and gets `below`.
    pub fn begin(&mut self, below: &Below) {
        let &Below { turn, flow, since, .. } = below;
        let Exchange { taken, in_wave, .. } = *self;
        let (passed, pause) = (None, None);
        *self = Exchange { taken, first: turn, flow: Some(flow), since, passed, pause, in_wave };
    }

    /// A packet is passed on. If it is the first of its exchange, since when that could have begun.
    pub fn passed_on(&mut self, now: Time, below: &Below) -> Option<Time> {
        if self.flow != Some(below.flow) {
            return Some(below.since);
        }
        if self.passed == Some(now) {
            return None;
        }
        (self.passed, self.in_wave) = (Some(now), None);
        Some(std::mem::replace(&mut self.since, now))
    }

    /// A packet is given up. If another one of its exchange was, until when they pause.
    pub fn gave_up(&self, now: Time, below: &Below) -> Option<Time> {
        let pause = self.pause.filter(|(at, _)| *at == now && self.flow == Some(below.flow));
        pause.map(|(_, until)| until)
    }

    /// The packets of its exchange that are given up pause until then.
    pub fn pauses(&mut self, now: Time, below: &Below, until: Time) {
        if self.flow == Some(below.flow) {
            self.pause = Some((now, until));
        }
    }
}

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
        (self.exchange.passed.is_none() || !others()).then_some(id)
    }
}

//! What a node does for coding: whom a packet waits for, which heads share a frame, and what becomes of them.

use multihop_core::{
    Cx, Duration, EventKind, Failed, FlowId, Heard, NodeId, Outcome, Packet, Receiver, Rx, Time,
    TxDone, TxRequest,
};

use super::coded::{self, Part, Parts};
use super::coding::Pair;
use super::flow::{Below, Flow};
use super::state::Wake;
use super::words;

impl Wake {
    /// How much longer a packet of `flow` that has just come, to go to `next`, is held for another one that is
    /// due and could share its frame.
    pub(super) fn waits_for_partner(&self, now: Time, flow: FlowId, next: NodeId) -> Duration {
        let (wait, coding) = (self.settings.coding_wait, &self.coding);
        if !self.settings.coding || wait == Duration::ZERO {
            return Duration::ZERO;
        }
        let Some(from) = coding.may_wait(flow) else { return Duration::ZERO };
        let is_partner = |other: &Flow| {
            other.next == Some(from) && other.packets.is_empty() && !self.has_below(other.id)
        };
        let is_due = |other: &Flow| is_partner(other) && coding.is_due(now, other.id, next, wait);
        if self.flows.iter().any(is_due) { wait } else { Duration::ZERO }
    }

    /// A flow whose head can share a frame with the head of `flow`.
    pub(super) fn partner(&self, now: Time, flow: FlowId) -> Option<FlowId> {
        if !self.settings.coding {
            return None;
        }
        let head = |flow: &Flow| {
            let held = flow.packets.front().filter(|held| held.failures == 0)?;
            Some((held.next, self.coding.origin(now, &held.packet)?))
        };
        let (next, from) = head(&self.flows[self.position(flow).ok()?])?;
        let fits = |other: &&Flow| {
            let is_turned = other.packets.front().is_some_and(|held| held.next == from);
            is_turned && other.id != flow && head(other) == Some((from, next))
        };
        self.flows.iter().filter(fits).min_by_key(|other| other.served).map(|other| other.id)
    }

    /// What goes to the MAC: `packet`, which is [`Wake::below`], and with it the head of `partner`, if there is one.
    pub(super) fn request(
        &mut self,
        cx: &mut Cx,
        packet: Packet,
        below: Below,
        partner: Option<FlowId>,
    ) -> TxRequest {
        if !self.settings.coding {
            return TxRequest::new(Receiver::Node(below.next), packet);
        }
        self.coding.on_sent(cx.now, &below, &packet);
        let Some((second, also)) = partner.and_then(|partner| self.take_head(cx.now, partner))
        else {
            return TxRequest::new(Receiver::Node(below.next), packet);
        };
        let Some(both) = coded::encode([&packet, &second]) else {
            self.put_back(also, second, cx.now);
            return TxRequest::new(Receiver::Node(below.next), packet);
        };
        self.coding.on_sent(cx.now, &also, &second);
        for (one, below) in [(&packet, &below), (&second, &also)] {
            cx.trace(&words::CODED, one.flow, below.sequence.into(), one.tag);
        }
        self.coding.below = Some(Pair { packets: [packet, second], second: also });
        TxRequest::new(Receiver::Pair([below.next, also.next]), both)
    }

    /// The MAC has finished with a frame that had two packets, of which `first` is one: both are passed on or come
    /// back here.
    pub(super) fn on_pair_done(&mut self, cx: &mut Cx, done: &TxDone, first: Below, pair: Pair) {
        let Pair { packets, second } = pair;
        self.flow(second.flow).in_mac_since = None;
        let passed_on = match done.outcome {
            Outcome::Acknowledged | Outcome::Sent => [true, true],
            Outcome::FirstAcknowledged => [true, false],
            Outcome::SecondAcknowledged => [false, true],
            Outcome::Failed | Outcome::Withdrawn => [false, false],
        };
        let hop = self.hop_time(done, 2);
        for ((packet, below), passed_on) in packets.into_iter().zip([first, second]).zip(passed_on)
        {
            if passed_on {
                self.passed_on(cx, &packet, hop, below);
            } else if done.outcome == Outcome::Failed {
                // Alone, it will tell what is wrong with the link.
                let _: Option<Failed> = self.given_up(cx, packet, below);
            } else {
                self.put_back(below, packet, cx.now);
            }
        }
    }

    /// A frame with two packets was decoded.
    pub(super) fn on_coded(&mut self, cx: &mut Cx, rx: &Rx) {
        let Rx { from, packet, .. } = rx;
        let Ok(parts) = Parts::of(packet) else {
            cx.trace(EventKind::Malformed, packet.flow, 0, packet.tag);
            if rx.heard == Heard::ForMe {
                cx.decline();
            }
            return;
        };
        for Part { flow, header, .. } in &parts.0 {
            self.overhear(cx.now, *from, *flow, header);
        }
        if rx.heard != Heard::ForMe {
            return;
        }
        if let Some(packet) = self.coding.read(packet, &parts) {
            self.coding.decoded = Some(Rx { packet, ..rx.clone() });
            return;
        }
        let sequence = parts.0[0].header.sequence;
        cx.trace(&words::UNDECODABLE, packet.flow, sequence.into(), packet.tag);
        cx.decline();
    }
}

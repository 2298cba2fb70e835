//! CXCC 4.1, 4.3, 5.2: timeouts, retransmissions, duplicates, ACK, RFA and NACK.

use multihop_core::{Cx, DropCause, EventKind, FlowId, NodeId, Packet, Rx, Time};

use super::header::{Header, Kind};
use super::memory::Whereabouts;
use super::state::{Answer, Cxcc, Forwarded, ForwardedState, Queued};

/// How many answers wait at most.
pub(super) const MOST_ANSWERS: usize = 256;

impl Cxcc {
    /// 4.3: "an elapsing packet retransmission timeout does not imply an immediate
    /// retransmission. It just *allows* the retransmission".
    pub(super) fn permit_retransmissions(&mut self, cx: &mut Cx) {
        for queue in &mut self.queues {
            let Some(Forwarded { queued, standing, .. }) = &mut queue.forwarded else { continue };
            let ForwardedState::Blocked(timer) = standing else { continue };
            if timer.has_run_out(cx) {
                *standing = ForwardedState::Repeat(self.settings.after_timeout(&queued.packet));
                cx.trace(EventKind::Timeout, queue.flow, queued.header.sequence, queued.packet.tag);
            }
        }
    }

    /// When the next timeout has to be looked at.
    pub(super) fn next_timeout(&self) -> Time {
        let timers = self.queues.iter().filter_map(|queue| match &queue.forwarded {
            Some(Forwarded { standing: ForwardedState::Blocked(timer), .. }) => Some(timer.look_at),
            _ => None,
        });
        timers.min().unwrap_or(Time::NEVER)
    }

    /// Routing has no way for a packet that was accepted. Nobody upstream need wait for it any more: silence would hold
    /// its flow up for as long as duplicates are remembered, and meanwhile routes upstream expire.
    pub(super) fn drop_unroutable(&mut self, cx: &mut Cx, packet: Packet) {
        let forget_at = cx.now + self.settings.duplicate_memory;
        if let Ok(Header { sequence, .. }) = Header::of(&packet) {
            self.memory.moved(packet.flow, sequence, Whereabouts::PassedOn, forget_at);
            self.echoes.pass_on(packet.flow, sequence);
        }
        cx.drop(packet, DropCause::NoRoute);
    }

    /// Routing has lost the neighbour `lost`, or the routes through it: what waits for it is
    /// routing's again, as in the queues of other schemes, and nobody upstream need wait for it any
    /// more. A neighbour that has restarted and forwards nothing would be asked for ever.
    pub(super) fn give_back(&mut self, cx: &mut Cx, lost: NodeId) -> Vec<Packet> {
        let mut packets = Vec::new();
        let forget_at = cx.now + self.settings.duplicate_memory;
        for queue in &mut self.queues {
            let forwarded = queue.forwarded.take_if(|forwarded| forwarded.queued.next == lost);
            let waiting = queue.waiting.take_if(|queued| queued.next == lost);
            let forwarded = forwarded.map(|forwarded| forwarded.queued);
            for Queued { packet, header, .. } in forwarded.into_iter().chain(waiting) {
                let sequence = header.sequence;
                self.memory.moved(queue.flow, sequence, Whereabouts::PassedOn, forget_at);
                match &mut self.below {
                    Some(below) if below.is_packet(queue.flow, sequence) => below.make_needless(cx),
                    _ => {}
                }
                packets.push(packet);
            }
        }
        self.queues.retain(|queue| queue.forwarded.is_some() || queue.waiting.is_some());
        packets
    }

    /// 4.1: "a node sends an explicit acknowledgment when it receives a duplicate of a packet it
    /// has already forwarded and for which it has already received an (implicit or explicit)
    /// acknowledgment. If these conditions do not apply it silently ignores the duplicate."
    pub(super) fn on_duplicate(
        &mut self,
        cx: &mut Cx,
        rx: &Rx,
        header: Header,
        whereabouts: Whereabouts,
    ) {
        self.echoes.repeat(rx.packet.flow, header.sequence);
        match whereabouts {
            Whereabouts::PassedOn => self.answer(cx, answer_to(rx, Kind::Ack, header.sequence)),
            Whereabouts::Held | Whereabouts::Accepted => {
                let Packet { flow, tag, .. } = rx.packet;
                cx.trace(EventKind::DuplicateIgnored, flow, header.sequence, tag);
            }
        }
    }

    /// 5.2: the reactions to an RFA: a NACK if the packet is unknown (figure 5 b), an ACK if it
    /// has been passed on (c), nothing while it is here (d).
    pub(super) fn on_rfa(&mut self, cx: &mut Cx, rx: &Rx, header: Header) {
        let flow = rx.packet.flow;
        let forget_at = cx.now + self.settings.duplicate_memory;
        match self.memory.recall(flow, header.sequence, forget_at) {
            Some(whereabouts) => self.on_duplicate(cx, rx, header, whereabouts),
            None if self.can_take(cx.me, flow) => {
                self.answer(cx, answer_to(rx, Kind::Nack, header.sequence));
            }
            // Deviation: no NACK for a packet that would be refused for want of space.
            None => {}
        }
    }

    /// An explicit acknowledgment for this node.
    pub(super) fn on_ack(&mut self, cx: &mut Cx, rx: &Rx, header: Header) {
        if let Some(at) = self.is_about(rx, header) {
            self.acknowledge(cx, at, EventKind::ExplicitAcknowledgment);
        }
    }

    /// 5.2: the packet has not reached the next hop; "a retransmission including the payload is
    /// necessary, and should happen as soon as possible".
    pub(super) fn on_nack(&mut self, cx: &mut Cx, rx: &Rx, header: Header) {
        let Some(at) = self.is_about(rx, header) else { return };
        let queue = &mut self.queues[at];
        let Some(Forwarded { queued, standing, repetitions, since }) = &mut queue.forwarded else {
            return;
        };
        *standing = ForwardedState::Repeat(Kind::Data);
        (*repetitions, *since) = (0, cx.now);
        let (flow, sequence) = (queue.flow, queued.header.sequence);
        cx.trace(EventKind::NegativeAcknowledgment, flow, sequence, queued.packet.tag);
        match &mut self.below {
            Some(below) if below.header.kind == Kind::Rfa && below.is_packet(flow, sequence) => {
                below.make_needless(cx);
            }
            _ => {}
        }
    }

    /// The queue whose forwarded packet this answer is about, if it comes from the next hop.
    fn is_about(&self, rx: &Rx, header: Header) -> Option<usize> {
        let at = self.position(rx.packet.flow).ok()?;
        let Forwarded { queued, .. } = self.queues[at].forwarded.as_ref()?;
        (queued.next == rx.from && queued.header.sequence == header.sequence).then_some(at)
    }

    /// 3.2: "the destination node therefore needs to send an explicit acknowledgment. By
    /// delaying this acknowledgment if the packet cannot be immediately passed up the protocol
    /// stack, an integration with flow control is possible".
    pub(super) fn consumed(&mut self, cx: &mut Cx, packet: &Packet, from: NodeId) {
        let Packet { flow, tag, .. } = *packet;
        let Ok(header) = Header::of(packet) else {
            return cx.trace(EventKind::Malformed, flow, 0, tag);
        };
        let sequence = header.sequence;
        let forget_at = cx.now + self.settings.duplicate_memory;
        self.memory.moved(flow, sequence, Whereabouts::PassedOn, forget_at);
        self.echoes.note(flow, sequence, true);
        let header = Header { kind: Kind::Ack, payload_len: 0, sequence };
        self.answer(cx, Answer { flow, to: from, header, tag });
    }

    /// Let `answer` wait for its turn. It goes before data (4.2), and replaces an older one to
    /// the same neighbour about the same flow, which that neighbour needs no more.
    fn answer(&mut self, cx: &mut Cx, answer: Answer) {
        let Answer { flow, to, header, .. } = answer;
        if let Some(below) = &mut self.below {
            if !below.is_answer() {
                below.make_yield(cx);
            } else if below.is_answer_to(flow, to) {
                if below.header == header {
                    return;
                }
                below.make_needless(cx);
            }
        }
        let room = self.answers.len() < MOST_ANSWERS;
        match self.answers.iter_mut().find(|older| older.flow == flow && older.to == to) {
            Some(older) => *older = answer,
            None if room => self.answers.push_back(answer),
            // The neighbour will ask again.
            None => {}
        }
    }

    /// The neighbour `to` needs no answer about `flow` any more.
    pub(super) fn cancel_answer(&mut self, cx: &mut Cx, flow: FlowId, to: NodeId) {
        self.answers.retain(|answer| answer.flow != flow || answer.to != to);
        match &mut self.below {
            Some(below) if below.is_answer_to(flow, to) => below.make_needless(cx),
            _ => {}
        }
    }
}

pub(super) fn answer_to(rx: &Rx, kind: Kind, sequence: u32) -> Answer {
    let header = Header { kind, payload_len: 0, sequence };
    Answer { flow: rx.packet.flow, to: rx.from, header, tag: rx.packet.tag }
}

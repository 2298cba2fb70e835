//! The hop protocol of one node: it hands what happens to the mechanism that deals with it.

use multihop_core::{
    Cx, EventKind, Failed, FlowId, FrameClass, Heard, Hop, NodeId, Outcome, Packet, Rx, Time,
    TxDone, TxRequest, Verdict,
};

use super::below::{Attempt, Below, Withdrawal};
use super::header::{HEADER_LEN, Header, Kind};
use super::settings::Clock;
use super::state::{Answer, Cxcc, Queue};
use super::words;

impl Cxcc {
    /// The MAC gave the frame back before it was on the air.
    fn withdrawn(&mut self, cx: &mut Cx, below: &Below, packet: &Packet) {
        let Below { flow, header, to, .. } = *below;
        if below.withdrawal == Withdrawal::Needless {
            cx.trace(&words::WITHDRAWN, flow, header.sequence, packet.tag);
        } else if below.is_answer() && !self.answers.iter().any(|a| a.flow == flow && a.to == to) {
            self.answers.push_front(Answer { flow, to, header, tag: packet.tag });
        }
        // A packet or an RFA is still offered by its queue.
    }
}

impl Hop for Cxcc {
    fn admits(&self, flow: FlowId) -> bool {
        self.has_space(flow)
    }

    fn watches_air(&self) -> bool {
        matches!(self.settings.clock, Clock::Overhearing)
    }

    fn on_enqueue(&mut self, cx: &mut Cx, packet: Packet, next: NodeId) {
        self.enqueue(cx, packet, next);
    }

    fn on_unroutable(&mut self, cx: &mut Cx, packet: Packet) {
        self.drop_unroutable(cx, packet);
    }

    fn on_heard(&mut self, cx: &mut Cx, rx: &Rx) -> Verdict {
        self.probing.on_heard(rx.from);
        let Ok(header) = Header::of(&rx.packet) else {
            cx.trace(EventKind::Malformed, rx.packet.flow, 0, rx.packet.tag);
            return Verdict::Done;
        };
        if self.echoes.are_on() {
            self.hear_echoes(cx, rx);
        }
        match (rx.heard, header.kind) {
            (Heard::ForMe, Kind::Data) => return self.on_data(cx, rx, header),
            (Heard::ForMe, Kind::Rfa) => self.on_rfa(cx, rx, header),
            (Heard::ForMe, Kind::Ack) => self.on_ack(cx, rx, header),
            (Heard::ForMe, Kind::Nack) => self.on_nack(cx, rx, header),
            (_, Kind::Data | Kind::Rfa) => self.on_overheard(cx, rx, header),
            (_, Kind::Ack | Kind::Nack) => {}
        }
        Verdict::Done
    }

    fn on_consumed(&mut self, cx: &mut Cx, packet: &Packet, from: NodeId) {
        self.consumed(cx, packet, from);
    }

    fn on_tx_done(&mut self, cx: &mut Cx, done: &TxDone) -> Option<Failed> {
        let header = Header::of(&done.packet);
        let ours = |below: &mut Below| below.flow == done.packet.flow && header == Ok(below.header);
        let below = self.below.take_if(ours)?;
        if done.outcome == Outcome::Withdrawn {
            self.withdrawn(cx, &below, &done.packet);
            return None;
        }
        if self.echoes.are_on() {
            self.sent_echoes(&below, &done.packet);
        }
        if below.attempt == Attempt::Repeated {
            let Below { flow, header, .. } = below;
            cx.trace(EventKind::Retransmission, flow, header.sequence, done.packet.tag);
        }
        if !below.is_answer() {
            self.block(cx, &below);
        }
        None
    }

    fn on_neighbour_lost(&mut self, cx: &mut Cx, next: NodeId) -> Vec<Packet> {
        self.give_back(cx, next)
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        self.permit_retransmissions(cx);
        self.memory.forget(cx.now);
        if self.opens <= cx.now {
            self.opens = Time::NEVER;
        }
    }

    fn deadline(&self) -> Time {
        self.next_timeout().min(self.memory.deadline()).min(self.opens)
    }

    fn poll_transmit(&mut self, cx: &mut Cx) -> Option<TxRequest> {
        self.next_frame(cx)
    }

    fn backlog(&self) -> usize {
        let packets = |queue: &Queue| {
            usize::from(queue.forwarded.is_some()) + usize::from(queue.waiting.is_some())
        };
        self.queues.iter().map(packets).sum()
    }

    fn footprint(&self) -> usize {
        self.backlog()
            + self.queues.len()
            + self.memory.len()
            + self.answers.len()
            + self.echoes.len()
            + self.spacing.len()
            + self.probing.len()
    }

    fn frame_class(&self, packet: &Packet) -> FrameClass {
        Header::of(packet).map_or(FrameClass::Control, |header| header.kind.class())
    }

    fn header_len(&self) -> usize {
        HEADER_LEN + self.echoes.most_bytes()
    }
}

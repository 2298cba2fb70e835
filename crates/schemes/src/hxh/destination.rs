//! HxH 3.4: the transport at a flow's destination.

use std::collections::{BTreeMap, VecDeque};

use multihop_core::{
    Cx, DropCause, EventKind, FlowId, Message, Packet, Payload, Tag, Time, Transport,
};

use super::explicit::RateLimit;
use super::header::{Header, Kind, Range};
use super::negative::{Gaps, Missing};
use super::{Feedback, Settings};

/// How many acknowledgments wait while the scheduling layer admits none.
const MOST_WAITING: usize = 64;

/// The receiving end of a flow. The application gets every packet once and in order.
pub struct Destination {
    flow: FlowId,
    settings: Settings,
    /// The packet that comes next in order: the ACK value.
    expected: u32,
    /// Packets behind a gap.
    held: BTreeMap<u32, Packet>,
    gaps: Gaps,
    missing: Missing,
    requests: RateLimit,
    /// The tag of what goes upstream.
    tag: Tag,
    waiting: VecDeque<Packet>,
}

impl Destination {
    /// The destination of `flow`.
    pub(super) fn new(settings: Settings, flow: FlowId) -> Self {
        Destination {
            flow,
            settings,
            expected: 0,
            held: BTreeMap::new(),
            gaps: Gaps::DESTINATION,
            missing: Missing::new(settings.nack_timeout),
            requests: RateLimit::new(settings.ack_interval),
            tag: Tag::NONE,
            waiting: VecDeque::new(),
        }
    }

    /// Deliver what is in order now.
    fn take(&mut self, cx: &mut Cx, sequence: u32, packet: Packet) {
        if sequence < self.expected || self.held.contains_key(&sequence) {
            return cx.drop(packet, DropCause::Duplicate);
        }
        self.missing.on_arrival(cx.now, sequence);
        self.held.insert(sequence, packet);
        while let Some(next) = self.held.remove(&self.expected) {
            self.expected += 1;
            cx.deliver(next);
        }
    }

    fn send(&mut self, header: Header, tag: Tag) {
        let mut packet = Packet::new(self.flow.reverse(), Payload::Virtual(0), tag);
        Header { ack: self.expected, ..header }.write(&mut packet, self.settings.header);
        self.waiting.truncate(MOST_WAITING - 1);
        self.waiting.push_back(packet);
    }

    fn nack(&mut self, range: Range) {
        self.send(Header { range: Some(range), ..Header::new(Kind::Nack, 0) }, self.tag);
    }

    /// The header of a packet of the flow that lies in the window. The second to last node takes
    /// what the MAC has delivered for received, so nothing within the source's window may be
    /// refused here.
    fn readable(&self, packet: &Packet) -> Option<Header> {
        let header = Header::of(packet).ok()?;
        let window = self.expected.saturating_add(self.settings.window_limit);
        (header.kind == Kind::Data && header.sequence < window).then_some(header)
    }
}

impl Transport for Destination {
    fn wants_message(&self, _room: bool) -> bool {
        false
    }

    fn on_message(&mut self, cx: &mut Cx, message: Message) {
        cx.refuse(self.flow, message);
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        let Some(header) = self.readable(&packet) else {
            cx.trace(EventKind::Malformed, self.flow, 0, packet.tag);
            return cx.drop(packet, DropCause::Malformed);
        };
        self.tag = packet.tag.control();
        self.take(cx, header.sequence, packet);
        if let Some((missing, fresh)) = self.gaps.on_data(&header, self.expected) {
            self.missing.add(cx.now, missing);
            for range in fresh {
                self.nack(range);
            }
        }
        match self.settings.feedback {
            Feedback::Explicit => self.send(Header::new(Kind::Ack, 0), self.tag),
            Feedback::Passive if header.asks => self.requests.ask(self.tag),
            Feedback::Passive => {}
        }
        self.answer(cx.now);
    }

    fn on_timeout(&mut self, cx: &mut Cx) {
        while let Some(range) = self.missing.overdue(cx.now) {
            self.nack(range);
        }
        self.answer(cx.now);
    }

    fn deadline(&self) -> Time {
        self.missing.deadline().min(self.requests.deadline())
    }

    fn poll_send(&mut self, _cx: &mut Cx) -> Option<Packet> {
        self.waiting.pop_front()
    }

    fn give_up(&mut self) -> Option<Packet> {
        self.held.pop_first().map(|(_, packet)| packet)
    }

    fn backlog(&self) -> usize {
        self.held.len()
    }
}

impl Destination {
    /// 3.4.2: answer the last request, if the rate limit permits.
    fn answer(&mut self, now: Time) {
        if let Some(tag) = self.requests.answer(now) {
            self.send(Header::new(Kind::Ack, 0), tag);
        }
    }
}

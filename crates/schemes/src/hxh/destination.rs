//! HxH 3.4: the transport at a flow's destination.

use std::collections::{BTreeMap, VecDeque};

use multihop_core::{
    Cx, DropCause, EventKind, FlowId, Message, Numbering, Packet, Payload, Serial, Tag, Time,
    Transport,
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
    /// Which life of the source the flow is of, and which was before it.
    life: Option<u16>,
    former: Option<u16>,
    numbering: Numbering,
    /// The packet that comes next in order: the ACK value.
    expected: u64,
    /// Packets behind a gap.
    held: BTreeMap<u64, Packet>,
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
            life: None,
            former: None,
            numbering: Numbering::default(),
            expected: 0,
            held: BTreeMap::new(),
            gaps: Gaps::default(),
            missing: Missing::new(settings.nack_timeout),
            requests: RateLimit::new(settings.ack_interval),
            tag: Tag::NONE,
            waiting: VecDeque::new(),
        }
    }

    /// Deliver what is in order now.
    fn take(&mut self, cx: &mut Cx, sequence: u64, packet: Packet) {
        if sequence < self.expected || self.held.contains_key(&sequence) {
            return cx.drop(packet, DropCause::Duplicate);
        }
        self.missing.on_arrival(cx.now, self.numbering.write(sequence).0);
        self.held.insert(sequence, packet);
        self.deliver(cx);
    }

    fn deliver(&mut self, cx: &mut Cx) {
        while let Some(next) = self.held.remove(&self.expected) {
            self.expected += 1;
            cx.deliver(next);
        }
    }

    fn send(&mut self, header: Header, tag: Tag) {
        let mut packet = Packet::new(self.flow.reverse(), Payload::Virtual(0), tag);
        let header = Header { ack: self.ack(), incarnation: self.life.unwrap_or(0), ..header };
        header.write(&mut packet, self.settings.header);
        self.waiting.truncate(MOST_WAITING - 1);
        self.waiting.push_back(packet);
    }

    fn nack(&mut self, range: Range) {
        self.send(Header { range: Some(range), ..Header::new(Kind::Nack, 0) }, self.tag);
    }

    /// The ACK value.
    fn ack(&self) -> u32 {
        self.numbering.write(self.expected).0
    }

    /// The flow is of another life of the source, or new to this one of the destination: it begins
    /// with the first packet that nobody has acknowledged. What the source has not heard of that may come
    /// again, and is answered.
    fn begin(&mut self, cx: &mut Cx, header: &Header) {
        for packet in core::mem::take(&mut self.held).into_values() {
            cx.drop(packet, DropCause::Restarted);
        }
        (self.former, self.life) = (self.life, Some(header.incarnation));
        let again = self.settings.window_limit;
        self.numbering = Numbering::from(Serial(header.ack.wrapping_sub(again)));
        self.expected = again.into();
        self.gaps = Gaps::from(header.ack);
        self.missing = Missing::new(self.settings.nack_timeout);
    }

    /// What was acknowledged, and has not come here, an earlier life of this node has taken. What has come may be
    /// what nobody else has.
    fn catch_up(&mut self, cx: &mut Cx, header: &Header) {
        let Some(ack) = self.numbering.read(Serial(header.ack), self.expected) else { return };
        if cx.incarnation == 0 || ack <= self.expected {
            return;
        }
        let behind = self.held.split_off(&ack);
        for packet in core::mem::replace(&mut self.held, behind).into_values() {
            cx.deliver(packet);
        }
        self.expected = ack;
        self.missing = Missing::new(self.settings.nack_timeout);
        self.deliver(cx);
    }

    /// Which packet of the flow this is, if it lies in the window. The second to last node takes
    /// what the MAC has delivered for received, so nothing within the source's window may be
    /// refused here.
    fn place(&self, header: &Header) -> Option<u64> {
        let sequence = self.numbering.read(Serial(header.sequence), self.expected)?;
        let window = self.expected + u64::from(self.settings.window_limit);
        (sequence < window).then_some(sequence)
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
        let header = Header::of(&packet).ok().filter(|header| header.kind == Kind::Data);
        let life = header.map(|header| header.incarnation);
        if life.is_some() && life == self.former {
            return cx.drop(packet, DropCause::Restarted);
        }
        if let Some(header) = header.filter(|_| life != self.life) {
            self.begin(cx, &header);
        }
        let Some((header, sequence)) = header.and_then(|it| Some((it, self.place(&it)?))) else {
            cx.trace(EventKind::Malformed, self.flow, 0, packet.tag);
            return cx.drop(packet, DropCause::Malformed);
        };
        self.tag = packet.tag.control();
        self.catch_up(cx, &header);
        self.take(cx, sequence, packet);
        if let Some((missing, fresh)) = self.gaps.on_data(&header, self.ack()) {
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

    fn on_deadline(&mut self, cx: &mut Cx) {
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

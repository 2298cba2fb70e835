//! RFC 5681, 4.2; RFC 3168, 6.1.3: the receiving end of a connection.

use std::collections::VecDeque;

use multihop_core::{
    Cx, DropCause, EventKind, FlowId, Message, Numbering, Packet, Payload, Serial, Tag, Time,
    Transport,
};

use super::Settings;
use super::control::{Answer, Arrival, ReceiverControl};
use super::header::{Header, Kind};
use super::options::Options;
use super::received::{MOST_HELD, Received, Sequencing};

/// How many acknowledgments wait while the hop protocol admits none.
const MOST_WAITING: usize = 64;

/// The receiving end of a flow, with the receiver's half of its congestion control.
pub struct Sink<R> {
    flow: FlowId,
    settings: Settings,
    control: R,
    /// What the receiver's half begins with.
    fresh: R,
    /// How the sender numbers its segments, once it has sent its SYN.
    numbering: Option<Numbering>,
    received: Received,
    /// RFC 3168, 6.1.3: marked, and the sender has not said that it knows.
    echo: bool,
    /// Segments that are not acknowledged yet.
    unacknowledged: u32,
    /// When they must be, and with which tag.
    deadline: Time,
    tag: Tag,
    waiting: VecDeque<Packet>,
}

impl<R: ReceiverControl> Sink<R> {
    /// The receiving end of `flow`.
    pub fn new(settings: Settings, flow: FlowId, control: R) -> Self {
        Sink::idle(settings.with_options(R::OPTIONS), flow, control)
    }

    /// The same, while there is no connection.
    fn idle(settings: Settings, flow: FlowId, control: R) -> Self {
        Sink {
            flow,
            settings,
            fresh: control.clone(),
            control,
            numbering: None,
            received: Received::default(),
            echo: false,
            unacknowledged: 0,
            deadline: Time::NEVER,
            tag: Tag::NONE,
            waiting: VecDeque::new(),
        }
    }

    /// RFC 3168, 6.1.3: echo a mark until the sender says that it has reduced its window. A SYN
    /// is not ECN-capable.
    fn notice_mark(&mut self, header: &Header, marked: bool) {
        self.echo &= !header.reduced;
        self.echo |= marked && header.kind == Kind::Data && self.settings.ecn;
    }

    fn acknowledge(&mut self, now: Time) {
        self.unacknowledged = 0;
        self.deadline = Time::NEVER;
        let Some(numbering) = self.numbering else { return };
        let mut options = Options::default();
        self.control.on_acknowledge(now, &self.received, &mut options);
        let sequence = numbering.write(self.received.expected()).0;
        let header = Header { kind: Kind::Ack, echo: self.echo, reduced: false, sequence, options };
        let mut packet = self.packet(&header);
        self.control.on_departure(&mut packet);
        self.say(packet);
    }

    fn packet(&self, header: &Header) -> Packet {
        let mut packet = Packet::new(self.flow.reverse(), Payload::Virtual(0), self.tag);
        header.write(&mut packet, self.settings.header);
        packet
    }

    fn say(&mut self, packet: Packet) {
        self.waiting.truncate(MOST_WAITING - 1);
        self.waiting.push_back(packet);
    }

    /// Which segment of the connection the one with this header is, if it is one.
    fn place(&mut self, header: &Header) -> Meaning {
        let number = Serial(header.sequence);
        if header.kind == Kind::Syn && self.numbering.is_none() {
            self.numbering = Some(Numbering::from(number));
        }
        let Some(numbering) = self.numbering else {
            return if header.kind == Kind::Data { Meaning::Unknown } else { Meaning::Nowhere };
        };
        match (header.kind, numbering.read(number, self.received.expected())) {
            (Kind::Syn, Some(0)) => Meaning::Segment(0),
            (Kind::Syn, _) => Meaning::AnotherLife,
            (Kind::Data, Some(at)) if (1..self.received.expected() + MOST_HELD).contains(&at) => {
                Meaning::Segment(at)
            }
            (Kind::Reset, Some(at)) if at == self.received.expected() => Meaning::End,
            (Kind::Data, None) | (Kind::Reset, _) => Meaning::EarlierLife,
            (Kind::Data | Kind::Ack, _) => Meaning::Nowhere,
        }
    }

    /// The sender knows nothing of this connection.
    fn close(&mut self, cx: &mut Cx) {
        while let Some(packet) = self.received.give_up() {
            cx.drop(packet, DropCause::Restarted);
        }
        *self = Sink { tag: self.tag, ..Sink::idle(self.settings, self.flow, self.fresh.clone()) };
    }

    fn on_segment(&mut self, cx: &mut Cx, header: &Header, sequence: u64, packet: Packet) {
        self.tag = packet.tag.control();
        self.notice_mark(header, packet.congestion_experienced);
        self.control.on_arrival(cx, &packet);
        let hops = packet.hops();
        let order = self.received.take(cx, header.kind, sequence, packet);
        self.unacknowledged += 1;
        let Sink { unacknowledged, ref received, .. } = *self;
        let arrival = Arrival { header, sequence, hops, order, unacknowledged, received };
        match self.control.on_segment(cx.now, &arrival) {
            Answer::Within(delay) if order == Sequencing::InOrder && header.kind != Kind::Syn => {
                if self.deadline == Time::NEVER {
                    self.deadline = cx.now + delay;
                }
            }
            Answer::Now | Answer::Within(_) => self.acknowledge(cx.now),
        }
    }
}

/// What a segment is to the connection.
enum Meaning {
    /// It is this one.
    Segment(u64),
    /// The SYN of another life of the sender, or an old one of an earlier.
    AnotherLife,
    /// From before the connection.
    EarlierLife,
    /// There is no connection: its receiver was in an earlier life.
    Unknown,
    /// The sender knows of no connection.
    End,
    /// It cannot be.
    Nowhere,
}

impl<R: ReceiverControl> Transport for Sink<R> {
    fn wants_message(&self, _room: bool) -> bool {
        false
    }

    fn on_message(&mut self, cx: &mut Cx, message: Message) {
        cx.refuse(self.flow, message);
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        let malformed = |cx: &mut Cx, packet: Packet| {
            cx.trace(EventKind::Malformed, packet.flow, 0, packet.tag);
            cx.drop(packet, DropCause::Malformed);
        };
        let Ok(header) = Header::of(&packet) else { return malformed(cx, packet) };
        match self.place(&header) {
            Meaning::Segment(sequence) => self.on_segment(cx, &header, sequence, packet),
            // RFC 9293, 3.5.1: the sender is told what this end expects. If it knows nothing of it,
            // it says so; if not, the SYN was an old one.
            Meaning::AnotherLife => self.acknowledge(cx.now),
            Meaning::EarlierLife => cx.drop(packet, DropCause::Restarted),
            // RFC 9293, 3.5.3: a reset with the segment's number.
            Meaning::Unknown => {
                self.tag = packet.tag.control();
                let sequence = header.sequence;
                self.say(self.packet(&Header { kind: Kind::Reset, sequence, ..Header::default() }));
                cx.drop(packet, DropCause::Restarted);
            }
            Meaning::End => self.close(cx),
            Meaning::Nowhere => malformed(cx, packet),
        }
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        self.acknowledge(cx.now);
    }

    fn deadline(&self) -> Time {
        self.deadline
    }

    fn poll_send(&mut self, _cx: &mut Cx) -> Option<Packet> {
        self.waiting.pop_front()
    }

    fn give_up(&mut self) -> Option<Packet> {
        self.received.give_up()
    }

    fn backlog(&self) -> usize {
        self.received.held()
    }

    fn header_len(&self) -> usize {
        self.settings.header
    }
}

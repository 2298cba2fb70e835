//! RFC 5681, 4.2; RFC 3168, 6.1.3: the receiving end of a connection.

use std::collections::VecDeque;

use multihop_core::{
    Cx, DropCause, EventKind, FlowId, Message, Packet, Payload, Tag, Time, Transport,
};

use super::Settings;
use super::control::{Answer, Arrival, ReceiverControl};
use super::header::{Header, Kind};
use super::options::Options;
use super::received::{Order, Received};

/// How many acknowledgments wait while the hop protocol admits none.
const MOST_WAITING: usize = 64;

/// The receiving end of a flow, with the receiver's half of its congestion control.
pub struct Sink<R> {
    flow: FlowId,
    settings: Settings,
    control: R,
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
        Sink {
            flow,
            settings: settings.with_options(R::OPTIONS),
            control,
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
        let mut options = Options::default();
        self.control.on_acknowledge(now, &self.received, &mut options);
        let (kind, sequence) = (Kind::Ack, self.received.expected());
        let header = Header { kind, echo: self.echo, reduced: false, sequence, options };
        let mut packet = Packet::new(self.flow.reverse(), Payload::Virtual(0), self.tag);
        header.write(&mut packet, self.settings.header);
        self.waiting.truncate(MOST_WAITING - 1);
        self.waiting.push_back(packet);
    }

    fn readable(&self, packet: &Packet) -> Option<Header> {
        let header = Header::of(packet).ok()?;
        self.received.fits(&header).then_some(header)
    }
}

impl<R: ReceiverControl> Transport for Sink<R> {
    fn wants_message(&self, _room: bool) -> bool {
        false
    }

    fn on_message(&mut self, cx: &mut Cx, message: Message) {
        cx.refuse(self.flow, message);
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        let Some(header) = self.readable(&packet) else {
            cx.trace(EventKind::Malformed, self.flow, 0, packet.tag);
            cx.drop(packet, DropCause::Malformed);
            return;
        };
        self.tag = packet.tag.control();
        self.notice_mark(&header, packet.congestion_experienced);
        let hops = packet.hops();
        let order = self.received.take(cx, &header, packet);
        self.unacknowledged += 1;
        let Sink { unacknowledged, ref received, .. } = *self;
        let arrival = Arrival { header: &header, hops, order, unacknowledged, received };
        match self.control.on_segment(cx.now, &arrival) {
            Answer::Within(delay) if order == Order::InOrder && header.kind != Kind::Syn => {
                if self.deadline == Time::NEVER {
                    self.deadline = cx.now + delay;
                }
            }
            Answer::Now | Answer::Within(_) => self.acknowledge(cx.now),
        }
    }

    fn on_timeout(&mut self, cx: &mut Cx) {
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

//! HxH 3.4: the transport at a flow's source.

use std::collections::{BTreeSet, VecDeque};

use multihop_core::{
    Cx, DropCause, Duration, EventKind, FlowId, Gauge, Message, Numbering, Packet, Payload,
    RouteNews, Serial, Tag, Time, Transport,
};

use super::Settings;
use super::header::{Header, Kind, Range};
use crate::parts::datagram::SOURCE_BUFFER;
use crate::parts::mean::SmoothedTime;
use crate::parts::pacer::Allowance;
use crate::parts::timer::Timer;

/// The granularity of the clock, as that of the TCPs.
const TICK: Duration = Duration::from_millis(10);

/// What is known of the way to the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Nothing: one packet goes, until it is acknowledged.
    Unknown,
    /// It is open.
    Open,
}

/// A message that is not acknowledged.
#[derive(Clone, Debug)]
struct Pending {
    message: Message,
    /// When it was sent last.
    sent: Time,
}

/// The sending end of a flow. Message n is packet n.
pub struct Source {
    flow: FlowId,
    settings: Settings,
    pub(super) numbering: Numbering,
    /// The messages that are not acknowledged; the first is packet `first`.
    pending: VecDeque<Pending>,
    /// The first packet that is not acknowledged.
    first: u64,
    /// The packet to send next for the first time.
    next: u64,
    /// Packets to be sent again, and the one for which the timer ran out.
    again: BTreeSet<u64>,
    overdue: Option<u64>,
    /// When the timer ran out, until something is acknowledged.
    timed_out: Option<Time>,
    way: Way,
    timer: Timer,
    round_trip: SmoothedTime,
}

impl Source {
    /// The source of `flow`.
    pub(super) fn new(settings: Settings, flow: FlowId) -> Self {
        Source {
            flow,
            settings,
            numbering: Numbering::default(),
            pending: VecDeque::new(),
            first: 0,
            next: 0,
            again: BTreeSet::new(),
            overdue: None,
            timed_out: None,
            way: Way::Unknown,
            timer: Timer::new(TICK, settings.min_rto),
            round_trip: SmoothedTime::default(),
        }
    }

    /// Messages that were never sent.
    fn unsent(&self) -> usize {
        self.pending.len() - (self.next - self.first) as usize
    }

    fn tag(&self, sequence: u64) -> Tag {
        let at = sequence.checked_sub(self.first).map(|at| at as usize);
        let pending = at.and_then(|at| self.pending.get(at)).or(self.pending.front());
        pending.map_or(Tag::NONE, |pending| pending.message.tag)
    }

    /// All packets before `ack` have arrived.
    fn on_ack(&mut self, cx: &mut Cx, ack: u64) {
        if ack <= self.first {
            return;
        }
        while self.first < ack
            && let Some(Pending { message, .. }) = self.pending.pop_front()
        {
            self.first += 1;
            cx.release(&Packet::new(self.flow, Payload::Virtual(0), message.tag));
        }
        self.again = self.again.split_off(&self.first);
        self.overdue.take_if(|sequence| *sequence < ack);
        self.way = Way::Open;
        // The scheduling layers keep the network from congestion, so that the backoff need not
        // wait for a packet that was sent once (RFC 6298, 5.7).
        self.timer.end_backoff();
        if let Some(since) = self.timed_out.take() {
            self.go_back(since);
        }
        if let Some(round_trip) = self.timer.on_acknowledged(cx.now, ack) {
            self.timer.sample(cx.now, round_trip);
            self.round_trip.add(round_trip);
            cx.gauge(self.flow, Gauge::RoundTrip(round_trip));
        }
        if self.first == self.next {
            self.timer.stop();
        } else {
            self.timer.start(cx.now);
        }
    }

    /// The way is open again after a timeout. What follows shows the gaps (3.4.3). If nothing can
    /// follow, what was sent before the timeout counts as lost, as with TCP, and is sent again in
    /// order.
    fn go_back(&mut self, since: Time) {
        let follows =
            self.unsent() > 0 && self.next - self.first < u64::from(self.settings.window_limit);
        if follows {
            return;
        }
        let unacknowledged = (self.first..self.next).zip(&self.pending);
        let lost = unacknowledged.filter(|(_, pending)| pending.sent < since);
        self.again.extend(lost.map(|(sequence, _)| sequence));
    }

    /// 3.4.3 (and 4.1.3): the source sends what is missing again, each packet once per round trip.
    fn on_nack(&mut self, cx: &mut Cx, range: Range) {
        let least = self.round_trip.get().unwrap_or(self.settings.min_rto);
        let Some(first) = self.numbering.read(Serial(range.first), self.first) else { return };
        let end = first + u64::from(range.len);
        for sequence in first.max(self.first)..end.min(self.next) {
            let pending = &self.pending[(sequence - self.first) as usize];
            if cx.now.since(pending.sent) >= least {
                self.again.insert(sequence);
            }
        }
    }

    /// No congestion control, which is the scheduling layer's: the memory of both ends.
    fn allowance(&self) -> Allowance {
        Allowance::window(match self.way {
            Way::Unknown => 1,
            Way::Open => self.settings.window_limit,
        })
    }

    /// The next packet to be sent.
    fn choose(&mut self) -> Option<u64> {
        if let Some(sequence) = self.again.pop_first() {
            return Some(sequence);
        }
        let window = u64::from(self.allowance().window);
        (self.unsent() > 0 && self.next - self.first < window).then_some(self.next)
    }

    fn transmit(&mut self, cx: &mut Cx, sequence: u64) -> Packet {
        let pending = &mut self.pending[(sequence - self.first) as usize];
        pending.sent = cx.now;
        let Message { payload, tag } = pending.message.clone();
        cx.copy(tag);
        if sequence == self.next {
            self.next += 1;
            self.timer.on_first_sent(cx.now, sequence);
        } else {
            self.timer.forget();
            let number = self.numbering.write(sequence).0;
            cx.trace(EventKind::SegmentRetransmission, self.flow, number, tag);
        }
        if !self.timer.runs() {
            self.timer.start(cx.now);
        }
        // 3.4.2: "the source can set this bit whenever the transport layer's buffers are empty".
        // Also while one packet alone is on its way, and when the timer has run out.
        let alone = self.way == Way::Unknown;
        let overdue = self.overdue.take_if(|overdue| *overdue == sequence).is_some();
        let asks = self.unsent() == 0 || alone || overdue;
        let mut packet = Packet::new(self.flow, payload, tag);
        let number = |sequence| self.numbering.write(sequence).0;
        let (ack, incarnation) = (number(self.first), cx.incarnation);
        let header = Header { asks, ack, incarnation, ..Header::new(Kind::Data, number(sequence)) };
        header.write(&mut packet, self.settings.header);
        packet
    }

    fn malformed(&self, cx: &mut Cx, packet: Packet) {
        cx.trace(EventKind::Malformed, self.flow, 0, packet.tag);
        cx.drop(packet, DropCause::Malformed);
    }
}

impl Transport for Source {
    /// More than a node's queue takes at once, so that the buffer of a source that always has
    /// data is never empty (3.4.2).
    fn wants_message(&self, _room: bool) -> bool {
        self.unsent() < (self.settings.half() + 2).min(SOURCE_BUFFER)
    }

    fn on_message(&mut self, cx: &mut Cx, message: Message) {
        if self.unsent() < SOURCE_BUFFER {
            self.pending.push_back(Pending { message, sent: Time::ZERO });
        } else {
            cx.refuse(self.flow, message);
        }
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        let header = Header::of(&packet).ok().filter(|header| header.kind.goes_upstream());
        let Some(Header { ack, range, incarnation, .. }) = header else {
            return self.malformed(cx, packet);
        };
        if incarnation != cx.incarnation {
            return cx.drop(packet, DropCause::Restarted);
        }
        match self.numbering.read(Serial(ack), self.first) {
            Some(ack) if ack <= self.next => {
                self.on_ack(cx, ack);
                if let Some(range) = range {
                    self.on_nack(cx, range);
                }
            }
            _ => self.malformed(cx, packet),
        }
    }

    /// 3.4.1: what was found out before the route was lost holds no more.
    fn on_route(&mut self, _cx: &mut Cx, news: RouteNews) {
        if matches!(news, RouteNews::Lost(_)) {
            self.way = Way::Unknown;
        }
    }

    /// RFC 6298, 5.4 to 5.6.
    fn on_deadline(&mut self, cx: &mut Cx) {
        if self.first == self.next {
            return self.timer.stop();
        }
        let number = self.numbering.write(self.first).0;
        cx.trace(EventKind::RetransmissionTimeout, self.flow, number, self.tag(self.first));
        self.timer.back_off();
        self.timer.forget();
        self.timer.start(cx.now);
        self.again.insert(self.first);
        self.overdue = Some(self.first);
        self.timed_out = Some(cx.now);
    }

    fn deadline(&self) -> Time {
        self.timer.expires()
    }

    fn poll_send(&mut self, cx: &mut Cx) -> Option<Packet> {
        let sequence = self.choose()?;
        Some(self.transmit(cx, sequence))
    }

    fn give_up(&mut self) -> Option<Packet> {
        let Message { payload, tag } = self.pending.pop_front()?.message;
        Some(Packet::new(self.flow, payload, tag))
    }

    fn backlog(&self) -> usize {
        self.pending.len()
    }
}

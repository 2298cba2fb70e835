//! The sending end of a flow: quick start, pacing, and what reports make it do.

use multihop_core::{
    Cx, DropCause, Duration, EventKind, FlowId, Gauge, Message, Packet, Payload, RouteNews, Tag,
    Time, Transport,
};

use super::Settings;
use super::buffer::Buffer;
use super::header::{Block, HEADER_LEN, Header, Kind};
use super::path::{PathHeader, PathKind};
use super::rate::Rate;
use crate::datagram::SOURCE_BUFFER;
use crate::pacer::{Allowance, Pacer};

/// Quick start: what is known of the path so far.
#[derive(Clone, Copy, Debug)]
struct Probing {
    /// The first transmission that may be answered: older answers are about another path.
    from: u32,
    /// When to probe again; `None`: now.
    again: Option<Time>,
    /// The last probe: its transmission and time.
    sent: Option<(u32, Time)>,
    /// How many answers did not know a rate.
    unstamped: u32,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// There was nothing to send yet.
    Idle,
    Probing(Probing),
    Sending,
}

/// The sending end of one flow.
pub struct Sender {
    flow: FlowId,
    settings: Settings,
    buffer: Buffer,
    rate: Rate,
    pacer: Pacer,
    state: State,
    /// The number of the next transmission.
    serial: u32,
    /// The highest transmission that a report has named.
    reported: u32,
    /// Packets from this one on find no room at the receiver.
    room_ends: u32,
    /// When the next report is missing.
    report_due: Time,
    /// How many reports were missing in a row.
    misses: u32,
    /// When the last report came.
    heard_at: Time,
    tag: Tag,
}

impl Sender {
    /// The sending end of `flow`.
    pub fn new(settings: Settings, flow: FlowId) -> Self {
        Sender {
            flow,
            settings,
            buffer: Buffer::default(),
            rate: Rate::new(&settings),
            pacer: Pacer::default(),
            state: State::Idle,
            serial: 0,
            reported: 0,
            room_ends: u32::from(settings.receive_buffer),
            report_due: Time::NEVER,
            misses: 0,
            heard_at: Time::ZERO,
            tag: Tag::NONE,
        }
    }

    /// Quick start, at the beginning and whenever the path is new.
    fn probe(&mut self) {
        let (from, again) = (self.serial, None);
        self.state = State::Probing(Probing { from, again, sent: None, unstamped: 0 });
        self.report_due = Time::NEVER;
        self.misses = 0;
    }

    /// Whether the rate is too old to go on with after a pause.
    fn is_stale(&self, now: Time) -> bool {
        let silence = self.settings.epoch * u64::from(self.settings.missed_epochs);
        now.since(self.heard_at) > silence
    }

    fn readable(&self, packet: &Packet) -> Option<(Header, Vec<Block>)> {
        let (header, blocks) = Header::of(packet).ok()?;
        let known = header.sequence <= self.buffer.sent() && header.serial < self.serial;
        (header.kind.is_report() && known).then_some((header, blocks))
    }

    /// What has arrived, and what is lost.
    fn on_report(&mut self, cx: &mut Cx, header: &Header, blocks: &[Block]) {
        self.reported = header.serial;
        self.heard_at = cx.now;
        self.room_ends = header.sequence.saturating_add(u32::from(header.room));
        self.buffer.release(cx, self.flow, header.sequence);
        // A full list of blocks says nothing of what lies behind.
        let full = blocks.len() == self.settings.sack_blocks;
        let horizon = match blocks.last().filter(|_| full) {
            Some(last) => header
                .sequence
                .saturating_add(u32::from(last.distance))
                .saturating_add(u32::from(last.len)),
            None => u32::MAX,
        };
        self.buffer.on_report(header, blocks, horizon);
    }

    /// The path works again, or for the first time.
    fn on_answer(&mut self, cx: &mut Cx, mut probing: Probing, header: &Header) {
        let sent = probing.sent.filter(|(serial, _)| *serial == header.serial);
        let round_trip = sent.map(|(_, at)| cx.now.since(at));
        if let Some(round_trip) = round_trip {
            cx.gauge(self.flow, Gauge::RoundTrip(round_trip));
        }
        let interval = Duration::from_micros(u64::from(header.interval_us));
        if interval == Duration::ZERO && probing.unstamped == 0 {
            probing.unstamped += 1;
            probing.again = None;
            self.state = State::Probing(probing);
            return;
        }
        let interval = if interval > Duration::ZERO {
            interval
        } else {
            round_trip.unwrap_or(self.settings.epoch)
        };
        self.rate.start(interval);
        self.pacer.restart();
        self.state = State::Sending;
        self.expect_report(cx.now);
    }

    /// The next report is due an epoch from now, if there is something to report on.
    fn expect_report(&mut self, now: Time) {
        let late = self.settings.epoch.scaled(1.0 + self.settings.grace);
        self.misses = 0;
        self.report_due = if self.buffer.has_outstanding() { now + late } else { Time::NEVER };
    }

    /// An epoch without a report.
    fn on_silence(&mut self, cx: &mut Cx) {
        cx.trace(EventKind::RetransmissionTimeout, self.flow, self.buffer.first(), self.tag);
        self.misses += 1;
        if self.misses >= self.settings.missed_epochs {
            self.probe();
        } else {
            self.rate.on_silence();
            self.report_due = cx.now + self.settings.epoch;
        }
    }

    fn packet(&mut self, kind: Kind, sequence: u32, payload: Payload, tag: Tag) -> Packet {
        let path = if kind == Kind::Probe { PathKind::Probe } else { PathKind::Any };
        let mut packet = Packet::new(self.flow, payload, tag);
        Header::outward(kind, sequence, self.serial).write(&mut packet, &[]);
        PathHeader::new(path).write(&mut packet);
        self.serial += 1;
        packet
    }

    fn send_probe(&mut self, now: Time) -> Option<Packet> {
        let State::Probing(probing) = &mut self.state else { return None };
        if probing.again.is_some() {
            return None;
        }
        probing.again = Some(now + self.settings.probe_interval);
        probing.sent = Some((self.serial, now));
        let first = self.buffer.first();
        Some(self.packet(Kind::Probe, first, Payload::Virtual(0), self.tag))
    }

    /// What the receiver has room for, at the rate of the path.
    fn allowance(&self) -> Allowance {
        let window = self.room_ends.saturating_sub(self.buffer.first());
        Allowance { window, pace: self.rate.pace() }
    }

    fn send_data(&mut self, cx: &mut Cx) -> Option<Packet> {
        let allowance = self.allowance();
        let sequence = self.buffer.next_to_send(allowance.window)?;
        if !self.pacer.permits(cx.now) {
            return None;
        }
        let Message { payload, tag } = self.buffer.message(sequence).clone();
        if self.buffer.on_sent(sequence, self.serial) {
            cx.trace(EventKind::SegmentRetransmission, self.flow, sequence, tag);
        }
        cx.copy(tag);
        let packet = self.packet(Kind::Data, sequence, payload, tag);
        // The radio could not send more.
        let air_time = self.settings.data_rate.air_time(packet.len());
        self.pacer.on_sent(cx.now, allowance.pace.max(air_time));
        if self.report_due == Time::NEVER {
            self.expect_report(cx.now);
        }
        Some(packet)
    }
}

impl Transport for Sender {
    fn wants_message(&self, _room: bool) -> bool {
        self.buffer.unsent() == 0
    }

    fn on_message(&mut self, cx: &mut Cx, message: Message) {
        if self.buffer.unsent() >= SOURCE_BUFFER {
            cx.refuse(self.flow, message);
            return;
        }
        self.tag = message.tag.control();
        let stale = match self.state {
            State::Idle => true,
            State::Probing(_) => false,
            State::Sending => self.buffer.len() == 0 && self.is_stale(cx.now),
        };
        if stale {
            self.probe();
        }
        self.buffer.push(message);
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        let Some((header, blocks)) = self.readable(&packet) else {
            cx.trace(EventKind::Malformed, self.flow, 0, packet.tag);
            cx.drop(packet, DropCause::Malformed);
            return;
        };
        if header.serial < self.reported || header.sequence < self.buffer.first() {
            // A newer one has overtaken it.
            return;
        }
        self.on_report(cx, &header, &blocks);
        match self.state {
            State::Probing(probing) => {
                if header.kind == Kind::Answer && header.serial >= probing.from {
                    self.on_answer(cx, probing, &header);
                }
            }
            State::Sending => {
                if header.kind == Kind::Feedback && header.interval_us > 0 {
                    let interval = Duration::from_micros(u64::from(header.interval_us));
                    self.rate.on_feedback(interval);
                }
                self.expect_report(cx.now);
            }
            State::Idle => {}
        }
    }

    fn on_route(&mut self, _cx: &mut Cx, news: RouteNews) {
        if news != RouteNews::Lost(self.flow.destination) || !matches!(self.state, State::Sending) {
            return;
        }
        if self.buffer.len() > 0 {
            self.probe();
        } else {
            self.state = State::Idle;
        }
    }

    fn on_timeout(&mut self, cx: &mut Cx) {
        if let State::Probing(probing) = &mut self.state {
            probing.again = probing.again.filter(|again| *again > cx.now);
        }
        self.pacer.on_timeout(cx.now);
        if self.report_due <= cx.now {
            self.on_silence(cx);
        }
    }

    fn deadline(&self) -> Time {
        match self.state {
            State::Idle => Time::NEVER,
            State::Probing(probing) => probing.again.unwrap_or(Time::NEVER),
            State::Sending => self.pacer.deadline().min(self.report_due),
        }
    }

    fn poll_send(&mut self, cx: &mut Cx) -> Option<Packet> {
        match self.state {
            State::Idle => None,
            State::Probing(_) => self.send_probe(cx.now),
            State::Sending => self.send_data(cx),
        }
    }

    fn give_up(&mut self) -> Option<Packet> {
        let Message { payload, tag } = self.buffer.give_up()?;
        Some(Packet::new(self.flow, payload, tag))
    }

    fn backlog(&self) -> usize {
        self.buffer.len()
    }

    fn header_len(&self) -> usize {
        HEADER_LEN
    }
}

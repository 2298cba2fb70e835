//! The sending end of a flow: quick start, pacing, and what reports make it do.

use multihop_core::{
    Cx, DropCause, Duration, EventKind, FlowId, Gauge, Message, Numbering, Packet, Payload,
    RouteNews, Serial, Tag, Time, Transport,
};

use super::Settings;
use super::buffer::{Buffer, Report};
use super::header::{Block, HEADER_LEN, Header, Kind, MOST_ROOM};
use super::path::{PathHeader, PathKind};
use super::rate::Rate;
use crate::parts::datagram::SOURCE_BUFFER;
use crate::parts::pacer::{Allowance, Pacer};

/// Quick start: what is known of the path so far.
#[derive(Clone, Copy, Debug)]
struct Probing {
    /// The first transmission that may be answered: older answers are about another path.
    from: u64,
    /// When to probe again; `None`: now.
    again: Option<Time>,
    /// The last probe: its transmission and time.
    sent: Option<(u64, Time)>,
    /// When the first probe was sent.
    since: Option<Time>,
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
    /// Of packets and of transmissions.
    numbering: Numbering,
    buffer: Buffer,
    /// `None` if packets go as fast as the hop admits them.
    rate: Option<Rate>,
    pacer: Pacer,
    state: State,
    /// The number of the next transmission.
    serial: u64,
    /// The highest transmission that a report has named.
    reported: u64,
    /// Packets from this one on find no room at the receiver.
    room_ends: u64,
    /// When the next report is missing.
    report_due: Time,
    /// How many reports were missing in a row.
    misses: u32,
    /// When the last report came.
    heard_at: Time,
    tag: Tag,
    /// Whether the next packet is data that opens the connection.
    opening: bool,
    /// Whether the receiver has spoken of this connection.
    met: bool,
    /// The number that it expects in a connection of which this life knows nothing.
    stale: Option<u32>,
}

impl Sender {
    /// The sending end of `flow`.
    pub fn new(settings: Settings, flow: FlowId) -> Self {
        Sender {
            flow,
            settings,
            numbering: Numbering::default(),
            buffer: Buffer::default(),
            rate: settings.is_rated.then(|| Rate::new(&settings)),
            pacer: Pacer::default(),
            state: State::Idle,
            serial: 0,
            reported: 0,
            room_ends: u64::from(settings.receive_buffer),
            report_due: Time::NEVER,
            misses: 0,
            heard_at: Time::ZERO,
            tag: Tag::NONE,
            opening: false,
            met: false,
            stale: None,
        }
    }

    /// Quick start, at the beginning and whenever the path is new.
    fn probe(&mut self) {
        let (from, again) = (self.serial, None);
        self.state = State::Probing(Probing { from, again, sent: None, since: None, unstamped: 0 });
        self.report_due = Time::NEVER;
        self.misses = 0;
    }

    /// Whether the rate is too old to go on with after a pause.
    fn is_stale(&self, now: Time) -> bool {
        let silence = self.settings.epoch * u64::from(self.settings.missed_epochs);
        self.rate.is_some() && now.since(self.heard_at) > silence
    }

    /// What this report is about, if it is about this connection.
    fn place(&self, header: &Header) -> Option<Report> {
        let sequence = self.numbering.read(Serial(header.sequence), self.buffer.first())?;
        let serial = self.numbering.read(Serial(header.serial), self.reported)?;
        let known = sequence <= self.buffer.sent() && serial < self.serial;
        known.then_some(Report { sequence, serial })
    }

    /// The receiver has restarted. Another connection begins, with all that is not acknowledged, and
    /// with numbers behind all that were used.
    fn start_over(&mut self, cx: &mut Cx) {
        let first = self.numbering.write(self.buffer.first()).0;
        cx.trace(EventKind::StartOver, self.flow, first, self.tag);
        let used = self.serial.max(self.buffer.sent());
        let unused = self.numbering.write(used + u64::from(MOST_ROOM));
        let mut buffer = core::mem::take(&mut self.buffer);
        buffer.start_over();
        *self = Sender {
            numbering: Numbering::from(unused),
            buffer,
            tag: self.tag,
            ..Sender::new(self.settings, self.flow)
        };
        self.probe();
    }

    /// A report that is not about this connection. If the receiver has not spoken of it yet, it still
    /// has one of an earlier life.
    fn on_foreign(&mut self, cx: &mut Cx, packet: Packet, header: &Header) {
        match &mut self.state {
            State::Probing(probing) if !self.met && !header.refuses() => {
                self.stale = Some(header.sequence);
                probing.again = None;
            }
            State::Sending if !self.met && !header.refuses() => {
                self.probe();
                self.stale = Some(header.sequence);
            }
            _ => {
                let of = |number| self.numbering.read(Serial(number), self.reported);
                if of(header.sequence).and(of(header.serial)).is_some() {
                    cx.trace(EventKind::Malformed, self.flow, header.sequence, packet.tag);
                    return cx.drop(packet, DropCause::Malformed);
                }
                cx.drop(packet, DropCause::Restarted);
            }
        }
    }

    /// What has arrived, and what is lost.
    fn on_report(&mut self, cx: &mut Cx, report: &Report, room: u16, blocks: &[Block]) {
        self.met = true;
        self.reported = report.serial;
        self.heard_at = cx.now;
        self.room_ends = report.sequence + u64::from(room);
        self.buffer.release(cx, self.flow, report.sequence);
        // A full list of blocks says nothing of what lies behind.
        let full = blocks.len() == self.settings.sack_blocks;
        let horizon = match blocks.last().filter(|_| full) {
            Some(last) => report.sequence + u64::from(last.distance) + u64::from(last.len),
            None => u64::MAX,
        };
        self.buffer.on_report(report, blocks, horizon);
    }

    /// The path works again, or for the first time.
    fn on_answer(&mut self, cx: &mut Cx, mut probing: Probing, report: &Report, interval_us: u32) {
        let sent = probing.sent.filter(|(serial, _)| *serial == report.serial);
        let round_trip = sent.map(|(_, at)| cx.now.since(at));
        if let Some(round_trip) = round_trip {
            cx.gauge(self.flow, Gauge::RoundTrip(round_trip));
        }
        if let Some(rate) = &mut self.rate {
            let interval = Duration::from_micros(u64::from(interval_us));
            if interval == Duration::ZERO && probing.unstamped == 0 {
                probing.unstamped += 1;
                probing.again = None;
                self.state = State::Probing(probing);
                return;
            }
            let unknown = round_trip.unwrap_or(self.settings.epoch);
            rate.start(if interval > Duration::ZERO { interval } else { unknown });
        }
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
        let first = self.numbering.write(self.buffer.first()).0;
        cx.trace(EventKind::RetransmissionTimeout, self.flow, first, self.tag);
        self.misses += 1;
        if self.misses >= self.settings.missed_epochs {
            self.probe();
        } else {
            if let Some(rate) = &mut self.rate {
                rate.on_silence();
            }
            self.report_due = cx.now + self.settings.epoch;
        }
    }

    fn packet(&mut self, kind: Kind, sequence: u64, payload: Payload, tag: Tag) -> Packet {
        let path = if kind == Kind::Probe { PathKind::Probe } else { PathKind::Any };
        let mut packet = Packet::new(self.flow, payload, tag);
        let number = |count| self.numbering.write(count).0;
        let header = Header::outward(kind, number(sequence), number(self.serial));
        let opens = kind == Kind::Data && core::mem::take(&mut self.opening);
        let header = if opens { header.opening() } else { header };
        let stale = self.stale.take_if(|_| kind == Kind::Probe);
        stale.map_or(header, |expected| header.ending(expected)).write(&mut packet, &[]);
        if self.rate.is_some() {
            PathHeader::new(path).write(&mut packet);
        }
        self.serial += 1;
        packet
    }

    /// A probe; where there is no rate to ask for and nothing is on its way, data in its place.
    fn send_probe(&mut self, cx: &mut Cx) -> Option<Packet> {
        let State::Probing(probing) = &mut self.state else { return None };
        if probing.again.is_some() {
            return None;
        }
        if self.rate.is_none() && self.stale.is_none() && !self.buffer.has_outstanding() {
            self.state = State::Sending;
            self.opening = true;
            return self.send_data(cx);
        }
        let since = *probing.since.get_or_insert(cx.now);
        probing.again = Some(cx.now + self.settings.probe_pause(cx.now.since(since)));
        probing.sent = Some((self.serial, cx.now));
        let first = self.buffer.first();
        Some(self.packet(Kind::Probe, first, Payload::Virtual(0), self.tag))
    }

    /// What the receiver has room for, at the rate of the path.
    fn allowance(&self) -> Allowance {
        // a room is at most 14 bits
        let window = self.room_ends.saturating_sub(self.buffer.first()) as u32;
        self.rate.map_or(Allowance::window(window), |rate| Allowance { window, pace: rate.pace() })
    }

    fn send_data(&mut self, cx: &mut Cx) -> Option<Packet> {
        let allowance = self.allowance();
        let sequence = self.buffer.next_to_send(allowance.window)?;
        if !self.pacer.permits(cx.now) {
            return None;
        }
        let Message { payload, tag } = self.buffer.message(sequence).clone();
        if self.buffer.on_sent(sequence, self.serial) {
            let number = self.numbering.write(sequence).0;
            cx.trace(EventKind::SegmentRetransmission, self.flow, number, tag);
        }
        cx.copy(tag);
        let packet = self.packet(Kind::Data, sequence, payload, tag);
        if self.rate.is_some() {
            // The radio could not send more.
            let air_time = self.settings.link.air_time(packet.len());
            self.pacer.on_sent(cx.now, allowance.pace.max(air_time));
        }
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
            State::Idle => {
                if self.serial == 0 {
                    self.numbering = Numbering::of_life(cx.incarnation);
                }
                true
            }
            State::Probing(_) => false,
            State::Sending => self.buffer.len() == 0 && self.is_stale(cx.now),
        };
        if stale {
            self.probe();
        }
        self.buffer.push(message);
    }

    fn on_packet(&mut self, cx: &mut Cx, packet: Packet) {
        let read = Header::of(&packet).ok().filter(|(header, _)| header.kind.is_report());
        let Some((header, blocks)) = read else {
            cx.trace(EventKind::Malformed, self.flow, 0, packet.tag);
            return cx.drop(packet, DropCause::Malformed);
        };
        let Some(report) = self.place(&header) else {
            return self.on_foreign(cx, packet, &header);
        };
        if report.serial < self.reported || report.sequence < self.buffer.first() {
            // A newer one has overtaken it.
            return;
        }
        if header.refuses() {
            return self.start_over(cx);
        }
        self.on_report(cx, &report, header.room, &blocks);
        match self.state {
            State::Probing(probing) => {
                if header.kind == Kind::Answer && report.serial >= probing.from {
                    self.on_answer(cx, probing, &report, header.interval_us);
                }
            }
            State::Sending => {
                if let Some(rate) = &mut self.rate
                    && header.kind == Kind::Feedback
                    && header.interval_us > 0
                {
                    rate.on_feedback(Duration::from_micros(u64::from(header.interval_us)));
                }
                self.expect_report(cx.now);
            }
            State::Idle => {}
        }
    }

    fn on_route(&mut self, _cx: &mut Cx, news: RouteNews) {
        if !matches!((news, &self.state), (RouteNews::Lost(_), State::Sending)) {
            return;
        }
        if self.buffer.len() > 0 {
            self.probe();
        } else {
            self.state = State::Idle;
        }
    }

    fn on_deadline(&mut self, cx: &mut Cx) {
        if let State::Probing(probing) = &mut self.state {
            probing.again = probing.again.filter(|again| *again > cx.now);
        }
        self.pacer.on_deadline(cx.now);
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
            State::Probing(_) => self.send_probe(cx),
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

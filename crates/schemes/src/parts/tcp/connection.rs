//! What all TCPs share at the sending end: sequence space, timer, window, and the reactions that
//! the RFCs leave the same for everyone.

use std::collections::VecDeque;

use multihop_core::{
    Bytes, Cx, Duration, EventKind, FlowId, Gauge, Message, Numbering, Packet, Payload, Serial,
    Tag, Time,
};

use super::Settings;
use super::header::{Ack, Header, Kind};
use super::options::Options;
use super::received::MOST_HELD;
use super::window::{Cut, Window};
use crate::parts::datagram::SOURCE_BUFFER;
use crate::parts::timer::Timer;

/// RFC 5681, 3.2: the third duplicate means a loss.
pub const DUPLICATES: u32 = 3;

/// Why the window was closed last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It never was.
    None,
    /// Duplicate acknowledgments, and the recovery goes on.
    Duplicates,
    /// Duplicate acknowledgments, and the recovery is over.
    Recovered,
    /// The timer.
    Timeout,
    /// A congestion mark.
    Mark,
}

/// The sending end of a connection. Sequence numbers count segments; segment 0 is the SYN, and
/// message n is segment n + 1. On the air they count from the initial sequence number, and wrap.
pub struct Connection {
    flow: FlowId,
    settings: Settings,
    numbering: Numbering,
    /// The windows.
    pub window: Window,
    /// The retransmission timer.
    pub timer: Timer,
    /// SND.UNA: the first segment that is not acknowledged.
    pub unacknowledged: u64,
    /// The segment to send next; after a go-back, less than `sent`.
    pub next: u64,
    /// SND.NXT: all segments before this one were sent at least once.
    pub sent: u64,
    /// RFC 6582, 3.2: `sent` at the time of the last loss.
    pub recover: u64,
    /// How many duplicate acknowledgments have arrived in a row.
    pub duplicates: u32,
    /// Why the window was closed last.
    pub cause: Cause,
    /// Acknowledgments do not open the window.
    pub keeps_window: bool,
    /// How many segments the last event still allows to send.
    pub burst: u32,
    /// Segments to be sent whatever the window says.
    forced: VecDeque<u64>,
    /// The messages that are not acknowledged; the first is segment `first`.
    messages: VecDeque<Message>,
    first: u64,
    initial_window: f64,
    /// RFC 3168, 6.1.2: a mark arrived while the window was one segment.
    marked_at_one: bool,
    /// RFC 3168, 6.1.2: the next segment says that the window was reduced.
    reduced: bool,
}

impl Connection {
    /// The sending end of `flow`.
    pub fn new(settings: Settings, flow: FlowId) -> Self {
        Connection {
            flow,
            settings,
            numbering: Numbering::default(),
            window: Window::new(settings.window_limit, settings.initial_threshold),
            timer: Timer::new(settings.tick, settings.min_rto),
            unacknowledged: 0,
            next: 0,
            sent: 0,
            recover: 1,
            duplicates: 0,
            cause: Cause::None,
            keeps_window: false,
            burst: u32::MAX,
            forced: VecDeque::new(),
            messages: VecDeque::new(),
            first: 1,
            initial_window: settings.initial_window,
            marked_at_one: false,
            reduced: false,
        }
    }

    /// The segment behind the last one that there is data for.
    fn end(&self) -> u64 {
        if self.sent == 0 && self.messages.is_empty() {
            0
        } else {
            self.first + self.messages.len() as u64
        }
    }

    /// Messages that were never sent.
    pub fn unsent(&self) -> usize {
        self.end().saturating_sub(self.sent.max(1)) as usize
    }

    /// Messages that are not acknowledged.
    pub fn backlog(&self) -> usize {
        self.messages.len()
    }

    /// The connection is closed: one of the messages that are not acknowledged.
    pub fn give_up(&mut self) -> Option<Packet> {
        let Message { payload, tag } = self.messages.pop_front()?;
        Some(Packet::new(self.flow, payload, tag))
    }

    /// The application has data.
    pub fn on_message(&mut self, cx: &mut Cx, message: Message) {
        if self.sent == 0 && self.messages.is_empty() {
            // RFC 9293, 3.4.1: an initial number of its own for every life
            self.numbering = Numbering::of_life(cx.incarnation);
            self.window.show(cx, self.flow);
            self.timer.set_phase(cx.rng.unit());
        }
        if self.unsent() < SOURCE_BUFFER {
            self.messages.push_back(message);
        } else {
            cx.refuse(self.flow, message);
        }
    }

    /// Send `sequence` whatever the window says.
    pub fn force(&mut self, sequence: u64) {
        self.forced.push_back(sequence);
    }

    /// The first segment to be sent whatever the window says.
    pub fn next_forced(&mut self) -> Option<u64> {
        loop {
            let sequence = self.forced.pop_front()?;
            if (self.unacknowledged..self.end()).contains(&sequence) {
                return Some(sequence);
            }
        }
    }

    /// The segment that a window of this size allows next.
    pub fn next_in(&mut self, window: u32) -> Option<u64> {
        self.has_next_in(window).then(|| {
            self.next += 1;
            self.next - 1
        })
    }

    /// Whether a window of this size allows another segment, now that there is data for it.
    pub fn has_next_in(&self, window: u32) -> bool {
        self.next < self.end().min(self.unacknowledged + u64::from(window))
    }

    /// The payload of a segment: of the first that is not acknowledged, if there is one.
    pub fn payload(&self) -> Bytes {
        self.messages.front().map_or(Bytes(0), |message| message.payload.len())
    }

    /// RFC 3042, limited transmit: the first two duplicate acknowledgments let a new segment out.
    pub fn limited_transmit(&mut self) {
        let flight = self.next + 1 - self.unacknowledged.min(self.next);
        let allowed = self.window.cwnd() + f64::from(self.duplicates);
        let room = flight <= u64::from(self.window.limit()) && flight as f64 <= allowed;
        if room && self.next < self.end() {
            self.force(self.next);
            self.next += 1;
        }
    }

    /// The tag of the message in segment `sequence`.
    fn tag(&self, sequence: u64) -> Tag {
        let at = sequence.checked_sub(self.first).map(|at| at as usize);
        match at.and_then(|at| self.messages.get(at)) {
            Some(message) => message.tag,
            None => self.messages.front().map_or(Tag::NONE, |message| message.tag.control()),
        }
    }

    /// Write an event of this connection into the trace.
    fn trace(&self, cx: &mut Cx, kind: EventKind, sequence: u64) {
        cx.trace(kind, self.flow, self.numbering.write(sequence).0, self.tag(sequence));
    }

    /// Something has happened to the connection, at the first segment that is not acknowledged.
    pub fn note(&self, cx: &mut Cx, kind: impl Into<EventKind>) {
        self.trace(cx, kind.into(), self.unacknowledged);
    }

    /// Segment `sequence` goes on its way, with these options.
    pub fn transmit(&mut self, cx: &mut Cx, sequence: u64, mut options: Options) -> Packet {
        let tag = self.tag(sequence);
        let (kind, payload) = if sequence < self.first {
            (Kind::Syn, Payload::Virtual(0))
        } else {
            cx.copy(tag);
            (Kind::Data, self.messages[(sequence - self.first) as usize].payload.clone())
        };
        if let Some(window) = self.settings.policy.told(self.window.segments()) {
            options.put(&window);
        }
        let reduced = core::mem::take(&mut self.reduced);
        let number = self.numbering.write(sequence).0;
        let header = Header { kind, echo: false, reduced, sequence: number, options };
        let mut packet = Packet::new(self.flow, payload, tag);
        header.write(&mut packet, self.settings.header);

        let idle = self.unacknowledged == self.sent;
        if sequence >= self.sent {
            self.sent = sequence + 1;
            self.timer.on_first_sent(cx.now, sequence);
        } else {
            self.timer.on_sent_again(sequence);
            self.trace(cx, EventKind::SegmentRetransmission, sequence);
        }
        if idle || !self.timer.runs() {
            self.timer.start(cx.now);
        }
        packet
    }

    /// All before `ack` has arrived: let it go.
    pub fn advance(&mut self, cx: &mut Cx, ack: &Ack) {
        self.unacknowledged = ack.sequence;
        self.next = self.next.max(ack.sequence);
        let first = self.first;
        while self.first < ack.sequence
            && let Some(message) = self.messages.pop_front()
        {
            self.first += 1;
            cx.release(&Packet::new(self.flow, Payload::Virtual(0), message.tag));
        }
        cx.gauge(self.flow, Gauge::Acknowledged((self.first - first) as u32));
    }

    /// RFC 6298, 5.3: an acknowledgment of new data, and its sample of the round-trip time.
    pub fn new_ack(&mut self, cx: &mut Cx, ack: &Ack) {
        self.duplicates = 0;
        self.advance(cx, ack);
        if let Some(round_trip) = self.timer.on_acknowledged(cx.now, ack.sequence) {
            if !(self.marked_at_one && self.echoes(ack)) {
                self.timer.end_backoff();
                self.marked_at_one = false;
            }
            self.timer.sample(cx.now, round_trip);
            cx.gauge(self.flow, Gauge::RoundTrip(round_trip));
        }
        self.timer.start(cx.now);
    }

    /// The same, and RFC 5681, 3.1: the window opens. RFC 3168, 6.1.2: not if the acknowledgment
    /// echoes a mark.
    pub fn new_ack_opens(&mut self, cx: &mut Cx, ack: &Ack) {
        let acknowledged = ack.sequence - self.unacknowledged;
        self.new_ack(cx, ack);
        if !self.echoes(ack) {
            let steps = match () {
                () if self.keeps_window => 0,
                () if self.settings.count_segments => acknowledged,
                () => 1,
            };
            for _ in 0..steps {
                self.window.open(cx, self.flow);
            }
            self.marked_at_one = false;
        }
        if ack.sequence == 1 {
            // RFC 5681, 3.1: the initial window, once the SYN is acknowledged.
            self.window.set(cx, self.flow, self.initial_window);
        }
    }

    /// Whether `ack` echoes a congestion mark to a sender that listens.
    pub fn echoes(&self, ack: &Ack) -> bool {
        self.settings.ecn && ack.echo
    }

    /// RFC 3168, 6.1.2: react to a congestion mark, once per window of data.
    pub fn on_echo(&mut self, cx: &mut Cx, ack: &Ack) {
        if ack.sequence > self.recover || self.cause == Cause::Timeout {
            self.recover = self.sent;
            self.cause = Cause::Mark;
            let at_one = self.window.cwnd() <= 1.0;
            if at_one && self.marked_at_one {
                self.timer.back_off();
            }
            self.marked_at_one = at_one;
            self.cut(cx, Cut::Half);
        }
    }

    /// Set cwnd.
    pub fn set_cwnd(&mut self, cx: &mut Cx, cwnd: f64) {
        self.window.set(cx, self.flow, cwnd);
    }

    /// Set cwnd to the parameter `initial_window`, whether or not the SYN was lost.
    pub fn set_initial_window(&mut self, cx: &mut Cx) {
        self.window.set(cx, self.flow, self.settings.initial_window);
    }

    /// Close the window.
    pub fn cut(&mut self, cx: &mut Cx, cut: Cut) {
        self.trace(cx, EventKind::WindowReduction, self.unacknowledged);
        self.window.cut(cx, self.flow, cut);
        self.reduced = true;
    }

    /// Whether a loss may be answered now. RFC 6582, 3.2 step 2: not again for losses from the
    /// window of data that was answered; the first data segment has none before it.
    pub fn is_new_loss(&self) -> bool {
        self.unacknowledged > self.recover || self.unacknowledged == 1
    }

    /// RFC 5681, 3.2: a loss is noticed, retransmit the first segment that is missing.
    pub fn fast_retransmit(&mut self, cx: &mut Cx) {
        self.recover = self.sent;
        self.cause = Cause::Duplicates;
        self.cut(cx, Cut::Half);
        self.repeat_first(cx);
    }

    /// A loss in a window of data that was cut for a mark: retransmit without a second cut.
    pub fn retransmit_after_mark(&mut self, cx: &mut Cx) {
        self.cause = Cause::Duplicates;
        self.repeat_first(cx);
    }

    fn repeat_first(&mut self, cx: &mut Cx) {
        self.timer.start(cx.now);
        self.timer.forget();
        self.force(self.unacknowledged);
    }

    /// Resume at the first segment that is not acknowledged.
    pub fn go_back(&mut self, cx: &mut Cx) {
        self.timer.start(cx.now);
        self.timer.forget();
        self.next = self.unacknowledged;
        self.forced.clear();
    }

    /// Stand by: the timer stops, RTO and windows stay as they are, and round trips that have begun
    /// are no samples.
    pub fn stand_by(&mut self) {
        self.timer.stop();
        self.timer.forget();
    }

    /// Go on after standing by.
    pub fn resume(&mut self, now: Time) {
        self.timer.start(now);
    }

    /// The segment that is written as `number`; of another connection if there is none.
    pub fn segment(&self, number: u32) -> Option<u64> {
        self.numbering.read(Serial(number), self.unacknowledged)
    }

    /// Whether the SYN is on its way, and nothing is known of the receiver.
    pub const fn is_opening(&self) -> bool {
        self.unacknowledged == 0 && self.sent > 0
    }

    /// Whether segment `sequence`, which is not the SYN, was sent and is not acknowledged.
    pub fn is_under_way(&self, sequence: u64) -> bool {
        (self.unacknowledged.max(1)..self.sent).contains(&sequence)
    }

    /// RFC 9293, 3.5.3: the receiver knows nothing of this connection. Another one begins, with all
    /// that is not acknowledged, and with numbers behind all that were used: what is still under way
    /// is no part of it.
    pub fn start_over(&mut self, cx: &mut Cx) {
        self.trace(cx, EventKind::StartOver, self.unacknowledged);
        let unused = self.numbering.write(self.end() + MOST_HELD);
        let messages = core::mem::take(&mut self.messages);
        *self = Connection {
            numbering: Numbering::from(unused),
            messages,
            ..Connection::new(self.settings, self.flow)
        };
        self.window.show(cx, self.flow);
        self.timer.set_phase(cx.rng.unit());
    }

    /// A segment without data that ends a connection of which this node knows nothing: its receiver
    /// expects `number`.
    pub fn reset(&self, number: u32) -> Packet {
        let header = Header { kind: Kind::Reset, sequence: number, ..Header::default() };
        let mut packet = Packet::new(self.flow, Payload::Virtual(0), self.tag(0));
        header.write(&mut packet, self.settings.header);
        packet
    }

    /// RFC 6298, 5.4 to 5.6: the timer ran out.
    pub fn on_retransmission_timeout(&mut self, cx: &mut Cx) {
        self.burst = u32::MAX;
        if self.window.cwnd() < 1.0 {
            self.set_cwnd(cx, 1.0);
        }
        self.recover = self.sent;
        if self.unacknowledged == self.sent {
            // RFC 5681, 4.1: nothing was on its way: the connection is idle.
            self.cut(cx, Cut::Restart);
            self.go_back(cx);
            self.timer.stop();
        } else {
            if self.unacknowledged == 0 {
                // RFC 5681, 3.1: the SYN was lost.
                self.initial_window = 1.0;
            }
            if self.cause == Cause::Mark {
                self.cut(cx, Cut::Restart);
            } else {
                self.trace(cx, EventKind::RetransmissionTimeout, self.unacknowledged);
                self.cut(cx, Cut::ToOne);
            }
            self.timer.back_off();
            self.go_back(cx);
        }
        self.cause = Cause::Timeout;
    }

    /// The timer ran out because nothing gets through, which says nothing about the window: all stays as it
    /// is. The first segment that is missing goes again, and the timer comes back after `interval`.
    pub fn probe(&mut self, cx: &mut Cx, interval: Duration) {
        self.trace(cx, EventKind::RetransmissionTimeout, self.unacknowledged);
        self.burst = u32::MAX;
        self.forced.clear();
        self.repeat_first(cx);
        self.timer.start_for(cx.now, interval);
    }

    /// A loss that is no reason to send less: retransmit, and leave the window as it is.
    pub fn retransmit_without_a_cut(&mut self, cx: &mut Cx) {
        self.recover = self.sent;
        self.cause = Cause::Duplicates;
        self.repeat_first(cx);
    }

    /// When the timer runs out.
    pub fn deadline(&self) -> Time {
        self.timer.expires()
    }
}

//! Bytes in order, each once, in both directions between two proxies, over a network that may lose, repeat and reorder
//! packets.
//!
//! It knows no congestion: how much is sent is up to the scheme, and its owner asks for a segment when the scheme takes
//! one. What is under way in a direction is bounded by a window, which the receiver closes if the application does not
//! read. A segment counts as lost when three that were sent after it have arrived, or none has for long (RFC 6298).

mod incoming;
mod outgoing;

use multihop_core::{Duration, Time};

use super::segment::{Kind, Segment};
use incoming::{ANSWER_DELAY, Incoming};
use outgoing::Outgoing;

/// RFC 6298, 2.1 and 2.4; the first is that of RFC 1122, because paths of many hops are slow.
const FIRST_TIMEOUT: Duration = Duration::from_millis(3_000);
const SHORTEST_TIMEOUT: Duration = Duration::from_millis(1_000);
const LONGEST_TIMEOUT: Duration = Duration::from_millis(60_000);
/// A stream of which nothing was heard for so long although something was asked is broken off.
const PATIENCE: Duration = Duration::from_millis(300_000);
/// One that is not open yet, after this.
const OPENING_PATIENCE: Duration = Duration::from_millis(60_000);
/// Of a stream that is idle, somebody asks after so long whether it is still there.
const IDLE: Duration = Duration::from_millis(600_000);
/// So long after its end a stream still answers repeated segments.
const LINGER: Duration = Duration::from_millis(60_000);
/// A reset is repeated so often until it is answered.
const MOST_RESETS: u32 = 5;

/// How long it takes until a segment is answered: mean and deviation in nanoseconds (RFC 6298, 2).
#[derive(Clone, Copy)]
struct RoundTrip(Option<(u64, u64)>);

impl RoundTrip {
    fn sample(&mut self, sample: Duration) {
        let sample = sample.nanos();
        let first = (sample, sample / 2);
        self.0 = Some(self.0.map_or(first, |(mean, deviation)| {
            ((7 * mean + sample) / 8, (3 * deviation + mean.abs_diff(sample)) / 4)
        }));
    }

    fn timeout(self) -> Duration {
        let Some((mean, deviation)) = self.0 else { return FIRST_TIMEOUT };
        let timeout = Duration::from_nanos(mean + 4 * deviation) + ANSWER_DELAY;
        timeout.clamp(SHORTEST_TIMEOUT, LONGEST_TIMEOUT)
    }
}

/// How a stream stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Bytes can cross.
    Open,
    /// Both directions have ended, and everything has arrived.
    Done,
    /// This side has broken it off.
    Broken,
    /// The other side has broken it off, or is gone.
    Lost,
}

/// One end of a stream.
pub struct Stream {
    id: u32,
    /// Where it leads, at the end that has opened it.
    port: u16,
    state: State,
    outgoing: Outgoing,
    incoming: Incoming,
    round_trip: RoundTrip,
    /// How often the timer has run out since something was heard.
    backoff: u32,
    timer: Time,
    /// Since when the other side has said nothing, although it was asked.
    since: Time,
    /// Whether it is to be asked what it has got.
    question: bool,
    resets: u32,
}

impl Stream {
    /// The beginning of one that leads to `port` of the other side.
    pub fn open(id: u32, port: u16, now: Time) -> Self {
        Stream { port, outgoing: Outgoing::opening(), ..Stream::new(id, now) }
    }

    /// The other end of one that `segment`, an OPEN, has begun.
    pub fn accept(segment: &Segment, now: Time) -> Self {
        let mut stream = Stream::new(segment.stream, now);
        stream.on_segment(now, segment);
        stream
    }

    fn new(id: u32, now: Time) -> Self {
        Stream {
            id,
            port: 0,
            state: State::Open,
            outgoing: Outgoing::default(),
            incoming: Incoming::new(),
            round_trip: RoundTrip(None),
            backoff: 0,
            timer: now + IDLE,
            since: now,
            question: false,
            resets: 0,
        }
    }

    /// Its name.
    pub const fn id(&self) -> u32 {
        self.id
    }

    /// How it stands.
    pub const fn state(&self) -> State {
        self.state
    }

    /// When the other side was heard last, or asked when nothing was to be said.
    pub const fn heard(&self) -> Time {
        self.since
    }

    /// Whether it takes bytes of the application.
    pub fn has_room(&self) -> bool {
        self.state == State::Open && self.outgoing.has_room()
    }

    /// The application sends these bytes, not more than fit into a packet. Only while there is room.
    pub fn write(&mut self, data: &[u8]) {
        debug_assert!(self.has_room() && !data.is_empty(), "nobody asked for it");
        self.outgoing.write(data);
    }

    /// The application sends no more.
    pub fn end(&mut self) {
        self.outgoing.end();
    }

    /// What the application gets next.
    pub fn ready(&self) -> Option<&[u8]> {
        self.incoming.ready()
    }

    /// The application has taken so many bytes of that.
    pub fn take(&mut self, now: Time, bytes: usize) {
        self.incoming.take(now, bytes);
        self.settle();
    }

    /// Whether the other side's application sends no more, and this one has got everything.
    pub fn is_at_end(&self) -> bool {
        self.incoming.is_at_end()
    }

    /// Break it off.
    pub fn reset(&mut self, now: Time) {
        if self.state == State::Open {
            (self.state, self.timer) = (State::Broken, now);
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.outgoing.clear();
        self.incoming.clear();
    }

    /// Whether nothing more is to be said about it.
    pub fn is_over(&self, now: Time) -> bool {
        match self.state {
            State::Open => false,
            State::Done => now.since(self.since) >= LINGER,
            State::Broken => self.resets >= MOST_RESETS,
            State::Lost => true,
        }
    }

    /// When to look at it again: it may have something to say, or be over.
    pub fn deadline(&self) -> Time {
        let answer = self.incoming.answer_at();
        match self.state {
            State::Done => answer.min(self.since + LINGER),
            State::Open if self.outgoing.has_news() => Time::ZERO,
            _ => answer.min(self.timer),
        }
    }

    /// The other side says something.
    pub fn on_segment(&mut self, now: Time, segment: &Segment) {
        let breaks = matches!(segment.kind, Kind::Reset | Kind::Gone);
        match self.state {
            State::Open | State::Broken if breaks => {
                self.state = State::Lost;
                self.forget();
            }
            State::Open | State::Done if !breaks => self.hear(now, segment),
            _ => {}
        }
    }

    fn hear(&mut self, now: Time, segment: &Segment) {
        self.since = now;
        let news = self.outgoing.on_acknowledgment(now, segment);
        news.round_trip.into_iter().for_each(|sample| self.round_trip.sample(sample));
        let answered = self.outgoing.is_empty() && !self.outgoing.is_shut_out();
        if news.progress || answered {
            self.backoff = 0;
            self.set_timer(now);
        }
        if segment.kind.is_numbered() {
            self.incoming.on_numbered(now, segment);
        } else if segment.kind == Kind::Question {
            self.incoming.answer_now(now);
        }
        self.settle();
    }

    /// It may be done now.
    fn settle(&mut self) {
        if self.state == State::Open && self.outgoing.is_done() && self.is_at_end() {
            self.state = State::Done;
        }
    }

    /// Whether something of the other side is waited for.
    fn is_asking(&self) -> bool {
        !self.outgoing.is_empty() || self.backoff > 0 || self.outgoing.is_shut_out()
    }

    /// When something is asked again, if nothing is heard.
    fn set_timer(&mut self, now: Time) {
        let timeout =
            (self.round_trip.timeout() * (1 << self.backoff.min(10))).min(LONGEST_TIMEOUT);
        self.timer = now + if self.is_asking() { timeout } else { IDLE };
    }

    /// Nothing was heard for too long.
    fn on_timer(&mut self, now: Time) {
        let patience = if self.outgoing.is_opening() { OPENING_PATIENCE } else { PATIENCE };
        if !self.is_asking() {
            self.since = now;
        } else if now.since(self.since) >= patience {
            return self.reset(now);
        }
        self.question = !self.outgoing.repeat_oldest();
        self.backoff += 1;
        self.set_timer(now);
    }

    /// The next segment to send, if there is one. Only if the scheme takes it.
    pub fn poll(&mut self, now: Time) -> Option<Segment> {
        if self.state == State::Open && self.timer <= now {
            self.on_timer(now);
        }
        if self.state == State::Broken {
            let due = self.timer <= now && self.resets < MOST_RESETS;
            return due.then(|| {
                self.resets += 1;
                self.timer = now + self.round_trip.timeout();
                Segment::bare(Kind::Reset, self.id)
            });
        }
        let begins = self.outgoing.is_all_new() && self.backoff == 0;
        if let Some(segment) = self.outgoing.poll(now, self.id) {
            if begins {
                self.since = now;
                self.set_timer(now);
            }
            let port = if segment.kind == Kind::Open { self.port } else { 0 };
            return Some(self.incoming.answer(Segment { port, ..segment }));
        }
        let kind = if std::mem::take(&mut self.question) {
            Kind::Question
        } else if self.incoming.answer_at() <= now {
            Kind::Acknowledgment
        } else {
            return None;
        };
        Some(self.incoming.answer(Segment::bare(kind, self.id)))
    }
}

#[cfg(test)]
mod tests;

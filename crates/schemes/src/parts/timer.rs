//! RFC 6298: the retransmission timer, with the coarse clock of ns-2.

use multihop_core::{Duration, Time};

/// RFC 6298, 2.1 asks for 1 s since 2011. Deviation: the 3 s of RFC 2988, as in ns-2.
const FIRST: Duration = Duration::from_millis(3_000);

/// RFC 6298, 2.5: the upper bound, 60 s.
const MOST: Duration = Duration::from_millis(60_000);

/// What is known of the round trip, apart from the clock's ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundTrip {
    /// The last sample.
    pub last: Duration,
    /// RFC 6298, 2.3: SRTT, with a gain of 1/8.
    pub smoothed: Duration,
}

/// The clock, the smoothed round-trip time, and the timer itself.
#[derive(Clone, Debug)]
pub struct Timer {
    /// RFC 6298, 2: G.
    tick: Duration,
    /// RFC 6298, 2.4: the lower bound. Deviation: 0.2 s as in ns-2 and Linux instead of 1 s.
    least: Duration,
    /// When the coarse clock ticks: at multiples of `tick`, less this.
    phase: Duration,
    /// Eight times SRTT, in ticks; zero before the first sample.
    smoothed: i64,
    /// Four times RTTVAR, in ticks.
    variation: i64,
    /// RTO before bounds and backoff.
    timeout: Duration,
    /// RFC 6298, 5.5: the factor.
    backoff: u64,
    /// The segment that is being timed, and since when. RFC 6298, 3 (Karn's algorithm): never one
    /// that has been sent twice.
    timed: Option<(u64, Time)>,
    /// When it was set.
    started: Time,
    expires: Time,
    round_trip: Option<RoundTrip>,
}

impl Timer {
    /// A timer that does not run.
    pub fn new(tick: Duration, least: Duration) -> Self {
        Timer {
            tick,
            least,
            phase: Duration::ZERO,
            smoothed: 0,
            variation: 0,
            timeout: FIRST,
            backoff: 1,
            timed: None,
            started: Time::ZERO,
            expires: Time::NEVER,
            round_trip: None,
        }
    }

    /// Shift the coarse clock by `share` of a tick, from 0 to 1.
    pub fn set_phase(&mut self, share: f64) {
        self.phase = self.tick.scaled(share);
    }

    /// RTO, RFC 6298, 2.4, 2.5 and 5.5.
    pub fn timeout(&self) -> Duration {
        let one = self.timeout.max(self.least).nanos();
        let backed_off = Duration::from_nanos(one.saturating_mul(self.backoff)).min(MOST);
        backed_off.max(self.tick * 2)
    }

    /// RFC 6298, 5.1 and 5.3: start, or start again.
    pub fn start(&mut self, now: Time) {
        self.started = now;
        self.expires = now + self.timeout();
    }

    /// Start with another span than RTO.
    pub fn start_for(&mut self, now: Time, span: Duration) {
        self.expires = now + span;
    }

    /// SRTT, RFC 6298, 2; zero before the first sample.
    pub fn smoothed(&self) -> Duration {
        self.tick.scaled(self.smoothed as f64 / 8.0)
    }

    /// RFC 6298, 5.2.
    pub fn stop(&mut self) {
        self.expires = Time::NEVER;
    }

    /// Whether it runs.
    pub fn runs(&self) -> bool {
        self.expires < Time::NEVER
    }

    /// When it was set.
    pub const fn started(&self) -> Time {
        self.started
    }

    /// The round trip, once there is a sample.
    pub const fn round_trip(&self) -> Option<RoundTrip> {
        self.round_trip
    }

    /// `span` on the coarse clock: up to the next tick.
    pub const fn ticked(&self, span: Duration) -> Duration {
        let tick = self.tick.nanos();
        Duration::from_nanos(span.nanos().div_ceil(tick).saturating_mul(tick))
    }

    /// When it runs out.
    pub const fn expires(&self) -> Time {
        self.expires
    }

    /// Segment `sequence` is sent for the first time: one segment at a time is timed.
    pub fn on_first_sent(&mut self, now: Time, sequence: u64) {
        if self.timed.is_none() {
            self.timed = Some((sequence, now));
        }
    }

    /// RFC 6298, 3 (Karn's algorithm): segment `sequence` is sent again, and its acknowledgment
    /// says nothing any more. Deviation: ns-2 goes on timing where `Sack1` fills a gap and where
    /// Vegas finds a second loss (IV.A), and takes the sum of both ways for a round trip.
    pub fn on_sent_again(&mut self, sequence: u64) {
        self.timed.take_if(|(timed, _)| *timed == sequence);
    }

    /// RFC 6298, 3: what is being timed is about to be sent again, or is not to be waited for.
    pub fn forget(&mut self) {
        self.timed = None;
    }

    /// All segments before `next` have arrived. The round-trip time of the timed one, if it is
    /// among them.
    pub fn on_acknowledged(&mut self, now: Time, next: u64) -> Option<Duration> {
        let (_, since) = self.timed.take_if(|(sequence, _)| *sequence < next)?;
        Some(now.since(since))
    }

    /// RFC 6298, 5.7: a segment sent once was acknowledged, the backoff ends.
    pub fn end_backoff(&mut self) {
        self.backoff = 1;
    }

    /// RFC 6298, 2.2 and 2.3, with integers as in Jacobson 1988, appendix A.
    pub fn sample(&mut self, now: Time, round_trip: Duration) {
        let sent = (now - round_trip).nanos() + self.phase.nanos();
        let into_tick = Duration::from_nanos(sent % self.tick.nanos());
        let ticks = ((round_trip + into_tick) / self.tick).cast_signed().max(1);
        if self.smoothed == 0 {
            self.smoothed = ticks << 3;
            self.variation = ticks << 1;
        } else {
            let error = ticks - (self.smoothed >> 3);
            self.smoothed = (self.smoothed + error).max(1);
            self.variation = (self.variation + error.abs() - (self.variation >> 2)).max(1);
        }
        let timeout = ((self.variation << 3) + self.smoothed) >> 3;
        self.timeout = self.tick * timeout as u64;
        let before = self.round_trip.map_or(round_trip, |known| known.smoothed).nanos();
        let smoothed = Duration::from_nanos(before - before / 8 + round_trip.nanos() / 8);
        self.round_trip = Some(RoundTrip { last: round_trip, smoothed });
    }

    /// RFC 6298, 5.5 and the note after 5.7: double RTO; after the fourth time SRTT counts for
    /// nothing.
    pub fn back_off(&mut self) {
        if self.backoff < 64 || self.timeout() < MOST {
            self.backoff <<= 1;
        }
        if self.backoff > 8 {
            self.variation += self.smoothed >> 3;
            self.smoothed = 0;
        }
    }
}

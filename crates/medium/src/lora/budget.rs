//! How much a station may transmit: a duty cycle over a sliding window, or a bucket that fills at its rate.

use std::collections::VecDeque;

use multihop_core::{Duration, Time};

use super::parameters::Beyond;

/// How much a station may transmit.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// This share ...
    pub share: f64,
    /// ... of this time.
    pub window: Duration,
    /// What becomes of other frames.
    pub beyond: Beyond,
    /// What a bucket has to hold before a frame goes: half of the longest frame's air time.
    pub reserve: Duration,
}

impl Limit {
    /// What it comes to in a window.
    fn most(&self) -> Duration {
        self.window.scaled(self.share)
    }

    /// Whether a frame of this air time may ever go.
    pub fn admits(&self, air_time: Duration) -> bool {
        air_time <= self.most()
    }
}

/// Whether a frame may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// It may.
    Granted,
    /// Not before this time.
    From(Time),
    /// It may not.
    Refused,
}

/// What a station has left.
#[derive(Clone, Debug)]
pub struct Budget {
    limit: Limit,
    /// When transmissions of the last window ended, and how long each was.
    sent: VecDeque<(Time, Duration)>,
    /// How long they were together.
    spent: Duration,
    /// What the bucket held at `until`.
    left: Duration,
    until: Time,
}

impl Budget {
    /// A full bucket, and nothing sent.
    pub fn new(limit: Limit) -> Self {
        let (left, until) = (limit.most(), Time::ZERO);
        Budget { limit, sent: VecDeque::new(), spent: Duration::ZERO, left, until }
    }

    /// The same at a node that has restarted `now`: nothing is known of what was sent.
    pub fn restarted(self, now: Time) -> Self {
        Budget { until: now, ..Budget::new(self.limit) }
    }

    /// Whether a frame may go `now`.
    pub fn leave(&mut self, now: Time) -> Leave {
        match self.limit.beyond {
            Beyond::Drop => {
                self.forget(now);
                if self.spent > self.limit.most() { Leave::Refused } else { Leave::Granted }
            }
            Beyond::Wait => {
                self.fill(now);
                let lacking = self.limit.reserve.saturating_sub(self.left);
                if lacking == Duration::ZERO {
                    return Leave::Granted;
                }
                // Rounded up, so that the wait is over once it has passed.
                let wait = lacking.scaled(1.0 / self.limit.share) + Duration::from_nanos(1);
                Leave::From(now + wait)
            }
        }
    }

    /// A transmission has ended `now`.
    pub fn spend(&mut self, now: Time, air_time: Duration) {
        match self.limit.beyond {
            Beyond::Drop => {
                self.forget(now);
                self.sent.push_back((now, air_time));
                self.spent += air_time;
            }
            Beyond::Wait => {
                self.fill(now);
                self.left = self.left.saturating_sub(air_time);
            }
        }
    }

    fn forget(&mut self, now: Time) {
        while let Some((end, air_time)) = self.sent.front().copied()
            && now.since(end) >= self.limit.window
        {
            self.sent.pop_front();
            self.spent = self.spent.saturating_sub(air_time);
        }
    }

    fn fill(&mut self, now: Time) {
        let gained = now.since(self.until).scaled(self.limit.share);
        self.left = (self.left + gained).min(self.limit.most());
        self.until = now;
    }
}

//! What a congestion control allows: how much may be on its way, and how far apart packets go. Most
//! schemes limit one of both; whatever paces does it with this [`Pacer`].

use multihop_core::{Duration, Time};

/// What a sender may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// So many packets may be on their way.
    pub window: u32,
    /// From one packet to the next.
    pub pace: Duration,
}

impl Allowance {
    /// A window, and as fast as it opens.
    pub const fn window(window: u32) -> Self {
        Allowance { window, pace: Duration::ZERO }
    }

    /// A pace, however much is on its way.
    pub const fn pace(pace: Duration) -> Self {
        Allowance { window: u32::MAX, pace }
    }
}

/// Keeps packets apart.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pacer {
    /// When the next packet may go.
    next: Time,
    /// Whether somebody was told to wait for that.
    waits: bool,
}

impl Pacer {
    /// Whether a packet may go. If not, [`Pacer::deadline`] is when it may.
    pub fn permits(&mut self, now: Time) -> bool {
        self.waits = now < self.next;
        !self.waits
    }

    /// A packet goes, and the next one this much later.
    pub fn on_sent(&mut self, now: Time, pace: Duration) {
        *self = Pacer { next: now + pace, waits: false };
    }

    /// What was sent before does not matter any more.
    pub fn restart(&mut self) {
        *self = Pacer::default();
    }

    /// Whether the time for which somebody waits has come. It is over then.
    pub fn on_deadline(&mut self, now: Time) -> bool {
        let due = self.waits && self.next <= now;
        self.waits &= !due;
        due
    }

    /// When a packet may go for which somebody waits.
    pub fn deadline(&self) -> Time {
        if self.waits { self.next } else { Time::NEVER }
    }
}

#[cfg(test)]
mod tests;

//! 3.4: loss discovery: how fast packets go out while acknowledgments are missing.

use multihop_core::{Duration, Time};

/// The loss discovery timer and the pace.
#[derive(Clone, Copy, Debug, Default)]
pub struct Discovery {
    /// Which setting of the retransmission timer it has run out for.
    over: Option<Time>,
    /// From one packet to the next.
    pace: Duration,
    /// How many packets go out at this pace, at least, and how many have.
    window: f64,
    sent: u32,
}

impl Discovery {
    /// Whether the timer that was set at `started` has not run out yet.
    pub fn is_due(&self, started: Time) -> bool {
        self.over != Some(started)
    }

    /// It has run out.
    pub fn on_timer(&mut self, started: Time) {
        self.over = Some(started);
    }

    /// "Packets are paced out with a rate that is half to the current transmission rate (e.g.,
    /// cwnd / (2 · RTT))."
    pub fn begin(&mut self, round_trip: Duration, window: f64) {
        let pace = round_trip.scaled(2.0 / window);
        *self = Discovery { pace, window, sent: 0, ..*self };
    }

    /// A packet has gone out. "The sender keeps reducing the transmission rate to half when it paces out
    /// a CWND of packets."
    pub fn on_sent(&mut self) {
        self.sent += 1;
        if f64::from(self.sent) >= self.window {
            self.pace = Duration::from_nanos(self.pace.nanos().saturating_mul(2));
            self.sent = 0;
        }
    }

    /// From one packet to the next.
    pub const fn pace(&self) -> Duration {
        self.pace
    }
}

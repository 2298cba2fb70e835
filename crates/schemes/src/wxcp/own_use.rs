//! 3.2: "time used by station itself": of its transmissions the air time alone, or all of the time for
//! which its MAC has a packet, backoff included.

use multihop_core::{AirTime, Duration, Time};

/// What a station's own packets take besides the time in which the radio was busy.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnUse {
    /// Since when the MAC has a packet, and for how long the radio had been busy until then.
    since: Option<(Time, Duration)>,
    /// For how long the MAC has had a packet while the medium was free.
    contending: Duration,
}

impl OwnUse {
    /// The MAC gets a packet.
    pub fn on_start(&mut self, now: Time, air: &AirTime) {
        self.since = Some((now, air.busy()));
    }

    /// The MAC has finished with it.
    pub fn on_end(&mut self, now: Time, air: &AirTime) {
        self.add(now, air);
        self.since = None;
    }

    /// For how long the MAC has had a packet while the medium was free, since this was asked last.
    pub fn take(&mut self, now: Time, air: &AirTime) -> Duration {
        self.add(now, air);
        std::mem::take(&mut self.contending)
    }

    fn add(&mut self, now: Time, air: &AirTime) {
        if let Some((since, busy)) = &mut self.since {
            let (span, on_air) = (now.since(*since), air.busy().saturating_sub(*busy));
            self.contending += span.saturating_sub(on_air);
            (*since, *busy) = (now, air.busy());
        }
    }
}

#[cfg(test)]
mod tests;

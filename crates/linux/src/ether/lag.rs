//! How late the ether was.

use multihop_core::Duration;
use serde::Serialize;

/// Bounds of the classes: powers of two microseconds, from 1 us to 17 minutes.
const CLASSES: usize = 31;

/// How late things happened that were due at a certain time, in time of the medium.
#[derive(Clone, Debug, Default)]
pub struct Lag {
    classes: [u64; CLASSES],
    worst: Duration,
    late: u64,
    /// Since the last warning.
    unsaid: u64,
}

/// What a histogram says, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// How many things were due.
    pub events: u64,
    /// Half of them were at most this late; a power of two, rounded up, as for the others.
    pub median_s: f64,
    /// 99 of 100.
    pub p99_s: f64,
    /// 999 of 1000.
    pub p999_s: f64,
    /// The worst, as it was.
    pub worst_s: f64,
    /// How many were later than is allowed.
    pub late: u64,
}

fn bound(class: usize) -> Duration {
    Duration::from_micros(1 << class)
}

impl Lag {
    /// Something happened so much later than it was due; `allowed` is still in time. Says whether it was.
    pub fn count(&mut self, lag: Duration, allowed: Duration) -> bool {
        let micros = lag.nanos().div_ceil(1_000).max(1);
        let class = micros.next_power_of_two().trailing_zeros() as usize;
        self.classes[class.min(CLASSES - 1)] += 1;
        self.worst = self.worst.max(lag);
        let late = lag > allowed;
        self.late += u64::from(late);
        self.unsaid += u64::from(late);
        !late
    }

    /// How many were late since this was asked the last time.
    pub fn take_unsaid(&mut self) -> u64 {
        std::mem::take(&mut self.unsaid)
    }

    /// How many were late.
    pub const fn late(&self) -> u64 {
        self.late
    }

    fn share(&self, share: f64) -> f64 {
        let all: u64 = self.classes.iter().sum();
        let wanted = (all as f64 * share).ceil() as u64;
        let mut below = 0;
        for (class, count) in self.classes.iter().enumerate() {
            below += count;
            if below >= wanted && below > 0 {
                return bound(class).min(self.worst).seconds();
            }
        }
        0.0
    }

    /// The histogram in a few numbers.
    pub fn summary(&self) -> Summary {
        Summary {
            events: self.classes.iter().sum(),
            median_s: self.share(0.5),
            p99_s: self.share(0.99),
            p999_s: self.share(0.999),
            worst_s: self.worst.seconds(),
            late: self.late,
        }
    }
}

#[cfg(test)]
mod tests;

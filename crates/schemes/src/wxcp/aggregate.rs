//! 3.3, equations 1 and 3: what a station has to say. A pure function over integers.

use multihop_core::{Bytes, Duration, Params};

use super::parameters::{ALPHA, BETA, ZETA};
use crate::parts::explicit::share::{MILLION, millionths, saturated};

/// Nanoseconds in a second.
const SECOND: i128 = 1_000_000_000;

/// α, β and ζ, in millionths.
#[derive(Clone, Copy, Debug)]
pub struct Gains {
    /// Of the free bandwidth.
    pub alpha: i64,
    /// Of the persistent queue.
    pub beta: i64,
    /// Of a byte per retry.
    pub zeta: i64,
}

impl Gains {
    /// With the parameters `alpha`, `beta` and `zeta`.
    pub fn new(params: &Params) -> Self {
        Gains {
            alpha: millionths(params.get(ALPHA)),
            beta: millionths(params.get(BETA)),
            zeta: i64::from(params.get(ZETA)) * MILLION,
        }
    }
}

/// What a station has measured in one control interval (3.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Metrics {
    /// T, how long it was.
    pub interval: Duration,
    /// `T_free`, how much of it the medium was free.
    pub free: Duration,
    /// bw, in bytes per second; zero while nothing is known.
    pub bandwidth: u32,
    /// n.
    pub neighbours: u32,
    /// `Q_ifq`, the least that has waited.
    pub queue: Bytes,
    /// How often the MAC tried again for packets that it then delivered, and how many these were.
    pub retries: u64,
    /// See there.
    pub delivered: u64,
}

impl Metrics {
    /// Equation 1: B = `T_free` · bw / T, in bytes per second; zero for an empty interval.
    pub fn available(&self) -> u64 {
        let free = u128::from(self.free.min(self.interval).nanos()) * u128::from(self.bandwidth);
        let available = free.checked_div(u128::from(self.interval.nanos())).unwrap_or(0);
        u64::try_from(available).unwrap_or(u64::MAX)
    }

    /// Equation 3: Φ = α · T · B / (n + 1) − β · `Q_ifq` − ζ · `Retry_avg`, in millionths of a byte. T · B
    /// is `T_free` · bw.
    pub fn aggregate(&self, gains: Gains) -> i64 {
        let free = i128::from(self.free.min(self.interval).nanos()) * i128::from(self.bandwidth);
        let share = i128::from(gains.alpha) * free / (SECOND * (i128::from(self.neighbours) + 1));
        let queue = i128::from(gains.beta) * i128::from(self.queue.0);
        let retries = i128::from(gains.zeta) * i128::from(self.retries);
        let retries = retries.checked_div(i128::from(self.delivered)).unwrap_or(0);
        saturated(share - queue - retries)
    }
}

#[cfg(test)]
mod tests;

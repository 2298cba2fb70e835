//! How long a packet takes for its first four hops, and how much that varies.

use std::collections::VecDeque;

use multihop_core::{Bytes, LinkTiming, Params};

use super::parameters::{
    ALPHA, DELAY_BOUND, GAMMA, HISTORY, NEAR, Near, OVERHEAD, REACH, VARIATION, Variation,
};
use crate::parts::mean::Average;

/// What TCP-AP knows of its route. Times are in seconds.
#[derive(Clone, Debug)]
pub(super) struct Estimate {
    link: LinkTiming,
    overhead: Bytes,
    reach: u8,
    near: Near,
    varying: Variation,
    bound: f64,
    history: usize,
    /// Queueing delay of one hop, mean.
    waiting: Average,
    /// How long a packet takes until the next one does not disturb it, mean.
    ahead: Average,
    /// What varies, the newest last.
    recent: VecDeque<f64>,
    /// The time between two packets.
    interval: Option<f64>,
}

impl Estimate {
    pub(super) fn new(params: &Params) -> Self {
        Estimate {
            link: params.link,
            overhead: Bytes(params.get(OVERHEAD)),
            reach: params.get(REACH) as u8,
            near: params.get(NEAR),
            varying: params.get(VARIATION),
            bound: params.get(DELAY_BOUND).seconds(),
            history: params.get(HISTORY) as usize,
            waiting: Average::starting_at(params.get(GAMMA), 0.0),
            ahead: Average::new(params.get(ALPHA)),
            recent: VecDeque::new(),
            interval: None,
        }
    }

    /// A round trip over `hops` links, there with a segment of `payload`, back with an
    /// acknowledgment.
    pub(super) fn sample(&mut self, round_trip: f64, hops: u8, payload: Bytes) {
        let data = self.link.air_time(payload + self.overhead).seconds();
        let both = data + self.link.air_time(self.overhead).seconds();
        let waiting = (round_trip / f64::from(hops) - both) / 2.0;
        let known = self.waiting.get().filter(|_| waiting > self.bound);
        let waiting = known.unwrap_or(waiting);
        self.waiting.add(waiting);
        let ahead = f64::from(self.hops_ahead(hops)) * (waiting + data);
        if !(0.0 < ahead && ahead < self.bound) {
            return;
        }
        let mean = self.ahead.add(ahead);
        self.recent.push_back(match self.varying {
            Variation::RoundTrips => round_trip,
            Variation::Estimates => ahead,
        });
        if self.recent.len() > self.history {
            self.recent.pop_front();
        }
        self.interval = Some(mean * (1.0 + 2.0 * self.variation()));
    }

    /// Over how many of `hops` links a packet has to get ahead.
    fn hops_ahead(&self, hops: u8) -> u8 {
        match self.near {
            _ if hops >= self.reach => self.reach,
            Near::Hops => hops,
            Near::One => 1,
        }
    }

    /// Standard deviation of what varies, or its mean deviation, as a part of its mean.
    fn variation(&self) -> f64 {
        let count = self.recent.len() as f64;
        let mean = self.recent.iter().sum::<f64>() / count;
        let deviations = self.recent.iter().map(|value| (value - mean).abs());
        let deviation = match self.varying {
            Variation::RoundTrips => {
                (deviations.map(|deviation| deviation * deviation).sum::<f64>() / count).sqrt()
            }
            Variation::Estimates => deviations.sum::<f64>() / count,
        };
        deviation / mean
    }

    /// The time between two packets; `None` before the first sample.
    pub(super) const fn interval(&self) -> Option<f64> {
        self.interval
    }
}

#[cfg(test)]
mod tests;

//! Exponentially weighted means.

use multihop_core::Duration;

/// A mean that forgets.
#[derive(Clone, Copy, Debug)]
pub struct Average {
    /// Of the old mean.
    weight: f64,
    mean: Option<f64>,
}

impl Average {
    /// Without a sample yet.
    pub const fn new(weight: f64) -> Self {
        Average { weight, mean: None }
    }

    /// With a mean that no sample has made.
    pub const fn starting_at(weight: f64, mean: f64) -> Self {
        Average { weight, mean: Some(mean) }
    }

    /// Another sample; the first one is the mean. Returns the mean.
    pub fn add(&mut self, sample: f64) -> f64 {
        let mean = self.mean.unwrap_or(sample);
        let mean = self.weight * mean + (1.0 - self.weight) * sample;
        self.mean = Some(mean);
        mean
    }

    /// The mean, if there is a sample.
    pub const fn get(&self) -> Option<f64> {
        self.mean
    }

    /// Forget all samples.
    pub fn clear(&mut self) {
        self.mean = None;
    }
}

/// The share of a new sample is one in so many, as in TCP's round-trip time (RFC 6298, 2.3).
const GAIN: u64 = 8;

/// The smoothed mean of a time, in whole nanoseconds. The first sample is its first value.
#[derive(Clone, Copy, Debug, Default)]
pub struct SmoothedTime(Option<Duration>);

impl SmoothedTime {
    /// Another sample.
    pub fn add(&mut self, sample: Duration) {
        let mean = match self.0 {
            None => sample,
            Some(mean) => {
                Duration::from_nanos(mean.nanos() - mean.nanos() / GAIN + sample.nanos() / GAIN)
            }
        };
        self.0 = Some(mean);
    }

    /// The mean, if there was a sample.
    pub const fn get(&self) -> Option<Duration> {
        self.0
    }
}

//! HxH 3.3: the "exponential mean weighted average" of a time.

use multihop_core::Duration;

/// The share of a new sample is one in so many, as in TCP's round-trip time (RFC 6298, 2.3).
const GAIN: u64 = 8;

/// An exponentially weighted mean. The first sample is its first value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mean(Option<Duration>);

impl Mean {
    pub(super) fn add(&mut self, sample: Duration) {
        let mean = match self.0 {
            None => sample,
            Some(mean) => {
                Duration::from_nanos(mean.nanos() - mean.nanos() / GAIN + sample.nanos() / GAIN)
            }
        };
        self.0 = Some(mean);
    }

    /// The mean, if there was a sample.
    pub(super) fn get(&self) -> Option<Duration> {
        self.0
    }
}

//! What keeps a station from sending. A radio has three ways to find out, each with a delay of its own:
//!
//! - It *receives*: it has seen enough of a preamble. A frame that was destroyed when it began has no header that follows,
//!   and is forgotten after a while.
//! - *Channel activity detection* finds chirps of any frame, also in its midst and a little below the sensitivity. It
//!   takes time, in which the frame to be sent waits, and may fail.
//! - The *power* on the channel, of whatever it is.

use multihop_core::{Duration, Time};

use super::receiver::{Beginning, Incoming};

/// What keeps a station from sending.
#[derive(Clone, Copy, Debug)]
pub struct Sensing {
    /// How much of a preamble has to be received.
    pub detection: Duration,
    /// How long a frame that was destroyed when it began is taken for one that goes on.
    pub timeout: Duration,
    /// Channel activity detection, if there is any.
    pub activity: Option<Activity>,
    /// The measurement of power, if there is any.
    pub energy: Option<Energy>,
}

/// Channel activity detection.
#[derive(Clone, Copy, Debug)]
pub struct Activity {
    /// How long it takes.
    pub time: Duration,
    /// How long a frame has to be on the air before.
    pub delay: Duration,
    /// Power in dBm from which it finds frames.
    pub floor: f64,
    /// Probability that it fails.
    pub miss: f64,
}

/// Measurement of power.
#[derive(Clone, Copy, Debug)]
pub struct Energy {
    /// Power in dBm from which the medium is busy.
    pub threshold: f64,
    /// How long it lags behind.
    pub delay: Duration,
}

impl Sensing {
    /// Whether a radio at which these frames are on the air receives one at `at`, or measures its power.
    pub fn is_busy(&self, incoming: &[Incoming], at: Time) -> bool {
        incoming.iter().any(|frame| self.receives(frame, at) || self.measures(frame, at))
    }

    fn receives(&self, frame: &Incoming, at: Time) -> bool {
        let from = frame.start + self.detection;
        let until = match frame.beginning {
            Beginning::Received => frame.end,
            Beginning::Destroyed => frame.end.min(from + self.timeout),
            Beginning::Unnoticed => return false,
        };
        from <= at && at < until
    }

    fn measures(&self, frame: &Incoming, at: Time) -> bool {
        self.energy.is_some_and(|energy| {
            frame.power >= energy.threshold && frame.start + energy.delay <= at && at < frame.end
        })
    }
}

impl Activity {
    /// Whether there is activity that it can find at `at`, when it ends.
    pub fn is_there(&self, incoming: &[Incoming], at: Time) -> bool {
        let finds = |frame: &Incoming| {
            frame.power >= self.floor && frame.start + self.delay <= at && at < frame.end
        };
        incoming.iter().any(finds)
    }
}

//! What a radio has done with its time.

use core::ops::Sub;

use serde::{Deserialize, Serialize};

use crate::Duration;

/// Time since the start by what a radio did. Every moment counts once at most, under the first of
/// these that holds; the rest of the time the medium was free for this station.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AirTime {
    /// It sent.
    pub sending: Duration,
    /// It received a frame that it could decode so far, for itself or for others.
    pub receiving: Duration,
    /// It sensed what it could not decode: too weak, or destroyed.
    pub sensed: Duration,
    /// It waited in an exchange of its own: for an answer, or to give one.
    pub waiting: Duration,
    /// The medium was reserved: by what others had announced, or after what it could not decode.
    pub reserved: Duration,
}

impl AirTime {
    /// The time in which the medium was not free for this station: its own use, physical and
    /// virtual carrier sense.
    pub fn busy(&self) -> Duration {
        self.sending + self.receiving + self.sensed + self.waiting + self.reserved
    }

    /// The time in which it could not have overheard a neighbour, because it was sending or
    /// receiving something else.
    pub fn deaf(&self) -> Duration {
        self.sending + self.receiving
    }
}

/// What came between two moments.
impl Sub for AirTime {
    type Output = AirTime;
    fn sub(self, before: AirTime) -> AirTime {
        AirTime {
            sending: self.sending.saturating_sub(before.sending),
            receiving: self.receiving.saturating_sub(before.receiving),
            sensed: self.sensed.saturating_sub(before.sensed),
            waiting: self.waiting.saturating_sub(before.waiting),
            reserved: self.reserved.saturating_sub(before.reserved),
        }
    }
}

//! Times of which a file gives a number without a unit.

use crate::Duration;

/// The unit of a bare number that stands for a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BareUnit {
    /// s.
    Seconds,
    /// ms.
    Milliseconds,
}

impl BareUnit {
    /// The time that a number of this unit is.
    pub(super) fn of(self, number: f64) -> Duration {
        Duration::from_seconds(match self {
            BareUnit::Seconds => number,
            BareUnit::Milliseconds => number / 1_000.0,
        })
    }
}

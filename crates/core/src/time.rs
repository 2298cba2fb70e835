//! Integer nanoseconds. Zero is the start of a run; no clock is ever read here.

use core::fmt;
use core::ops::{Add, AddAssign, Div, Mul, Sub};

use serde::{Deserialize, Serialize};

/// A point in time, in nanoseconds since the start of the run.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Time(u64);

/// A span of time, in nanoseconds.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Duration(u64);

impl Time {
    /// The start of the run.
    pub const ZERO: Time = Time(0);
    /// Later than everything that happens.
    pub const NEVER: Time = Time(u64::MAX);

    /// The time `ns` nanoseconds after the start.
    pub const fn from_nanos(ns: u64) -> Self {
        Time(ns)
    }

    /// Nanoseconds since the start.
    pub const fn nanos(self) -> u64 {
        self.0
    }

    /// Seconds since the start, for results and messages.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// The span from `earlier` to `self`; zero if `earlier` is the later one.
    pub const fn since(self, earlier: Time) -> Duration {
        Duration(self.0.saturating_sub(earlier.0))
    }
}

impl Duration {
    /// No time at all.
    pub const ZERO: Duration = Duration(0);

    /// `ns` nanoseconds.
    pub const fn from_nanos(ns: u64) -> Self {
        Duration(ns)
    }

    /// `us` microseconds.
    pub const fn from_micros(us: u64) -> Self {
        Duration(us * 1_000)
    }

    /// `ms` milliseconds.
    pub const fn from_millis(ms: u64) -> Self {
        Duration(ms * 1_000_000)
    }

    /// `s` seconds, rounded to the nanosecond; negative values and NaN become zero.
    pub fn from_seconds(s: f64) -> Self {
        Duration(rounded(s * 1e9))
    }

    /// Nanoseconds.
    pub const fn nanos(self) -> u64 {
        self.0
    }

    /// Seconds, for results and messages.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// This span times a factor, rounded to the nanosecond.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Duration(rounded(self.0 as f64 * factor))
    }

    /// `self - other`, or zero where `other` is longer.
    #[must_use]
    pub const fn saturating_sub(self, other: Duration) -> Self {
        Duration(self.0.saturating_sub(other.0))
    }
}

/// The nearest whole number, a half upwards; none is negative. As `libm::round` has it, and quicker (ADR 0069).
fn rounded(value: f64) -> u64 {
    let whole = value as u64;
    whole.saturating_add(u64::from(value - whole as f64 >= 0.5))
}

impl Add<Duration> for Time {
    type Output = Time;
    fn add(self, span: Duration) -> Time {
        Time(self.0 + span.0)
    }
}

impl Sub<Duration> for Time {
    type Output = Time;
    fn sub(self, span: Duration) -> Time {
        Time(self.0.saturating_sub(span.0))
    }
}

impl AddAssign<Duration> for Time {
    fn add_assign(&mut self, span: Duration) {
        *self = *self + span;
    }
}

impl Add for Duration {
    type Output = Duration;
    fn add(self, other: Duration) -> Duration {
        Duration(self.0 + other.0)
    }
}

impl Sub for Duration {
    type Output = Duration;
    fn sub(self, other: Duration) -> Duration {
        Duration(self.0 - other.0)
    }
}

impl AddAssign for Duration {
    fn add_assign(&mut self, other: Duration) {
        self.0 += other.0;
    }
}

impl Mul<u64> for Duration {
    type Output = Duration;
    fn mul(self, count: u64) -> Duration {
        Duration(self.0 * count)
    }
}

impl Div<Duration> for Duration {
    type Output = u64;
    fn div(self, unit: Duration) -> u64 {
        self.0 / unit.0
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.9} s", self.seconds())
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.9} s", self.seconds())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn rounding_is_that_of_the_library(seconds in prop_oneof![-1.0..1e3, 0.0..1e11]) {
            prop_assert_eq!(Duration::from_seconds(seconds).nanos(), libm::round(seconds * 1e9) as u64);
        }
    }

    #[test]
    fn halves_are_rounded_up_and_what_is_no_span_is_none() {
        let nanos = |ns: f64| Duration::from_nanos(1).scaled(ns).nanos();
        assert_eq!([0.5_f64.next_down(), 0.5, 1.5, 2.5].map(nanos), [0, 1, 2, 3]);
        assert_eq!([-0.5, -7.0, f64::NAN, f64::INFINITY].map(nanos), [0, 0, 0, u64::MAX]);
        assert_eq!(nanos(2f64.powi(53) - 1.0), (1 << 53) - 1);
    }
}

//! Quantities that carry their unit in their type.

use core::fmt;
use core::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

use crate::Duration;

/// A number of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Bytes(pub u32);

/// A data rate in bit/s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Rate(pub u64);

impl Bytes {
    /// The number of bits.
    pub const fn bits(self) -> u64 {
        self.0 as u64 * 8
    }
}

impl Add for Bytes {
    type Output = Bytes;
    fn add(self, other: Bytes) -> Bytes {
        Bytes(self.0 + other.0)
    }
}

impl AddAssign for Bytes {
    fn add_assign(&mut self, other: Bytes) {
        self.0 += other.0;
    }
}

impl Rate {
    /// How long `bytes` take at this rate, rounded to the nanosecond.
    ///
    /// # Panics
    /// If the rate is zero, which the scenario's checks exclude.
    pub const fn air_time(self, bytes: Bytes) -> Duration {
        let bits_ns = bytes.bits() * 1_000_000_000;
        Duration::from_nanos((bits_ns + self.0 / 2) / self.0)
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} B", self.0)
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bit/s", self.0)
    }
}

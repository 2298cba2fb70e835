//! Powers as channel and MAC compare them.

use multihop_setup::Propagation;

/// In what powers are compared. The MAC's `Capture` compares accordingly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// In W.
    Watts,
    /// In dBW: shadowing adds a normal variable in dB.
    Decibel,
}

impl Scale {
    /// The one for this propagation.
    pub fn of(propagation: &Propagation) -> Self {
        if propagation.deviation().is_some() { Scale::Decibel } else { Scale::Watts }
    }

    /// `power`, which is in W, as it is compared.
    pub fn of_watts(self, power: f64) -> f64 {
        match self {
            Scale::Watts => power,
            Scale::Decibel => 10.0 * libm::log10(power),
        }
    }

    /// `power`, on this scale, less so many dB.
    pub fn lowered(self, power: f64, level: f64) -> f64 {
        match self {
            Scale::Watts => power * libm::pow(10.0, -level / 10.0),
            Scale::Decibel => power - level,
        }
    }

    /// How many dB `power` is above `other`, both on this scale.
    pub fn above(self, power: f64, other: f64) -> f64 {
        match self {
            Scale::Watts => 10.0 * libm::log10(power / other),
            Scale::Decibel => power - other,
        }
    }

    /// The power in W that [`Scale::of_watts`] makes `power` of.
    pub fn in_watts(self, power: f64) -> f64 {
        match self {
            Scale::Watts => power,
            Scale::Decibel => libm::pow(10.0, power / 10.0),
        }
    }
}

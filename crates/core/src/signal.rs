//! How strong a frame was.

use serde::{Deserialize, Serialize};

/// Attowatts in a watt.
const PER_WATT: f64 = 1e18;

/// The power with which a frame was received. Whole attowatts, so that recordings compare exactly;
/// the weakest frame that a radio decodes has some millions of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SignalStrength(u64);

impl SignalStrength {
    /// A power in W; what is negative or no number is none.
    pub const fn from_watts(watts: f64) -> Self {
        SignalStrength((watts * PER_WATT) as u64)
    }

    /// A power in dBW.
    pub fn from_dbw(dbw: f64) -> Self {
        Self::from_watts(libm::pow(10.0, dbw / 10.0))
    }

    /// In W.
    pub const fn watts(self) -> f64 {
        self.0 as f64 / PER_WATT
    }

    /// In dBm; minus infinity for no power.
    pub fn dbm(self) -> f64 {
        10.0 * libm::log10(self.watts() * 1e3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_milliwatt_is_0_dbm_and_ns2_s_receive_threshold_is_64_db_less() {
        assert!(SignalStrength::from_watts(1e-3).dbm().abs() < 1e-9);
        let threshold = SignalStrength::from_watts(3.652e-10);
        assert!((threshold.dbm() + 64.375).abs() < 1e-3, "{}", threshold.dbm());
        assert!((SignalStrength::from_dbw(-94.375).dbm() - threshold.dbm()).abs() < 1e-3);
    }

    #[test]
    fn what_is_no_power_is_none() {
        for nothing in [-1.0, f64::NAN, 0.0] {
            let none = SignalStrength::from_watts(nothing);
            assert_eq!(none, SignalStrength(0));
            assert!(none.dbm().is_infinite() && none.dbm() < 0.0);
        }
    }
}

//! How power falls with distance.
//!
//! The formulas are those of ns-2 2.35 (`propagation.cc`, `tworayground.cc`, `shadowing.cc`) with
//! antenna gains and system loss of one.

use core::f64::consts::PI;

use crate::{Propagation, Radio};

/// In m/s; ns-2's value (`wireless-phy.cc`).
pub const SPEED_OF_LIGHT: f64 = 3e8;

/// Nodes closer than this, in m, count as this far apart: at distance zero the formulas would
/// give infinite power.
pub const LEAST_DISTANCE: f64 = 0.01;

impl Propagation {
    /// The mean power in W at `distance` m from a transmitter that is such a `radio`.
    ///
    /// Under shadowing the power of a frame deviates from it by a normal variable in dB.
    pub fn mean_power(&self, radio: &Radio, distance: f64) -> f64 {
        let distance = distance.max(LEAST_DISTANCE);
        match *self {
            Propagation::FreeSpace => friis(radio, distance),
            Propagation::TwoRayGround => {
                let height = radio.antenna_height;
                if distance < 4.0 * PI * height * height / wavelength(radio) {
                    friis(radio, distance)
                } else {
                    let heights = height * height * height * height;
                    radio.transmit_power * heights / (distance * distance * distance * distance)
                }
            }
            Propagation::LogNormalShadowing { exponent, .. } => {
                friis(radio, 1.0) * libm::pow(distance, -exponent)
            }
        }
    }
}

fn wavelength(radio: &Radio) -> f64 {
    SPEED_OF_LIGHT / radio.frequency
}

/// Friis' equation.
fn friis(radio: &Radio, distance: f64) -> f64 {
    let spread = wavelength(radio) / (4.0 * PI * distance);
    radio.transmit_power * spread * spread
}

//! Friis' equation up to the crossover distance, then the fourth power.

use core::f64::consts::PI;
use std::sync::Arc;

use multihop_setup::{PathLoss, PropagationModel, Radio};

/// The model.
pub static MODEL: PropagationModel = PropagationModel {
    name: "two-ray-ground",
    source: "Rappaport 1996; ns-2 2.35, tworayground.cc",
    about: "Friis' equation up to the crossover distance, then the fourth power",
    params: &[],
    has_height: true,
    make: |_| Arc::new(TwoRayGround),
};

struct TwoRayGround;

impl PathLoss for TwoRayGround {
    fn mean_power(&self, radio: &Radio, distance: f64) -> f64 {
        let height = radio.antenna_height;
        if distance < 4.0 * PI * height * height / radio.wavelength() {
            return radio.friis(distance);
        }
        let heights = height * height * height * height;
        radio.transmit_power * heights / (distance * distance * distance * distance)
    }
}

//! Friis' equation.

use std::sync::Arc;

use multihop_setup::{PathLoss, PropagationModel, Radio};

/// The model.
pub static MODEL: PropagationModel = PropagationModel {
    name: "free-space",
    source: "Friis 1946; ns-2 2.35, propagation.cc",
    about: "Friis' equation",
    params: &[],
    has_height: false,
    make: |_| Arc::new(FreeSpace),
};

struct FreeSpace;

impl PathLoss for FreeSpace {
    fn mean_power(&self, radio: &Radio, distance: f64) -> f64 {
        radio.friis(distance)
    }
}

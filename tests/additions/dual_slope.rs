//! Two slopes: free space, and a power law beyond a breakpoint, as an example of a model of propagation.

use std::sync::Arc;

use multihop_core::{Length, Number};
use multihop_setup::{PathLoss, PropagationModel, Radio};

const EXPONENT: Number = Number {
    name: "loss_exponent",
    about: "Exponent of the power law beyond the breakpoint",
    unit: "",
    default: 3.0,
    min: 1.0,
    max: 10.0,
};

const BREAKPOINT: Length = Length {
    name: "breakpoint",
    about: "Up to here power falls as in free space",
    default: 1.0,
    min: 0.01,
    max: 1e6,
};

/// The model.
pub static MODEL: PropagationModel = PropagationModel {
    name: "dual-slope",
    source: "Rappaport 1996, 4.11.3",
    about: "Friis' equation up to a breakpoint, then a power law",
    params: &[EXPONENT.param(), BREAKPOINT.param()],
    has_height: false,
    make: |values| {
        let (exponent, breakpoint) = (values.get(EXPONENT), values.get(BREAKPOINT));
        Arc::new(DualSlope { exponent, breakpoint })
    },
};

struct DualSlope {
    exponent: f64,
    breakpoint: f64,
}

impl PathLoss for DualSlope {
    fn mean_power(&self, radio: &Radio, distance: f64) -> f64 {
        let DualSlope { exponent, breakpoint } = *self;
        let beyond = (distance / breakpoint).max(1.0);
        radio.friis(distance.min(breakpoint)) * libm::pow(beyond, -exponent)
    }
}

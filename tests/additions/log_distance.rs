//! A power law from a reference distance on, as an example of a model of propagation.

use std::sync::Arc;

use multihop_core::{Length, Number};
use multihop_setup::{PathLoss, PropagationModel, Radio};

const EXPONENT: Number = Number {
    name: "loss_exponent",
    about: "Exponent of the power law beyond the reference distance",
    unit: "",
    default: 3.0,
    min: 1.0,
    max: 10.0,
};

const REFERENCE: Length = Length {
    name: "reference_distance",
    about: "Up to here power falls as in free space",
    default: 1.0,
    min: 0.01,
    max: 1e6,
};

/// The model.
pub static MODEL: PropagationModel = PropagationModel {
    name: "log-distance",
    source: "Rappaport 1996, 3.9.1",
    about: "Friis' equation up to a reference distance, then a power law",
    params: &[EXPONENT.param(), REFERENCE.param()],
    has_height: false,
    make: |values| {
        let (exponent, reference) = (values.get(EXPONENT), values.get(REFERENCE));
        Arc::new(LogDistance { exponent, reference })
    },
};

struct LogDistance {
    exponent: f64,
    reference: f64,
}

impl PathLoss for LogDistance {
    fn mean_power(&self, radio: &Radio, distance: f64) -> f64 {
        let LogDistance { exponent, reference } = *self;
        let beyond = (distance / reference).max(1.0);
        radio.friis(distance.min(reference)) * libm::pow(beyond, -exponent)
    }
}

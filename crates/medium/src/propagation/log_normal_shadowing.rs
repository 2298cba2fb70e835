//! Friis' equation at 1 m, then a power law with a normal deviation in dB that is drawn for every frame and receiver.

use std::sync::Arc;

use multihop_core::{Dimension, Measure, Number};
use multihop_setup::{PathLoss, PropagationModel, Radio};

/// The exponent of the power law.
pub const EXPONENT: Number = Number {
    name: "path_loss_exponent",
    about: "Exponent of the power law",
    unit: "",
    default: 4.0,
    min: 0.01,
    max: 20.0,
};

/// The standard deviation of the power.
pub const DEVIATION: Measure = Measure {
    name: "shadowing_deviation",
    about: "Standard deviation of the power",
    dimension: Dimension::Level,
    default: 4.0,
    min: 0.0,
    max: 1e3,
};

/// The probability with which ranges are meant.
pub const RANGE_PROBABILITY: Number = Number {
    name: "range_probability",
    about: "Probability that a frame is decoded (sensed) at the receive (sense) range",
    unit: "",
    default: 0.95,
    min: 1e-6,
    max: 1.0 - 1e-6,
};

/// The model.
pub static MODEL: PropagationModel = PropagationModel {
    name: "log-normal-shadowing",
    source: "Rappaport 1996; ns-2 2.35, shadowing.cc",
    about: "A power law with a normal deviation in dB, drawn for every frame and receiver",
    params: &[EXPONENT.param(), DEVIATION.param(), RANGE_PROBABILITY.param()],
    has_height: false,
    make: |values| {
        let (exponent, deviation) = (values.get(EXPONENT), values.get(DEVIATION));
        Arc::new(LogNormalShadowing { exponent, deviation })
    },
};

struct LogNormalShadowing {
    exponent: f64,
    deviation: f64,
}

impl PathLoss for LogNormalShadowing {
    fn mean_power(&self, radio: &Radio, distance: f64) -> f64 {
        radio.friis(1.0) * libm::pow(distance, -self.exponent)
    }

    fn deviation(&self) -> Option<f64> {
        (self.deviation > 0.0).then_some(self.deviation)
    }
}

//! A power law through a loss that was measured, or computed by an empirical model, at one distance.

use std::sync::Arc;

use multihop_core::{Dimension, Length, Measure, Number};
use multihop_setup::{LEAST_DISTANCE, PathLoss, PropagationModel, Radio};

/// The loss at the reference distance.
pub const LOSS_AT: Measure = Measure {
    name: "loss_at",
    about: "Path loss at reference_distance; frequency and heights are in it. The default is that of 3GPP's suburban \
            macro-cell at 908.75 MHz with antennas 1 m above ground",
    dimension: Dimension::Level,
    default: 147.85,
    min: 0.0,
    max: 300.0,
};

/// The distance of that loss.
pub const REFERENCE_DISTANCE: Length = Length {
    name: "reference_distance",
    about: "Where the path loss is loss_at",
    default: 1_000.0,
    min: LEAST_DISTANCE,
    max: 1e9,
};

/// How fast the loss grows.
pub const EXPONENT: Number = Number {
    name: "exponent",
    about: "Exponent of the power law: the loss grows by ten times as many dB from one distance to ten times that",
    unit: "",
    default: 4.49,
    min: 0.01,
    max: 20.0,
};

/// The model.
pub static MODEL: PropagationModel = PropagationModel {
    name: "log-distance",
    source: "Rappaport 1996, 3.9.1",
    about: "A power law through a given loss at a reference distance",
    params: &[
        LOSS_AT.param().replacing(&["radio.frequency"]),
        REFERENCE_DISTANCE.param(),
        EXPONENT.param(),
    ],
    has_height: false,
    make: |values| {
        Arc::new(LogDistance {
            gain: libm::pow(10.0, -values.get(LOSS_AT) / 10.0),
            reference: values.get(REFERENCE_DISTANCE),
            exponent: values.get(EXPONENT),
        })
    },
};

struct LogDistance {
    /// Share of the power that arrives at the reference distance.
    gain: f64,
    reference: f64,
    exponent: f64,
}

impl PathLoss for LogDistance {
    fn mean_power(&self, radio: &Radio, distance: f64) -> f64 {
        let LogDistance { gain, reference, exponent } = *self;
        radio.transmit_power * gain * libm::pow(distance / reference, -exponent)
    }
}

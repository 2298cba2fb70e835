//! How power falls with distance: a model describes itself, as a MAC does.

use core::fmt;
use std::sync::Arc;

use multihop_core::{Param, Values};

use crate::Radio;

/// In m/s; ns-2's value (`wireless-phy.cc`).
pub const SPEED_OF_LIGHT: f64 = 3e8;

/// Nodes closer than this, in m, count as this far apart: at distance zero the formulas would
/// give infinite power.
pub const LEAST_DISTANCE: f64 = 0.01;

/// A model of propagation, with everything that tools need to know of it. It lives as long as the program.
#[derive(Clone, Copy)]
pub struct PropagationModel {
    /// Its key in scenario files.
    pub name: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// How power falls with distance.
    pub about: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// Whether the height of the antennas matters.
    pub has_height: bool,
    /// Makes it.
    pub make: fn(&Values) -> Arc<dyn PathLoss>,
}

/// How power falls with distance.
pub trait PathLoss: Send + Sync {
    /// The mean power in W at `distance` m, at least [`LEAST_DISTANCE`], from a transmitter that is such a `radio`.
    fn mean_power(&self, radio: &Radio, distance: f64) -> f64;

    /// The standard deviation in dB of the power of a frame, a normal variable that is drawn for every frame and
    /// receiver; `None` if every frame has the mean power.
    fn deviation(&self) -> Option<f64> {
        None
    }
}

/// A model with the values of its parameters.
#[derive(Clone)]
pub struct Propagation {
    /// The model.
    pub model: &'static PropagationModel,
    /// The values.
    pub values: Values,
    law: Arc<dyn PathLoss>,
}

impl Propagation {
    /// `model` with these `values`.
    pub fn new(model: &'static PropagationModel, values: Values) -> Self {
        let law = (model.make)(&values);
        Propagation { model, values, law }
    }

    /// The mean power in W at `distance` m from a transmitter that is such a `radio`.
    pub fn mean_power(&self, radio: &Radio, distance: f64) -> f64 {
        self.law.mean_power(radio, distance.max(LEAST_DISTANCE))
    }

    /// The standard deviation in dB of the power of a frame; `None` if every frame has the mean power.
    pub fn deviation(&self) -> Option<f64> {
        self.law.deviation()
    }
}

impl PartialEq for Propagation {
    fn eq(&self, other: &Propagation) -> bool {
        (self.model.name, &self.values) == (other.model.name, &other.values)
    }
}

impl fmt::Debug for Propagation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.model.name, self.values)
    }
}

impl Radio {
    /// The wavelength in m.
    pub fn wavelength(&self) -> f64 {
        SPEED_OF_LIGHT / self.frequency
    }

    /// Friis' equation: the power in W at `distance` m in free space.
    pub fn friis(&self, distance: f64) -> f64 {
        let spread = self.wavelength() / (4.0 * core::f64::consts::PI * distance);
        self.transmit_power * spread * spread
    }
}

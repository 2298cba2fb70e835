//! [radio]: a model of propagation with its parameters, and what radios have in common.

pub(crate) mod keys;
mod thresholds;

use multihop_core::{Defaults, Param, Values};
use multihop_medium::propagation::PROPAGATIONS;
use multihop_setup::{Floors, Links, Propagation, PropagationModel, Radio};

use crate::error::Fault;
use crate::form::RadioPart;

use keys::{
    ANTENNA_HEIGHT, BIT_ERROR_RATE, CAPTURE_RATIO, FREQUENCY, INTERFERENCE, NEIGHBOUR_DELIVERY,
    RECEIVE_RANGE, RECEIVE_THRESHOLD, RECEPTION, SENSE_RANGE, SENSE_THRESHOLD, TRANSMIT_POWER,
    UNLISTED,
};
use thresholds::{Thresholds, of_floors, thresholds};

/// The parameters of `[radio]` whatever the propagation.
pub static RADIO: [Param; 13] = [
    RECEIVE_RANGE.param().or("\"250 m\""),
    SENSE_RANGE.param().or("\"550 m\""),
    RECEIVE_THRESHOLD.param().or("the power at receive_range"),
    SENSE_THRESHOLD.param().or("the power at sense_range"),
    CAPTURE_RATIO.param(),
    RECEPTION.param(),
    INTERFERENCE.param(),
    BIT_ERROR_RATE.param(),
    TRANSMIT_POWER.param(),
    FREQUENCY.param(),
    ANTENNA_HEIGHT.param(),
    UNLISTED.param().or("\"silent\""),
    NEIGHBOUR_DELIVERY.param().or("0.5"),
];

/// The parameters of [radio] with this propagation.
pub(crate) fn params(model: &PropagationModel) -> Vec<Param> {
    RADIO.into_iter().chain(model.params.iter().copied()).collect()
}

impl RadioPart {
    /// The model of propagation, and the values of all parameters.
    pub(crate) fn read(&self) -> Result<(&'static PropagationModel, Values), Fault> {
        let model = self.find(PROPAGATIONS, |model| model.name)?;
        let all: Vec<_> = PROPAGATIONS.iter().map(|one| (one.name, params(one))).collect();
        let all: Vec<_> = all.iter().map(|(name, params)| (*name, params.as_slice())).collect();
        let values = self.values((model.name, &params(model)), &all, Defaults::Paper)?;
        Ok((model, values))
    }
}

/// The radio of this section.
pub(crate) fn radio(section: &RadioPart) -> Result<Radio, Fault> {
    let (model, values) = section.read()?;
    let mut radio = Radio {
        propagation: Propagation::new(model, values.of(model.params)),
        transmit_power: values.get(TRANSMIT_POWER),
        frequency: values.get(FREQUENCY),
        antenna_height: values.get(ANTENNA_HEIGHT),
        receive_threshold: 0.0,
        sense_threshold: 0.0,
        capture_ratio: values.get(CAPTURE_RATIO),
        reception: values.get(RECEPTION),
        interference: values.get(INTERFERENCE),
        bit_error_rate: values.get(BIT_ERROR_RATE),
        neighbour_range: 0.0,
        links: Links::default(),
    };
    let Thresholds { receive, sense, range } = thresholds(&values, &radio)?;
    radio.receive_threshold = receive;
    radio.sense_threshold = sense;
    radio.neighbour_range = range;
    Ok(radio)
}

/// The radio of this section with a receiver that decodes and senses from these powers on.
pub(crate) fn receives_from(
    radio: &mut Radio,
    floors: Floors,
    section: &RadioPart,
) -> Result<(), Fault> {
    let (_, values) = section.read()?;
    let Thresholds { receive, sense, range } = of_floors(floors, &values, radio)?;
    radio.receive_threshold = receive;
    radio.sense_threshold = sense;
    radio.neighbour_range = range;
    Ok(())
}

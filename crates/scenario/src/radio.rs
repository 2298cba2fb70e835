//! [radio]: a model of propagation with its parameters, and what radios have in common.

pub(crate) mod keys;
mod thresholds;

use multihop_core::{Defaults, Param, Values};
use multihop_medium::dcf::Settings;
use multihop_medium::propagation::PROPAGATIONS;
use multihop_setup::{Floors, Interference, Links, Ofdm, Propagation, PropagationModel, Radio};

use crate::error::Fault;
use crate::form::RadioPart;

use keys::{
    ANTENNA_HEIGHT, BANDWIDTH, BIT_ERROR_RATE, CAPTURE_RATIO, ERROR_MARGIN, ERRORS, FREQUENCY,
    INTERFERENCE, Kind, NEIGHBOUR_DELIVERY, NOISE_FIGURE, RECEIVE_RANGE, RECEIVE_THRESHOLD,
    RECEPTION, SENSE_RANGE, SENSE_THRESHOLD, TRANSMIT_POWER, UNLISTED,
};
use thresholds::{Thresholds, of_floors, thresholds};

/// The parameters of `[radio]` whatever the propagation.
pub static RADIO: [Param; 17] = [
    RECEIVE_RANGE.param().or("\"250 m\""),
    SENSE_RANGE.param().or("\"550 m\""),
    RECEIVE_THRESHOLD.param().or("the power at receive_range; \"-82 dBm\" (ofdm)"),
    SENSE_THRESHOLD.param().or("the power at sense_range; \"-104 dBm\" (ofdm)"),
    CAPTURE_RATIO.param(),
    RECEPTION.param(),
    INTERFERENCE
        .param()
        .or("\"ratio\"; \"ofdm\" (mac.timing \"ofdm-5\", \"ofdm-2.4\" and \"ht-5\")"),
    ERRORS.param(),
    ERROR_MARGIN.param(),
    NOISE_FIGURE.param(),
    BANDWIDTH.param(),
    BIT_ERROR_RATE.param(),
    TRANSMIT_POWER.param(),
    FREQUENCY.param().or(
        "\"914 MHz\"; \"5180 MHz\" (ofdm and ofdm-5 or ht-5), \"2437 MHz\" (ofdm and ofdm-2.4)",
    ),
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

/// The radio of this section, where stations are like `mac`; the neighbours' range of OFDM is not known yet.
pub(crate) fn radio(section: &RadioPart, mac: Option<&Settings>) -> Result<Radio, Fault> {
    let (model, values) = section.read()?;
    let interference = interference(&values, mac);
    if mac.is_none() && matches!(interference, Interference::Ofdm(_)) {
        let message = "\"ofdm\" is a receiver of 802.11, which this MAC is not of; remove it";
        return Err(Fault::new("radio.interference", message));
    }
    let band = mac.and_then(|mac| mac.frequency);
    let band = band.filter(|_| matches!(interference, Interference::Ofdm(_)));
    let mut radio = Radio {
        propagation: Propagation::new(model, values.of(model.params)),
        transmit_power: values.get(TRANSMIT_POWER),
        frequency: values.given(FREQUENCY).or(band).unwrap_or(FREQUENCY.default),
        antenna_height: values.get(ANTENNA_HEIGHT),
        receive_threshold: 0.0,
        sense_threshold: 0.0,
        capture_ratio: values.get(CAPTURE_RATIO),
        reception: values.get(RECEPTION),
        interference,
        bit_error_rate: values.get(BIT_ERROR_RATE),
        neighbour_range: 0.0,
        links: Links::default(),
    };
    let Thresholds { receive, sense, range } = thresholds(&values, &radio)?;
    radio.receive_threshold = receive;
    radio.sense_threshold = sense;
    radio.neighbour_range = range;
    if let (Interference::Ofdm(ofdm), Some(mac)) = (&mut radio.interference, mac)
        && mac.sends_ofdm()
    {
        ofdm.carries = mac.carrying_power(ofdm).max(receive);
        if ofdm.carries > receive {
            radio.neighbour_range = thresholds::carrying_range(&values, &radio)?;
        }
    }
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

/// What a frame does to another one: by the receiver that is named, or by that of the MAC's timing.
fn interference(values: &Values, mac: Option<&Settings>) -> Interference {
    let is_ofdm = mac.is_some_and(|mac| mac.frequency.is_some());
    match values.given(INTERFERENCE).unwrap_or(if is_ofdm { Kind::Ofdm } else { Kind::Ratio }) {
        Kind::Ratio => Interference::Ratio,
        Kind::Dsss => Interference::Dsss,
        Kind::Ofdm => Interference::Ofdm(Ofdm {
            noise: noise(values.get(BANDWIDTH), values.get(NOISE_FIGURE)),
            errors: values.get(ERRORS),
            margin: values.get(ERROR_MARGIN),
            carries: f64::INFINITY,
        }),
    }
}

/// Noise in W over a bandwidth in Hz, so many dB above that of 290 K.
fn noise(bandwidth: f64, figure: f64) -> f64 {
    const BOLTZMANN: f64 = 1.380_649e-23;
    BOLTZMANN * 290.0 * bandwidth * libm::pow(10.0, figure / 10.0)
}

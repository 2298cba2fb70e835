//! From which power on frames are decoded and sensed: given by ranges, or as powers.

use multihop_core::{Length, Value, Values, inverse_normal};
use multihop_medium::propagation::log_normal_shadowing::RANGE_PROBABILITY;
use multihop_setup::{Floors, Interference, LEAST_DISTANCE, Radio};

use super::keys::{RECEIVE_RANGE, RECEIVE_THRESHOLD, SENSE_RANGE, SENSE_THRESHOLD};
use crate::bounds::ROUNDING;
use crate::error::Fault;

/// No length is greater, in m.
const FARTHEST: f64 = 1e9;

/// From which power on frames are decoded and sensed.
pub(crate) struct Thresholds {
    /// In W.
    pub(crate) receive: f64,
    /// In W.
    pub(crate) sense: f64,
    /// Up to which distance, in m, frames are decoded.
    pub(crate) range: f64,
}

/// The thresholds that the `values` of [radio] ask of `radio`, whose own are not looked at.
pub(crate) fn thresholds(values: &Values, radio: &Radio) -> Result<Thresholds, Fault> {
    let margin = margin(values, radio);
    let remedy = "receive_threshold and sense_threshold go together";
    match (values.given(RECEIVE_THRESHOLD), values.given(SENSE_THRESHOLD)) {
        (receive, sense) if is_ofdm(radio) => {
            if receive.is_none() && sense.is_none() && given_range(values).is_some() {
                return by_ranges(values, radio, margin);
            }
            refuse_ranges(values)?;
            let (receive, sense) = (receive.unwrap_or(NOTICED), sense.unwrap_or(FELT));
            by_powers(Signal(receive), Signal(sense), radio, margin)
        }
        (None, None) => by_ranges(values, radio, margin),
        (Some(receive), Some(sense)) => {
            refuse_ranges(values)?;
            by_powers(Signal(receive), Signal(sense), radio, margin)
        }
        (Some(_), None) => Err(Fault::missing("radio.sense_threshold", remedy)),
        (None, Some(_)) => Err(Fault::missing("radio.receive_threshold", remedy)),
    }
}

/// From which power on, in dBm, receivers of OFDM notice frames: what IEEE 802.11-2020, 17.3.10.2, asks for at 6 Mbit/s.
const NOTICED: f64 = -82.0;
/// From which power on, in dBm, a signal counts at a receiver of OFDM: 10 dB below the noise.
const FELT: f64 = -104.0;

fn is_ofdm(radio: &Radio) -> bool {
    matches!(radio.interference, Interference::Ofdm(_))
}

/// Up to which distance, in m, signals have the power that carries data at a receiver of OFDM.
pub(crate) fn carrying_range(values: &Values, radio: &Radio) -> Result<f64, Fault> {
    let power = radio.carrying_power();
    range(power, radio, margin(values, radio)).map_err(|_| {
        let needed = Signal(10.0 * libm::log10(power) + 30.0);
        let message = format!(
            "needs signals of {needed} at this noise, which nobody gets, not even from 1 cm away; give a lower rate, or \
             raise radio.transmit_power"
        );
        Fault::new("mac.data_rate", message)
    })
}

/// The thresholds of a receiver of which the MAC says from which powers on it decodes and senses.
pub(crate) fn of_floors(
    floors: Floors,
    values: &Values,
    radio: &Radio,
) -> Result<Thresholds, Fault> {
    by_powers(Signal(floors.receive), Signal(floors.sense), radio, margin(values, radio))
}

/// A power in dBm.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Signal(f64);

impl Signal {
    fn watts(self) -> f64 {
        libm::pow(10.0, (self.0 - 30.0) / 10.0)
    }
}

impl core::fmt::Display for Signal {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}", Value::Measure(self.0, multihop_core::Dimension::Signal))
    }
}

fn by_ranges(values: &Values, radio: &Radio, margin: f64) -> Result<Thresholds, Fault> {
    let receive_range = values.get(RECEIVE_RANGE);
    let sense_range = values.get(SENSE_RANGE);
    if sense_range < receive_range {
        let (key, must) = match values.given(SENSE_RANGE) {
            Some(_) => ("radio.sense_range", "must not be shorter than the receive range"),
            None => ("radio.receive_range", "must not be longer than the sense range"),
        };
        let message = format!("{must} (receive {receive_range} m, sense {sense_range} m)");
        return Err(Fault::new(key, message));
    }
    let power = |range: f64| radio.propagation.mean_power(radio, range * (1.0 + ROUNDING)) * margin;
    let (receive, sense) = (power(receive_range), power(sense_range));
    if !(receive.is_normal() && sense.is_normal()) {
        let message = "no power that a computer can express is left at this range; check \
                       transmit_power, frequency, antenna_height and path_loss_exponent";
        return Err(Fault::new("radio.sense_range", message));
    }
    Ok(Thresholds { receive, sense, range: receive_range * (1.0 + ROUNDING) })
}

/// The first range that is given.
fn given_range(values: &Values) -> Option<Length> {
    [RECEIVE_RANGE, SENSE_RANGE].into_iter().find(|key| values.given(*key).is_some())
}

fn refuse_ranges(values: &Values) -> Result<(), Fault> {
    let Some(key) = given_range(values) else { return Ok(()) };
    let message = "says the same as receive_threshold and sense_threshold; remove it or both of \
                   them";
    Err(Fault::new(format!("radio.{}", key.name), message))
}

fn by_powers(
    receive: Signal,
    sense: Signal,
    radio: &Radio,
    margin: f64,
) -> Result<Thresholds, Fault> {
    if sense > receive {
        let message = format!("must not be above receive_threshold ({sense} against {receive})");
        return Err(Fault::new("radio.sense_threshold", message));
    }
    let range = range(receive.watts(), radio, margin)
        .map_err(|why| Fault::new("radio.receive_threshold", format!("{why} ({receive})")))?;
    Ok(Thresholds { receive: receive.watts(), sense: sense.watts(), range })
}

/// Up to which distance, in m, signals have this power in W; why there is no such distance.
fn range(power: f64, radio: &Radio, margin: f64) -> Result<f64, &'static str> {
    let is_within = |distance: f64| radio.propagation.mean_power(radio, distance) * margin >= power;
    if !is_within(LEAST_DISTANCE) {
        return Err("nothing would be decoded, not even from 1 cm away");
    }
    if is_within(FARTHEST) {
        return Err("everything would be decoded, even from 1e9 m away");
    }
    let (mut near, mut far) = (LEAST_DISTANCE, FARTHEST);
    for _ in 0..2 * f64::MANTISSA_DIGITS {
        let middle = f64::midpoint(near, far);
        if is_within(middle) {
            near = middle;
        } else {
            far = middle;
        }
    }
    Ok(near)
}

/// How far below the mean a threshold lies, so that at its range a frame is above it with the
/// given probability.
fn margin(values: &Values, radio: &Radio) -> f64 {
    let Some(deviation) = radio.propagation.deviation() else { return 1.0 };
    let probability = values.get(RANGE_PROBABILITY);
    libm::pow(10.0, -inverse_normal(probability) * deviation / 10.0)
}

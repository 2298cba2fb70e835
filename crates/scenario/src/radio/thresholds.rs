//! From which power on frames are decoded and sensed: given by ranges, or as powers.

use multihop_core::{Value, Values, inverse_normal};
use multihop_medium::propagation::log_normal_shadowing::RANGE_PROBABILITY;
use multihop_setup::{Floors, LEAST_DISTANCE, Radio};

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
        (None, None) => by_ranges(values, radio, margin),
        (Some(receive), Some(sense)) => {
            refuse_ranges(values)?;
            by_powers(Signal(receive), Signal(sense), radio, margin)
        }
        (Some(_), None) => Err(Fault::missing("radio.sense_threshold", remedy)),
        (None, Some(_)) => Err(Fault::missing("radio.receive_threshold", remedy)),
    }
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

fn refuse_ranges(values: &Values) -> Result<(), Fault> {
    let given = [RECEIVE_RANGE, SENSE_RANGE].into_iter().find(|key| values.given(*key).is_some());
    let Some(key) = given else { return Ok(()) };
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
    let is_within =
        |distance: f64| radio.propagation.mean_power(radio, distance) * margin >= receive.watts();
    let wrong =
        |why: &str| Err(Fault::new("radio.receive_threshold", format!("{why} ({receive})")));
    if !is_within(LEAST_DISTANCE) {
        return wrong("nothing would be decoded, not even from 1 cm away");
    }
    if is_within(FARTHEST) {
        return wrong("everything would be decoded, even from 1e9 m away");
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
    Ok(Thresholds { receive: receive.watts(), sense: sense.watts(), range: near })
}

/// How far below the mean a threshold lies, so that at its range a frame is above it with the
/// given probability.
fn margin(values: &Values, radio: &Radio) -> f64 {
    let Some(deviation) = radio.propagation.deviation() else { return 1.0 };
    let probability = values.get(RANGE_PROBABILITY);
    libm::pow(10.0, -inverse_normal(probability) * deviation / 10.0)
}

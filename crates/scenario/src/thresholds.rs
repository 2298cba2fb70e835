//! From which power on frames are decoded and sensed: given by ranges, or as powers.

use multihop_core::inverse_normal;

use crate::bounds::{ROUNDING, within};
use crate::error::Fault;
use crate::form::RadioSection;
use crate::quantity::{Number, Signal};
use crate::topology::longer_than_nothing;
use multihop_setup::LEAST_DISTANCE;
use multihop_setup::{Propagation, Radio};

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

/// The thresholds that `section` asks of `radio`, whose own are not looked at.
pub(crate) fn thresholds(section: &RadioSection, radio: &Radio) -> Result<Thresholds, Fault> {
    let margin = margin(section, radio.propagation)?;
    let remedy = "receive_threshold and sense_threshold go together";
    match (&section.receive_threshold, &section.sense_threshold) {
        (None, None) => by_ranges(section, radio, margin),
        (Some(receive), Some(sense)) => {
            refuse_ranges(section)?;
            by_powers(receive, sense, radio, margin)
        }
        (Some(_), None) => Err(Fault::missing("radio.sense_threshold", remedy)),
        (None, Some(_)) => Err(Fault::missing("radio.receive_threshold", remedy)),
    }
}

fn by_ranges(section: &RadioSection, radio: &Radio, margin: f64) -> Result<Thresholds, Fault> {
    let length = |key: &str, given: &Option<_>, default: f64| match given {
        None => Ok(default),
        Some(length) => longer_than_nothing(key, length),
    };
    let receive_range = length("radio.receive_range", &section.receive_range, 250.0)?;
    let sense_range = length("radio.sense_range", &section.sense_range, 550.0)?;
    if sense_range < receive_range {
        let (key, must) = match section.sense_range {
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

fn refuse_ranges(section: &RadioSection) -> Result<(), Fault> {
    let given = [
        ("receive_range", section.receive_range.is_some()),
        ("sense_range", section.sense_range.is_some()),
    ];
    let Some((key, _)) = given.iter().find(|(_, given)| *given) else { return Ok(()) };
    let message = "says the same as receive_threshold and sense_threshold; remove it or both of \
                   them";
    Err(Fault::new(format!("radio.{key}"), message))
}

fn by_powers(
    receive: &Signal,
    sense: &Signal,
    radio: &Radio,
    margin: f64,
) -> Result<Thresholds, Fault> {
    if sense.value() > receive.value() {
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
fn margin(section: &RadioSection, propagation: Propagation) -> Result<f64, Fault> {
    let Propagation::LogNormalShadowing { deviation, .. } = propagation else { return Ok(1.0) };
    let probability = within(
        "radio.range_probability",
        section.range_probability.unwrap_or(Number(0.95)),
        |probability| probability > 0.0 && probability < 1.0,
        "must be above 0 and below 1",
    )?;
    Ok(libm::pow(10.0, -inverse_normal(probability) * deviation / 10.0))
}

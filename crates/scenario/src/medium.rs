//! What carries the frames: the MAC that is chosen, and from ranges to thresholds.

use multihop_core::{Defaults, Scheme};
use multihop_medium::{NEIGHBOUR_RANGE, WIRED};
use multihop_setup::{
    Carried, Channel, Interference, Links, Mac, Propagation, Radio, Reception, Refusal,
};

use crate::bounds::{ROUNDING, within};
use crate::error::Fault;
use crate::form::{
    InterferenceKind, MacPart, PropagationKind, RadioSection, ReceptionKind, Scenario, WiredPart,
};
use crate::quantity::{Decibel, Frequency, Number, Power};
use crate::registry::Registry;
use crate::thresholds::{Thresholds, thresholds};
use crate::topology::longer_than_nothing;

/// The key that decides up to where nodes are neighbours on `medium`.
pub(crate) fn range_key(medium: &Carried) -> &'static str {
    match &medium.channel {
        Channel::Radio(_) => "radio.receive_range",
        Channel::Links { .. } => "wired.neighbour_range",
    }
}

/// The medium of `scenario` for this scheme.
pub(crate) fn medium(
    scenario: &Scenario,
    scheme: &Scheme,
    registry: &Registry,
) -> Result<Carried, Fault> {
    if let Some(section) = &scenario.wired {
        let other = [("radio", scenario.radio.is_some()), ("mac", scenario.mac.is_some())];
        if let Some((name, _)) = other.iter().find(|(_, given)| *given) {
            let message = format!("takes the place of [radio] and [mac]; remove it or [{name}]");
            return Err(Fault::new("wired", message));
        }
        return wired(section);
    }
    by_radio((scenario.radio.as_ref(), scenario.mac.as_ref()), scheme, registry)
}

/// The medium of these sections for this scheme.
pub(crate) fn by_radio(
    (section, mac_section): (Option<&RadioSection>, Option<&MacPart>),
    scheme: &Scheme,
    registry: &Registry,
) -> Result<Carried, Fault> {
    let radio = radio(&section.cloned().unwrap_or_default())?;
    let part = mac_section.cloned().unwrap_or_default();
    let mac = match part.name {
        Some(_) => part.find(&registry.macs, |mac| mac.name)?,
        None => preferred(scheme, registry),
    };
    let all: Vec<_> = registry.macs.iter().map(|mac| (mac.name, mac.params)).collect();
    let values = part.values((mac.name, mac.params), &all, Defaults::Paper)?;
    (mac.check)(&values, Some(&radio)).map_err(|refusal| refused("mac", &refusal))?;
    let values = values.completed(mac.params, &(mac.otherwise)(&values));
    Ok(Carried { mac, values, channel: Channel::Radio(radio) })
}

/// What a MAC refuses of this section.
pub(crate) fn refused(section: &str, refusal: &Refusal) -> Fault {
    Fault::new(format!("{section}.{}", refusal.key), refusal.message.as_str())
}

/// The MAC that a scheme has where a scenario names none: the first that can do all that it needs, and nothing that it
/// does itself; the first of all if there is none, which is then refused.
pub fn preferred(scheme: &Scheme, registry: &Registry) -> &'static Mac {
    let needs = |mac: &Mac| scheme.requires.iter().all(|need| mac.can(*need));
    let suits = |mac: &&&'static Mac| {
        needs(mac) && scheme.doubles(|capability| mac.can(capability)).is_none()
    };
    registry.macs.iter().find(suits).unwrap_or(&registry.macs[0])
}

fn wired(section: &WiredPart) -> Result<Carried, Fault> {
    let mac = section.find(&[WIRED], |mac| mac.name)?;
    let entry = (mac.name, mac.params);
    let values = section.values(entry, &[entry], Defaults::Paper)?;
    let neighbour_range = values.get(NEIGHBOUR_RANGE) * (1.0 + ROUNDING);
    Ok(Carried { mac, values, channel: Channel::Links { neighbour_range } })
}

fn radio(section: &RadioSection) -> Result<Radio, Fault> {
    let kind = section.propagation.unwrap_or(PropagationKind::TwoRayGround);
    let propagation = propagation(section, kind)?;
    let mut radio = Radio {
        propagation,
        transmit_power: positive(
            "radio.transmit_power",
            section.transmit_power.as_ref().map_or(0.281_838_15, Power::value),
        )?,
        frequency: positive(
            "radio.frequency",
            section.frequency.as_ref().map_or(914e6, Frequency::value),
        )?,
        antenna_height: match &section.antenna_height {
            None => 1.5,
            Some(height) => longer_than_nothing("radio.antenna_height", height)?,
        },
        receive_threshold: 0.0,
        sense_threshold: 0.0,
        capture_ratio: within(
            "radio.capture_ratio",
            section.capture_ratio.unwrap_or(Number(10.0)),
            |ratio| ratio >= 1.0,
            "must be at least 1",
        )?,
        reception: match section.reception {
            None | Some(ReceptionKind::Ns2) => Reception::Ns2,
            Some(ReceptionKind::MessageInMessage) => Reception::MessageInMessage,
            Some(ReceptionKind::FirstDecodable) => Reception::FirstDecodable,
        },
        interference: match section.interference {
            None | Some(InterferenceKind::Ratio) => Interference::Ratio,
            Some(InterferenceKind::Dsss) => Interference::Dsss,
        },
        bit_error_rate: within(
            "radio.bit_error_rate",
            section.bit_error_rate.unwrap_or(Number(0.0)),
            |rate| (0.0..1.0).contains(&rate),
            "must be at least 0 and below 1",
        )?,
        neighbour_range: 0.0,
        links: Links::default(),
    };
    let Thresholds { receive, sense, range } = thresholds(section, &radio)?;
    radio.receive_threshold = receive;
    radio.sense_threshold = sense;
    radio.neighbour_range = range;
    Ok(radio)
}

fn propagation(section: &RadioSection, kind: PropagationKind) -> Result<Propagation, Fault> {
    let shadowing_only = [
        ("path_loss_exponent", section.path_loss_exponent.is_some()),
        ("shadowing_deviation", section.shadowing_deviation.is_some()),
        ("range_probability", section.range_probability.is_some()),
    ];
    if kind != PropagationKind::LogNormalShadowing
        && let Some((key, _)) = shadowing_only.iter().find(|(_, given)| *given)
    {
        let message = "applies only to propagation \"log-normal-shadowing\"";
        return Err(Fault::new(format!("radio.{key}"), message));
    }
    Ok(match kind {
        PropagationKind::FreeSpace => Propagation::FreeSpace,
        PropagationKind::TwoRayGround => Propagation::TwoRayGround,
        PropagationKind::LogNormalShadowing => Propagation::LogNormalShadowing {
            exponent: within(
                "radio.path_loss_exponent",
                section.path_loss_exponent.unwrap_or(Number(4.0)),
                |exponent| exponent > 0.0 && exponent <= 20.0,
                "must be above 0 and at most 20",
            )?,
            deviation: section.shadowing_deviation.as_ref().map_or(4.0, Decibel::value),
        },
    })
}

fn positive(key: &str, value: f64) -> Result<f64, Fault> {
    within(key, Number(value), |value| value > 0.0, "must be greater than zero")
}

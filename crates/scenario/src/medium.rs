//! What carries the frames: the MAC that is chosen, and from ranges to thresholds.

use multihop_core::{Defaults, Scheme};
use multihop_medium::dcf::Settings;
use multihop_medium::{NEIGHBOUR_RANGE, WIRED};
use multihop_setup::{Carried, Channel, Interference, Mac, Refusal};

use crate::bounds::ROUNDING;
use crate::error::Fault;
use crate::form::{MacPart, RadioPart, Scenario, WiredPart};
use crate::radio::{radio, receives_from};
use crate::registry::Registry;

/// The key that decides up to where nodes are neighbours on `medium`.
pub(crate) fn range_key(medium: &Carried) -> &'static str {
    match &medium.channel {
        Channel::Radio(_) if medium.mac.floors.is_some() => "radio.transmit_power",
        Channel::Radio(radio) if matches!(radio.interference, Interference::Ofdm(_)) => {
            "radio.transmit_power (or radio.receive_range, if it is given)"
        }
        Channel::Radio(_) => "radio.receive_range",
        Channel::Links { .. } => "wired.neighbour_range",
    }
}

/// The medium of `scenario` for these schemes.
pub(crate) fn medium(
    scenario: &Scenario,
    schemes: &[&Scheme],
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
    by_radio((scenario.radio.as_ref(), scenario.mac.as_ref()), schemes, registry)
}

/// The medium of these sections for these schemes.
pub(crate) fn by_radio(
    (section, mac_section): (Option<&RadioPart>, Option<&MacPart>),
    schemes: &[&Scheme],
    registry: &Registry,
) -> Result<Carried, Fault> {
    let part = mac_section.cloned().unwrap_or_default();
    let mac = match part.name {
        Some(_) => part.find(&registry.macs, |mac| mac.name)?,
        None => preferred(schemes, registry),
    };
    let all: Vec<_> = registry.macs.iter().map(|mac| (mac.name, mac.params)).collect();
    let values = part.values((mac.name, mac.params), &all, Defaults::Paper)?;
    let settings = Settings::with(mac, &values);
    let mut radio = radio(&section.cloned().unwrap_or_default(), settings.as_ref())?;
    (mac.check)(&values, Some(&radio)).map_err(|refusal| refused("mac", &refusal))?;
    let values = values.completed(mac.params, &(mac.otherwise)(&values));
    if let Some(floors) = mac.floors {
        let section = section.cloned().unwrap_or_default();
        receives_from(&mut radio, floors(&values), &section)?;
    }
    Ok(Carried { mac, values, channel: Channel::Radio(radio) })
}

/// What a MAC refuses of this section.
pub(crate) fn refused(section: &str, refusal: &Refusal) -> Fault {
    Fault::new(format!("{section}.{}", refusal.key), refusal.message.as_str())
}

/// The MAC that schemes have where a scenario names none: the first that can do all that each needs, and nothing that
/// one does itself; else that of the first of them alone, and the first of all if it has none, which is then refused.
pub fn preferred(schemes: &[&Scheme], registry: &Registry) -> &'static Mac {
    let suits = |mac: &Mac, scheme: &Scheme| {
        scheme.requires.iter().all(|need| mac.can(*need))
            && scheme.doubles(|capability| mac.can(capability)).is_none()
    };
    let all = |mac: &&&'static Mac| schemes.iter().all(|scheme| suits(mac, scheme));
    let first = |mac: &&&'static Mac| schemes.first().is_some_and(|scheme| suits(mac, scheme));
    let mut macs = registry.macs.iter();
    macs.clone().find(all).or_else(|| macs.find(first)).unwrap_or(&registry.macs[0])
}

fn wired(section: &WiredPart) -> Result<Carried, Fault> {
    let mac = section.find(&[WIRED], |mac| mac.name)?;
    let entry = (mac.name, mac.params);
    let values = section.values(entry, &[entry], Defaults::Paper)?;
    let neighbour_range = values.get(NEIGHBOUR_RANGE) * (1.0 + ROUNDING);
    Ok(Carried { mac, values, channel: Channel::Links { neighbour_range } })
}

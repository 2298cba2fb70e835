//! What ns-3's 802.11b can be like.

use multihop_core::{Bytes, Duration};

use crate::error::{Fault, ScenarioError};
use multihop_setup::{Interference, Mac, Medium, Radio, Reception};

/// 802.11b: slot, SIFS and long preamble, in us (802.11-2007, tables 15-2 and 18-6).
const DSSS_US: [u64; 3] = [20, 10, 192];

/// Its rates, in bit/s.
pub(crate) const DSSS_RATES: [u64; 4] = [1_000_000, 2_000_000, 5_500_000, 11_000_000];

/// The radio and the MAC of `medium`, which ns-3's 802.11b can be like, as it has to be where a scenario's `simulator`
/// is "ns3".
///
/// # Errors
/// If it cannot: which key is at fault, and what would do.
pub fn for_ns3(medium: &Medium) -> Result<(&Radio, &Mac), ScenarioError> {
    check(medium).map_err(|fault| fault.placed(None))
}

pub(crate) fn check(medium: &Medium) -> Result<(&Radio, &Mac), Fault> {
    let Medium::Radio(radio, mac) = medium else {
        return Err(Fault::new("wired", "ns-3 is used for its radios; remove [wired]"));
    };
    check_radio(radio)?;
    check_mac(mac)?;
    Ok((radio, mac))
}

fn check_radio(radio: &Radio) -> Result<(), Fault> {
    let refused = [
        (
            radio.bit_error_rate > 0.0,
            "radio.bit_error_rate",
            "ns-3 has error models of its own; leave it out",
        ),
        (
            radio.reception != Reception::Ns2,
            "radio.reception",
            "ns-3 receives by rules of its own; leave it out",
        ),
        (
            radio.interference != Interference::Ratio,
            "radio.interference",
            "ns-3 has error models of its own; leave it out",
        ),
        (
            !radio.links.is_empty(),
            "link",
            "ns-3 computes links from places; give the nodes x and y, and remove [[link]]",
        ),
    ];
    let found = refused.iter().find(|(is_asked, ..)| *is_asked);
    found.map_or(Ok(()), |(_, key, message)| Err(Fault::new(*key, *message)))
}

fn check_mac(mac: &Mac) -> Result<(), Fault> {
    let [slot, sifs, preamble] = DSSS_US.map(Duration::from_micros);
    if [mac.slot, mac.sifs, mac.preamble] != [slot, sifs, preamble] || mac.data_preamble != Bytes(0)
    {
        let message = "ns-3 is used as 802.11b with its long preamble; use 'dsss' as it is";
        return Err(Fault::new("mac.timing", message));
    }
    if mac.rts_threshold.is_some_and(|threshold| threshold != Bytes(0)) {
        let message =
            "ns-3 is used with RTS/CTS for all frames or for none; use mac.rts_cts instead";
        return Err(Fault::new("mac.rts_threshold", message));
    }
    check_rates(mac)
}

/// Whether the rates are those of 802.11b.
pub(crate) fn check_rates(mac: &Mac) -> Result<(), Fault> {
    let mut rates =
        [("mac.data_rate", mac.data_rate), ("mac.basic_rate", mac.basic_rate)].into_iter();
    let other = rates.find(|(_, rate)| !DSSS_RATES.contains(&rate.0));
    let message = "802.11b has 1, 2, 5.5 and 11 Mbit/s; use one of them";
    other.map_or(Ok(()), |(key, _)| Err(Fault::new(key, message)))
}

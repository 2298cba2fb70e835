//! What ns-3's 802.11b can be like.

use multihop_core::{Bytes, Duration};

use crate::error::{Fault, ScenarioError};
use crate::medium::refused;
use multihop_medium::dcf::Settings;
use multihop_setup::{Carried, Interference, Node, Radio, Reception};

/// 802.11b: slot, SIFS and long preamble, in us (802.11-2007, tables 15-2 and 18-6).
const DSSS_US: [u64; 3] = [20, 10, 192];

/// The radio and the MAC of `medium`, which ns-3's 802.11b can be like, as it has to be where a scenario's `simulator`
/// is "ns3".
///
/// # Errors
/// If it cannot: which key is at fault, and what would do.
pub fn for_ns3(medium: &Carried) -> Result<(&Radio, Settings), ScenarioError> {
    check(medium).map_err(|fault| fault.placed(None))
}

pub(crate) fn check(medium: &Carried) -> Result<(&Radio, Settings), Fault> {
    let Some(radio) = medium.radio() else {
        return Err(Fault::new("wired", "ns-3 is used for its radios; remove [wired]"));
    };
    let Some(mac) = Settings::of(medium) else {
        return Err(Fault::new("mac.kind", "ns-3 is used with its 802.11; remove it"));
    };
    check_radio(radio)?;
    check_mac(&mac)?;
    Ok((radio, mac))
}

/// Refuses radios that differ.
pub(crate) fn check_nodes(nodes: &[Node]) -> Result<(), Fault> {
    match nodes.iter().find(|node| node.own.fitting.is_some()) {
        Some(node) => {
            let message = format!(
                "ns-3 gives every node the radio of [radio], and '{}' has one of its own; remove its transmit_power, \
                 antenna_gain, antenna_height and sense_threshold, or use simulator \"multihop\"",
                node.name
            );
            Err(Fault::new("simulator", message))
        }
        None => Ok(()),
    }
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
            radio.interference == Interference::Dsss,
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

fn check_mac(mac: &Settings) -> Result<(), Fault> {
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
    mac.check_rates().map_err(|refusal| refused("mac", &refusal))
}

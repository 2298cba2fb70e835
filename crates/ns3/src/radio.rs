//! What ns-3's 802.11b has to be like to be the radio and the MAC of a scenario.

use multihop_core::{Bytes, Duration};
use multihop_scenario::setup::{Mac, Medium, Propagation, Radio, Reception, Setup};

/// 802.11b: slot, SIFS and long preamble, in us (802.11-2007, tables 15-2 and 18-6).
const DSSS_US: [u64; 3] = [20, 10, 192];

/// Its rates, in bit/s.
const DSSS_RATES: [u64; 4] = [1_000_000, 2_000_000, 5_500_000, 11_000_000];

/// The settings of every device, in a form that C reads.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MultihopRadio {
    /// Whether power falls by the two-ray model; if not, by Friis'.
    pub two_ray_ground: bool,
    /// Whether data frames are announced by an RTS.
    pub rts: bool,
    /// In dBm.
    pub transmit_power: f64,
    /// In Hz.
    pub frequency: f64,
    /// In m.
    pub antenna_height: f64,
    /// From which power on a frame can be decoded, and from which on it is sensed, in dBm.
    pub receive_threshold: f64,
    /// See there.
    pub sense_threshold: f64,
    /// Rate of unicast data in bit/s.
    pub data_rate: u64,
    /// Rate of everything else in bit/s.
    pub basic_rate: u64,
    /// The smallest and the largest contention window.
    pub cw_min: u32,
    /// See there.
    pub cw_max: u32,
    /// Attempts for an RTS, or for data without one.
    pub short_retry_limit: u32,
    /// Attempts for data behind an RTS.
    pub long_retry_limit: u32,
}

fn dbm(watts: f64) -> f64 {
    10.0 * (watts * 1e3).log10()
}

/// The settings that `setup` asks for.
///
/// # Errors
/// If ns-3's 802.11b cannot be so: which key is at fault, and what would do.
pub fn radio(setup: &Setup) -> Result<MultihopRadio, String> {
    let Medium::Radio(radio, mac) = &setup.medium else {
        return Err("[wired]: ns-3 is used for its radios; remove it".into());
    };
    let two_ray_ground = propagation(radio)?;
    Ok(MultihopRadio {
        two_ray_ground,
        rts: rts(mac)?,
        transmit_power: dbm(radio.transmit_power),
        frequency: radio.frequency,
        antenna_height: radio.antenna_height,
        receive_threshold: dbm(radio.receive_threshold),
        sense_threshold: dbm(radio.sense_threshold),
        data_rate: rate(mac.data_rate.0, "mac.data_rate")?,
        basic_rate: rate(mac.basic_rate.0, "mac.basic_rate")?,
        cw_min: mac.cw_min,
        cw_max: mac.cw_max,
        short_retry_limit: mac.short_retry_limit,
        long_retry_limit: mac.long_retry_limit,
    })
}

/// Whether power falls by the two-ray model; refuses what else ns-3 does in another way.
fn propagation(radio: &Radio) -> Result<bool, String> {
    let refused = [
        (
            radio.bit_error_rate > 0.0,
            "radio.bit_error_rate: ns-3 has error models of its own; leave it out",
        ),
        (
            !radio.links.is_empty(),
            "[[link]]: ns-3 computes links from places; give the nodes x and y",
        ),
        (
            radio.reception != Reception::Ns2,
            "radio.reception: ns-3 receives by rules of its own; leave it out",
        ),
    ];
    if let Some((_, message)) = refused.iter().find(|(is_asked, _)| *is_asked) {
        return Err((*message).into());
    }
    match radio.propagation {
        Propagation::TwoRayGround => Ok(true),
        Propagation::FreeSpace => Ok(false),
        Propagation::LogNormalShadowing { .. } => Err(
            "radio.propagation: ns-3 is used with 'two-ray-ground' or 'free-space'; use one of them".into(),
        ),
    }
}

/// Whether data frames are announced; refuses what is not 802.11b.
fn rts(mac: &Mac) -> Result<bool, String> {
    let [slot, sifs, preamble] = DSSS_US.map(Duration::from_micros);
    if [mac.slot, mac.sifs, mac.preamble] != [slot, sifs, preamble] || mac.data_preamble != Bytes(0)
    {
        return Err(
            "mac.timing: ns-3 is used as 802.11b with its long preamble; use 'dsss' as it is"
                .into(),
        );
    }
    match mac.rts_threshold {
        None => Ok(false),
        Some(Bytes(0)) => Ok(true),
        Some(_) => Err("mac.rts_threshold: ns-3 is used with RTS/CTS for all frames or for none; \
                        use mac.rts_cts instead"
            .into()),
    }
}

fn rate(rate: u64, key: &str) -> Result<u64, String> {
    let is_known = DSSS_RATES.contains(&rate);
    is_known.then_some(rate).ok_or_else(|| format!("{key}: 802.11b has 1, 2, 5.5 and 11 Mbit/s"))
}

//! What ns-3's 802.11b has to be like to be the radio and the MAC of a scenario.

use multihop_medium::propagation::log_normal_shadowing::{DEVIATION, EXPONENT};
use multihop_medium::propagation::{free_space, log_normal_shadowing, two_ray_ground};
use multihop_scenario::{ALWAYS_ON, for_ns3};
use multihop_setup::{Propagation, Setup};

/// How power falls with distance.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MultihopPropagation {
    /// By Friis' equation.
    FreeSpace,
    /// By the two-ray model.
    TwoRayGround,
    /// By a power law from Friis' value at 1 m on, and for each frame at each radio by a normal variable in dB.
    LogNormalShadowing,
}

/// The settings of every device, in a form that C reads.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MultihopRadio {
    /// How power falls with distance.
    pub propagation: MultihopPropagation,
    /// Whether data frames are announced by an RTS.
    pub rts: bool,
    /// In dBm.
    pub transmit_power: f64,
    /// In Hz.
    pub frequency: f64,
    /// In m.
    pub antenna_height: f64,
    /// Exponent of the power law, and standard deviation in dB; zero but for shadowing.
    pub path_loss_exponent: f64,
    /// See there.
    pub shadowing_deviation: f64,
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
    if setup.nodes.iter().any(|node| !node.track.present.is_empty()) {
        return Err(ALWAYS_ON.to_owned());
    }
    let (radio, mac) = for_ns3(&setup.medium).map_err(|error| error.to_string())?;
    let Propagation { model, values, .. } = &radio.propagation;
    let (propagation, path_loss_exponent, shadowing_deviation) = match model.name {
        name if name == free_space::MODEL.name => (MultihopPropagation::FreeSpace, 0.0, 0.0),
        name if name == two_ray_ground::MODEL.name => (MultihopPropagation::TwoRayGround, 0.0, 0.0),
        name if name == log_normal_shadowing::MODEL.name => {
            let (exponent, deviation) = (values.get(EXPONENT), values.get(DEVIATION));
            (MultihopPropagation::LogNormalShadowing, exponent, deviation)
        }
        name => {
            return Err(format!(
                "radio.propagation: ns-3 has no \"{name}\"; use one of the others (multihop list \
                 propagations)"
            ));
        }
    };
    Ok(MultihopRadio {
        propagation,
        rts: mac.rts_threshold.is_some(),
        transmit_power: dbm(radio.transmit_power),
        frequency: radio.frequency,
        antenna_height: radio.antenna_height,
        path_loss_exponent,
        shadowing_deviation,
        receive_threshold: dbm(radio.receive_threshold),
        sense_threshold: dbm(radio.sense_threshold),
        data_rate: mac.data_rate.0,
        basic_rate: mac.basic_rate.0,
        cw_min: mac.cw_min,
        cw_max: mac.cw_max,
        short_retry_limit: mac.short_retry_limit,
        long_retry_limit: mac.long_retry_limit,
    })
}

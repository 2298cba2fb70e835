//! LoRa: chirp spread spectrum on one shared channel, and the two ways in which the meshes of today share it.
//!
//! - `parameters`, `presets`, `settings`: `[mac]`, and what it means;
//! - `modulation`: how long frames are on the air;
//! - `frame`: what is on the air;
//! - `receiver`: which frame a radio receives, overlap and capture;
//! - `sensing`: what keeps a station from sending;
//! - `access`, `budget`: when it sends, and how much it may;
//! - `station`: all of that at one node;
//! - `stations`: all nodes on one channel;
//! - `event`: what stations tell;
//! - `meter`: what a radio does with its time.
//!
//! All frames have one spreading factor, bandwidth and channel, an explicit header and a checksum. A receiver decodes what
//! is above its sensitivity and was not destroyed. There are no link acknowledgments: who needs one has them in the
//! scheme.

mod access;
mod budget;
mod event;
mod frame;
mod meter;
mod modulation;
mod parameters;
mod presets;
mod receiver;
mod sensing;
mod settings;
mod station;
mod stations;
#[cfg(test)]
mod tests;

use multihop_core::{Capability, Vocabulary, Word};
use multihop_setup::Mac;

use settings::Settings;

/// A frame would be longer than the radio's length field expresses.
pub static FRAME_TOO_LONG: Word =
    Word { name: "frame_too_long", about: "the frame would be longer than the radio can send" };

/// The duty cycle is used up.
pub static OVER_DUTY_CYCLE: Word =
    Word { name: "over_duty_cycle", about: "the station had used up its duty cycle" };

/// LoRa.
pub static MAC: Mac = Mac {
    name: "lora",
    title: "LoRa",
    source: "Semtech SX1276 and SX1261/2 data sheets; the firmwares of Meshtastic and MeshCore, 2026",
    about: "Chirps with capture; random slots as in Meshtastic, or retries as in MeshCore; no link acknowledgments",
    offers: &[
        Capability::Unicast,
        Capability::Withdrawal,
        Capability::Overhearing,
        Capability::AirTime,
        Capability::FirstSlot,
        Capability::CommonList,
    ],
    words: &[Vocabulary::Cause(&FRAME_TOO_LONG), Vocabulary::Cause(&OVER_DUTY_CYCLE)],
    longest_packet: |values| Settings::new(values).longest_packet(),
    params: parameters::PARAMS,
    otherwise: |values| Settings::new(values).named(values),
    check: |values, _| Settings::new(values).check(),
    floors: Some(|values| Settings::new(values).floors()),
    hearing: Some(|values, _| Settings::new(values).hearing()),
    hop: |values| Settings::new(values).hop(),
    make: |setup| Box::new(stations::Stations::new(setup)),
};

//! Settings of meshes in the field, by their names there.
//!
//! Sources: Meshtastic's firmware (`MeshRadio.h`, `RadioInterface.cpp`; presets of 2026) and MeshCore's recommended
//! settings (2026: narrow channels of 62.5 kHz).

use multihop_core::Alternative;

/// Whose mesh has a setting: which header, preamble and access go with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mesh {
    /// Slots, and channel activity detection.
    Meshtastic,
    /// Tries again after a while, and sends in the end.
    MeshCore,
}

/// A setting of a radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Whose it is.
    pub mesh: Mesh,
    /// Its spreading factor.
    pub spreading_factor: u32,
    /// Its bandwidth in Hz.
    pub bandwidth: u32,
    /// Symbols of a code word.
    pub coding_rate: u32,
}

impl Preset {
    /// Symbols of the preamble. MeshCore has 32 at spreading factors up to 8 since version 1.16.
    pub const fn preamble(&self, spreading_factor: u32) -> u32 {
        match self.mesh {
            Mesh::MeshCore if spreading_factor <= 8 => 32,
            _ => 16,
        }
    }
}

const fn meshtastic(spreading_factor: u32, bandwidth: u32, coding_rate: u32) -> Preset {
    Preset { mesh: Mesh::Meshtastic, spreading_factor, bandwidth, coding_rate }
}

const fn meshcore(spreading_factor: u32, bandwidth: u32, coding_rate: u32) -> Preset {
    Preset { mesh: Mesh::MeshCore, spreading_factor, bandwidth, coding_rate }
}

macro_rules! presets {
    ($($name:literal: $about:literal = $preset:expr,)+) => {
        /// Their names, and what they are.
        pub static NAMES: &[Alternative] = &[$(Alternative { name: $name, about: $about }),+];
        /// The presets, in the order of their names.
        pub static PRESETS: &[Preset] = &[$($preset),+];
    };
}

presets! {
    "long-fast": "Meshtastic's LongFast: SF 11, 250 kHz, 4/5" = meshtastic(11, 250_000, 5),
    "long-turbo": "Meshtastic's LongTurbo: SF 11, 500 kHz, 4/8" = meshtastic(11, 500_000, 8),
    "long-moderate": "Meshtastic's LongModerate: SF 11, 125 kHz, 4/8" = meshtastic(11, 125_000, 8),
    "long-slow": "Meshtastic's LongSlow: SF 12, 125 kHz, 4/8" = meshtastic(12, 125_000, 8),
    "very-long-slow": "Meshtastic's VeryLongSlow: SF 12, 62.5 kHz, 4/8" = meshtastic(12, 62_500, 8),
    "medium-turbo": "Meshtastic's MediumTurbo: SF 9, 500 kHz, 4/5" = meshtastic(9, 500_000, 5),
    "medium-fast": "Meshtastic's MediumFast: SF 9, 250 kHz, 4/5" = meshtastic(9, 250_000, 5),
    "medium-slow": "Meshtastic's MediumSlow: SF 10, 250 kHz, 4/5" = meshtastic(10, 250_000, 5),
    "short-turbo": "Meshtastic's ShortTurbo: SF 7, 500 kHz, 4/5" = meshtastic(7, 500_000, 5),
    "short-fast": "Meshtastic's ShortFast: SF 7, 250 kHz, 4/5" = meshtastic(7, 250_000, 5),
    "short-slow": "Meshtastic's ShortSlow: SF 8, 250 kHz, 4/5" = meshtastic(8, 250_000, 5),
    "meshcore-sf7": "MeshCore's narrow setting of North America: SF 7, 62.5 kHz, 4/5" = meshcore(7, 62_500, 5),
    "meshcore-sf8": "MeshCore's narrow setting of Europe: SF 8, 62.5 kHz, 4/8" = meshcore(8, 62_500, 8),
}

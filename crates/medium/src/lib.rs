//! The medium between nodes: what carries their frames, for every host that has no hardware to
//! do it. It keeps no clock and no schedule: the host says what time it is, and wakes whom the
//! medium asks it to wake ([`Wakes`](multihop_core::Wakes)).
//!
//! ```text
//! Setup --medium--> dyn Medium <--offer, withdraw, on_deadline-- host
//!                              --Wakes, Report-----------------> host
//!
//! channel    who hears whom, how strongly, and how much later
//!   movement where everybody is
//!     grid   who may be near a place
//!   scale    powers as channel and MAC compare them
//! channels   several channels, each a medium of its own
//! propagation how power falls with distance
//! dcf        802.11: one station per node on one shared channel
//! csma       the reduced CSMA of CXCC
//! lora       LoRa, as the meshes of today share it
//! wired      duplex links, for comparison
//! outer      a medium that another program has
//!   air      what its radios do with their time
//! ```

mod channel;
mod channels;
pub mod csma;
pub mod dcf;
mod grid;
pub mod lora;
mod movement;
mod outer;
pub mod propagation;
mod scale;
mod wired;

#[cfg(test)]
mod tests;

use multihop_core::Medium;
use multihop_setup::{Mac, Setup};

pub use channel::{Arrival, Channel, OnAir, Signal};
pub use outer::{Order, Outer, OuterFrame, OuterReception, Sensed};
pub use wired::NEIGHBOUR_RANGE;

/// The MACs over the radio. Where a scenario names none, a scheme has the first that can do what it needs, and does
/// not do what the scheme does itself.
pub static MACS: &[&Mac] = &[&dcf::MAC, &csma::MAC, &lora::MAC];

/// The MAC of wires, which are no radio: it stands in a section of its own.
pub static WIRED: &Mac = &wired::MAC;

/// What carries the frames between the nodes of `setup`.
pub fn medium(setup: &Setup) -> Box<dyn Medium> {
    if setup.channels.is_empty() {
        return (setup.medium.mac.make)(setup);
    }
    Box::new(channels::Channels::new(setup))
}

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

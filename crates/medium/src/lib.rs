//! The medium between nodes: what carries their frames, for every host that has no hardware to
//! do it. It keeps no clock and no schedule: the host says what time it is, and wakes whom the
//! medium asks it to wake ([`Alarm`]).
//!
//! ```text
//! Setup --medium--> dyn Medium <--offer, withdraw, on_deadline-- host
//!                              --Wakes, Report-----------------> host
//!
//! channel    who hears whom, how strongly, and how much later
//!   movement where everybody is
//!     grid   who may be near a place
//!   scale    powers as channel and MAC compare them
//! dcf        802.11: one station per node on one shared channel
//! wired      duplex links, for comparison
//! outer      a medium that another program has
//!   air      what its radios do with their time
//! ```

mod channel;
pub mod dcf;
mod grid;
mod movement;
mod outer;
mod scale;
mod wired;

#[cfg(test)]
mod tests;

use multihop_core::Medium;
use multihop_setup::{Medium as Carried, Setup};

pub use channel::{Channel, Signal};
pub use outer::{Order, Outer, OuterFrame, OuterReception, Sensed};
pub use wired::Wires;

/// What carries the frames between the nodes of `setup`.
pub fn medium(setup: &Setup) -> Box<dyn Medium> {
    let addresses = setup.addresses.clone();
    match &setup.medium {
        Carried::Radio(radio, mac) => {
            Box::new(dcf::Stations::new(&setup.nodes, addresses, (radio, mac), setup.seed))
        }
        Carried::Wired(wired) => Box::new(Wires::new(&setup.nodes, addresses, wired.clone())),
    }
}

//! The medium between nodes: what carries their frames, for every host that has no hardware to
//! do it. It keeps no clock and no schedule: the host says what time it is, and wakes whom the
//! medium asks it to wake ([`Alarm`]).
//!
//! ```text
//! Setup --Carrier::new--> Carrier <--offer, withdraw, on_deadline-- host
//!                                 --Alarm, Action, WireReport-----> host
//!
//! below      what carriers and their host say to each other
//! carrier    the radio channel, the wires, or another program's medium
//! radio      one station per node on one shared channel
//!   channel  who hears whom, how strongly, and how much later
//!   movement where everybody is
//!     grid   who may be near a place
//!   mac      802.11: one station per node
//!   scale    powers as channel and MAC compare them
//! wired      duplex links, for comparison
//! outer      a medium that another program has
//!   air      what its radios do with their time
//! ```

mod below;
mod carrier;
mod channel;
mod grid;
pub mod mac;
mod movement;
mod outer;
mod radio;
mod scale;
mod wired;

#[cfg(test)]
mod tests;

pub use below::{Alarm, Below, WireArrival, WireFrame, WireReport};
pub use carrier::Carrier;
pub use channel::{Channel, Signal};
pub use outer::{Order, OuterCarrier, OuterFrame, OuterReception, Sensed};
pub use radio::{Power, RadioCarrier};
pub use wired::WiredCarrier;

/// What so many nodes keep is more than the caches of a processor, and spread over memory: there it is worth asking
/// for huge pages, and to read ahead (ADR 0081).
pub const MANY: usize = 2_000;

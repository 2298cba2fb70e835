//! A fast, deterministic, packet-level simulator of wireless multihop networks.
//!
//! ```text
//! Setup --Simulation::new--> Simulation --run--> Tables
//!
//! simulation   the loop: whom to wake, what goes up, what goes down
//! schedule     when every node must be woken next
//! traffic      sources
//! radio        one shared channel: channel (who hears whom) and mac (one station per node)
//! wired        duplex links, for comparison
//! books        where every packet is, and how it ended
//! results      tables
//! ```

mod books;
mod carrier;
mod channel;
mod mac;
mod radio;
mod results;
mod schedule;
mod simulation;
mod traffic;
mod wired;

#[cfg(test)]
mod tests;

pub use results::Tables;
pub use simulation::{Interrupted, Options, Simulation, build_node};

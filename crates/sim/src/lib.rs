//! A fast, deterministic, packet-level simulator of wireless multihop networks.
//!
//! ```text
//! Setup --Simulation::new--> Simulation --run--> Tables
//!
//! simulation   the loop: whom to wake, what goes up, what goes down
//!   feed       what sources send
//!   observe    what is written down: counts, measures, the trace
//! wakes        when every node must be woken next
//! traffic      sources
//! radio        one shared channel: channel (who hears whom), movement (where everybody is) and
//!              mac (one station per node)
//! wired        duplex links, for comparison
//! build        from a setup to nodes and carrier
//! books        where every packet is, and how it ended
//! gauges       what transports show of themselves
//! congestion   how many nodes contend where (LECN's congestion potential)
//! results      tables
//! ```

mod books;
mod build;
mod carrier;
mod channel;
mod congestion;
mod gauges;
mod mac;
mod movement;
mod radio;
mod results;
mod simulation;
mod traffic;
mod wakes;
mod wired;

#[cfg(test)]
mod tests;

pub use build::build_node;
pub use results::Tables;
pub use simulation::{Interrupted, Options, Packets, Simulation};

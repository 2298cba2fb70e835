//! A fast, deterministic, packet-level simulator of wireless multihop networks: a clock and a
//! schedule for the nodes of `multihop-compose` and for what carries their frames,
//! `multihop-medium`; and books of what happens.
//!
//! ```text
//! Setup --Simulation::new--> Simulation --run--> Tables
//!
//! simulation   the loop: whom to wake, what goes up, what goes down
//!   feed       what sources send
//!   observe    what is written down: counts, measures, the trace
//! wakes        when every node must be woken next
//! traffic      sources
//! books        where every packet is, and how it ended
//! gauges       what transports show of themselves
//! congestion   how many nodes contend where (LECN's congestion potential)
//! results      tables
//! ```

mod books;
mod congestion;
mod gauges;
mod results;
mod simulation;
mod traffic;
mod wakes;

#[cfg(test)]
mod tests;

pub use results::Tables;
pub use simulation::{Interrupted, Options, Packets, Simulation};

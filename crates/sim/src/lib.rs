//! A fast, deterministic, packet-level simulator of wireless multihop networks: a clock and a
//! schedule for the nodes of `multihop-compose` and for what carries their frames,
//! `multihop-medium`; and books of what happens.
//!
//! ```text
//! Setup --Simulation::new--> Simulation --run--> Tables
//!
//! simulation   a run as its caller has it: in one go, or in steps
//! options      what a caller wants of a run
//! engine       the loop: whom to wake, what goes up, what goes down
//!   feed       what sources send
//!   observe    what those who watch are told
//!   restart    nodes that come and go
//!   steps      for which media the loop is compiled
//!   outer      a run whose medium, and whose clock, another program has
//! traffic      sources
//! observers    those who watch: every table is theirs
//!   flows      what became of packets: books (where each is, and how it ended), gauges (what
//!              transports show of themselves)
//!   nodes      what is counted at every node
//!   congestion how many nodes contend where (LECN's congestion potential)
//! results      the tables
//! stream       the trace that leaves while the run goes on
//! on_air       ranges, and times of the MAC, for what shows a trace
//! hearing      who hears whom over a time, without a run
//! survey       who hears whom and how long frames take, without a run
//! ```

mod engine;
mod hearing;
mod observers;
mod on_air;
mod options;
mod results;
mod simulation;
mod stream;
mod survey;
mod table;
mod traffic;

#[cfg(test)]
mod tests;

pub use engine::OuterRun;
pub use hearing::{Hearers, hearers};
pub use on_air::{MacTimes, OnAir, on_air};
pub use options::{Options, Packets};
pub use results::{Tables, places};
pub use simulation::{Interrupted, Progress, Run, Simulation};
pub use stream::{about_columns, event_table, stream};
pub use survey::{Survey, survey};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

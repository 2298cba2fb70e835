//! What a run leaves behind: what observers are told, result columns, the event trace, the
//! fingerprint.

mod columns;
mod events;
mod files;
mod fingerprint;
mod memory;
mod observer;
mod stack;
mod stream;

pub use columns::{Column, Table};
pub use events::EventTable;
pub use files::Files;
pub use fingerprint::Fingerprint;
pub use memory::InMemory;
pub use observer::{
    AIR_INTERVAL, Costly, Observation, Observer, ProtocolEvent, Reach, RetransmissionReason,
};
pub use stack::{Stack, Stacked};
pub use stream::{BATCH, ColumnAbout, Network, Place, Sink, Stream, TABLES, TableAbout};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

//! What a run leaves behind: what observers are told, result columns, the event trace, the
//! fingerprint.

mod columns;
mod events;
mod fingerprint;
mod observer;

pub use columns::{Column, Table};
pub use events::EventTable;
pub use fingerprint::Fingerprint;
pub use observer::{Costly, Observation, Observer, ProtocolEvent, RadioTotals, Reach};

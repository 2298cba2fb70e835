//! What a run leaves behind: result columns, the event trace, the fingerprint.

mod columns;
mod events;
mod fingerprint;

pub use columns::{Column, Table};
pub use events::{EventRow, EventTable, What};
pub use fingerprint::Fingerprint;

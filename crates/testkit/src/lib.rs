//! What tests run protocols in: networks of real nodes in virtual time on a medium that does as the
//! test says, and single parts called by hand.
//!
//! ```text
//! part --Watch--> audit --> Node --> Net --by hand or by itself--> Log
//! part --------------------------------------------> HopDesk, EndDesk
//! ```
//!
//! Whatever runs in a [`Net`] is audited with every call: books balance, deadlines are never in the
//! past, nobody says what is not his to say, and nothing goes on without end. A test that fails says
//! with which seed, and what the nodes said last.

mod air;
mod audit;
mod desk;
mod frames;
mod layout;
mod links;
mod log;
mod net;
mod operations;
mod queue;
mod sources;
mod station;
mod watch;
mod ways;

pub use air::{Air, Fate};
pub use desk::{Desk, EndDesk, HopDesk, keeps};
pub use frames::{done, heard, message, packet};
pub use layout::fields;
pub use links::Links;
pub use log::{Entry, Frame, Log};
pub use net::Net;
pub use operations::{Operation, operations};
pub use queue::Queue;
pub use station::Ends;
pub use watch::Watch;
pub use ways::Ways;

#[cfg(test)]
mod tests;

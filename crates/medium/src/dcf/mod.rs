//! The 802.11 MAC and the receiver below it, one state machine per node.
//!
//! The rules are those of ns-2's model, which all five papers ran on, by IEEE 802.11's names:
//! - `frame`: what is on the air, and how long everything takes;
//! - `receiver`: which frame a radio locks on to, capture and collision;
//! - `signals`, `dsss`: receivers to which interference is noise, and its bit errors;
//! - `ports`: what a station is told, and what it answers;
//! - `arrivals`: how frames reach a station;
//! - `stations`: all of them on one channel;
//! - `station`: carrier sense and backoff;
//! - `standard`: access to the medium by the standard's rules, where ns-2 departs from them;
//! - `exchange`: the RTS/CTS/DATA/ACK exchange and its retries;
//! - `pair`: frames for two receivers;
//! - `pending`: what of that is under way;
//! - `meter`, `metering`: what the radio does with its time, for those who ask;
//! - `fates`: what becomes of every frame, for those who watch.

mod arrivals;
mod dsss;
mod exchange;
mod fates;
mod frame;
mod meter;
mod metering;
mod pair;
mod pending;
mod ports;
mod receiver;
mod signals;
mod standard;
mod station;
mod stations;
#[cfg(test)]
mod tests;

pub use fates::Fates;
pub use frame::{
    BROADCAST, Frame, FrameKind, NO_FRAME, NO_PACKET, NO_PAIR, OWN_LIMIT, OWN_RATE, OWN_WINDOW,
    PAIR, Profile,
};
pub(crate) use meter::{Meter, View};
pub use ports::{Action, Deadline, Ended, Job, Ports};
pub use receiver::Arrival;
pub use station::Station;
pub use stations::Stations;

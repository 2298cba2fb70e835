//! Routing protocols for wireless multihop networks, one folder or file per protocol.

mod address;
mod agenda;
pub mod aodv;
pub mod dsr;
pub mod fixed;
mod paths;
mod protocol;
mod send_buffer;

pub use paths::{FixedRoutes, Neighbours};
pub use protocol::{Life, MakeRouting, Place, Routes, RoutingProtocol};

/// Every routing protocol; the first is the default. A new one is a folder, a `mod` line, and a line
/// here.
pub static ROUTINGS: &[&RoutingProtocol] = &[&fixed::ROUTING, &aodv::ROUTING, &dsr::ROUTING];

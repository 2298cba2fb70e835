//! Routing protocols for wireless multihop networks, one folder or file per protocol.

mod agenda;
pub mod aodv;
pub mod dsr;
pub mod fixed;
mod paths;
mod protocol;
mod send_buffer;

use multihop_core::HeaderFormat;

pub use paths::{FixedRoutes, Neighbours, TieBreak, Ties};
pub use protocol::{Life, MakeRouting, Place, Routes, RoutingProtocol};

/// Every routing protocol; the first is the default. A new one is a folder, a `mod` line, and a line
/// here.
pub static ROUTINGS: &[&RoutingProtocol] = &[&fixed::ROUTING, &aodv::ROUTING, &dsr::ROUTING];

/// The headers and messages that they write.
pub fn headers() -> impl Iterator<Item = &'static HeaderFormat> {
    ROUTINGS.iter().flat_map(|routing| routing.headers).copied()
}

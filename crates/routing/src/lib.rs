//! Routing protocols for wireless multihop networks, one folder or file per protocol.

mod agenda;
pub mod aodv;
mod costs;
pub mod dsr;
pub mod fixed;
pub mod none;
mod paths;
mod protocol;
mod send_buffer;
mod weights;
pub mod words;

use multihop_core::{HeaderFormat, Vocabulary};

pub use costs::cheapest_path;
pub use paths::{FixedRoutes, Neighbours, TieBreak, Ties};
pub use protocol::{Life, MakeRouting, Routes, RoutingNode, RoutingProtocol};
pub use weights::{LinkCosts, Weight, Weights};

/// Every routing protocol; the default is the first that serves the scheme. A new one is a folder, a `mod` line, and a line
/// here.
pub static ROUTINGS: &[&RoutingProtocol] =
    &[&fixed::ROUTING, &aodv::ROUTING, &dsr::ROUTING, &none::ROUTING];

/// The headers and messages that they write.
pub fn headers() -> impl Iterator<Item = &'static HeaderFormat> {
    ROUTINGS.iter().flat_map(|routing| routing.headers).copied()
}

/// The words that they say beside the common ones, each once.
pub fn vocabulary() -> Vec<Vocabulary> {
    let mut all = Vec::new();
    for word in ROUTINGS.iter().flat_map(|routing| routing.words) {
        if !all.contains(word) {
            all.push(*word);
        }
    }
    all
}

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

//! Routing protocols for wireless multihop networks.

pub mod aodv;
mod fixed;

pub use fixed::{FixedRoutes, Neighbours};

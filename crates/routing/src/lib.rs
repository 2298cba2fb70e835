//! Routing protocols for wireless multihop networks.

mod fixed;

pub use fixed::{FixedRoutes, Neighbours};

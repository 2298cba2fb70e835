//! Nodes that somebody controls: what such a node can be told, what it knows, and policies, which decide without anybody.
//!
//! ```text
//! driver --Controls--> station <--> hop, transport, window   (the parts of a node's scheme, in other hands)
//!        <----Seen----
//! ```
//!
//! A controlled node has the parts of its own scheme, in the hands of a `SteeredHop`. It looks at its `Station` at the
//! ends of control steps, by a time of its own, as any protocol does. So the engine knows nothing of it, and whatever runs
//! nodes runs controlled ones: the simulator, the playground, ns-3, Linux.
//!
//! Who decides is a [`Driver`]: a learner outside ([`steered`]), or a [`Policy`], a small neural network that is
//! [data](Policy::read).

mod agents;
mod control;
mod events;
mod features;
mod hop;
mod network;
mod policy;
mod station;
mod steered;
#[cfg(test)]
mod tests;
mod transport;
mod window;

pub use agents::{Agents, Unknown};
pub use control::{CONTROLS, Control, ControlKind, Controls};
pub use events::{EVENTS, Event, EventKind};
pub use features::{About, FEATURES, Feature, Known, Seen};
pub use network::{MOST_LAYERS, MOST_WEIGHTS, MOST_WIDTH};
pub use policy::{LONGEST, ORACLE, Policy};
pub use station::{Driver, Terms};
pub use steered::steered;

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

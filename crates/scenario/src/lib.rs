//! Scenario files: what may stand in them, what is wrong with them, and what they mean.
//!
//! ```text
//! TOML or JSON text --from_toml, from_json--> Scenario --Scenario::setup--> Setup
//!                    form: keys, types, units           meaning: ranges, topology, routes
//! ```
//!
//! Both steps answer bad input with a [`ScenarioError`] that names the line (TOML), the key, what
//! was given and what is wanted.

mod bounds;
mod capabilities;
mod change;
mod channels;
mod check;
mod conditions;
mod error;
mod files;
mod fill;
mod form;
mod former;
mod keys;
mod links;
mod medium;
mod mesh;
mod mobility;
mod names;
mod notes;
mod ns3;
mod part;
mod plain;
mod policy;
mod quantity;
mod radio;
mod rates;
mod reach;
mod read;
mod registry;
mod restart;
mod roles;
mod routing;
mod schema;
#[cfg(test)]
mod tests;
mod topology;
mod traffic;

pub use change::Change;
pub use conditions::conditions;
pub use error::ScenarioError;
pub use form::Scenario;
pub use keys::check_key;
pub use medium::preferred as preferred_mac;
pub use mobility::movement_file;
pub use mobility::{ALWAYS_ON, MOBILITIES, MobilityModel};
pub use notes::Note;
pub use ns3::for_ns3;
pub use plain::in_plain_words;
pub use quantity::in_base_units;
pub use radio::RADIO;
pub use read::{from_json, from_json_with, from_toml, from_toml_with};
pub use registry::Registry;
pub use schema::{json_schema, json_schema_with};
pub use topology::{TOPOLOGIES, Topology};
pub use traffic::keys::TRAFFIC;

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

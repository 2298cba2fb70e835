//! Tests of the whole way from text to setup.

mod addresses;
mod capabilities;
mod cells;
mod change;
mod channels;
mod classes;
mod examples;
mod form;
mod groups;
mod identity;
mod links;
mod lora;
mod meaning;
mod mobility;
mod movements;
mod notes;
mod ofdm;
mod params;
mod policy;
mod radio;
mod rates;
mod roles;
mod routing;
mod schema;
mod shared;
mod stock;
mod tcp;
mod topologies;
mod traffic;

use crate::{ScenarioError, from_toml};
use multihop_setup::Setup;

/// A scenario that is right, with one place to change.
pub(crate) const CHAIN: &str = r#"name = "test"
duration = "20 s"
[topology]
kind = "chain"
hops = 4
[scheme]
name = "udp"
[traffic]
load = "100 kbit/s"
"#;

/// An explicit scenario that is right.
pub(crate) const EXPLICIT: &str = r#"[topology]
kind = "explicit"
[scheme]
name = "udp"
[traffic]
load = "100 kbit/s"
[[node]]
name = "alpha"
x = "0 m"
y = "0 m"
[[node]]
name = "beta"
x = "200 m"
y = "0 m"
[[node]]
name = "gamma"
x = "400 m"
y = "0 m"
[[flow]]
name = "up"
from = "alpha"
to = "gamma"
[[flow]]
name = "down"
from = "gamma"
to = "alpha"
"#;

pub(crate) fn setup(text: &str) -> Result<Setup, ScenarioError> {
    from_toml(text)?.setup()
}

/// The setup of a scenario that has to be right.
pub(crate) fn right(text: &str) -> Setup {
    setup(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What is said about a scenario that has to be wrong.
pub(crate) fn wrong(text: &str) -> String {
    match setup(text) {
        Ok(_) => panic!("passed:\n{text}"),
        Err(error) => error.to_string(),
    }
}

/// `text` with its only `old` replaced by `new`.
pub(crate) fn with(text: &str, old: &str, new: &str) -> String {
    assert_eq!(text.matches(old).count(), 1, "{old:?} is not unique");
    text.replacen(old, new, 1)
}

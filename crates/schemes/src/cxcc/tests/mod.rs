//! The paper's own cases, by number; the promises of section 3; and what the air may bring.

mod air;
pub mod bench;
mod deadlock;
mod figures;
mod handlers;
mod host;
mod reliability;
mod wire;

use multihop_core::{Params, Rate, Value};

use super::SCHEME;

/// The defaults with `given` on top, at 1 Mbit/s as in CXCC 7.
fn params(given: &[(&str, Value)]) -> Params {
    let given: Vec<_> =
        given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Params::new(&SCHEME, &given, Rate(1_000_000)).expect("the tests give valid parameters")
}

/// Basic CXCC (4): without RFA.
fn basic() -> Params {
    params(&[("rfa", Value::Switch(false))])
}

//! What HxH does, mechanism by mechanism.

mod acknowledgments;
mod batches;
mod bench;
mod credits;
mod ends;
mod freezing;
mod gaps;
mod pace;
mod restart;
mod scheduling;
mod wire;

use multihop_core::{Params, Rate, Value};

/// Parameters with these on top of the defaults.
fn params(given: &[(&str, Value)]) -> Params {
    let given: Vec<_> =
        given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Params::new(&super::SCHEME, &given, Rate(54_000_000)).expect("valid parameters")
}

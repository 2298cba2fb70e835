//! The bodies of the fuzz targets (`make fuzz`), for some cases of each on every machine.

#[path = "../chain/mod.rs"]
mod chain;

mod air;
mod parsers;

use multihop_routing::ROUTINGS;
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24, failure_persistence: None, ..ProptestConfig::default()
    })]

    /// Nearly right frames do no harm, and there are some.
    #[test]
    fn frames_that_come_again_with_other_bytes(steps in vec(any::<u8>(), 5_000..6_000)) {
        for scheme in 0..chain::schemes().len() as u8 {
            for routing in 0..ROUTINGS.len() as u8 {
                let forged = air::drive(&[&[scheme, routing], &steps[..]].concat());
                prop_assert!(forged.heard > 100, "{forged:?} with scheme {scheme} over {routing}");
            }
        }
    }

    #[test]
    fn bytes_that_could_be_anything(data in vec(vec(any::<u8>(), 0..100), 1_000)) {
        for data in &data {
            parsers::drive(data);
        }
    }
}

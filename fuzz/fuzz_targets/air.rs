//! Nodes of every scheme and routing protocol, with what was on the air and comes again with other
//! bytes. Run with `cargo +nightly fuzz run air`.

#![no_main]

#[path = "../../crates/schemes/tests/fuzzed/air.rs"]
mod air;
#[path = "../../crates/schemes/tests/chain/mod.rs"]
mod chain;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    air::drive(data);
});

//! Every parser that meets the air. Run with `cargo +nightly fuzz run parsers`.

#![no_main]

#[path = "../../crates/schemes/tests/fuzzed/parsers.rs"]
mod parsers;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| parsers::drive(data));

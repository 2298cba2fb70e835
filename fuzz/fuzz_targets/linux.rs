//! Every parser of a Linux host that meets the air or a socket. Run with `cargo +nightly fuzz run linux`.

#![no_main]

#[path = "../../crates/linux/tests/ether/parsers.rs"]
mod parsers;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    parsers::drive(data);
});

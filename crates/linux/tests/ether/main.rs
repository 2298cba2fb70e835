//! Nodes with applications in the medium of a scenario: in virtual time, and through sockets in real time.

mod applications;
mod besieged;
mod captured;
mod drawn;
mod expedited;
mod flood;
mod hops;
mod ipv6;
mod marks;
mod networks;
mod parsers;
mod policy;
mod recorded;
mod rerouted;
mod rosters;
mod short_flows;
mod sockets;
mod streams;
mod vanished;
mod virtual_time;
mod world;

use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    /// The body of the fuzz target `linux`.
    #[test]
    fn bytes_that_could_be_anything(kind in 0usize..14, behind in vec(any::<u8>(), 0..200)) {
        const KINDS: [u8; 14] = [1, 2, 3, 4, 5, 6, 7, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87];
        parsers::drive(&behind);
        parsers::drive(&[&[KINDS[kind]], &behind[..]].concat());
        parsers::drive(&[&[0xFF; 4][..], &[KINDS[kind]], &behind[..]].concat());
    }
}

//! The header's bytes.

use multihop_core::WireError;
use proptest::prelude::*;

use crate::cxcc::header::is_later;
use crate::cxcc::{HEADER_LEN, Header, Kind};

#[test]
fn the_format_is_fixed() {
    let header = Header { kind: Kind::Rfa, payload_len: 0x0200, sequence: 0x0102_0304 };
    assert_eq!(header.emit().as_slice(), [2, 0, 2, 0, 1, 2, 3, 4]);
}

#[test]
fn every_length_but_the_right_one_is_refused() {
    for len in 0..32 {
        let bytes = vec![1u8; len];
        match Header::parse(&bytes) {
            Err(WireError::Truncated { need: HEADER_LEN, have }) => {
                assert!(len < HEADER_LEN && have == len);
            }
            Err(WireError::Field { name, .. }) => {
                let expected = if len == HEADER_LEN { "version" } else { "header length" };
                assert_eq!(name, expected);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn later_is_later_on_a_circle() {
    assert!(is_later(1, 0));
    assert!(is_later(0, u32::MAX));
    assert!(is_later(0x7FFF_FFFF, 0));
    assert!(!is_later(0, 0));
    assert!(!is_later(0, 1));
    assert!(!is_later(u32::MAX, 0));
    assert!(!is_later(0x8000_0000, 0));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever can be read is written back as the same bytes, so no two byte strings mean the
    /// same header.
    #[test]
    fn reading_and_writing_are_inverse(
        kind in 0u8..7, version in 0u8..2, rest: [u8; 6]
    ) {
        let mut bytes = vec![kind, version];
        bytes.extend(rest);
        match Header::parse(&bytes) {
            Ok(header) => prop_assert_eq!(header.emit().as_slice().to_vec(), bytes),
            Err(_) => prop_assert!(version != 0 || !(1..=4).contains(&kind)),
        }
    }
}

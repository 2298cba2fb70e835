//! What routers write.

use multihop_schemes::atp::{PATH_HEADER_LEN, PathHeader, PathKind};
use proptest::prelude::*;

proptest! {
    #[test]
    fn a_path_header_survives_the_wire(probe: bool, delay_us: u32) {
        let kind = if probe { PathKind::Probe } else { PathKind::Any };
        let header = PathHeader { kind, delay_us };
        let bytes = header.emit();
        prop_assert_eq!(bytes.len(), PATH_HEADER_LEN);
        prop_assert_eq!(PathHeader::parse(bytes.as_slice()), Ok(header));
    }

    #[test]
    fn arbitrary_bytes_are_read_exactly_or_refused(
        mut bytes in prop::collection::vec(any::<u8>(), 0..=10), tidy: bool,
    ) {
        if tidy && bytes.len() >= 4 {
            bytes[0] &= 1;
            bytes[1..4].fill(0);
        }
        if let Ok(header) = PathHeader::parse(&bytes) {
            let again = header.emit();
            prop_assert_eq!(again.as_slice(), &bytes[..]);
        }
    }
}

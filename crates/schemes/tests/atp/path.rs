//! What routers write.

use multihop_schemes::parts::reliable::{PathHeader, PathKind};
use proptest::prelude::*;

proptest! {
    #[test]
    fn a_path_header_survives_the_wire(probe: bool, delay_us: u32) {
        let kind = if probe { PathKind::Probe } else { PathKind::Any };
        let header = PathHeader { kind, delay_us };
        let bytes = header.emit();
        prop_assert_eq!(PathHeader::parse(&bytes), Ok(header));
    }

    #[test]
    fn arbitrary_bytes_are_read_exactly_or_refused(
        mut bytes in prop::collection::vec(any::<u8>(), 0..=10), tidy: bool,
    ) {
        if tidy && bytes.len() >= 6 {
            bytes.truncate(6);
            (bytes[0], bytes[1]) = (bytes[0] & 1, 0);
        }
        if let Ok(header) = PathHeader::parse(&bytes) {
            prop_assert_eq!(header.emit().to_vec(), bytes);
        }
    }
}

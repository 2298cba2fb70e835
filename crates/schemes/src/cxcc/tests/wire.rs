//! The header's bytes.

use multihop_core::{FlowId, HEADER_PREFIX, NodeId, Packet, Payload, Tag, WireError};
use proptest::prelude::*;

use crate::cxcc::{HEADER_LEN, Header, Kind};

#[test]
fn the_format_is_fixed() {
    let header = Header { kind: Kind::Rfa, payload_len: 0x0200, sequence: 0x0102_0304 };
    assert_eq!(header.emit(), [0x42, 0, 1, 2, 3, 4]);
    let longest = Header { payload_len: u16::MAX, ..header };
    assert_eq!(longest.emit()[..2], [0x7F, 0xFF]);
}

#[test]
fn every_length_but_the_right_one_is_refused() {
    for len in (0..32).filter(|len| *len != HEADER_LEN - HEADER_PREFIX) {
        let error = WireError::Field { name: "header length", value: len as u32 };
        assert_eq!(Header::parse(&vec![1; len]), Err(error));
    }
}

#[test]
fn only_data_frames_carry_data() {
    for kind in [Kind::Data, Kind::Rfa, Kind::Ack, Kind::Nack] {
        let flow = FlowId::between(NodeId(0), NodeId(1));
        let mut packet = Packet::new(flow, Payload::Virtual(1), Tag::NONE);
        Header { kind, payload_len: 0, sequence: 0 }.write(&mut packet);
        assert_eq!(Header::of(&packet).is_ok(), kind == Kind::Data, "{kind:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever can be read is written back as the same bytes, so no two byte strings mean the
    /// same header.
    #[test]
    fn reading_and_writing_are_inverse(bytes: [u8; HEADER_LEN - HEADER_PREFIX]) {
        prop_assert_eq!(Header::parse(&bytes).map(|header| header.emit()), Ok(bytes));
    }
}

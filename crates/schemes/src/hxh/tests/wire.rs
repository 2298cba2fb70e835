//! The header on the wire.

use multihop_core::{End, FlowId, LONGEST_HEADER, NodeId, Packet, Payload, Tag, Value};
use proptest::prelude::*;

use super::params;
use crate::hxh::{HEADER_LEN, Header, Kind, Range, SCHEME};

fn header() -> impl Strategy<Value = Header> {
    let fields = (any::<bool>(), any::<u16>(), any::<u32>(), any::<u32>(), any::<u16>());
    let kinds =
        prop_oneof![Just(Kind::Data), Just(Kind::Ack), Just(Kind::Nack), Just(Kind::Datagram)];
    (kinds, fields, 1..=u16::MAX, any::<u16>()).prop_map(
        |(kind, (asks, buffer, ack, sequence, incarnation), len, back)| {
            let header = Header { buffer, ack, incarnation, ..Header::new(kind, sequence) };
            let behind = (back >= len).then(|| sequence.wrapping_sub(u32::from(back)));
            match kind {
                Kind::Data => {
                    let range = behind.map(|first| Range { first, len });
                    Header { asks, range, ..header }
                }
                Kind::Nack => {
                    let range = Some(Range { first: sequence, len });
                    Header { sequence: 0, range, ..header }
                }
                Kind::Ack => Header { sequence: 0, ..header },
                Kind::Datagram => header,
            }
        },
    )
}

proptest! {
    #[test]
    fn every_header_survives_the_wire(header in header()) {
        let bytes = header.emit();
        for cut in 0..bytes.len() {
            prop_assert!(Header::parse(&bytes[..cut]).is_err());
        }
        for len in [HEADER_LEN, 40, LONGEST_HEADER] {
            let flow = FlowId::between(NodeId(0), NodeId(1));
            let data = u32::from(header.kind == Kind::Data);
            let mut packet = Packet::new(flow, Payload::Virtual(data), Tag::NONE);
            header.write(&mut packet, len);
            prop_assert_eq!((packet.headers.len(), Header::of(&packet)), (len, Ok(header)));
            packet.payload = Payload::Virtual(1 - data);
            prop_assert_eq!(Header::of(&packet).is_ok(), header.kind == Kind::Datagram);
        }
    }

    #[test]
    fn what_can_be_read_is_written_the_same(
        mut bytes in prop::collection::vec(any::<u8>(), 0..24), tidy: bool
    ) {
        if tidy && bytes.len() >= 18 {
            bytes.truncate(18);
            bytes[0] = 1 + bytes[0] % 4;
            bytes[1] &= 1;
        }
        if let Ok(header) = Header::parse(&bytes) {
            let padding = vec![0; bytes.len() - 18];
            prop_assert_eq!([&header.emit()[..], &padding].concat(), bytes);
        }
    }
}

#[test]
fn a_range_that_lies_too_far_back_is_left_out() {
    let far = Header { range: Some(Range { first: 1, len: 5 }), ..Header::new(Kind::Data, 70_000) };
    let read = Header::parse(&far.emit());
    assert_eq!(read, Ok(Header { range: None, ..far }));
}

#[test]
fn ranges_are_taken_apart() {
    let whole = Range { first: 10, len: 10 };
    let without = |first, len| whole.without(Some(Range { first, len }));
    assert_eq!(without(0, 10), [None, Some(whole)]);
    assert_eq!(without(20, 5), [Some(whole), None]);
    assert_eq!(without(5, 50), [None, None]);
    let (before, behind) = (Range { first: 10, len: 2 }, Range { first: 15, len: 5 });
    assert_eq!(without(12, 3), [Some(before), Some(behind)]);
    assert_eq!(whole.without(None), [Some(whole), None]);
}

#[test]
fn the_header_has_the_length_of_the_parameter() {
    let flow = FlowId::between(NodeId(0), NodeId(1));
    for len in [20.0, 40.0, 255.0] {
        let params = params(&[("header", Value::Number(len))]);
        let (hop, transport) =
            ((SCHEME.hop)(&params), (SCHEME.transport)(&params, flow, End::Source));
        assert_eq!((hop.header_len(), transport.header_len()), (len as usize, 0));
    }
}

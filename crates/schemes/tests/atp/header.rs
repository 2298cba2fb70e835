//! What the ends say to each other.

use multihop_core::{FlowId, NodeId, Packet, Payload, Tag, WireError};
use multihop_schemes::parts::reliable::{
    ATP, Block, HEADER_LEN, Header, Kind, MOST_BLOCKS, MOST_ROOM,
};
use proptest::prelude::*;

fn report() -> impl Strategy<Value = (Header, Vec<Block>)> {
    let kind = prop_oneof![Just(Kind::Feedback), Just(Kind::Answer)];
    let words = (any::<u32>(), any::<u32>(), any::<u32>());
    (kind, 0..=MOST_ROOM, words, blocks()).prop_map(
        |(kind, room, (sequence, serial, interval_us), blocks)| {
            (Header { kind, room, sequence, serial, interval_us }, blocks)
        },
    )
}

fn outward() -> impl Strategy<Value = (Header, Vec<Block>)> {
    let kind = prop_oneof![Just(Kind::Data), Just(Kind::Probe)];
    (kind, any::<u32>(), any::<u32>())
        .prop_map(|(kind, sequence, serial)| (Header::outward(kind, sequence, serial), vec![]))
}

/// Gaps and lengths that make a valid list.
fn blocks() -> impl Strategy<Value = Vec<Block>> {
    prop::collection::vec((1u16..1_000, 1u16..1_000), 0..=MOST_BLOCKS).prop_map(|pairs| {
        let mut end = 0;
        let block = |(gap, len)| {
            let distance = end + gap;
            end = distance + len;
            Block { distance, len }
        };
        pairs.into_iter().map(block).collect()
    })
}

/// What a packet with this header and these blocks has behind the prefix.
fn body(header: &Header, blocks: &[Block]) -> Vec<u8> {
    let flow = FlowId::between(NodeId(0), NodeId(1));
    let mut packet = Packet::new(flow, Payload::Virtual(0), Tag::NONE);
    header.write(&mut packet, blocks);
    assert_eq!(packet.headers.len(), HEADER_LEN + 4 * blocks.len());
    packet.headers.get(ATP).expect("it was written").to_vec()
}

proptest! {
    #[test]
    fn a_header_survives_the_wire((header, blocks) in prop_oneof![report(), outward()]) {
        let bytes = body(&header, &blocks);
        prop_assert_eq!(Header::parse_with_blocks(&bytes), Ok((header, blocks.clone())));
        for data in [0, 1] {
            let flow = FlowId::between(NodeId(0), NodeId(1));
            let mut packet = Packet::new(flow, Payload::Virtual(data), Tag::NONE);
            header.write(&mut packet, &blocks);
            let fits = (header.kind == Kind::Data) == (data == 1);
            prop_assert_eq!(Header::of(&packet).is_ok(), fits);
        }
        for cut in (0..bytes.len()).filter(|cut| *cut < 14 || (cut - 14) % 4 != 0) {
            prop_assert!(Header::parse_with_blocks(&bytes[..cut]).is_err());
        }
    }

    #[test]
    fn arbitrary_bytes_are_read_exactly_or_refused(
        bytes in prop::collection::vec(any::<u8>(), 0..=100),
    ) {
        if let Ok((header, blocks)) = Header::parse_with_blocks(&bytes) {
            prop_assert!(blocks.len() <= MOST_BLOCKS);
            prop_assert_eq!(body(&header, &blocks), bytes);
        }
    }
}

#[test]
fn blocks_that_touch_or_are_empty_or_out_of_order_are_refused() {
    let block = |distance, len| Block { distance, len };
    let report = Header { kind: Kind::Feedback, room: 1, sequence: 0, serial: 0, interval_us: 0 };
    let refused = |blocks: &[Block]| {
        assert!(Header::parse_with_blocks(&body(&report, blocks)).is_err(), "{blocks:?}");
    };
    refused(&[block(0, 1)]);
    refused(&[block(3, 0)]);
    refused(&[block(3, 2), block(5, 1)]);
    refused(&[block(9, 2), block(3, 1)]);
    let most: Vec<Block> = (0..MOST_BLOCKS as u16).map(|n| block(1 + 2 * n, 1)).collect();
    let bytes = body(&report, &most);
    assert_eq!(Header::parse_with_blocks(&bytes), Ok((report, most)));
    let error = WireError::Field { name: "blocks", value: 84 };
    assert_eq!(Header::parse_with_blocks(&[&bytes[..], &[0, 99, 0, 1]].concat()), Err(error));
}

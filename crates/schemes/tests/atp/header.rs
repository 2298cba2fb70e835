//! What the ends say to each other.

use multihop_schemes::atp::{
    Block, HEADER_LEN, Header, Kind, MOST_BLOCKS, emit_blocks, parse_blocks,
};
use proptest::prelude::*;

fn report() -> impl Strategy<Value = Header> {
    let kind = prop_oneof![Just(Kind::Feedback), Just(Kind::Answer)];
    let words = (any::<u32>(), any::<u32>(), any::<u32>());
    (kind, 0..=MOST_BLOCKS as u8, any::<u16>(), words).prop_map(
        |(kind, blocks, room, (sequence, serial, interval_us))| Header {
            kind,
            blocks,
            room,
            sequence,
            serial,
            interval_us,
        },
    )
}

fn outward() -> impl Strategy<Value = Header> {
    let kind = prop_oneof![Just(Kind::Data), Just(Kind::Probe)];
    (kind, any::<u32>(), any::<u32>())
        .prop_map(|(kind, sequence, serial)| Header::outward(kind, sequence, serial))
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

proptest! {
    #[test]
    fn a_header_survives_the_wire(header in prop_oneof![report(), outward()]) {
        let bytes = header.emit();
        prop_assert_eq!(bytes.len(), HEADER_LEN);
        prop_assert_eq!(Header::parse(bytes.as_slice()), Ok(header));
        for cut in 0..HEADER_LEN {
            prop_assert!(Header::parse(&bytes.as_slice()[..cut]).is_err());
        }
    }

    #[test]
    fn arbitrary_bytes_are_read_exactly_or_refused(
        mut bytes in prop::collection::vec(any::<u8>(), 0..=20), kind in 0u8..6, blocks in 0u8..30,
    ) {
        if bytes.len() > 1 {
            bytes[..2].copy_from_slice(&[kind, blocks]);
        }
        if let Ok(header) = Header::parse(&bytes) {
            let again = header.emit();
            prop_assert_eq!(again.as_slice(), &bytes[..]);
        }
    }

    #[test]
    fn blocks_survive_the_wire(blocks in blocks()) {
        let bytes = emit_blocks(&blocks);
        let count = blocks.len() as u8;
        prop_assert_eq!(parse_blocks(&bytes, count), Ok(blocks));
        prop_assert!(parse_blocks(&bytes, count + 1).is_err());
        if count > 0 {
            prop_assert!(parse_blocks(&bytes, count - 1).is_err());
        }
    }

    #[test]
    fn arbitrary_blocks_are_read_exactly_or_refused(
        bytes in prop::collection::vec(any::<u8>(), 0..=100), count: u8,
    ) {
        for count in [count, (bytes.len() / 4) as u8] {
            if let Ok(blocks) = parse_blocks(&bytes, count) {
                let again = emit_blocks(&blocks);
                prop_assert_eq!(&*again, &bytes[..]);
                prop_assert!(blocks.len() <= MOST_BLOCKS);
            }
        }
    }
}

#[test]
fn blocks_that_touch_or_are_empty_or_out_of_order_are_refused() {
    let block = |distance, len| Block { distance, len };
    let refused = |blocks: &[Block]| {
        assert!(parse_blocks(&emit_blocks(blocks), blocks.len() as u8).is_err(), "{blocks:?}");
    };
    refused(&[block(0, 1)]);
    refused(&[block(3, 0)]);
    refused(&[block(3, 2), block(5, 1)]);
    refused(&[block(9, 2), block(3, 1)]);
    refused(&[block(1, 1); MOST_BLOCKS + 1]);
    let most: Vec<Block> = (0..MOST_BLOCKS as u16).map(|n| block(1 + 2 * n, 1)).collect();
    assert!(parse_blocks(&emit_blocks(&most), MOST_BLOCKS as u8).is_ok());
}

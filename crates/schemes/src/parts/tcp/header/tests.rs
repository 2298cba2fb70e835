//! Headers and their options on the wire.

use multihop_core::{FlowId, NodeId, Payload, Tag};
use proptest::prelude::*;

use super::super::options::{self, HeaderOption};
use super::super::policy::SenderWindow;
use super::super::selective::{Block, Blocks, MOST_BLOCKS};
use super::*;

/// An option of a variant that nobody has written.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Unheard(Vec<u8>);

impl HeaderOption for Unheard {
    const KIND: u8 = 15;

    fn emit(&self, body: &mut [u8; options::LONGEST]) -> usize {
        body[..self.0.len()].copy_from_slice(&self.0);
        self.0.len()
    }

    fn parse(body: &[u8]) -> Option<Self> {
        Some(Unheard(body.to_vec()))
    }
}

fn blocks() -> impl Strategy<Value = Option<Blocks>> {
    let block = (any::<u16>(), 1u16..).prop_map(|(distance, len)| Block { distance, len });
    let blocks = prop::collection::vec(block, 1..=MOST_BLOCKS).prop_map(|some| {
        let mut blocks = Blocks::default();
        for block in some {
            blocks.push(block);
        }
        blocks
    });
    prop::option::of(blocks)
}

fn header() -> impl Strategy<Value = Header> {
    let kind = prop::sample::select(&[Kind::Syn, Kind::Data, Kind::Ack, Kind::Reset][..]);
    (kind, any::<bool>(), any::<bool>(), any::<u32>()).prop_map(
        |(kind, echo, reduced, sequence)| {
            let options = Options::default();
            Header { kind, echo, reduced, sequence, options }
        },
    )
}

fn written(header: &Header, len: usize) -> Packet {
    let flow = FlowId::between(NodeId(0), NodeId(1));
    let data = u32::from(header.kind == Kind::Data);
    let mut packet = Packet::new(flow, Payload::Virtual(data), Tag::NONE);
    header.write(&mut packet, len);
    packet
}

proptest! {
    #[test]
    fn a_header_survives_the_wire(
        mut header in header(),
        unheard in prop::collection::vec(any::<u8>(), 0..=options::LONGEST).prop_map(Unheard),
        window: u16,
        blocks in blocks(),
        len in 60 - 16..=LONGEST,
    ) {
        header.options.put(&unheard);
        header.options.put(&SenderWindow(window));
        if let Some(blocks) = &blocks {
            header.options.put(blocks);
        }
        let packet = written(&header, len);
        prop_assert_eq!(packet.headers.len(), len);
        let read = Header::of(&packet).expect("it was written");
        prop_assert_eq!(read, header);
        prop_assert_eq!(read.options.get(), Some(unheard));
        prop_assert_eq!(read.options.get(), Some(SenderWindow(window)));
        prop_assert_eq!(read.options.get(), blocks);
        let other = Payload::Virtual(u32::from(packet.payload.is_empty()));
        let odd = Packet { payload: other, ..packet };
        prop_assert!(Header::of(&odd).is_err());
    }

    #[test]
    fn arbitrary_bytes_are_read_exactly_or_refused(
        mut bytes in prop::collection::vec(any::<u8>(), Fields::LEN..=LONGEST - HEADER_PREFIX),
        zeros_from: prop::sample::Index,
    ) {
        bytes[0] &= 0xF0;
        let zeros_from = Fields::LEN + zeros_from.index(bytes.len() - Fields::LEN + 1);
        bytes[zeros_from..].fill(0);
        if let Ok(header) = Header::parse(&bytes) {
            let packet = written(&header, HEADER_PREFIX + bytes.len());
            prop_assert_eq!(packet.headers.find(TCP), Ok(&bytes[..]));
        }
        for cut in 0..Fields::LEN {
            prop_assert!(Header::parse(&bytes[..cut]).is_err());
        }
    }
}

/// Acknowledgments with three blocks have 20 bytes, as all segments.
#[test]
fn three_blocks_fit_into_the_shortest_header() {
    let mut header = Header { kind: Kind::Ack, ..Header::default() };
    let mut blocks = Blocks::default();
    (1..=3).for_each(|number| blocks.push(Block { distance: 2 * number, len: 1 }));
    header.options.put(&blocks);
    assert_eq!(Header::of(&written(&header, HEADER_LEN)), Ok(header));
}

#[test]
fn what_is_no_list_of_options_is_refused() {
    let parse = |options: &[u8]| Header::parse(&[&[0; Fields::LEN], options].concat());
    assert!(parse(&[0xF1, 7, 0, 0]).is_ok(), "an option that nobody knows");
    let too_long = [0; LONGEST - HEADER_PREFIX - Fields::LEN + 1];
    assert!(parse(&too_long[1..]).is_ok());
    for wrong in [&[0x03, 1, 1, 1][..], &[0xF3, 1, 1], &[0xF1, 7, 0, 1], &[0xFF; 64], &too_long] {
        assert!(parse(wrong).is_err(), "{wrong:?}");
    }
}

/// An option that cannot be read is as if it was not there.
#[test]
fn a_block_without_segments_or_in_pieces_says_nothing() {
    let mut body = vec![0; Fields::LEN];
    body.extend([Blocks::KIND << 4 | 4, 0, 1, 0, 0]);
    let header = Header::parse(&body).expect("a list of options");
    assert_eq!(header.options.get::<Blocks>(), None);
    for len in [0, 3, 5, 13] {
        assert_eq!(Blocks::parse(&vec![1; len]), None);
    }
    assert_eq!(SenderWindow::parse(&[1]), None);
}

//! The stack of headers.

use proptest::prelude::*;

use super::*;

const HOP: NextHeader = NextHeader::hop(1);
const PATH: NextHeader = NextHeader::path(1);
const TRANSPORT: NextHeader = NextHeader::transport(23);
const ROUTE: NextHeader = NextHeader::routing(0);

#[test]
fn headers_stand_in_the_order_of_their_layers() {
    let mut headers = Headers::none(NextHeader::DATA);
    headers.set(TRANSPORT, &[1, 2]);
    headers.set(ROUTE, &[]);
    headers.set(PATH, &[3]);
    headers.set(HOP, &[4, 5, 6]);
    let expected = [
        [HOP.0, 2].as_slice(),
        &[PATH.0, 5, 4, 5, 6],
        &[TRANSPORT.0, 3, 3],
        &[NextHeader::DATA.0, 4, 1, 2],
    ];
    assert_eq!(headers.first(), ROUTE);
    assert_eq!(headers.as_slice(), expected.concat());
    assert_eq!(headers.len_behind(Layer::Hop), 7);
    assert_eq!(headers.carried(), NextHeader::DATA);
    assert!(headers.has(Layer::Path));
}

#[test]
fn a_header_that_is_taken_out_leaves_the_others_as_they_were() {
    let kinds = [ROUTE, HOP, TRANSPORT];
    for out in kinds {
        let (mut headers, mut others) =
            (Headers::none(NextHeader::DATA), Headers::none(NextHeader::DATA));
        for kind in kinds {
            headers.set(kind, &[kind.0; 20]);
            if kind != out {
                others.set(kind, &[kind.0; 20]);
            }
        }
        headers.remove(out);
        assert_eq!(headers, others);
        headers.remove(out);
        assert_eq!(headers, others, "it is not there");
    }
}

#[test]
fn a_header_is_replaced_by_one_of_its_layer() {
    let mut headers = Headers::none(NextHeader::DATA);
    headers.set(HOP, &[1, 2]);
    headers.set(TRANSPORT, &[3]);
    headers.set(HOP, &[4, 5]);
    assert_eq!(headers.get(HOP), Some(&[4, 5][..]));
    headers.set(NextHeader::hop(2), &[6]);
    assert_eq!((headers.get(HOP), headers.get(NextHeader::hop(2))), (None, Some(&[6][..])));
    assert_eq!(headers.get(TRANSPORT), Some(&[3][..]));
    assert_eq!(headers.carried(), NextHeader::DATA);
}

#[test]
fn numbers_belong_to_layers() {
    assert_eq!(NextHeader::routing(0).0, 152);
    assert_eq!(NextHeader::transport(23).0, 247);
    for kind in [NextHeader::DATA, NextHeader::ROUTING, NextHeader::ARP, NextHeader(6)] {
        assert_eq!(kind.layer(), None);
    }
}

#[test]
fn a_stack_out_of_order_is_refused() {
    let error = WireError::Field { name: "next header", value: HOP.0.into() };
    assert_eq!(Headers::parse(PATH, &[HOP.0, 2, NextHeader::DATA.0, 2]), Err(error));
    assert_eq!(Headers::parse(HOP, &[HOP.0, 2, NextHeader::DATA.0, 2]), Err(error));
    let error = WireError::Field { name: "next header", value: 6 };
    assert_eq!(Headers::parse(HOP, &[6, 2]), Err(error));
    let error = WireError::Field { name: "header length", value: 1 };
    assert_eq!(Headers::parse(HOP, &[NextHeader::DATA.0, 1]), Err(error));
}

#[test]
fn a_long_stack_is_as_good_as_a_short_one() {
    let mut headers = Headers::none(NextHeader::DATA);
    headers.set(TRANSPORT, &[1; 200]);
    let before = headers.clone();
    headers.set(TRANSPORT, &[2; 200]);
    assert_eq!(before.get(TRANSPORT), Some(&[1; 200][..]), "a copy stays what it is");
    headers.set(TRANSPORT, &[3]);
    headers.set(HOP, &[4]);
    assert_eq!(headers.as_slice(), [TRANSPORT.0, 3, 4, NextHeader::DATA.0, 3, 3]);
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        bodies in prop::collection::vec((0..4u8, 0..24u8, prop::collection::vec(any::<u8>(), 0..=253)), 0..8),
        behind in prop::collection::vec(any::<u8>(), 0..8),
    ) {
        let mut headers = Headers::none(NextHeader::DATA);
        for (layer, number, body) in &bodies {
            let kind = NextHeader(NextHeader::routing(0).0 + 24 * layer + number);
            headers.set(kind, body);
            prop_assert_eq!(headers.get(kind), Some(&body[..]));
        }
        let bytes = [headers.as_slice(), &behind].concat();
        prop_assert_eq!(Headers::parse(headers.first(), &bytes), Ok((headers, &behind[..])));
    }

    #[test]
    fn arbitrary_bytes_are_read_exactly_or_refused(
        first in any::<u8>(), bytes in prop::collection::vec(any::<u8>(), 0..64)
    ) {
        if let Ok((headers, rest)) = Headers::parse(NextHeader(first), &bytes) {
            prop_assert_eq!([headers.as_slice(), rest].concat(), bytes);
        }
    }
}

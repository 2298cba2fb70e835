//! Segments there and back, in their packets, and what is none.

use super::*;
use crate::ip::checksum;

fn segment(kind: Kind, data: &[u8]) -> Segment {
    Segment {
        window: 3,
        port: 8000,
        number: 7,
        next: 9,
        received: 1 << 63 | 1,
        sending: 0x1234,
        echo: 0xFEDC,
        data: data.to_vec(),
        ..Segment::bare(kind, 0xDEAD_BEEF)
    }
}

#[test]
fn every_kind_survives_its_packet() {
    let ends = (Ipv4Addr::new(10, 0, 0, 1), Ipv4Addr::new(10, 1, 17, 112));
    for kind in KINDS {
        let segment = segment(kind, if kind == Kind::Data { b"bytes" } else { b"" });
        let packet = carry(ends, (50_000, 4747), &segment);
        let (headers, behind) = carried(&packet, 4747).expect("it carries a segment");
        assert_eq!(Segment::parse(behind), Ok(segment));
        assert_eq!(headers.source, ends.0);
        assert_eq!(headers.destination, ends.1);
        assert_eq!(checksum(&packet[..20]), 0);
        assert!(carried(&packet, 50_000).is_some(), "the other way");
        assert!(carried(&packet, 9).is_none(), "of somebody else");
    }
}

#[test]
fn what_is_cut_off_or_means_nothing_is_refused() {
    let good = segment(Kind::Data, b"x").emit();
    for len in 0..good.len() {
        assert!(Segment::parse(&good[..len]).is_err(), "{len}");
    }
    for kind in [0, 8, 255] {
        let mut bad = good.clone();
        bad[0] = kind;
        assert_eq!(Segment::parse(&bad), Err(Malformed::Field("kind")));
    }
    let mut end = segment(Kind::End, b"").emit();
    end.push(0);
    assert_eq!(Segment::parse(&end), Err(Malformed::TooLong));
}

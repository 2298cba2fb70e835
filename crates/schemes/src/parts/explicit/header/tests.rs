//! The congestion header on the air.

use multihop_core::{FlowId, NodeId, Payload, Tag};
use proptest::prelude::*;

use super::*;

fn header() -> impl Strategy<Value = PathHeader> {
    let flow = (1..=LONGEST_ROUND_TRIP_US, 1..=LARGEST_WINDOW)
        .prop_map(|(round_trip_us, window)| FlowState { round_trip_us, window });
    let feedback = || -LARGEST_FEEDBACK..=LARGEST_FEEDBACK;
    (proptest::option::of(flow), feedback(), feedback()).prop_map(|(flow, feedback, reverse)| {
        let feedback = if flow.is_some() { feedback } else { 0 };
        PathHeader { flow, feedback, reverse }
    })
}

proptest! {
    #[test]
    fn a_header_survives_the_air(header in header()) {
        prop_assert_eq!(PathHeader::parse(&header.emit()), Ok(header));
        let flow = FlowId::between(NodeId(0), NodeId(1));
        let mut packet = Packet::new(flow, Payload::Virtual(1_000), Tag::default());
        prop_assert_eq!(PathHeader::of(&packet), Ok(None));
        header.write(&mut packet);
        prop_assert_eq!(packet.headers.len(), PATH_HEADER_LEN);
        prop_assert_eq!(PathHeader::of(&packet), Ok(Some(header)));
    }

    #[test]
    fn whatever_is_read_is_possible_and_written_so(body in any::<[u8; Fields::LEN]>(), format in 0u8..4) {
        let mut body = body;
        (body[0], body[1]) = (format, 0);
        if let Ok(header) = PathHeader::parse(&body) {
            prop_assert_eq!(header.emit(), body);
            prop_assert!(header.flow.is_none_or(|flow| flow.round_trip_us > 0 && flow.window > 0));
        }
    }
}

/// The body of a header that says something, with other bytes at one place.
fn with(at: usize, bytes: [u8; 4]) -> Result<PathHeader, WireError> {
    let flow = Some(FlowState { round_trip_us: 40_000, window: 2_120 });
    let mut body = PathHeader { flow, feedback: -5, reverse: 0 }.emit();
    body[at..at + 4].copy_from_slice(&bytes);
    PathHeader::parse(&body)
}

#[test]
fn what_cannot_be_is_refused() {
    let field = |name, value| Err(WireError::Field { name, value });
    for (at, name) in [(2, "round trip"), (6, "window")] {
        assert_eq!(with(at, [0; 4]), field(name, 0), "zero");
        assert_eq!(with(at, [0xFF; 4]), field(name, u32::MAX), "huge");
    }
    for (at, name) in [(10, "feedback"), (14, "reverse feedback")] {
        for value in [i32::MIN, i32::MAX, LARGEST_FEEDBACK + 1] {
            assert_eq!(with(at, value.to_be_bytes()), field(name, value.cast_unsigned()));
        }
    }
    assert_eq!(with(0, [3, 0, 0, 0]), field("format", 3));
    assert_eq!(with(0, [1, 7, 0, 0]), field("reserved", 7));
    assert_eq!(with(0, [2, 0, 0, 0]), field("flow", 0x9C), "an echo has no flow");
    assert!(PathHeader::parse(&[1; Fields::LEN - 1]).is_err());
}

#[test]
fn a_sender_writes_only_what_can_be() {
    for (round_trip, window) in [(0, 0.0), (u64::MAX, f64::INFINITY), (5, f64::NAN)] {
        let flow = FlowState::new(Duration::from_nanos(round_trip), window);
        let header = PathHeader { flow: Some(flow), feedback: 0, reverse: 0 };
        let read = PathHeader::parse(&header.emit());
        assert_eq!(read.is_ok(), !window.is_nan(), "{flow:?}");
    }
}

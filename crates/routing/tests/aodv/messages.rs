//! RFC 3561, 5.

use proptest::prelude::*;

use multihop_core::{EventKind, NodeId};
use multihop_routing::aodv::{Message, Reply, Request, Sequence, Timestamp, Unreachable, parse};

use crate::net::{Net, ms};

fn request() -> Request {
    Request {
        hop_count: 3,
        id: 7,
        destination: NodeId(0x01_02_03),
        destination_sequence: Some(Sequence(9)),
        originator: NodeId(5),
        originator_sequence: Sequence(4),
        timestamp: Timestamp(0xAABB_CCDD),
    }
}

fn reply() -> Reply {
    Reply {
        hop_count: 2,
        destination: NodeId(8),
        destination_sequence: Sequence(6),
        originator: NodeId(5),
        lifetime_ms: 10_000,
        timestamp: Timestamp(1),
    }
}

#[test]
fn the_fields_lie_where_the_rfc_puts_them() {
    let bytes = Message::Request(request()).emit();
    let expected = [
        1, 0, 0, 3, 0, 0, 0, 7, 10, 1, 2, 3, 0, 0, 0, 9, 10, 0, 0, 5, 0, 0, 0, 4, 0xAA, 0xBB, 0xCC,
        0xDD,
    ];
    assert_eq!(bytes[..], expected);
    let bytes = Message::Reply(reply()).emit();
    let expected = [2, 0, 0, 2, 10, 0, 0, 8, 0, 0, 0, 6, 10, 0, 0, 5, 0, 0, 0x27, 0x10, 0, 0, 0, 1];
    assert_eq!(bytes[..], expected);
    let bytes = Message::Error(vec![Unreachable(NodeId(8), Sequence(7))]).emit();
    assert_eq!(bytes[..], [3, 0, 0, 1, 10, 0, 0, 8, 0, 0, 0, 7]);
}

/// ns-2 2.35 (`docs/validation/data/aodv_micro.csv`): 48, 44 and 32 bytes with the network header.
#[test]
fn packets_are_as_long_as_those_of_ns_2() {
    let len = |message: Message| 20 + message.emit().len();
    assert_eq!(len(Message::Request(request())), 48);
    assert_eq!(len(Message::Reply(reply())), 44);
    assert_eq!(len(Message::Error(vec![Unreachable(NodeId(8), Sequence(7))])), 32);
}

#[test]
fn cut_or_longer_messages_are_refused() {
    let unknown = Request { destination_sequence: None, ..request() };
    let errors = (0..3).map(|n| Unreachable(NodeId(n), Sequence(n))).collect();
    for message in [
        Message::Request(request()),
        Message::Request(unknown),
        Message::Reply(reply()),
        Message::Error(errors),
    ] {
        let mut bytes = message.emit().to_vec();
        assert_eq!(parse(&bytes), Ok(message));
        for cut in 0..bytes.len() {
            assert!(parse(&bytes[..cut]).is_err());
        }
        bytes.push(0);
        assert!(parse(&bytes).is_err());
    }
}

#[test]
fn sequence_numbers_wrap_around() {
    assert!(Sequence(1).is_newer_than(Sequence(u32::MAX)));
    assert!(!Sequence(u32::MAX).is_newer_than(Sequence(1)));
    assert!(!Sequence(1).is_newer_than(Sequence(1)));
}

/// Bytes that are likely to be read: right lengths, types and addresses.
fn nearly_valid() -> impl Strategy<Value = Vec<u8>> {
    let bytes = prop::collection::vec(any::<u8>(), 28);
    (prop_oneof![Just((1, 28)), Just((2, 24)), Just((3, 20))], bytes, 0..4_u8).prop_map(
        |((kind, len), mut bytes, node)| {
            bytes.truncate(len);
            bytes[0] = kind;
            bytes[3] %= 3;
            for at in [4, 8, 12, 16] {
                if at + 4 <= len {
                    bytes[at..at + 4].copy_from_slice(&[10, 0, 0, (node + at as u8) % 5]);
                }
            }
            bytes
        },
    )
}

proptest! {
    #[test]
    fn what_is_read_is_what_was_written(bytes in nearly_valid()) {
        if let Ok(message) = parse(&bytes) {
            let again = message.emit();
            prop_assert_eq!(parse(&again), Ok(message));
            prop_assert_eq!(again.len(), bytes.len());
        }
    }

    #[test]
    fn arbitrary_bytes_do_no_harm(
        frames in prop::collection::vec(
            prop_oneof![prop::collection::vec(any::<u8>(), 0..64), nearly_valid()], 1..40),
    ) {
        let mut net = Net::line(5);
        let mut malformed = 0;
        for (at, bytes) in frames.iter().enumerate() {
            net.run(ms(137 * at as u64));
            malformed += usize::from(parse(bytes).is_err());
            net.hear_message(2, 1, bytes);
            net.offer(net.now, 0, 4, at as u32);
        }
        prop_assert_eq!(net.traced(EventKind::Malformed).len(), malformed);
        net.run(ms(100_000));
    }
}

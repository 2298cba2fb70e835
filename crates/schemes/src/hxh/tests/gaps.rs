//! HxH 3.4.3: who sends a NACK, and who does not.

use multihop_core::{Heard, Time};

use super::bench::{A, B, Bench, D, data, millis, range, through};
use crate::hxh::negative::Missing;
use crate::hxh::{Header, Kind, Range};

/// The NACKs that B sends upstream, and then the data.
fn sent(bench: &mut Bench) -> (Vec<Range>, Vec<Header>) {
    let mut nacks = Vec::new();
    let mut packets = Vec::new();
    while let Some((flow, to, header)) = bench.transmit() {
        match header.kind {
            Kind::Nack => {
                assert_eq!((flow, to), (through().reverse(), A));
                nacks.extend(header.range);
            }
            _ => packets.push(header),
        }
    }
    (nacks, packets)
}

#[test]
fn the_first_node_that_sees_a_gap_sends_a_nack_and_spares_the_others() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..2);
    bench.receive_all(4..6);
    let (nacks, packets) = sent(&mut bench);
    assert_eq!(nacks, [Range { first: 2, len: 2 }]);
    let ranges: Vec<_> = packets.iter().map(|header| header.range).collect();
    assert_eq!(ranges, [None, None, range(2, 2), range(2, 2)]);
    // Downstream, a node that sees the same gap sends none, and passes the range on.
    let mut next = Bench::new(&[]);
    for header in packets {
        next.receive(header);
    }
    let (nacks, packets) = sent(&mut next);
    assert_eq!(nacks, []);
    assert_eq!(packets.last().and_then(|header| header.range), range(2, 2));
}

#[test]
fn what_nobody_has_nacked_of_a_gap_is() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..2);
    // Packet 4, which said the same, was lost with others.
    bench.receive(Header { range: range(3, 2), ..data(8) });
    let (nacks, packets) = sent(&mut bench);
    assert_eq!(nacks, [Range { first: 2, len: 1 }, Range { first: 5, len: 3 }]);
    assert_eq!(packets[2].range, range(2, 6), "all of it has been NACKed now");
}

#[test]
fn the_range_is_forgotten_when_it_has_arrived() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..1);
    bench.receive_all(2..3);
    bench.receive(data(1));
    let (_, packets) = sent(&mut bench);
    assert_eq!(packets[1].range, None, "a retransmission lies within it");
    assert_eq!(packets[2].range, range(1, 1));
    bench.overhear(2, 9, 3);
    bench.receive(data(3));
    assert_eq!(sent(&mut bench).1[0].range, None);
}

#[test]
fn a_node_that_joins_a_flow_sees_no_gap() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(7..9);
    assert_eq!(sent(&mut bench).0, []);
}

#[test]
fn a_node_that_comes_back_does_not_ask_for_what_has_arrived() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..2);
    bench.receive(Header { ack: 30, ..data(32) });
    assert_eq!(sent(&mut bench).0, [Range { first: 30, len: 2 }]);
    // A distance that no window has is another history.
    bench.receive(Header { ack: 30, ..data(50_000) });
    assert_eq!(sent(&mut bench).0, []);
}

#[test]
fn retransmissions_and_the_flow_s_own_ends_send_none() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(10..12);
    bench.receive(data(3));
    assert_eq!(sent(&mut bench).0, []);
    let inward = multihop_core::FlowId::between(A, B);
    bench.hear(inward, A, Heard::ForMe, data(0));
    bench.hear(inward, A, Heard::ForMe, data(9));
    assert_eq!(bench.poll(), None, "at the destination, the transport looks for gaps");
    let own = multihop_core::FlowId::between(B, D);
    bench.enqueue(own, data(5), D);
    bench.enqueue(own, data(9), D);
    assert_eq!(sent(&mut bench).0, []);
}

#[test]
fn the_destination_repeats_what_is_not_repaired_less_and_less_often() {
    let at = |ms| Time::ZERO + millis(ms);
    let mut missing = Missing::new(millis(200));
    missing.add(at(0), Range { first: 4, len: 3 });
    assert_eq!(missing.deadline(), at(200));
    assert_eq!(missing.overdue(at(199)), None);
    assert_eq!(missing.overdue(at(200)), Some(Range { first: 4, len: 3 }));
    assert_eq!((missing.overdue(at(200)), missing.deadline()), (None, at(600)));
    missing.on_arrival(at(300), 5);
    let both = [missing.overdue(at(600)), missing.overdue(at(600))];
    assert_eq!(both, [range(4, 1), range(6, 1)]);
    assert_eq!(missing.deadline(), at(1_400));
    missing.on_arrival(at(700), 4);
    missing.on_arrival(at(700), 6);
    assert_eq!(missing.deadline(), Time::NEVER);
}

#[test]
fn the_destination_learns_how_long_a_repair_takes() {
    let at = |ms| Time::ZERO + millis(ms);
    let mut missing = Missing::new(millis(200));
    missing.add(at(0), Range { first: 0, len: 1 });
    missing.on_arrival(at(100), 0);
    missing.add(at(1_000), Range { first: 5, len: 1 });
    assert_eq!(missing.deadline(), at(1_400), "four times 100 ms");
    // What was asked for twice says nothing.
    assert_eq!(missing.overdue(at(1_400)), range(5, 1));
    missing.on_arrival(at(5_000), 5);
    missing.add(at(6_000), Range { first: 9, len: 1 });
    assert_eq!(missing.deadline(), at(6_400));
}

#[test]
fn the_list_of_what_is_missing_is_bounded() {
    let mut missing = Missing::new(millis(200));
    for first in 0..1_000 {
        missing.add(Time::ZERO, Range { first: first * 10, len: 9 });
        missing.on_arrival(Time::ZERO, first * 10 + 4);
    }
    let mut overdue = 0;
    while missing.overdue(Time::ZERO + millis(200)).is_some() {
        overdue += 1;
    }
    assert_eq!(overdue, 64);
}

//! HxH 3.2.1, 3.2.2: queues, turns, and the life of a flow's state.

use std::collections::BTreeMap;

use multihop_core::{
    DropCause, Failed, FlowId, Heard, Hop, NodeId, Outcome, Packet, Payload, Tag, Verdict,
};

use super::bench::{A, B, Bench, C, D, data, millis, outward, through};
use crate::hxh::{Header, Kind};

/// One of several flows from A over B to D, which is B's neighbour here.
fn port(label: u16) -> FlowId {
    FlowId { label, ..through() }
}

#[test]
fn flows_with_packets_of_different_sizes_share_the_bytes() {
    let mut bench = Bench::new(&[]);
    let sizes = [1_500u32, 500, 100];
    let mut sent: BTreeMap<FlowId, u32> = BTreeMap::new();
    let mut next = [0u32; 3];
    for _ in 0..3_000 {
        for (label, size) in (0u16..).zip(sizes) {
            let flow = port(label);
            while bench.hop.waiting(flow) < 20 {
                let sequence = &mut next[usize::from(label)];
                let tag = Tag { source: 0, number: *sequence };
                let mut packet = Packet::new(flow, Payload::Virtual(size - 60), tag);
                data(*sequence).write(&mut packet, 40);
                *sequence += 1;
                bench.enqueue_packet(packet, D);
            }
        }
        let request = bench.poll().expect("there are packets");
        *sent.entry(request.packet.flow).or_default() += request.packet.len().0;
        bench.done(request, Outcome::Acknowledged, 0);
    }
    let shares: Vec<u32> = sent.values().copied().collect();
    assert_eq!(shares.len(), 3);
    let (least, most) = (shares.iter().min().expect("three"), shares.iter().max().expect("three"));
    assert!(most - least <= 1_500 + 1_500, "{shares:?}");
}

#[test]
fn a_flow_that_fails_loses_its_turn_and_keeps_its_packet() {
    let mut bench = Bench::new(&[]);
    for label in [0, 1] {
        for sequence in 0..2 {
            bench.enqueue(port(label), data(sequence), C);
        }
    }
    let first = bench.poll().expect("packets wait");
    assert_eq!(first.packet.flow, port(0));
    let failed = bench.done(first, Outcome::Failed, 7);
    assert_eq!(failed, Some(Failed::Kept(D)));
    assert_eq!(bench.hop.backlog(), 4, "nothing is lost");
    let order: Vec<_> = std::iter::from_fn(|| bench.transmit())
        .map(|(flow, _, header)| (flow.label, header.sequence))
        .collect();
    assert_eq!(order, [(1, 0), (0, 0), (1, 1), (0, 1)]);
}

#[test]
fn retransmissions_go_to_their_place() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(5..8);
    bench.receive(data(2));
    assert_eq!(bench.transmit_all(), [2, 5, 6, 7]);
}

#[test]
fn a_packet_that_is_here_is_not_taken_twice() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..2);
    assert_eq!(bench.hear(through(), A, Heard::ForMe, data(1)), Verdict::Done);
    let below = bench.poll().expect("packet 0");
    assert_eq!(bench.hear(through(), A, Heard::ForMe, data(0)), Verdict::Done);
    // The source's timer was too fast: what it asks is asked by the packet that waits.
    bench.enqueue(through(), Header { asks: true, ..data(1) }, C);
    assert_eq!(bench.dropped(), [DropCause::Duplicate]);
    bench.done(below, Outcome::Acknowledged, 0);
    let (.., header) = bench.transmit().expect("packet 1");
    assert!(header.asks && header.sequence == 1);
}

#[test]
fn state_is_released_after_two_seconds_without_a_packet() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..1);
    assert_eq!(bench.transmit_all(), [0]);
    assert_eq!(bench.hop.flows.len(), 1);
    assert_eq!(bench.hop.deadline(), bench.now + millis(2_000));
    bench.wait(millis(1_999));
    assert_eq!(bench.hop.flows.len(), 1);
    bench.wait(millis(1));
    assert!(bench.hop.flows.is_empty());
}

#[test]
fn what_is_queued_goes_with_the_state_but_not_at_the_source() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..1);
    bench.enqueue(outward(), data(0), C);
    for flow in [through(), outward()] {
        bench.news(multihop_core::RouteNews::Lost(flow.destination));
    }
    let request = bench.step();
    assert!(request.is_some(), "the source's packet goes to routing");
    bench.enqueue(outward(), data(1), C);
    bench.wait(millis(2_000));
    assert_eq!(bench.dropped(), [DropCause::RouteBroken]);
    let kept: Vec<_> = bench.hop.flows.iter().map(|flow| flow.id).collect();
    assert_eq!(kept, [outward()]);
}

#[test]
fn a_frame_in_the_mac_keeps_its_flow() {
    let mut bench = Bench::new(&[]);
    bench.receive_all(0..1);
    let request = bench.poll().expect("a packet");
    bench.wait(millis(5_000));
    assert_eq!(bench.hop.backlog(), 1);
    assert_eq!(bench.done(request, Outcome::Failed, 7), Some(Failed::Kept(D)));
    assert_eq!(bench.hop.backlog(), 1);
}

#[test]
fn the_source_hands_over_half_a_queue() {
    let mut bench = Bench::new(&[]);
    for sequence in 0..10 {
        assert!(bench.hop.admits(outward()), "{sequence}");
        bench.enqueue(outward(), data(sequence), C);
    }
    assert!(!bench.hop.admits(outward()));
    bench.transmit();
    assert!(bench.hop.admits(outward()));
}

#[test]
fn a_flow_with_another_transport_is_scheduled_and_credited_only() {
    let mut bench = Bench::new(&[]);
    let bare = Packet::new(outward(), Payload::Virtual(100), Tag::default());
    bench.enqueue_packet(bare, C);
    let (_, to, header) = bench.transmit().expect("a datagram");
    assert_eq!((to, header.kind, header.buffer), (C, Kind::Datagram, 9));
    bench.hear(outward(), C, Heard::Overheard, Header { buffer: 3, ack: 9, ..header });
    assert_eq!(bench.step(), None, "nobody is told of an acknowledgment");
    assert_eq!(bench.hop.flows[0].credit.pool(), 4);
}

#[test]
fn what_cannot_be_read_is_refused() {
    let mut bench = Bench::new(&[]);
    let verdict = bench.hear(through().reverse(), C, Heard::ForMe, data(0));
    assert_eq!(verdict, Verdict::Done, "data on the way of acknowledgments");
    let verdict = bench.hear(through(), A, Heard::ForMe, Header::new(Kind::Ack, 0));
    assert_eq!(verdict, Verdict::Done, "an acknowledgment on the way of data");
    assert!(bench.hop.flows.is_empty());
    for source in 0..3_000 {
        bench.hear(FlowId::between(NodeId(source + 10), B), A, Heard::ForMe, data(0));
    }
    assert!(bench.hop.flows.len() <= 1_024, "flows without bound");
}

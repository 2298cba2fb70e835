//! RFC 3561, 6.1 and 6.9 to 6.12.

use multihop_core::{DropCause, EventKind, NodeId};
use multihop_routing::aodv::{Message, Settings};

use crate::net::{Net, ms};

/// A line of six nodes with a route from 0 to 5.
fn with_route() -> Net {
    let mut net = Net::line(6);
    net.offer(ms(1000), 0, 5, 1);
    net.run(ms(2000));
    assert_eq!(net.delivered.len(), 1);
    net
}

#[test]
fn a_break_near_the_source_is_announced() {
    let mut net = with_route();
    net.link(1, 2, false);
    net.offer(ms(3000), 0, 5, 2);
    net.run(ms(3500));
    assert_eq!(net.drops(), [(ms(3002), 2, DropCause::RetriesSpent)]);
    assert_eq!(net.broken, [(ms(3002), 1, NodeId(2))]);
    assert_eq!(net.errors(), [1], "0 is the source: it has no precursors");
    assert_eq!(net.next(0, 5), None);
    assert_eq!(net.traced(EventKind::LocalRepair), []);
    let error = net.sent.iter().find(|sent| matches!(sent.message, Message::Error(_)));
    assert_eq!(error.map(|sent| sent.at), Some(ms(3002)), "at once");
}

#[test]
fn a_break_near_the_destination_is_repaired() {
    let mut net = with_route();
    // A detour 3 - 6 would need a node more: give 3 a second way over a new link to 5.
    net.link(3, 4, false);
    net.link(3, 5, true);
    net.offer(ms(3000), 0, 5, 2);
    net.run(ms(3500));
    assert_eq!(net.traced(EventKind::LocalRepair), [3]);
    assert_eq!((net.errors(), net.broken.clone()), (vec![], vec![]));
    assert_eq!(net.delivered.len(), 2, "the packet that met the break arrives");
    assert_eq!(net.next(3, 5), Some(5));
}

#[test]
fn without_local_repair_it_is_announced() {
    let settings = Settings { local_repair: false, ..Settings::default() };
    let mut net = Net::new(6, settings, 1);
    (1..6).for_each(|node| net.link(node - 1, node, true));
    net.offer(ms(1000), 0, 5, 1);
    net.run(ms(2000));
    net.link(3, 4, false);
    net.offer(ms(3000), 0, 5, 2);
    net.run(ms(3500));
    assert_eq!(net.errors(), [3, 2, 1], "every node with precursors passes it on");
    assert_eq!(net.broken, [(ms(3004), 3, NodeId(4))]);
}

/// As ns-2 2.35 does it with `repair.tcl` (see the test's numbers): requests at once, +2, +6
/// and +11.5 s; the packets are dropped at the tick after the last timeout.
#[test]
fn a_repair_without_success_holds_packets() {
    let mut net = with_route();
    net.link(4, 5, false);
    for number in 0..100 {
        net.offer(ms(20_000 + 250 * u64::from(number)), 0, 5, 100 + number);
    }
    // Keep the route alive until then.
    (2..20).for_each(|second| net.offer(ms(1000 * second), 0, 5, 2));
    net.link(4, 5, true);
    net.run(ms(19_900));
    net.link(4, 5, false);
    net.run(ms(38_900));
    let requests = net.requests(4).iter().filter(|(at, _)| *at > ms(19_000)).count();
    assert_eq!(requests, 4);
    let dropped = net.drops().len();
    assert!(net.drops().iter().all(|(_, _, cause)| *cause == DropCause::RouteBufferFull));
    net.run(ms(39_000));
    let no_route = net.drops().split_off(dropped);
    assert_eq!(no_route.len(), 64);
    assert!(
        no_route.iter().all(|(at, _, cause)| (*at, *cause) == (ms(39_000), DropCause::NoRoute))
    );
    assert_eq!(net.errors(), [], "nobody is told");
    // The end of the repair: ns-2 waits for the time of the timeout, taken as a delay.
    net.run(ms(42_500));
    assert_eq!(net.errors(), [4, 3, 2, 1]);
}

#[test]
fn a_packet_without_a_route_makes_an_error() {
    let mut net = with_route();
    // Node 3's route runs out of use while node 0's is kept alive by packets that are lost.
    net.run(ms(3000));
    net.link(1, 2, false);
    net.offer(ms(3000), 2, 5, 2);
    net.run(ms(13_800));
    net.link(1, 2, true);
    assert_eq!(net.next(3, 5), None);
    let packet = multihop_core::Packet {
        ttl: 62,
        ..multihop_core::Packet::new(
            multihop_core::FlowId::between(NodeId(0), NodeId(5)),
            multihop_core::Payload::Virtual(100),
            multihop_core::Tag { source: 0, number: 7 },
        )
    };
    net.hear(3, 2, multihop_core::Heard::ForMe, packet);
    net.run(ms(14_000));
    assert_eq!(net.errors(), [3]);
    assert_eq!(net.drops(), [(ms(13_800), 7, DropCause::NoRoute)]);
    assert_eq!(net.traced(EventKind::RouteError), [3]);
}

#[test]
fn routes_expire_at_the_half_second_after_their_time() {
    let mut net = with_route();
    let last = net.data.iter().filter(|(_, node, ..)| *node == 0).map(|(at, ..)| *at).max();
    let last = last.expect("a packet was sent").nanos() / 1_000_000;
    let end = (last + 10_000).div_ceil(500) * 500;
    net.run(ms(end - 1));
    assert_eq!(net.next(0, 5), Some(1));
    net.run(ms(end));
    assert_eq!(net.next(0, 5), None);
    net.offer(ms(end), 0, 5, 2);
    net.run(ms(end + 500));
    assert_eq!(net.delivered.len(), 2, "and are found again");
}

#[test]
fn using_a_route_keeps_it() {
    let mut net = with_route();
    (1..10).for_each(|n| net.offer(ms(1000 + 9000 * n), 0, 5, n as u32));
    net.run(ms(90_000));
    assert_eq!(net.traced(EventKind::RouteRequest), [0]);
    assert_eq!(net.delivered.len(), 10);
}

#[test]
fn a_packet_that_comes_back_to_its_source_is_dropped() {
    let mut net = with_route();
    let flow = multihop_core::FlowId::between(NodeId(0), NodeId(5));
    let mut packet = multihop_core::Packet::new(
        flow,
        multihop_core::Payload::Virtual(100),
        multihop_core::Tag { source: 0, number: 7 },
    );
    packet.ttl -= 1;
    net.hear(0, 1, multihop_core::Heard::ForMe, packet);
    assert_eq!(net.drops(), [(ms(2000), 7, DropCause::NoRoute)]);
    assert_eq!(net.errors(), []);
}

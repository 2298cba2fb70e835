//! RFC 3561, 6.3 to 6.7.

use multihop_core::{DropCause, Duration, EventKind, NodeId, Receiver, Routing, Time};
use multihop_routing::aodv::{Message, Settings};

use crate::net::{Net, ms};

#[test]
fn a_route_over_five_hops_is_found_and_used() {
    let mut net = Net::line(6);
    net.offer(ms(1000), 0, 5, 1);
    net.run(ms(2000));
    assert_eq!(net.delivered.len(), 1);
    assert_eq!(net.replies(), [5, 4, 3, 2, 1], "the reply goes straight back");
    let reply = net.sent.iter().find(|sent| sent.node == 5).expect("5 answers");
    assert_eq!((reply.to, reply.ttl), (Receiver::Node(NodeId(4)), 30));
    assert_eq!(net.traced(EventKind::RouteRequest), [0]);
    assert_eq!(net.traced(EventKind::RouteReply), [5]);
    assert_eq!(net.traced(EventKind::RouteFound), [0]);
    for node in 0..5 {
        assert_eq!(net.next(node, 5), Some(node + 1));
        assert_eq!(net.next(node + 1, 0), Some(node), "and the way back is known");
        let hops = |to| net.nodes[node as usize].hops_to(NodeId(to), net.now);
        assert_eq!((hops(5), hops(9)), (Some(5 - node), None));
    }
    for node in 0..5 {
        let (_, ttl) = net.requests(node)[0];
        assert_eq!(ttl, 30 - node as u8, "ns-2 searches the whole network at once");
    }
    assert!(net.nodes.iter().all(|node| node.deadline() == Time::NEVER), "no idle timers");
}

#[test]
fn a_request_goes_on_once_and_requests_are_told_apart_by_originator_and_number() {
    let mut net = Net::new(4, Settings::default(), 1);
    for (one, other) in [(0, 1), (0, 2), (1, 2), (1, 3)] {
        net.link(one, other, true);
    }
    net.offer(ms(1000), 0, 9, 1);
    net.run(ms(1500));
    assert_eq!((net.requests(1).len(), net.requests(2).len()), (1, 1), "each has heard it twice");
    net.offer(ms(1500), 3, 9, 1);
    net.run(ms(2000));
    assert_eq!((net.requests(1).len(), net.requests(0).len()), (2, 2), "another's first request");
}

#[test]
fn forwarded_requests_are_delayed_by_up_to_ten_milliseconds() {
    let mut delays = Vec::new();
    for seed in 0..50 {
        let mut net = Net::new(2, Settings::default(), seed);
        net.link(0, 1, true);
        net.offer(ms(1000), 0, 9, 1);
        net.run(ms(1500));
        assert_eq!(net.requests(0)[0].0, ms(1000), "the originator does not wait");
        delays.push(net.requests(1)[0].0.since(ms(1001)).nanos());
    }
    assert!(delays.iter().all(|delay| *delay < 10_000_000), "{delays:?}");
    assert!(delays.iter().any(|delay| *delay < 2_000_000), "{delays:?}");
    assert!(delays.iter().any(|delay| *delay > 8_000_000), "{delays:?}");
}

#[test]
fn a_node_that_knows_the_way_answers() {
    let mut net = Net::line(6);
    net.offer(ms(1000), 1, 5, 1);
    net.offer(ms(2000), 0, 5, 2);
    net.run(ms(3000));
    let late = net.sent.iter().filter(|sent| sent.at >= ms(2000)).collect::<Vec<_>>();
    assert_eq!(late.len(), 2, "one request, one reply");
    let Message::Reply(reply) = &late[1].message else { panic!("{:?}", late[1]) };
    assert_eq!((late[1].node, reply.hop_count), (1, 4));
    // ns-2 2.35 announces whole seconds: the route was used at about 1.05 s and 10 s are given.
    assert_eq!(reply.lifetime_ms, 9_000);
    assert_eq!(net.delivered.len(), 2);
}

/// As ns-2 2.35 (`docs/validation/data/aodv_micro.csv`): requests at t, +2.0, +5.75, +11.25 s while a packet
/// is offered every 250 ms, and none for 17 s after that.
#[test]
fn requests_are_repeated_when_ns_2_repeats_them() {
    let mut net = Net::line(2);
    for number in 0..200 {
        net.offer(ms(1000 + 250 * u64::from(number)), 0, 9, number);
    }
    net.run(ms(40_000));
    let times = [1000, 3000, 6750, 12_250, 29_500, 31_500, 35_250];
    let expected: Vec<_> = times.map(|at| (ms(at), 30)).to_vec();
    assert_eq!(net.requests(0), expected);
}

#[test]
fn without_an_answer_the_packets_are_dropped_and_there_is_a_pause() {
    let mut net = Net::line(2);
    net.offer(ms(1000), 0, 9, 1);
    net.offer(ms(20_000), 0, 9, 2);
    net.run(ms(40_000));
    // Timeouts of 1.8, 3.6, 5.4 and 7.2 s, each found out at the next half second.
    let times: Vec<Time> = net.requests(0).iter().map(|(at, _)| *at).collect();
    assert_eq!(times[..4], [1000, 3000, 7000, 12_500].map(ms));
    assert_eq!(net.drops()[0], (ms(20_000), 1, DropCause::NoRoute));
    assert_eq!(times[4], ms(30_000), "the second packet waits for the end of the pause");
}

#[test]
fn an_expanding_ring_begins_small() {
    let settings = Settings { expanding_ring: true, ..Settings::default() };
    let mut net = Net::new(1, settings, 1);
    net.offer(ms(1000), 0, 9, 1);
    net.run(ms(5000));
    assert_eq!(net.requests(0), [(ms(1000), 5), (ms(1500), 7), (ms(2000), 30), (ms(4000), 30)]);
}

#[test]
fn after_a_known_route_the_ring_is_two_hops_wider() {
    let mut net = Net::line(4);
    net.offer(ms(1000), 0, 3, 1);
    net.run(ms(2000));
    net.link(0, 1, false);
    net.offer(ms(3000), 0, 3, 2);
    net.offer(ms(4000), 0, 3, 3);
    net.run(ms(6000));
    let rings: Vec<u8> = net.requests(0).iter().map(|(_, ttl)| *ttl).collect();
    assert_eq!(rings[..4], [30, 5, 7, 30]);
    // What was measured, a few milliseconds per hop, sets the timeout: the route cache timer
    // is what the retries wait for.
    let times: Vec<Time> = net.requests(0).iter().map(|(at, _)| *at).collect();
    assert_eq!(times[1..4], [4000, 4500, 5000].map(ms));
}

#[test]
fn held_packets_are_released_ten_milliseconds_apart_and_in_order() {
    let mut net = Net::line(4);
    for number in 0..5 {
        net.offer(ms(1000), 0, 3, number);
    }
    net.run(ms(1001));
    assert_eq!(net.backlog(), 5);
    net.run(ms(2000));
    let first = net.data[0].0;
    let released: Vec<_> =
        net.data.iter().filter(|(_, node, ..)| *node == 0).map(|(at, _, _, n)| (*at, *n)).collect();
    assert_eq!(released.len(), 5);
    for (number, (at, which)) in released.iter().enumerate() {
        assert_eq!(*which, number as u32);
        let apart = at.since(first);
        assert_eq!(apart.nanos(), 10_000_000 * number as u64);
    }
    assert_eq!((net.delivered.len(), net.backlog()), (5, 0));
}

#[test]
fn the_buffer_holds_64_packets_and_the_oldest_gives_way() {
    let mut net = Net::line(1);
    for number in 0..70 {
        net.offer(ms(1000), 0, 9, number);
    }
    net.run(ms(1100));
    let full: Vec<_> = (0..6).map(|n| (ms(1000), n, DropCause::RouteBufferFull)).collect();
    assert_eq!(net.drops(), full);
    assert_eq!(net.backlog(), 64);
}

#[test]
fn a_reverse_route_serves_packets_that_wait() {
    let mut net = Net::line(2);
    net.offer(ms(1000), 0, 2, 1);
    net.offer(ms(1100), 1, 0, 2);
    net.run(ms(1200));
    assert_eq!(net.traced(EventKind::RouteRequest), [0], "1 knows 0 from its request");
    assert_eq!(net.delivered.len(), 1);
}

/// 1 hears 0, and 0 does not hear 1; 2 is between them.
fn one_way(settings: Settings) -> Net {
    let mut net = Net::new(3, settings, 1);
    net.link_one_way(0, 1);
    net.link(0, 2, true);
    net.link(2, 1, true);
    net
}

/// 6.8: a neighbour that the route reply has not reached is ignored, and the request that comes another
/// way is answered. ns-2 has no blacklist, and finds no route.
#[test]
fn a_blacklist_leads_round_a_link_in_one_direction() {
    let blacklist_timeout = Some(Duration::from_millis(5_600));
    let with = Settings { blacklist_timeout, ..Settings::default() };
    for (settings, arrive) in [(Settings::default(), 0), (with, 1)] {
        let mut net = one_way(settings);
        net.offer(ms(1000), 0, 1, 1);
        net.run(ms(20_000));
        assert_eq!(net.delivered.len(), arrive);
        let first = net.data.first().map(|(_, node, next, _)| (*node, next.0));
        assert_eq!(first, (arrive > 0).then_some((0, 2)));
    }
}

#[test]
fn a_blacklist_forgets() {
    let settings =
        Settings { blacklist_timeout: Some(Duration::from_millis(100)), ..Settings::default() };
    let mut net = one_way(settings);
    net.offer(ms(1000), 0, 1, 1);
    net.run(ms(20_000));
    assert_eq!(net.delivered.len(), 0, "it has forgotten before the next request");
    let in_vain = net.replies().iter().filter(|node| **node == 1).count();
    assert!(in_vain > 1, "it answers over the link again and again");
}

#[test]
fn a_slower_medium_multiplies_the_waits_of_a_search() {
    let begun = |time_scale| {
        let mut net = Net::new(1, Settings { time_scale, ..Settings::default() }, 1);
        net.offer(ms(1000), 0, 9, 1);
        net.run(ms(2_000_000));
        assert_eq!(net.drops().iter().map(|drop| drop.2).collect::<Vec<_>>(), [DropCause::NoRoute]);
        net.requests(0).iter().map(|(at, _)| at.since(ms(1000))).collect::<Vec<_>>()
    };
    let (usual, slow) = (begun(1), begun(40));
    // Requests leave when a timer of half a second finds that their time has come.
    assert_eq!(usual[1], Duration::from_millis(2_000), "60 hops of 30 ms");
    assert_eq!(slow[1], Duration::from_millis(72_000), "of 1.2 s");
    assert_eq!(usual.len(), slow.len());
}

#[test]
fn a_slower_medium_remembers_reverse_routes_for_longer() {
    for (time_scale, is_there) in [(1, false), (10, true)] {
        let mut net = Net::new(2, Settings { time_scale, ..Settings::default() }, 1);
        net.link(0, 1, true);
        net.offer(ms(1000), 0, 9, 1);
        net.run(ms(40_000));
        assert_eq!(net.next(1, 0).is_some(), is_there, "6 s or 60 s");
    }
}

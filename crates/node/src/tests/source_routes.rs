//! What a routing protocol can do with the packets that pass: a small source routing, which writes the
//! whole way into them, listens, shortens and salvages. It shows the seam, and is no protocol of a paper.

mod net;
mod routing;

use multihop_core::{Layer, NodeId, RouteNews};

use net::Net;

/// A line 0-1-2-3, and a detour from 1 over 4 to 3.
const LINKS: [(u32, u32); 5] = [(0, 1), (1, 2), (2, 3), (1, 4), (4, 3)];

/// Only these two know a way to 3.
const KNOWN: [&[u32]; 2] = [&[0, 1, 2, 3], &[1, 4, 3]];

#[test]
fn relays_follow_the_way_that_stands_in_the_packet() {
    let mut net = Net::new(5, &LINKS, &KNOWN);
    net.send(1);
    net.run();
    assert_eq!(net.delivered, [1]);
    assert_eq!(net.hops, [(0, 1), (1, 2), (2, 3)]);
    let headers: Vec<usize> = net.packets.iter().map(|packet| packet.headers.len()).collect();
    assert_eq!(headers, [2 + 4 * 4; 3], "four nodes of four bytes");
    assert!(net.packets.iter().all(|packet| packet.headers.has(Layer::Routing)));
    let found = RouteNews::Found { destination: NodeId(3), hops: 3 };
    assert_eq!(net.news(), [found]);
}

/// The hop protocol does not listen: only routing hears what is for others.
#[test]
fn who_overhears_that_he_comes_later_shortens_the_way() {
    let mut net = Net::new(5, &LINKS, &KNOWN);
    net.link(0, 2);
    net.send(1);
    net.run();
    net.hops.clear();
    net.send(2);
    net.run();
    assert_eq!(net.delivered, [1, 2]);
    assert_eq!(net.hops, [(0, 2), (2, 3)]);
    let found = RouteNews::Found { destination: NodeId(3), hops: 3 };
    let changed = RouteNews::Changed { destination: NodeId(3), hops: 2 };
    assert_eq!(net.news(), [found, changed]);
}

#[test]
fn what_failed_and_what_waited_takes_another_way() {
    let mut net = Net::new(5, &LINKS, &KNOWN);
    (1..=3).for_each(|number| net.send(number));
    (0..3).for_each(|_| assert!(net.step(0)));
    assert_eq!(net.backlogs(), [0, 3, 0, 0, 0]);
    net.cut(1, 2);
    net.hops.clear();
    net.run();
    assert_eq!(net.delivered, [1, 2, 3]);
    assert_eq!(net.hops.iter().filter(|hop| **hop == (1, 4)).count(), 3);
    assert_eq!((net.drops.len(), net.backlogs()), (0, vec![0; 5]));
}

#[test]
fn without_another_way_they_are_lost_each_with_its_cause() {
    let mut net = Net::new(5, &LINKS, &KNOWN[..1]);
    (1..=3).for_each(|number| net.send(number));
    (0..3).for_each(|_| assert!(net.step(0)));
    net.cut(1, 2);
    net.run();
    assert_eq!(net.drops, [(1, "retries_spent"), (2, "route_broken"), (3, "route_broken")]);
    assert_eq!(net.backlogs(), [0; 5]);
}

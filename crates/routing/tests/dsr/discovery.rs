//! Searches and their answers (RFC 4728, 8.2).

use multihop_core::{DropCause, FrameClass, NodeId, RouteNews};
use multihop_routing::dsr::{Header, Settings};
use multihop_testkit::Links;

use super::world::{World, flow, ms};

fn reply_of(packet: &multihop_core::Packet) -> Vec<u32> {
    let header = Header::of(packet).expect("nodes write what they read").expect("it has one");
    header.reply.expect("a reply").path.iter().map(|node| node.0).collect()
}

#[test]
fn the_neighbours_are_asked_first_and_then_everyone() {
    let mut world = World::line(4);
    world.send(flow(0, 3), 1..=1);
    world.wait(200);
    assert_eq!(world.net.log.delivered(flow(0, 3)), [1]);
    let requests = world.messages(FrameClass::RouteRequest);
    let who: Vec<(usize, u8)> =
        requests.iter().map(|(_, who, packet)| (*who, packet.ttl)).collect();
    assert_eq!(who, [(0, 1), (0, 255), (1, 254), (2, 253)]);
    let wait = requests[1].0.since(requests[0].0).seconds();
    assert!((0.020..0.130).contains(&wait), "{wait} s: 30 ms, the next check, and the jitter");
    assert_eq!(requests[0].2.len().0, 20 + 12, "ns-2: 32 B");
    assert_eq!(requests[3].2.len().0, 20 + 12 + 2 * 4, "RFC 4728, 6.2: four bytes for every relay");
    let replies = world.messages(FrameClass::RouteReply);
    assert_eq!(replies.iter().map(|(_, who, _)| *who).collect::<Vec<_>>(), [3, 2, 1]);
    assert_eq!(reply_of(&replies[0].2), [0, 1, 2, 3]);
    // ns-2: 4 B, 4 B for every hop of its way, 5 B and 4 B for every node of the path; 76 B over 5 hops
    assert_eq!(replies[0].2.len().0, 20 + 40);
    let found = RouteNews::Found { destination: NodeId(3), hops: 3 };
    assert_eq!(world.news(0), [found]);
}

#[test]
fn a_neighbour_that_knows_the_way_answers_at_once() {
    let mut links = Links::line(5);
    links.set(4, 0, false);
    links.set(4, 3, false);
    links.set(4, 1, true);
    let settings = Settings { listen: false, ..Settings::default() };
    let mut world = World::new(links, settings, &[flow(0, 3), flow(4, 3)]);
    world.send(flow(0, 3), 1..=1);
    world.wait(200);
    let before = world.messages(FrameClass::RouteRequest).len();
    world.send(flow(4, 3), 7..=7);
    assert_eq!(world.net.log.delivered(flow(4, 3)), [7]);
    assert_eq!(world.messages(FrameClass::RouteRequest).len(), before + 1, "nobody passes it on");
    let replies = world.messages(FrameClass::RouteReply);
    let (_, who, packet) = replies.last().expect("an answer");
    assert_eq!((*who, reply_of(packet)), (1, vec![4, 1, 2, 3]));
}

#[test]
fn nobody_answers_for_others_if_caches_are_not_to_be_asked() {
    let settings = Settings { reply_from_cache: false, ..Settings::default() };
    let mut links = Links::line(5);
    links.set(4, 3, false);
    links.set(4, 1, true);
    let mut world = World::new(links, settings, &[flow(0, 3), flow(4, 3)]);
    world.send(flow(0, 3), 1..=1);
    world.send(flow(4, 3), 7..=7);
    world.wait(200);
    assert_eq!(world.net.log.delivered(flow(4, 3)), [7]);
    assert!(world.messages(FrameClass::RouteReply).iter().all(|(_, _, packet)| {
        reply_of(packet).last() == Some(&3) && packet.flow.source == NodeId(3)
    }));
}

/// ns-2: the wait is four times as long each time, up to 10 s; both requests of a search count once.
#[test]
fn searches_in_vain_are_repeated_ever_later() {
    let mut world = World::new(Links::none(2), Settings::default(), &[flow(0, 1)]);
    world.send(flow(0, 1), 1..=1);
    world.wait(29_000);
    let times: Vec<f64> =
        world.messages(FrameClass::RouteRequest).iter().map(|(at, ..)| at.seconds()).collect();
    let expected = [0.0, 0.05, 2.0, 2.05, 10.0, 10.05, 20.0, 20.05];
    assert_eq!(times.len(), expected.len(), "{times:?}");
    for (time, expected) in times.iter().zip(expected) {
        assert!((time - expected).abs() < 0.2, "{times:?}");
    }
    assert_eq!(world.net.log.drops(), []);
    world.wait(1_500);
    let drops = world.net.log.drops();
    assert_eq!(
        drops.iter().map(|(_, number, cause)| (*number, *cause)).collect::<Vec<_>>(),
        [(1, DropCause::NoRoute)]
    );
    assert!(drops[0].0 > ms(30_000), "it has waited for 30 s");
}

#[test]
fn the_buffer_holds_64_packets_and_the_oldest_gives_way() {
    let mut world = World::new(Links::none(2), Settings::default(), &[flow(0, 1)]);
    (0..66).for_each(|number| world.net.write(flow(0, 1), number));
    let drops = world.net.log.drops();
    let lost: Vec<_> = drops.iter().map(|(_, number, cause)| (*number, *cause)).collect();
    assert_eq!(lost, [(0, DropCause::RouteBufferFull), (1, DropCause::RouteBufferFull)]);
    assert_eq!(world.net.node(0).backlog(), 64);
}

/// ns-2's `arp_timeout`.
#[test]
fn packets_that_waited_leave_30_ms_apart() {
    let mut world = World::line(3);
    (1..=4).for_each(|number| world.net.write(flow(0, 2), number));
    world.wait(400);
    assert_eq!(world.net.log.delivered(flow(0, 2)), [1, 2, 3, 4]);
    let left: Vec<_> = world.data().filter(|frame| frame.from == 0).map(|frame| frame.at).collect();
    for pair in left.windows(2) {
        let gap = pair[1].since(pair[0]).seconds();
        assert!((0.022..0.040).contains(&gap), "{gap}");
    }
}

/// A path has sixteen nodes at most: the target of the eighteenth is out of reach.
#[test]
fn nobody_is_found_behind_sixteen_nodes() {
    let mut near = World::line(16);
    near.send(flow(0, 15), 1..=1);
    near.wait(1_000);
    assert_eq!(near.net.log.delivered(flow(0, 15)), [1]);
    let mut far = World::line(17);
    far.send(flow(0, 16), 1..=1);
    far.wait(1_000);
    assert_eq!(far.net.log.delivered(flow(0, 16)), [0; 0]);
}

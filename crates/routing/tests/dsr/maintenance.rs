//! Broken links (RFC 4728, 8.3).

use multihop_core::{
    DropCause, EventKind, FrameClass, Heard, NodeId, Packet, Payload, RouteNews, Tag,
};
use multihop_node::Input;
use multihop_routing::dsr::{Broken, Header, Path, Settings, SourceRoute};
use multihop_routing::words::LOCAL_REPAIR;
use multihop_testkit::{Links, heard};

use super::world::{World, flow, ms};

/// A line 0-1-2-3 with a detour from 1 over 4 to 3.
fn detour() -> Links {
    let mut links = Links::line(5);
    links.set(4, 1, true);
    links
}

const FOUND: RouteNews = RouteNews::Found { destination: NodeId(3), hops: 3 };
const LOST: RouteNews = RouteNews::Lost(NodeId(3));

/// The relay has asked for the target once itself, so that it knows both ways.
fn with_detour(settings: Settings) -> World {
    let mut world = World::new(detour(), settings, &[flow(0, 3), flow(1, 3)]);
    world.send(flow(1, 3), 90..=90);
    world.wait(300);
    world.send(flow(0, 3), 1..=4);
    world
}

#[test]
fn a_relay_that_knows_another_way_salvages() {
    let mut world = with_detour(Settings::default());
    let way = world.hops(4);
    let (_, on) = *way.iter().find(|(from, _)| *from == 1).expect("over the relay");
    world.net.air.links.set(1, on as usize, false);
    world.send(flow(0, 3), 5..=8);
    world.wait(1_000);
    assert_eq!(world.net.log.delivered(flow(0, 3)), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(world.net.log.traced(EventKind::Declared(&LOCAL_REPAIR)), [1]);
    assert_eq!(world.net.log.traced(EventKind::RouteError), [1], "once: then the source knows");
    let errors = world.messages(FrameClass::RouteError);
    let header = Header::of(&errors[0].2).expect("it can be read").expect("it has one");
    let broken = Broken { from: NodeId(1), to: NodeId(on), tell: NodeId(0) };
    assert_eq!(header.broken, [broken]);
    assert_eq!(errors[0].2.len().0, 20 + 8 + 16, "one hop back, one error");
    assert_eq!(world.news(0)[..2], [FOUND, LOST]);
    assert!(matches!(world.news(0)[2], RouteNews::Found { hops: 3, .. }));
}

/// By its identification, who overhears it knows that it is the same.
#[test]
fn a_packet_that_is_salvaged_keeps_its_identification() {
    let mut world = with_detour(Settings { flow_state: false, ..Settings::default() });
    let (_, on) = *world.hops(4).iter().find(|(from, _)| *from == 1).expect("over the relay");
    world.net.air.links.set(1, on as usize, false);
    world.send(flow(0, 3), 5..=5);
    world.wait(1_000);
    let of = |number: u32| {
        let packets = world.data().map(|frame| &frame.packet);
        let headers = packets.filter(move |packet| packet.tag.number == number).map(Header::of);
        headers.map(|header| header.expect("it can be read").expect("it has one"))
    };
    let salvaged: Vec<u8> =
        of(5).filter_map(|header| header.route).map(|route| route.salvaged).collect();
    assert!(salvaged.contains(&0) && salvaged.contains(&1), "{salvaged:?}");
    let mut identifications: Vec<u16> =
        of(4).chain(of(5)).map(|header| header.identification).collect();
    identifications.dedup();
    assert_eq!(identifications.len(), 2, "one for each: {identifications:?}");
}

#[test]
fn without_salvaging_the_packet_is_lost_with_its_cause() {
    let settings = Settings { salvage_limit: 0, ..Settings::default() };
    let mut world = with_detour(settings);
    let (_, on) = *world.hops(4).iter().find(|(from, _)| *from == 1).expect("over the relay");
    world.net.air.links.set(1, on as usize, false);
    world.send(flow(0, 3), 5..=8);
    world.wait(1_000);
    let drops: Vec<_> =
        world.net.log.drops().iter().map(|(_, number, cause)| (*number, *cause)).collect();
    assert_eq!(drops, [(5, DropCause::RetriesSpent)]);
    assert_eq!(world.net.log.delivered(flow(0, 3)), [1, 2, 3, 4, 6, 7, 8]);
}

/// A packet of node 0 comes back to it, by this route if it has one. Returns the world after that.
fn back_at_its_source(route: Option<SourceRoute>) -> World {
    let mut ring = Links::line(5);
    ring.set(4, 0, true);
    let mut world = World::new(ring, Settings::default(), &[flow(0, 3)]);
    let tag = Tag { source: 0, number: 1 };
    let packet = Packet::new(flow(0, 3), Payload::Virtual(100), tag);
    let mut packet = Packet { ttl: packet.ttl - 2, ..packet };
    if route.is_some() {
        Header { route, ..Header::default() }.write(&mut packet);
    }
    world.net.tell(0, Input::Heard(heard(NodeId(1), Heard::ForMe, packet)));
    world.wait(100);
    world
}

/// Who has salvaged it knew a way that leads back over the source.
#[test]
fn a_packet_that_is_led_back_over_its_source_goes_on() {
    let path = Path::of([1, 0, 4, 3].map(NodeId)).expect("few");
    let world = back_at_its_source(Some(SourceRoute { path, next: 1, salvaged: 1 }));
    assert_eq!(world.net.log.delivered(flow(0, 3)), [1]);
    assert_eq!(world.hops(1), [(0, 4), (4, 3)]);
}

#[test]
fn a_packet_that_comes_back_to_its_source_otherwise_is_lost() {
    let path = Path::of([0, 1, 2, 3].map(NodeId)).expect("few");
    for route in [None, Some(SourceRoute { path, next: 2, salvaged: 0 })] {
        let world = back_at_its_source(route);
        let causes: Vec<_> = world.net.log.drops().iter().map(|(.., cause)| *cause).collect();
        assert_eq!(causes, [DropCause::NoRoute]);
    }
}

#[test]
fn a_source_without_another_way_searches_again() {
    let mut world = World::line(4);
    world.send(flow(0, 3), 1..=4);
    world.wait(200);
    world.net.air.links.set(2, 3, false);
    world.send(flow(0, 3), 5..=6);
    assert_eq!(world.news(0), [FOUND, LOST]);
    world.net.air.links.set(2, 3, true);
    world.wait(6_000);
    assert_eq!(world.news(0), [FOUND, LOST, FOUND]);
    let delivered = world.net.log.delivered(flow(0, 3));
    assert!(delivered.contains(&6), "{delivered:?}");
}

/// The error about the error: 2 cannot reach 3, and then 1 not 0.
#[test]
fn errors_that_do_not_arrive_are_told_further() {
    let mut links = Links::line(5);
    links.set(4, 3, false);
    links.set(4, 2, true);
    links.set(4, 0, true);
    let mut world = World::new(links, Settings::default(), &[flow(0, 3)]);
    world.net.air.links.set(4, 2, false);
    world.send(flow(0, 3), 1..=4);
    assert_eq!(world.hops(4), [(0, 1), (1, 2), (2, 3)]);
    world.net.air.links.set(4, 2, true);
    world.net.air.links.set(2, 3, false);
    world.net.hold(2, world.net.now);
    world.net.write(flow(0, 3), 5);
    world.wait(12);
    world.net.air.links.set(0, 1, false);
    world.wait(3_000);
    let told = world.told(FrameClass::RouteError);
    let nested: Vec<usize> = told.iter().map(|(_, _, broken)| broken.len()).collect();
    assert!(nested.contains(&2), "{nested:?}");
    let news = world.news(0);
    assert!(news.contains(&LOST), "{news:?}");
}

#[test]
fn the_next_request_tells_everyone_of_the_broken_link() {
    let mut world = World::line(4);
    world.send(flow(0, 3), 1..=4);
    world.wait(2_000);
    world.net.air.links.set(2, 3, false);
    world.send(flow(0, 3), 5..=6);
    world.wait(500);
    let told: Vec<Broken> =
        world.told(FrameClass::RouteRequest).into_iter().flat_map(|(.., broken)| broken).collect();
    let broken = Broken { from: NodeId(2), to: NodeId(3), tell: NodeId::BROADCAST };
    assert!(!told.is_empty() && told.iter().all(|error| *error == broken), "{told:?}");
}

/// Node 0 hears its own request again, with the error, from who passes it on: that is not news.
#[test]
fn everyone_is_told_once() {
    let mut world = World::line(4);
    world.send(flow(0, 3), 1..=4);
    world.wait(2_000);
    world.net.air.links.set(2, 3, false);
    world.send(flow(0, 3), [5]);
    world.net.air.links.set(2, 3, true);
    world.send(flow(0, 3), 6..=7);
    world.net.air.links.set(0, 1, false);
    world.send(flow(0, 3), [8]);
    let told = world.told(FrameClass::RouteRequest);
    let own = told.iter().filter(|(at, from, _)| *from == 0 && *at > ms(2_000));
    let told: Vec<usize> = own.map(|(_, _, broken)| broken.len()).collect();
    assert_eq!(told, [1, 1, 0, 0], "neighbours and everyone, and both of the next search");
}

/// As in ns-2: packets that waited leave in a row. When the link breaks, the first that fails waits for
/// another way, and those that had left behind it without their way are lost.
#[test]
fn what_was_sent_before_the_break_was_known_is_lost() {
    let mut world = World::line(3);
    (1..=8).for_each(|number| world.net.write(flow(0, 2), number));
    while !world.net.log.delivered(flow(0, 2)).contains(&5) {
        world.wait(1);
    }
    world.net.air.links.set(0, 1, false);
    world.wait(1_000);
    let lost: Vec<_> =
        world.net.log.drops().iter().map(|(_, number, cause)| (*number, *cause)).collect();
    assert_eq!(lost, [(7, DropCause::RetriesSpent), (8, DropCause::RetriesSpent)]);
    assert_eq!(world.net.node(0).backlog(), 1, "the sixth");
}

/// Node 1 has a flow to 3 that is established, and goes by the node that is named.
fn established() -> (World, usize) {
    let mut world = with_detour(Settings::default());
    world.send(flow(1, 3), 91..=94);
    let (_, on) = world.hops(94)[0];
    (world, on as usize)
}

/// It carries the new way, of which the next node would not know otherwise.
#[test]
fn the_packet_that_fails_goes_on_although_the_queue_is_full() {
    let (mut world, on) = established();
    world.net.write(flow(1, 3), 101);
    world.wait(1);
    assert!(world.net.has_frame(1));
    (102..=160).for_each(|number| world.net.write(flow(1, 3), number));
    world.net.air.links.set(1, on, false);
    world.wait(1_500);
    let delivered = world.net.log.delivered(flow(1, 3));
    let begin: Vec<u32> =
        delivered.iter().copied().filter(|number| *number > 100).take(4).collect();
    assert_eq!(begin, [101, 102, 103, 104]);
    assert_eq!(
        world.net.log.traced(EventKind::RouteError),
        [0; 0],
        "nobody has to ask for the way"
    );
}

//! What nodes learn from frames for others (RFC 4728, 3.3.1 and 3.4.3).

use multihop_core::{FrameClass, Heard, NodeId, Packet, Payload, RouteNews, Tag, Time};
use multihop_node::Input;
use multihop_routing::dsr::{Header, Path, Settings, SourceRoute};
use multihop_testkit::{Links, heard};

use super::world::{World, flow};

const FOUND: RouteNews = RouteNews::Found { destination: NodeId(3), hops: 3 };
const CHANGED: RouteNews = RouteNews::Changed { destination: NodeId(3), hops: 2 };

/// 2 moves into the reach of 0 after so many packets.
fn moved(settings: Settings, after: u32) -> World {
    let mut world = World::new(Links::line(4), settings, &[flow(0, 3)]);
    world.send(flow(0, 3), 1..=after);
    world.net.air.links.set(0, 2, true);
    world.send(flow(0, 3), after + 1..=after + 5);
    world
}

#[test]
fn who_overhears_a_source_route_too_early_shortens_it() {
    let world = moved(Settings { flow_state: false, ..Settings::default() }, 2);
    assert_eq!(world.net.log.delivered(flow(0, 3)), [1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(world.hops(7), [(0, 2), (2, 3)]);
    assert_eq!(world.news(0), [FOUND, CHANGED]);
}

#[test]
fn who_overhears_a_flow_too_early_says_nothing() {
    let world = moved(Settings::default(), 5);
    assert_eq!(world.hops(6), [(0, 1), (1, 2), (2, 3)]);
    assert_eq!(world.hops(10), [(0, 1), (1, 2), (2, 3)]);
    assert_eq!(world.news(0), [FOUND]);
}

#[test]
fn nobody_listens_if_not_asked_to() {
    let world = moved(Settings { listen: false, ..Settings::default() }, 5);
    assert_eq!(world.hops(10), [(0, 1), (1, 2), (2, 3)]);
    assert_eq!(world.news(0), [FOUND]);
}

#[test]
fn a_way_is_shortened_once_in_a_second() {
    let settings = Settings { flow_state: false, repeat_own_replies: false, ..Settings::default() };
    let mut world = World::new(Links::line(4), settings, &[flow(0, 3)]);
    world.send(flow(0, 3), 1..=1);
    world.wait(300);
    world.net.air.links.set(0, 2, true);
    // The answers do not arrive.
    world.net.lose(|frame, _, _| frame.from == 2 && frame.packet.flow.destination == NodeId(0));
    let before = world.messages(FrameClass::RouteReply).len();
    world.send(flow(0, 3), 2..=5);
    let replies = world.messages(FrameClass::RouteReply);
    assert_eq!(replies[before..].iter().filter(|(_, who, _)| *who == 2).count(), 1);
}

/// A bystander hears 1, 2 and 3, and so knows the way to 5 when it wants it.
#[test]
fn a_bystander_learns_the_way() {
    let mut links = Links::line(7);
    links.set(5, 6, false);
    links.set(6, 2, true);
    let mut world = World::new(links, Settings::default(), &[flow(0, 5), flow(6, 5)]);
    world.send(flow(0, 5), 1..=1);
    world.wait(300);
    let path = world.nodes[6].look().path_to(NodeId(5), Time::ZERO).expect("overheard");
    assert_eq!(path.iter().map(|node| node.0).collect::<Vec<_>>(), [6, 2, 3, 4, 5]);
    let before = world.messages(FrameClass::RouteRequest).len();
    world.send(flow(6, 5), 7..=7);
    assert_eq!(world.net.log.delivered(flow(6, 5)), [7]);
    assert_eq!(world.messages(FrameClass::RouteRequest).len(), before);
}

/// Also if somebody has salvaged it in between, and it takes another way now.
#[test]
fn a_packet_is_overheard_once() {
    let mut world = World::line(2);
    let mut overhear = |identification, salvaged, nodes: [u32; 3]| {
        let path = Path::of(nodes.map(NodeId)).expect("few");
        let route = Some(SourceRoute { path, next: 1, salvaged });
        let tag = Tag { source: 5, number: 1 };
        let mut packet = Packet::new(flow(5, 9), Payload::Virtual(100), tag);
        Header { identification, route, ..Header::default() }.write(&mut packet);
        world.net.tell(0, Input::Heard(heard(NodeId(nodes[0]), Heard::Overheard, packet)));
        let mut node = world.nodes[0].look();
        nodes.map(|to| node.path_to(NodeId(to), Time::ZERO).is_some())
    };
    assert_eq!(overhear(7, 0, [5, 6, 9]), [true, true, true]);
    assert_eq!(overhear(7, 1, [3, 4, 9]), [false, false, true]);
    assert_eq!(overhear(8, 1, [3, 4, 9]), [true, true, true]);
}

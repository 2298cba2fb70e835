//! What the air may bring, and no node writes.

use multihop_core::{
    DropCause, EventKind, FlowId, Heard, NextHeader, NodeId, Packet, Payload, Tag,
};
use multihop_node::Input;
use multihop_routing::dsr::{DSR, Header, Path, Reply, Request, SourceRoute};
use multihop_testkit::heard;

use super::world::{World, flow};

/// A packet from 0 to 9 that has come one hop, with these bytes for its header.
fn data(body: &[u8]) -> Packet {
    let tag = Tag { source: 0, number: 7 };
    let mut packet = Packet::new(flow(0, 9), Payload::Virtual(100), tag);
    packet.headers.set(DSR, body);
    Packet { ttl: packet.ttl - 1, ..packet }
}

/// A source route over these nodes, of which the last `left` are to come.
fn route(nodes: &[u32], left: u8) -> Vec<u8> {
    let mut body = vec![0, 1, 96, 2 + 4 * nodes.len() as u8, 0, left];
    for node in nodes {
        body.extend_from_slice(&[10, 0, 0, *node as u8]);
    }
    body
}

/// Node 1 gets `packet` from node 0. Returns why packets were dropped, and who complained.
fn after(packet: Packet) -> (Vec<DropCause>, usize) {
    let mut world = World::line(10);
    world.net.tell(1, Input::Heard(heard(NodeId(0), Heard::ForMe, packet)));
    let complained = world.net.log.traced(EventKind::Malformed).len();
    let drops = world.net.log.drops().iter().map(|(.., cause)| *cause).collect();
    assert_eq!(world.net.node(1).backlog(), usize::from(complained == 0));
    (drops, complained)
}

#[test]
fn a_route_over_this_node_is_followed() {
    assert_eq!(after(data(&route(&[1, 2], 2))), (vec![], 0));
}

#[test]
fn routes_that_cannot_be_are_dropped_and_counted() {
    let long: Vec<u32> = (1..=15).collect();
    let refused = [
        ("a loop", route(&[1, 2, 3, 2], 4)),
        ("its own end in the middle", route(&[1, 9, 3], 3)),
        ("more than sixteen nodes", route(&long, 15)),
        ("this node in the middle of what is done", route(&[2, 1, 3], 1)),
        ("more to come than there is", route(&[1, 2], 4)),
        ("nobody to come", route(&[1, 2], 3)),
        ("cut off", route(&[1, 2], 2)[..9].to_vec()),
        ("half an option", vec![0, 1, 96]),
        ("half an address", vec![0, 1, 96, 4, 0, 0, 10, 0]),
        ("another network's address", vec![0, 1, 96, 6, 0, 1, 11, 0, 0, 1]),
        ("two routes", [route(&[1, 2], 2), route(&[1, 2], 2)[2..].to_vec()].concat()),
        ("an unknown option", vec![0, 1, 77, 0]),
        ("a request", [route(&[1, 2], 2), vec![1, 6, 0, 1, 10, 0, 0, 9]].concat()),
    ];
    for (what, body) in refused {
        assert_eq!(after(data(&body)), (vec![DropCause::Malformed], 1), "{what}");
    }
}

/// The sixteenth node is the last that fits.
#[test]
fn sixteen_nodes_fit() {
    let nodes: Vec<u32> = [1].into_iter().chain(20..33).collect();
    assert_eq!(after(data(&route(&nodes, 14))), (vec![], 0));
}

fn message(header: &Header, flow: FlowId) -> Packet {
    let mut packet = Packet::message(flow, NextHeader::ROUTING, []);
    header.write(&mut packet);
    packet
}

fn path(nodes: &[u32]) -> Path {
    Path::of(nodes.iter().copied().map(NodeId)).expect("few")
}

#[test]
fn a_reply_for_somebody_else_teaches_nothing() {
    for nodes in [[5, 1, 9], [5, 6, 9]] {
        let reply = Some(Reply { id: 1, path: path(&nodes) });
        let header = Header { reply, ..Header::default() };
        let mut world = World::line(10);
        let packet = message(&header, flow(0, 1));
        world.net.tell(1, Input::Heard(heard(NodeId(0), Heard::ForMe, packet)));
        assert_eq!(world.net.log.traced(EventKind::Malformed), [1]);
        assert_eq!(world.nodes[1].look().path_to(NodeId(9), world.net.now), None);
    }
}

#[test]
fn a_request_that_has_been_here_is_not_passed_on() {
    let request = Some(Request { id: 1, target: NodeId(9), path: path(&[0, 1, 2]) });
    let packet = message(&Header { request, ..Header::default() }, flow(0, NodeId::BROADCAST.0));
    let mut world = World::line(10);
    let packet = Packet { ttl: 200, ..packet };
    world.net.tell(1, Input::Heard(heard(NodeId(2), Heard::Broadcast, packet)));
    world.wait(100);
    assert_eq!(world.net.log.sent.len(), 0);
}

#[test]
fn messages_that_cannot_be_read_are_counted() {
    let empty = Packet::message(flow(0, 1), NextHeader::ROUTING, []);
    let lost = SourceRoute { path: path(&[0, 4, 5]), next: 1, salvaged: 0 };
    let elsewhere = message(&Header { route: Some(lost), ..Header::default() }, flow(0, 5));
    for packet in [empty, elsewhere] {
        let mut world = World::line(10);
        world.net.tell(1, Input::Heard(heard(NodeId(0), Heard::ForMe, packet)));
        assert_eq!(world.net.log.traced(EventKind::Malformed), [1]);
    }
}

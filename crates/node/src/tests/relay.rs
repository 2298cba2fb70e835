//! A relay knows its own part of a packet and passes on the rest.

use multihop_core::{
    DropCause, FlowId, Heard, INITIAL_TTL, NextHeader, NodeId, Packet, Params, Payload, Purpose,
    Rate, Receiver, Rng, Tag,
};
use multihop_routing::FixedRoutes;
use multihop_schemes::udp;

use super::script::Script;
use super::{ME, NEXT, at, heard, outputs};
use crate::{Addresses, Node, Parts};

fn relay() -> Node {
    let neighbours = vec![vec![ME], vec![NodeId(0), NEXT], vec![ME]];
    let mut routes = FixedRoutes::shortest(&neighbours, &[FlowId::between(NodeId(0), NEXT)]);
    let params = Params::new(&udp::SCHEME, &[], Rate(1_000_000)).expect("the defaults are valid");
    Node::new(Parts {
        me: ME,
        incarnation: 0,
        rng: Rng::stream(1, ME, Purpose::Protocol),
        hop: (udp::SCHEME.hop)(&params),
        routing: Box::new(routes.swap_remove(ME.index())),
        addresses: Addresses::Known,
        transports: Box::new(Script::new()),
        most_accepted: 0,
        groups: Vec::new(),
    })
}

/// Its transport, the stations' header and the route option are of protocols that nobody has written.
#[test]
fn a_packet_of_an_unknown_transport_is_forwarded_as_it_came() {
    let flow = FlowId::between(NodeId(0), NEXT);
    let mut sent = Packet::new(flow, Payload::Real([7; 30].into()), Tag::default());
    sent.headers.set(NextHeader::transport(23), &[1, 2, 3]);
    sent.headers.set(NextHeader::path(22), &[4; 90]);
    sent.headers.set(NextHeader::routing(21), &[5; 40]);
    let mut node = relay();
    let received = Packet::parse(&sent.emit()).expect("every header says its length");
    node.handle(at(1), heard(Heard::ForMe, received));
    let request = node.poll_transmit(at(2)).expect("it is forwarded");
    assert_eq!(request.to, Receiver::Node(NEXT));
    let expected = Packet { ttl: sent.ttl - 1, ..sent };
    assert_eq!(request.packet.emit(), expected.emit());
}

#[test]
fn no_packet_lives_longer_than_those_that_begin_here() {
    let flow = FlowId::between(NodeId(0), NEXT);
    for (received, forwarded) in
        [(u8::MAX, INITIAL_TTL - 1), (INITIAL_TTL, INITIAL_TTL - 1), (2, 1)]
    {
        let mut packet = Packet::new(flow, Payload::Virtual(30), Tag::default());
        packet.ttl = received;
        let mut node = relay();
        node.handle(at(1), heard(Heard::ForMe, packet));
        let request = node.poll_transmit(at(2)).expect("it is forwarded");
        assert_eq!(request.packet.ttl, forwarded, "received with {received}");
    }
}

#[test]
fn a_packet_that_has_come_over_its_last_hop_is_dropped() {
    for ttl in [0, 1] {
        let flow = FlowId::between(NodeId(0), NEXT);
        let mut packet = Packet::new(flow, Payload::Virtual(30), Tag::default());
        packet.ttl = ttl;
        let mut node = relay();
        node.handle(at(1), heard(Heard::ForMe, packet));
        assert!(node.poll_transmit(at(2)).is_none());
        let dropped = outputs(&mut node).into_iter().find(|line| line.starts_with("drop"));
        assert!(dropped.is_some_and(|line| line.ends_with(DropCause::TtlExpired.name())));
    }
}

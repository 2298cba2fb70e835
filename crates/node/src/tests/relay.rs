//! A relay knows its own part of a packet and passes on the rest.

use multihop_core::{
    FlowId, Heard, NextHeader, NodeId, Packet, Params, Payload, Purpose, Rate, Receiver, Rng, Tag,
};
use multihop_routing::FixedRoutes;
use multihop_schemes::udp;

use super::script::Script;
use super::{ME, NEXT, at, heard};
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

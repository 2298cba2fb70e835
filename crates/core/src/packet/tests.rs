//! Packets on the wire.

use std::sync::Arc;

use super::*;
use crate::NodeId;

fn packet() -> Packet {
    let payload = Payload::Real(Arc::from(&b"hello"[..]));
    let mut packet = Packet::new(FlowId::between(NodeId(1), NodeId(5)), payload, Tag::default());
    packet.headers.set(NextHeader::transport(9), &[9; 8]);
    packet.headers.set(NextHeader::hop(2), &[1, 2, 3]);
    packet
}

#[test]
fn a_packet_survives_the_wire() {
    let bytes = packet().emit();
    assert_eq!(bytes.len() as u32, packet().len().0);
    assert_eq!(Packet::parse(&bytes), Ok(packet()));
    for cut in 0..bytes.len() {
        assert!(Packet::parse(&bytes[..cut]).is_err(), "cut at {cut}");
    }
}

#[test]
fn a_packet_says_whom_it_is_for() {
    let flow = FlowId::between(NodeId(1), NodeId(5));
    assert_eq!(packet().protocol(), Protocol::Scheme);
    for (carried, protocol) in
        [(NextHeader::ROUTING, Protocol::Routing), (NextHeader::ARP, Protocol::Arp)]
    {
        let mut packet = Packet::message(flow, carried, [1, 2]);
        assert_eq!(packet.protocol(), protocol);
        packet.headers.set(NextHeader::routing(0), &[7; 6]);
        assert_eq!(packet.protocol(), protocol);
        assert_eq!(Packet::parse(&packet.emit()).map(|read| read.protocol()), Ok(protocol));
    }
}

#[test]
fn a_total_length_that_does_not_fit_is_refused() {
    let mut header = packet().network_header();
    header.total_len = 19;
    let error = WireError::Field { name: "total length", value: 19 };
    assert_eq!(Packet::parse(&header.emit()), Err(error));
}

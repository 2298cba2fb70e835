//! Nodes of whole set-ups, fed by hand.

use multihop_core::{
    Duration, FlowId, Heard, NextHeader, NodeId, Packet, Payload, Rate, Rx, Tag, Time,
};
use multihop_node::{Input, Node, Output};
use multihop_routing::{FixedRoutes, Life};
use multihop_scenario::from_toml;

use crate::node;

mod flood;

const ME: NodeId = NodeId(2);

fn at_the_end(scheme: &str) -> Node {
    let text = format!(
        "duration = \"9 s\"\n[topology]\nkind = \"chain\"\nhops = 2\n[scheme]\nname = \"{scheme}\"\n\
         [traffic]\nkind = \"ftp\"\n"
    );
    let setup = from_toml(&text).and_then(|scenario| scenario.setup()).expect("it is valid");
    node(&setup, ME, FixedRoutes::default(), Life::default())
}

/// What becomes of a packet with this header from a node that nobody has told of.
fn arrive(node: &mut Node, label: u16, header: Option<(NextHeader, &[u8])>) -> String {
    arrive_with(100, node, label, header)
}

/// What becomes of one with this header and so many bytes of data.
fn arrive_with(
    data: u32,
    node: &mut Node,
    label: u16,
    header: Option<(NextHeader, &[u8])>,
) -> String {
    let flow = FlowId { label, ..FlowId::between(NodeId(77), ME) };
    let mut packet = Packet::new(flow, Payload::Virtual(data), Tag { source: 0, number: 0 });
    if let Some((kind, body)) = header {
        packet.headers.set(kind, body);
    }
    let (from, air_time) = (NodeId(1), Duration::from_millis(1));
    let (heard, rate, signal) = (Heard::ForMe, Rate(1_000_000), None);
    let rx = Rx { from, heard, rate, signal, air_time, packet };
    node.handle(Time::from_nanos(1), Input::Heard(rx));
    let ends = |output| match output {
        Output::Deliver(_) => Some("delivered".to_owned()),
        // what it answers has no route here
        Output::Drop(packet, cause) if !packet.flow.is_reverse() => Some(cause.name().to_owned()),
        _ => None,
    };
    std::iter::from_fn(|| node.poll_output().cloned()).filter_map(ends).collect()
}

#[test]
fn flows_of_different_transports_live_at_one_node() {
    use multihop_schemes::parts::tcp::header::{HEADER_LEN, Header, Kind, TCP};
    let mut node = at_the_end("newreno");
    let body = |header: Header| {
        let mut packet = Packet::new(FlowId::between(ME, ME), Payload::Virtual(0), Tag::NONE);
        header.write(&mut packet, HEADER_LEN);
        packet.headers.get(TCP).expect("it was written").to_vec()
    };
    let syn = body(Header { kind: Kind::Syn, ..Header::default() });
    let data = body(Header { sequence: 1, ..Header::default() });
    assert_eq!(arrive_with(0, &mut node, 0, Some((TCP, &syn))), "");
    assert_eq!(arrive(&mut node, 0, Some((TCP, &data))), "delivered");
    assert_eq!(arrive(&mut node, 1, None), "delivered", "a datagram");
    let stranger = NextHeader::transport(23);
    assert_eq!(arrive(&mut node, 2, Some((stranger, &data))), "unknown_flow");
    assert_eq!(arrive(&mut node, 0, None), "malformed", "the flow has a transport already");
}

#[test]
fn one_header_of_hxh_tells_its_transport_from_datagrams() {
    use multihop_schemes::hxh::{HXH, Header, Kind};
    let mut node = at_the_end("hxh");
    let body = |kind| Header::new(kind, 0).emit();
    assert_eq!(arrive(&mut node, 0, Some((HXH, &body(Kind::Datagram)))), "delivered");
    assert_eq!(arrive(&mut node, 1, Some((HXH, &body(Kind::Data)))), "delivered");
    assert_eq!(arrive(&mut node, 1, Some((HXH, &body(Kind::Datagram)))), "malformed");
}

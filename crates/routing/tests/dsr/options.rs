//! The header on the air.

use multihop_core::{FlowId, NextHeader, NodeId, Packet};
use multihop_routing::dsr::{Broken, Header, Path, Reply, Request, SourceRoute, Unknown};
use proptest::option::of;
use proptest::prelude::*;

const FLOW: FlowId = FlowId::between(NodeId(1), NodeId(2));

/// From `from` over `between` others.
fn path(from: u32, between: u32, to: Option<u32>) -> Path {
    let nodes = [from].into_iter().chain(100..100 + between).chain(to);
    Path::of(nodes.map(NodeId)).expect("they fit")
}

fn routes() -> impl Strategy<Value = Option<SourceRoute>> {
    let route = |(between, at, salvaged): (u32, usize, u8)| {
        let path = path(if salvaged == 0 { 1 } else { 7 }, between, Some(2));
        Some(SourceRoute { path, next: 1 + at % (path.len() - 1), salvaged })
    };
    prop_oneof![Just(None), (0u32..=14, 0usize..16, 0u8..16).prop_map(route)]
}

fn headers() -> impl Strategy<Value = Header> {
    let request = (any::<u16>(), 0u32..15).prop_map(|(id, between)| Request {
        id,
        target: NodeId(70_000),
        path: path(1, between, None),
    });
    let reply = (any::<u16>(), 0u32..14)
        .prop_map(|(id, between)| Reply { id, path: path(5, between, Some(6)) });
    let broken = any::<bool>().prop_map(|everyone| Broken {
        from: NodeId(8),
        to: NodeId(9),
        tell: if everyone { NodeId::BROADCAST } else { NodeId(3) },
    });
    let unknown = of(any::<u16>()).prop_map(|flow| Unknown {
        source: NodeId(1),
        destination: NodeId(2),
        flow,
    });
    let several = proptest::collection::vec(broken, 0..=3);
    let numbers = (any::<u16>(), of(any::<u16>()), of(any::<u16>()));
    (numbers, routes(), of(request), of(reply), several, of(unknown)).prop_filter_map(
        "a flow alone is a header of its own",
        |((identification, flow, lifetime_s), route, request, reply, broken, unknown)| {
            let request = request.filter(|_| route.is_none());
            let header =
                Header { identification, route, flow, lifetime_s, request, reply, broken, unknown };
            (header.route.is_some() || (flow.is_none() && lifetime_s.is_none())).then_some(header)
        },
    )
}

proptest! {
    #[test]
    fn headers_survive_the_wire(header in headers()) {
        let bytes = header.emit(FLOW);
        prop_assert_eq!(bytes.len() % 4, 2, "with the prefix, words of four bytes");
        if bytes.len() > 2 {
            prop_assert_eq!(Header::parse(FLOW, &bytes), Ok(header));
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        if let Ok(header) = Header::parse(FLOW, &bytes) {
            prop_assert_eq!(Header::parse(FLOW, &header.emit(FLOW)), Ok(header));
        }
    }

    #[test]
    fn a_byte_that_is_another_is_read_or_refused(
        header in headers(),
        at in 0usize..200,
        byte in any::<u8>(),
    ) {
        let mut bytes = header.emit(FLOW);
        let at = at % bytes.len();
        bytes[at] = byte;
        if let Ok(header) = Header::parse(FLOW, &bytes) {
            prop_assert_eq!(Header::parse(FLOW, &header.emit(FLOW)), Ok(header));
        }
    }
}

/// What is read is also written: a header has at most 255 bytes, two of them its prefix.
#[test]
fn all_that_a_header_may_carry_together_fits() {
    let unknown = Some(Unknown { source: NodeId(1), destination: NodeId(2), flow: Some(3) });
    let broken = vec![Broken { from: NodeId(8), to: NodeId(9), tell: NodeId::BROADCAST }; 3];
    let reply = Some(Reply { id: 2, path: path(5, 14, Some(6)) });
    let request = Some(Request { id: 1, target: NodeId(5), path: path(1, 15, None) });
    let route = Some(SourceRoute { path: path(7, 14, Some(2)), next: 1, salvaged: 1 });
    let answer = Header { unknown, broken, reply, ..Header::default() };
    let (flow, lifetime_s) = (Some(1), Some(2));
    let with_route = Header { route, flow, lifetime_s, ..answer.clone() };
    let with_request = Header { request, ..answer.clone() };
    for header in [&with_route, &with_request] {
        let bytes = header.emit(FLOW);
        assert!(bytes.len() <= 253, "{} bytes", bytes.len());
        assert_eq!(Header::parse(FLOW, &bytes).as_ref(), Ok(header));
    }
    let both = Header { route, ..with_request };
    assert!(Header::parse(FLOW, &both.emit(FLOW)).is_err(), "a request is flooded");
}

/// Lengths as ns-2 counts them (its traces of requests, replies, data, and errors).
#[test]
fn headers_are_as_long_as_in_ns_2() {
    let route =
        |hops: u32| Some(SourceRoute { path: path(1, hops - 1, Some(2)), next: 1, salvaged: 0 });
    let len = |header: &Header| header.emit(FLOW).len() + 2;
    let data = Header { route: route(5), ..Header::default() };
    assert_eq!(len(&data), 24);
    let establishing = Header { flow: Some(1), lifetime_s: Some(60), ..data.clone() };
    assert_eq!(len(&establishing), 32, "1020 B become 1052 B");
    assert_eq!(len(&Header::of_flow(3)), 4);
    let reply = Some(Reply { id: 2, path: path(9, 4, Some(1)) });
    assert_eq!(len(&Header { reply, ..data.clone() }), 56, "76 B with the network header");
    let request = Some(Request { id: 1, target: NodeId(5), path: path(1, 0, None) });
    assert_eq!(len(&Header { request, ..Header::default() }), 12);
    let error = Broken { from: NodeId(3), to: NodeId(4), tell: NodeId(1) };
    let broken = vec![error; 3];
    assert_eq!(len(&Header { broken, ..data.clone() }), 24 + 3 * 16);
    let unknown = |flow| Some(Unknown { source: NodeId(1), destination: NodeId(2), flow });
    assert_eq!(len(&Header { unknown: unknown(Some(3)), ..data.clone() }), 24 + 16, "14 B and two");
    assert_eq!(len(&Header { unknown: unknown(None), ..data }), 24 + 12);
}

#[test]
fn a_message_is_routings() {
    let header = Header { unknown: None, ..Header::default() };
    let packet = header.message(NodeId(1), NodeId(2));
    assert!(Header::is_message(&packet));
    assert_eq!(packet.headers.carried(), NextHeader::ROUTING);
    assert_eq!(Packet::parse(&packet.emit()).map(|read| read.headers), Ok(packet.headers));
}

use multihop_core::{Bytes, Duration, FlowId, Packet, Payload, Tag};

use super::*;

/// What is new about the way when node 0 sends a packet for `destination` over `next`.
fn send(
    ways: &mut NextHops,
    destination: u32,
    next: Option<u32>,
    class: FrameClass,
) -> Option<(u32, u32)> {
    let flow = FlowId::between(NodeId(0), NodeId(destination));
    let packet = Packet::new(flow, Payload::Virtual(9), Tag::default());
    let frame = Transmission {
        number: 0,
        from: NodeId(0),
        to: next.map(NodeId),
        class,
        packet: Some(&packet),
        bytes: Bytes(60),
        rate: multihop_core::Rate(0),
        air_time: Duration::ZERO,
        wait: Duration::ZERO,
        reserved: Duration::ZERO,
        sequence: 1,
        aggregate: None,
    };
    ways.on_frame(&frame).map(|(destination, next)| (destination.0, next.0))
}

#[test]
fn a_way_is_told_when_it_is_another_one() {
    let mut ways = NextHops::default();
    let data = FrameClass::Data;
    assert_eq!(send(&mut ways, 9, Some(1), data), Some((9, 1)));
    assert_eq!(send(&mut ways, 9, Some(1), data), None);
    assert_eq!(send(&mut ways, 8, Some(1), data), Some((8, 1)));
    assert_eq!(send(&mut ways, 9, Some(1), data), None, "another way between does not matter");
    assert_eq!(send(&mut ways, 9, Some(2), FrameClass::TransportAcknowledgment), Some((9, 2)));
    assert_eq!(send(&mut ways, 9, Some(2), data), None);
}

#[test]
fn broadcasts_and_frames_of_the_mac_take_no_way() {
    let mut ways = NextHops::default();
    assert_eq!(send(&mut ways, 9, None, FrameClass::Data), None);
    assert_eq!(send(&mut ways, 9, Some(1), FrameClass::RequestToSend), None);
    assert_eq!(send(&mut ways, 9, Some(1), FrameClass::Data), Some((9, 1)), "nothing was known");
}

#[test]
fn a_broken_link_takes_its_ways_along() {
    let mut ways = NextHops::default();
    for (destination, next) in [(7, 1), (8, 2), (9, 1)] {
        send(&mut ways, destination, Some(next), FrameClass::Data);
    }
    assert_eq!(ways.on_broken(NodeId(5), NodeId(1)), [], "another node's link");
    assert_eq!(ways.on_broken(NodeId(0), NodeId(1)), [NodeId(7), NodeId(9)]);
    assert_eq!(ways.on_broken(NodeId(0), NodeId(1)), []);
    assert_eq!(send(&mut ways, 9, Some(1), FrameClass::Data), Some((9, 1)), "it is found again");
    assert_eq!(send(&mut ways, 8, Some(2), FrameClass::Data), None, "it was never lost");
}

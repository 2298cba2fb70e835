//! Flows come and go.

use std::net::Ipv4Addr;

use super::*;

const LIMITS: Limits =
    Limits { flows: 3, queue: 2, idle: Duration::from_millis(1_000), groups: 4, expedite: true };

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

fn packet(port: u16) -> IpPacket {
    let (source, destination) = (Ipv4Addr::new(10, 0, 0, 1), Ipv4Addr::new(10, 0, 0, 2));
    IpPacket {
        source: source.into(),
        destination: destination.into(),
        protocol: 17,
        ttl: 64,
        dscp: 0,
        ports: (port, 80),
        behind: 20,
        is_later_fragment: false,
    }
}

fn push(flows: &mut Flows, now: Time, port: u16) -> Taken {
    push_to(flows, now, (2, port), false)
}

/// The same to this destination and port, while the node holds something of every flow, or of none.
fn push_to(flows: &mut Flows, now: Time, (to, port): (u32, u16), holds: bool) -> Taken {
    let (packet, bytes) = (packet(port), [port as u8]);
    flows.push(now, Sent { destination: NodeId(to), packet: &packet, bytes: &bytes }, |_| holds)
}

fn begun(taken: Taken) -> FlowId {
    match taken {
        Taken::Begins(flow, _) => flow,
        other => panic!("no flow has begun: {other:?}"),
    }
}

#[test]
fn a_connection_is_a_flow_and_its_queue_is_bounded() {
    let mut flows = Flows::new(NodeId(1), Keying::FiveTuple, LIMITS, 0);
    let first = begun(push(&mut flows, at(0), 1));
    let second = begun(push(&mut flows, at(0), 2));
    assert_ne!(first, second);
    assert_eq!(push(&mut flows, at(0), 1), Taken::Queued);
    assert_eq!(push(&mut flows, at(0), 1), Taken::QueueFull);
    assert_eq!(flows.waiting().len(), 2);
    assert_eq!(flows.pop(at(0), first).as_deref(), Some(&[1][..]));
    assert_eq!(push(&mut flows, at(0), 1), Taken::Queued);
}

#[test]
fn by_destination_all_is_one_flow() {
    let mut flows = Flows::new(NodeId(1), Keying::Destination, LIMITS, 5);
    assert_eq!(begun(push(&mut flows, at(0), 1)), FlowId::between(NodeId(1), NodeId(2)));
    assert_eq!(push(&mut flows, at(0), 2), Taken::Queued);
}

/// End what is over; the node holds nothing.
fn end_idle(flows: &mut Flows, now: Time) -> Option<Ended> {
    flows.end_idle(now, |_| false)
}

#[test]
fn an_idle_flow_ends_and_one_that_waits_is_given_time() {
    let mut flows = Flows::new(NodeId(1), Keying::FiveTuple, LIMITS, 0);
    let (first, second) = (begun(push(&mut flows, at(0), 1)), begun(push(&mut flows, at(0), 2)));
    flows.pop(at(0), second);
    assert_eq!(flows.deadline(), at(1_000));
    assert_eq!(end_idle(&mut flows, at(999)), None);
    assert_eq!(end_idle(&mut flows, at(1_000)), Some((second, 0)));
    assert_eq!(end_idle(&mut flows, at(1_000)), None);
    assert_eq!(flows.deadline(), at(2_000), "it is looked at again");
    assert_eq!(end_idle(&mut flows, at(9_999)), None);
    assert_eq!(end_idle(&mut flows, at(10_999)), Some((first, 1)), "nothing has moved");
    assert_eq!(flows.deadline(), Time::NEVER);
}

#[test]
fn a_flow_of_which_the_node_holds_something_is_given_time() {
    let mut flows = Flows::new(NodeId(1), Keying::FiveTuple, LIMITS, 0);
    let flow = begun(push(&mut flows, at(0), 1));
    flows.pop(at(5), flow);
    assert_eq!(flows.end_idle(at(1_100), |held| held == flow), None);
    assert_eq!(end_idle(&mut flows, at(1_200)), None, "it is not looked at yet");
    assert_eq!(end_idle(&mut flows, at(2_100)), Some((flow, 0)), "now nothing is held");
    let flow = begun(push(&mut flows, at(3_000), 1));
    flows.pop(at(3_000), flow);
    assert_eq!(flows.end_idle(at(12_999), |_| true), None);
    assert_eq!(flows.end_idle(at(13_999), |_| true), Some((flow, 0)), "not for ever");
}

#[test]
fn the_longest_idle_makes_room_and_nobody_else() {
    let mut flows = Flows::new(NodeId(1), Keying::FiveTuple, LIMITS, 0);
    let all: Vec<_> = (1..=3).map(|port| begun(push(&mut flows, at(port.into()), port))).collect();
    assert_eq!(push(&mut flows, at(4), 4), Taken::TooMany, "all wait");
    flows.pop(at(4), all[1]);
    flows.pop(at(4), all[2]);
    let ends = |taken| match taken {
        Taken::Begins(_, ended) => ended,
        other => panic!("no flow has begun: {other:?}"),
    };
    assert_eq!(push_to(&mut flows, at(5), (2, 4), true), Taken::TooMany, "the node holds some");
    assert_eq!(ends(push(&mut flows, at(5), 4)), Some((all[1], 0)));
    assert_eq!(flows.all().len(), 3);
    assert_eq!(ends(push(&mut flows, at(6), 5)), Some((all[2], 0)));
    assert_eq!(push(&mut flows, at(1_000), 6), Taken::TooMany, "all wait, but not for long");
    assert_eq!(ends(push(&mut flows, at(1_001), 6)), Some((all[0], 1)));
}

#[test]
fn flows_to_a_node_that_is_gone_leave_room_for_others() {
    let mut flows = Flows::new(NodeId(1), Keying::FiveTuple, Limits { flows: 16, ..LIMITS }, 0);
    for port in 0..12 {
        begun(push(&mut flows, at(0), port));
    }
    assert_eq!(push(&mut flows, at(0), 12), Taken::TooMany, "three times as many as are left");
    begun(push_to(&mut flows, at(0), (3, 12), false));
}

#[test]
fn packets_that_ask_for_it_make_expedited_flows_of_their_own() {
    const EF: u8 = 46;
    for (keying, expedite) in [
        (Keying::FiveTuple, true),
        (Keying::FiveTuple, false),
        (Keying::Destination, true),
        (Keying::Destination, false),
    ] {
        let mut flows = Flows::new(NodeId(1), keying, Limits { expedite, ..LIMITS }, 7);
        let mut push = |dscp| {
            let packet = IpPacket { dscp, ..packet(1) };
            let sent = Sent { destination: NodeId(2), packet: &packet, bytes: &[1] };
            flows.push(at(0), sent, |_| false)
        };
        assert!(!begun(push(0)).is_expedited());
        if expedite {
            assert!(begun(push(EF)).is_expedited());
        }
        assert_eq!(push(EF), Taken::Queued);
    }
}

#[test]
fn labels_come_again_only_when_they_are_free() {
    let mut flows = Flows::new(NodeId(1), Keying::FiveTuple, LIMITS, 0);
    let stays = begun(push(&mut flows, at(0), 1));
    for round in 1..70_000u64 {
        let other = begun(push(&mut flows, at(round), 2));
        assert!(other != stays && !other.is_reverse());
        assert_eq!(push(&mut flows, at(round), 1), Taken::Queued);
        flows.pop(at(round), stays);
        flows.pop(at(round), other);
        assert_eq!(end_idle(&mut flows, at(round + 1_000)), Some((other, 0)));
    }
}

//! Flows come and go.

use std::net::Ipv4Addr;

use super::*;

const LIMITS: Limits = Limits { flows: 3, queue: 2, idle: Duration::from_millis(1_000) };

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

fn packet(port: u16) -> IpPacket {
    let (source, destination) = (Ipv4Addr::new(10, 0, 0, 1), Ipv4Addr::new(10, 0, 0, 2));
    IpPacket { source, destination, protocol: 17, ports: (port, 80) }
}

fn push(flows: &mut Flows, now: Time, port: u16) -> Taken {
    flows.push(now, NodeId(2), &packet(port), vec![port as u8].into())
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
    assert_eq!(flows.pop(first).as_deref(), Some(&[1][..]));
    assert_eq!(push(&mut flows, at(0), 1), Taken::Queued);
}

#[test]
fn by_destination_all_is_one_flow() {
    let mut flows = Flows::new(NodeId(1), Keying::Destination, LIMITS, 5);
    assert_eq!(begun(push(&mut flows, at(0), 1)), FlowId::between(NodeId(1), NodeId(2)));
    assert_eq!(push(&mut flows, at(0), 2), Taken::Queued);
}

#[test]
fn an_idle_flow_ends_and_one_that_waits_does_not() {
    let mut flows = Flows::new(NodeId(1), Keying::FiveTuple, LIMITS, 0);
    let (first, second) = (begun(push(&mut flows, at(0), 1)), begun(push(&mut flows, at(0), 2)));
    assert_eq!(flows.deadline(), Time::NEVER, "both wait");
    flows.pop(second);
    assert_eq!(flows.deadline(), at(1_000));
    assert_eq!(flows.end_idle(at(999)), None);
    assert_eq!(flows.end_idle(at(1_000)), Some(second));
    assert_eq!(flows.end_idle(at(9_000)), None);
    flows.pop(first);
    assert_eq!(flows.end_idle(at(9_000)), Some(first));
}

#[test]
fn the_longest_idle_makes_room_and_nobody_else() {
    let mut flows = Flows::new(NodeId(1), Keying::FiveTuple, LIMITS, 0);
    let all: Vec<_> = (1..=3).map(|port| begun(push(&mut flows, at(port.into()), port))).collect();
    assert_eq!(push(&mut flows, at(4), 4), Taken::TooMany, "all wait");
    flows.pop(all[1]);
    flows.pop(all[2]);
    assert!(matches!(push(&mut flows, at(5), 4), Taken::Begins(_, Some(ended)) if ended == all[1]));
    assert_eq!(flows.all().len(), 3);
}

#[test]
fn labels_come_again_only_when_they_are_free() {
    let mut flows = Flows::new(NodeId(1), Keying::FiveTuple, LIMITS, 0);
    let stays = begun(push(&mut flows, at(0), 1));
    for round in 1..70_000u64 {
        let other = begun(push(&mut flows, at(round), 2));
        assert!(other != stays && !other.is_reverse());
        flows.pop(other);
        assert_eq!(flows.end_idle(at(round + 1_000)), Some(other));
    }
}

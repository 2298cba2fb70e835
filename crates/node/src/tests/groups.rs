//! Packets for several nodes.

use multihop_core::{CarriedBy, FlowId, Heard, HopStep, NodeId, Receiver, Route, Verdict};

use super::script::Script;
use super::{ME, OUTWARD, THROUGH, at, heard, message, outputs, packet};

const EVERYONE: FlowId = FlowId::between(NodeId(0), NodeId::BROADCAST);
const OURS: FlowId = FlowId::between(NodeId(0), NodeId::group(3));
const OTHERS: FlowId = FlowId::between(NodeId(0), NodeId::group(4));

/// A node of group 3 over a hop protocol that floods.
fn script(verdict: Verdict) -> Script {
    let groups = vec![NodeId::group(3)];
    let carrier = Some(CarriedBy::Datagram);
    Script { verdict, groups, carrier, route: Route::Flood, ..Script::new() }
}

#[test]
fn a_packet_for_this_node_and_others_is_delivered_and_goes_on_with_a_copy_each() {
    for flow in [EVERYONE, OURS] {
        let mut node = script(Verdict::Accept).node();
        node.handle(at(1), heard(Heard::Broadcast, packet(flow, 5)));
        assert_eq!(outputs(&mut node), ["accept 5", "deliver 5", "accept 5"], "{flow}");
        let request = node.poll_transmit(at(2)).expect("it goes on");
        assert_eq!((request.to, request.packet.hops()), (Receiver::Node(NodeId::BROADCAST), 1));
    }
}

#[test]
fn a_packet_for_a_group_passes_through_other_nodes() {
    let mut node = script(Verdict::Accept).node();
    node.handle(at(1), heard(Heard::Broadcast, packet(OTHERS, 5)));
    assert_eq!(outputs(&mut node), ["accept 5"]);
    assert!(node.poll_transmit(at(2)).is_some());
}

#[test]
fn a_packet_that_is_only_delivered_goes_no_farther() {
    let expected = [(EVERYONE, 2), (OURS, 2), (OTHERS, 0), (THROUGH, 0)];
    for (flow, count) in expected {
        let mut node = script(Verdict::Deliver).node();
        node.handle(at(1), heard(Heard::Broadcast, packet(flow, 5)));
        assert_eq!(outputs(&mut node), ["accept 5", "deliver 5"][..count], "{flow}");
        assert_eq!(node.poll_transmit(at(2)), None, "{flow}");
    }
}

#[test]
fn nobody_is_told_what_it_has_said_itself() {
    let mut node = script(Verdict::Deliver).node();
    let own = FlowId::between(ME, NodeId::BROADCAST);
    node.handle(at(1), heard(Heard::Broadcast, packet(own, 5)));
    assert_eq!(outputs(&mut node), [""; 0]);
}

#[test]
fn a_refused_packet_for_everyone_is_dropped_once() {
    let mut node = script(Verdict::Refuse(multihop_core::DropCause::QueueFull)).node();
    node.handle(at(1), heard(Heard::Broadcast, packet(EVERYONE, 5)));
    let drop = format!("drop 5 of {EVERYONE}: queue_full");
    assert_eq!(outputs(&mut node), ["accept 5", &drop]);
}

#[test]
fn what_a_hop_has_kept_may_arrive_later_and_opens_the_end_of_its_flow() {
    let script = script(Verdict::Done);
    let mut node = script.node();
    let want = |step| script.hop_steps.lock().expect("nobody panicked").push(step);
    for flow in [OTHERS, EVERYONE] {
        want(HopStep::Arrive(packet(flow, 6), NodeId(0)));
    }
    node.handle(at(1), message(OUTWARD, 7));
    assert_eq!(outputs(&mut node), ["accept 6", "deliver 6"]);
    assert!(script.told().contains(&format!("{EVERYONE} gets 6")));
}

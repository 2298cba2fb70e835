//! Several frames of a node at its MAC.

use multihop_core::{
    FlowId, FrameId, NextHeader, NodeId, Outcome, Packet, Protocol, Rate, Receiver, RoutingStep,
    TxRequest,
};

use super::script::Script;
use super::{OUTWARD, at, message, outputs, tag};
use crate::{Input, Node};

/// A node whose hop protocol has five packets for a MAC, of which `most` may be below.
fn loaded(script: &Script) -> Node {
    let mut node = script.node();
    for number in 0..5 {
        node.handle(at(1), message(OUTWARD, number));
    }
    script.told();
    node
}

fn several(most_below: usize) -> Script {
    Script { most_below, ..Script::new() }
}

fn polled(node: &mut Node) -> Vec<TxRequest> {
    std::iter::from_fn(|| node.poll_transmit(at(2))).collect()
}

#[test]
fn a_mac_may_have_as_many_frames_as_the_hop_protocol_wants_below() {
    for most in [1, 2, 4] {
        let mut node = loaded(&several(most));
        let frames = polled(&mut node);
        let numbers: Vec<u32> = frames.iter().map(|frame| frame.packet.tag.number).collect();
        assert_eq!(numbers, (0..most as u32).collect::<Vec<_>>());
        node.handle(at(3), Input::TxDone(frames[0].clone().done(Outcome::Sent, Rate(1))));
        assert_eq!(polled(&mut node).len(), 1, "one place is free again");
    }
}

#[test]
fn the_hop_protocol_learns_which_frame_was_withdrawn_and_which_was_sent() {
    let script = several(4);
    let mut node = loaded(&script);
    let frames = polled(&mut node);
    let ids: Vec<u16> = frames.iter().map(|frame| frame.id.0).collect();
    assert_eq!(ids, [0, 1, 2, 3]);
    for (at_frame, outcome) in [
        (2, Outcome::Withdrawn),
        (3, Outcome::Sent),
        (0, Outcome::Acknowledged),
        (1, Outcome::Sent),
    ] {
        node.handle(at(3), Input::TxDone(frames[at_frame].clone().done(outcome, Rate(1))));
        let of = if at_frame == 0 { String::new() } else { format!(" of frame {at_frame}") };
        assert_eq!(script.told(), [format!("done {outcome:?}{of}")]);
    }
    assert_eq!(outputs(&mut node), ["release 2", "release 3", "release 0", "release 1"]);
}

/// What becomes of a message of routing is no affair of the hop protocol, whatever is below beside it.
#[test]
fn frames_of_the_node_and_of_the_hop_protocol_are_told_apart() {
    let script = several(4);
    let mut node = loaded(&script);
    let broadcast = FlowId::between(NodeId(1), NodeId::BROADCAST);
    let error = Packet::message(broadcast, NextHeader::ROUTING, [0; 12]);
    let step = RoutingStep::Transmit(error, Receiver::Broadcast);
    script.steps.lock().expect("nobody panicked").push(step);
    let first = node.poll_transmit(at(2)).expect("five packets wait");
    node.handle(at(2), message(OUTWARD, 5));
    script.told();
    let routing = node.poll_transmit(at(2)).expect("a message waits");
    assert_eq!((routing.packet.protocol(), routing.id), (Protocol::Routing, FrameId::NODE));
    let second = node.poll_transmit(at(2)).expect("packets wait");
    assert_eq!((first.packet.tag, second.packet.tag), (tag(0), tag(1)));
    node.handle(at(3), Input::TxDone(routing.done(Outcome::Sent, Rate(1))));
    assert_eq!(script.told(), [""; 0]);
    node.handle(at(3), Input::TxDone(second.done(Outcome::Sent, Rate(1))));
    assert_eq!(script.told(), ["done Sent of frame 1"]);
    node.handle(at(3), Input::TxDone(first.done(Outcome::Sent, Rate(1))));
    assert_eq!(script.told(), ["done Sent"], "the only one that is left: frame 0");
}

//! Flows come and go while the node runs.

use multihop_core::{CarriedBy, FlowId, Heard, NodeId, RouteNews, Time};

use super::script::Script;
use super::{INWARD, ME, OUTWARD, THROUGH, at, heard, message, outputs, packet};
use crate::node::MOST_HELD;
use crate::{Input, Node, Wish};

/// A node to which nobody has announced a flow.
fn closed() -> Script {
    Script { flows: vec![], carrier: Some(CarriedBy::Scheme), ..Script::new() }
}

fn from(source: u32) -> FlowId {
    FlowId::between(NodeId(source), ME)
}

fn arrive(node: &mut Node, seconds: u64, flow: FlowId) -> Vec<String> {
    node.handle(at(seconds * 1_000_000), heard(Heard::ForMe, packet(flow, 5)));
    outputs(node)
}

#[test]
fn the_first_packet_opens_the_other_end() {
    let mut node = closed().node();
    assert_eq!(arrive(&mut node, 1, INWARD), ["accept 5", "deliver 5"]);
    assert_eq!(arrive(&mut node, 2, INWARD), ["accept 5", "deliver 5"]);
}

/// Nobody announces the route again: it has not changed.
#[test]
fn an_end_is_told_of_the_route_that_is_known_when_it_begins() {
    let script = Script { hops: Some(3), ..closed() };
    let mut node = script.node();
    node.handle(at(1), Input::Open { flow: OUTWARD, carried_by: CarriedBy::Scheme });
    let found = |flow: FlowId, to: NodeId| {
        let news = RouteNews::Found { destination: to, hops: 3 };
        format!("{flow}: {news:?}")
    };
    assert_eq!(script.told(), [found(OUTWARD, OUTWARD.destination)]);
    node.handle(at(2), Input::Open { flow: OUTWARD, carried_by: CarriedBy::Scheme });
    assert!(script.told().is_empty(), "it was open");
    arrive(&mut node, 3, INWARD);
    let told = script.told();
    assert!(told.contains(&found(INWARD, INWARD.source)), "what it sends goes back: {told:?}");
}

#[test]
fn what_comes_back_or_from_nowhere_begins_nothing() {
    let mut node = closed().node();
    for flow in [OUTWARD.reverse(), from(ME.0), from(NodeId::BROADCAST.0)] {
        let expected = format!("drop 5 of {flow}: unknown_flow");
        assert_eq!(arrive(&mut node, 1, flow), ["accept 5", &expected]);
    }
}

/// The hop protocol learns of it as of a packet that was taken: nobody asks for it again.
#[test]
fn what_is_refused_counts_as_taken_below() {
    let script = Script { carrier: None, ..closed() };
    let mut node = script.node();
    assert_eq!(arrive(&mut node, 1, INWARD)[1], "drop 5 of n0->n1: unknown_flow");
    assert_eq!(script.told().pop(), Some("consumed 5 from n0".to_owned()));
}

#[test]
fn a_flow_that_is_delivered_makes_room_for_another_the_oldest_first() {
    let mut node = closed().node();
    let delivered = ["accept 5", "deliver 5"];
    assert_eq!(arrive(&mut node, 1, from(10)), delivered);
    assert_eq!(arrive(&mut node, 2, from(11)), delivered);
    node.handle(at(2_000_001), Input::Sink { flow: from(11), ready: false });
    assert_eq!(arrive(&mut node, 3, from(11)), ["accept 5"], "its application takes nothing");
    assert_eq!(arrive(&mut node, 4, from(12)), delivered, "in place of the first");
    assert_eq!(arrive(&mut node, 5, from(10)), delivered, "in place of the third");
    assert_eq!(node.backlog(), 1, "the second stays");
    assert_eq!(arrive(&mut node, 124, from(10)), delivered);
    assert_eq!(arrive(&mut node, 125, from(12))[1], "drop 5 of n11->n1: flow_closed", "for long");
}

/// One node with a thousand flows pays for its own.
#[test]
fn many_flows_of_one_source_push_out_nobody_else_s() {
    let mut node = Script { most_accepted: 16, ..closed() }.node();
    let delivered = ["accept 5", "deliver 5"];
    arrive(&mut node, 1, from(10));
    node.handle(at(1_000_001), Input::Sink { flow: from(10), ready: false });
    for label in 0..1_000 {
        let flow = FlowId { label, ..from(66) };
        assert_eq!(arrive(&mut node, 2 + u64::from(label) / 100, flow), delivered, "{label}");
    }
    node.handle(at(20_000_000), Input::Sink { flow: from(10), ready: true });
    assert_eq!(arrive(&mut node, 21, from(10)), delivered, "its end was there all the time");
    assert_eq!(arrive(&mut node, 22, from(11)), delivered);
}

#[test]
fn what_the_host_has_opened_makes_no_room_and_takes_none() {
    let script = Script { most_accepted: 1, ..closed() };
    let mut node = script.node();
    arrive(&mut node, 1, from(10));
    node.handle(at(2), Input::Open { flow: from(10), carried_by: CarriedBy::Scheme });
    node.handle(at(3), Input::Open { flow: OUTWARD, carried_by: CarriedBy::Datagram });
    assert_eq!(arrive(&mut node, 400, from(11)), ["accept 5", "deliver 5"]);
    assert_eq!(arrive(&mut node, 401, from(12)), ["accept 5", "deliver 5"]);
    assert_eq!(arrive(&mut node, 402, from(10)), ["accept 5", "deliver 5"]);
    assert_eq!(node.wish(OUTWARD), Wish::Message);
}

#[test]
fn who_closes_a_flow_gives_up_what_waits_there() {
    let script = Script { admits: 1, ..closed() };
    let mut node = script.node();
    node.handle(Time::ZERO, Input::Open { flow: OUTWARD, carried_by: CarriedBy::Scheme });
    for number in 1..4 {
        node.handle(at(1), message(OUTWARD, number));
    }
    assert!(outputs(&mut node).is_empty());
    node.handle(at(2), Input::Close { flow: OUTWARD });
    let closed = [2, 3].map(|number| format!("drop {number} of {OUTWARD}: flow_closed"));
    assert_eq!(outputs(&mut node), closed);
    let sent = node.poll_transmit(at(3)).expect("what has left goes on its way");
    assert_eq!(sent.packet.tag.number, 1);
    assert_eq!(
        arrive(&mut node, 4, OUTWARD.reverse())[1],
        "drop 5 of n3->n1 (reverse): unknown_flow"
    );
    node.handle(at(5), message(OUTWARD, 6));
    assert_eq!(outputs(&mut node), [format!("drop 6 of {OUTWARD}: unknown_flow")]);
    assert_eq!((node.wish(OUTWARD), node.backlog()), (Wish::Nothing, 0));
}

#[test]
fn what_waits_for_an_application_is_given_up_with_its_flow_and_bounded() {
    let script = closed();
    let mut node = script.node();
    arrive(&mut node, 1, INWARD);
    node.handle(at(2), Input::Sink { flow: INWARD, ready: false });
    for _ in 0..MOST_HELD {
        assert_eq!(arrive(&mut node, 3, INWARD), ["accept 5"]);
    }
    let full = format!("drop 5 of {INWARD}: destination_buffer_full");
    assert_eq!(arrive(&mut node, 3, INWARD), ["accept 5", &full]);
    assert_eq!(node.backlog(), MOST_HELD);
    script.told();
    node.handle(at(4), Input::Close { flow: INWARD });
    let given_up = vec![format!("drop 5 of {INWARD}: flow_closed"); MOST_HELD];
    assert_eq!((outputs(&mut node), node.backlog()), (given_up, 0));
    assert_eq!(script.told(), vec!["consumed 5 from n0"; MOST_HELD]);
    assert_eq!(arrive(&mut node, 5, INWARD), ["accept 5", "deliver 5"], "a first packet again");
}

#[test]
fn a_flow_that_is_not_of_this_node_is_not_opened() {
    let mut node = closed().node();
    node.handle(at(1), Input::Open { flow: THROUGH, carried_by: CarriedBy::Scheme });
    assert_eq!((node.wish(THROUGH), node.poll_called()), (Wish::Nothing, None));
    node.handle(at(2), Input::Close { flow: THROUGH });
    assert!(outputs(&mut node).is_empty());
}

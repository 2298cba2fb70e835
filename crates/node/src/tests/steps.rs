//! What a hop protocol wants of its node, and what routing announces to it.

use multihop_core::{
    FlowId, HopStep, NextHeader, NodeId, Outcome, Packet, Protocol, QueueDiscipline, Receiver,
    Route, RouteNews, RoutingStep, Time,
};

use super::routing_packet;
use super::script::{Keeps, Script};
use super::{INWARD, NEXT, OUTWARD, THROUGH, at, ended, heard, message, outputs, packet, tag};
use crate::{Input, Node};

fn want(script: &Script, step: HopStep) {
    script.hop_steps.lock().expect("nobody panicked").push(step);
}

/// Something that the parts take no notice of.
fn nothing(script: &Script, node: &mut Node) {
    node.handle(at(9), heard(multihop_core::Heard::Overheard, packet(THROUGH, 99)));
    script.told();
}

#[test]
fn a_hop_hands_packets_to_the_transports_of_its_node_only() {
    let script = Script::new();
    let mut node = script.node();
    want(&script, HopStep::HandUp(packet(THROUGH, 2)));
    want(&script, HopStep::HandUp(packet(OUTWARD.reverse(), 1)));
    node.handle(at(1), message(INWARD, 7));
    assert!(script.told().contains(&format!("{OUTWARD} gets 1")));
    assert!(outputs(&mut node).contains(&format!("drop 2 of {THROUGH}: unknown_flow")));
}

#[test]
fn a_packet_that_a_hop_gives_back_is_routed_anew() {
    let script = Script::new();
    let mut node = script.node();
    nothing(&script, &mut node);
    want(&script, HopStep::Reroute(packet(OUTWARD, 3)));
    node.handle(at(10), ended(packet(THROUGH, 98), Outcome::Acknowledged));
    assert_eq!(script.told()[1..], [format!("enqueue 3 ttl 64 to {NEXT}")]);
    let script = Script { route: Route::Discovering, ..Script::new() };
    let mut node = script.node();
    want(&script, HopStep::Reroute(packet(OUTWARD, 3)));
    node.handle(at(10), ended(packet(THROUGH, 98), Outcome::Acknowledged));
    assert_eq!(script.told()[1..], ["routing holds 3"]);
}

#[test]
fn what_goes_back_takes_the_way_that_the_hop_knows() {
    let script = Script { route: Route::Unreachable, way: Some(NodeId(7)), ..Script::new() };
    let mut node = script.node();
    node.handle(at(1), heard(multihop_core::Heard::ForMe, packet(THROUGH.reverse(), 4)));
    let request = node.poll_transmit(at(2)).expect("it waits");
    assert_eq!(request.to, Receiver::Node(NodeId(7)));
}

/// The hop protocol admits nothing more. What routing has found a way for begins at this node, or comes through it.
#[test]
fn back_pressure_holds_what_starts_here_and_not_what_comes_through() {
    for (flow, goes_on) in [(OUTWARD, false), (THROUGH, true)] {
        let script = Script { admits: 0, ..Script::new() };
        let mut node = script.node();
        let step = RoutingStep::Forward(packet(flow, 5), NEXT);
        script.steps.lock().expect("nobody panicked").push(step);
        nothing(&script, &mut node);
        assert_eq!(node.poll_transmit(at(10)).is_some(), goes_on, "{flow}");
    }
}

#[test]
fn a_hop_may_keep_what_has_no_route_and_what_failed() {
    let script = Script { route: Route::Unreachable, keeps: Keeps::Everything, ..Script::new() };
    let mut node = script.node();
    node.handle(at(1), heard(multihop_core::Heard::ForMe, packet(THROUGH, 4)));
    assert!(script.told().contains(&"unroutable 4".to_owned()));
    node.handle(at(2), ended(packet(THROUGH, 5), Outcome::Failed));
    let destination = THROUGH.destination;
    let told = format!("routing lost the link to {NEXT} on the way to {destination}");
    assert_eq!(script.told()[1..], [told]);
    assert!(outputs(&mut node).iter().all(|output| !output.starts_with("drop")));
}

#[test]
fn the_hop_learns_of_every_route_and_a_transport_of_its_own() {
    let ends = [(OUTWARD.destination, OUTWARD), (INWARD.source, INWARD)];
    for (destination, flow) in ends {
        let script = Script::new();
        let mut node = script.node();
        let news = RouteNews::Lost(destination);
        script.steps.lock().expect("nobody panicked").push(RoutingStep::Announce(news));
        node.handle(at(1), message(OUTWARD, 1));
        assert_eq!(script.told()[1..], [format!("hop: {news:?}"), format!("{flow}: {news:?}")]);
    }
}

fn error_message() -> RoutingStep {
    let flow = FlowId::between(NodeId(1), NodeId::BROADCAST);
    let packet = Packet::message(flow, NextHeader::ROUTING, [0; 12]);
    RoutingStep::Transmit(packet, Receiver::Broadcast)
}

/// ns-2: the queue hands the MAC its next packet before what routing says to a link failure has come
/// down through the link layer; there it is the first.
#[test]
fn what_routing_says_to_a_failure_waits_for_the_next_turn_of_the_mac() {
    let script = Script::new();
    let mut node = script.node();
    for number in 1..4 {
        node.handle(at(1), message(OUTWARD, number));
    }
    let first = node.poll_transmit(at(2)).expect("three packets wait");
    script.steps.lock().expect("nobody panicked").push(error_message());
    node.handle(at(3), ended(first.packet, Outcome::Failed));
    let second = node.poll_transmit(at(3)).expect("two packets wait");
    assert_eq!(second.packet.tag.number, 2);
    assert_eq!(node.deadline(), at(3), "at once, but after the MAC was served");
    node.handle(at(3), Input::Deadline);
    assert_eq!(node.deadline(), Time::NEVER);
    node.handle(at(4), ended(second.packet, Outcome::Acknowledged));
    let third = node.poll_transmit(at(4)).expect("two packets wait");
    assert_eq!(third.packet.protocol(), Protocol::Routing, "before what waits in the queue");
}

#[test]
fn what_routing_says_to_a_failure_does_not_wait_for_nothing() {
    let script = Script::new();
    let mut node = script.node();
    node.handle(at(1), message(OUTWARD, 1));
    let only = node.poll_transmit(at(2)).expect("a packet waits");
    script.steps.lock().expect("nobody panicked").push(error_message());
    node.handle(at(3), ended(only.packet, Outcome::Failed));
    assert_eq!(node.poll_transmit(at(3)), None);
    node.handle(at(3), Input::Deadline);
    let request = node.poll_transmit(at(3)).expect("it has come down");
    assert_eq!(request.packet.protocol(), Protocol::Routing);
}

/// ns-2: DSR and AODV take their own messages, too, out of the queue.
#[test]
fn messages_that_wait_for_a_lost_neighbour_are_routing_s_again() {
    for lost in [RoutingStep::LinkBroken(NEXT), RoutingStep::GiveUp(NEXT)] {
        let script = Script::new();
        let mut node = script.node();
        let other = Receiver::Node(NodeId(7));
        let send = |to| RoutingStep::Transmit(routing_packet(), to);
        let steps = [send(Receiver::Node(NEXT)), send(other), send(Receiver::Node(NEXT))];
        script.steps.lock().expect("nobody panicked").extend(steps);
        nothing(&script, &mut node);
        script.steps.lock().expect("nobody panicked").push(lost);
        nothing(&script, &mut node);
        let outputs = outputs(&mut node);
        let dropped = outputs.iter().filter(|output| output.ends_with(": route_broken"));
        assert_eq!(dropped.count(), 2, "{outputs:?}");
        let request = node.poll_transmit(at(10)).expect("one is for another neighbour");
        assert_eq!(request.to, other);
        node.handle(at(11), ended(request.packet, Outcome::Acknowledged));
        assert_eq!(node.poll_transmit(at(12)), None);
    }
}

/// ns-2: AODV's newest message goes first and its oldest gives way; DSR's go in order, and one too many is lost. Either has
/// them back the oldest first.
#[test]
fn messages_wait_as_their_protocol_says() {
    let newest = (QueueDiscipline::NewestFirst(3), [4, 3, 2], [2, 3, 4]);
    let in_order = (QueueDiscipline::InOrder(3), [1, 2, 3], [1, 2, 3]);
    for (discipline, sent, returned) in [newest, in_order] {
        let script = Script { discipline, ..Script::new() };
        let full = || {
            let mut node = script.node();
            for number in 1..=4 {
                let packet = Packet { tag: tag(number), ..routing_packet() };
                let step = RoutingStep::Transmit(packet, Receiver::Node(NEXT));
                script.steps.lock().expect("nobody panicked").push(step);
                nothing(&script, &mut node);
            }
            node
        };
        let mut node = full();
        for number in sent {
            let request = node.poll_transmit(at(10)).expect("three wait");
            assert_eq!(request.packet.tag, tag(number));
            node.handle(at(11), ended(request.packet, Outcome::Acknowledged));
        }
        assert_eq!(node.poll_transmit(at(12)), None);
        let mut node = full();
        script.steps.lock().expect("nobody panicked").push(RoutingStep::LinkBroken(NEXT));
        nothing(&script, &mut node);
        let outputs = outputs(&mut node);
        let dropped = outputs.iter().filter(|output| output.ends_with(": route_broken"));
        let numbers = dropped.filter_map(|output| output.split(' ').nth(1)?.parse().ok());
        assert_eq!(numbers.collect::<Vec<u32>>(), returned, "{outputs:?}");
    }
}

//! Address resolution, with the rules that ns-2's traces show.

use multihop_core::{Duration, Rate, TxRequest};
use multihop_core::{
    FlowId, Heard, NextHeader, NodeId, Outcome, Packet, Protocol, Receiver, RoutingStep, Rx,
};

use super::script::Script;
use super::{ME, NEXT, OUTWARD, at, ended, message, outputs, routing_packet, tag};
use crate::arp::Operation;
use crate::{Addresses, Input, Node};

fn asking() -> (Script, Node) {
    let script = Script { addresses: Addresses::Asked, ..Script::new() };
    let node = script.node();
    (script, node)
}

/// `operation` from `from` about `other`.
fn arp(from: NodeId, other: NodeId, operation: Operation, heard: Heard) -> Input {
    let packet = operation.packet(from, other);
    Input::Heard(Rx {
        rate: Rate(1_000_000),
        signal: None,
        from,
        heard,
        air_time: Duration::from_micros(300),
        packet,
    })
}

/// The next frame, which the MAC sends at once.
fn transmitted(node: &mut Node, us: u64) -> Option<TxRequest> {
    if node.deadline() <= at(us) {
        node.handle(at(us), Input::Deadline);
    }
    let request = node.poll_transmit(at(us))?;
    let outcome = match request.to {
        Receiver::Node(_) | Receiver::Pair(_) => Outcome::Acknowledged,
        Receiver::Broadcast => Outcome::Sent,
    };
    node.handle(at(us), ended(request.packet.clone(), outcome));
    Some(request)
}

fn asks_for(request: &TxRequest) -> NodeId {
    assert_eq!(request.to, Receiver::Broadcast);
    assert_eq!(request.packet.len().0, 28, "as long as ARP's messages");
    assert_eq!(Operation::of(&request.packet), Some(Operation::Request));
    request.packet.flow.destination
}

#[test]
fn a_packet_waits_for_the_address_of_its_next_hop() {
    let (script, mut node) = asking();
    node.handle(at(1), message(OUTWARD, 1));
    assert!(script.told().is_empty(), "the hop protocol has not got it");
    assert_eq!(node.backlog(), 1);
    let question = transmitted(&mut node, 2).expect("the neighbour is asked");
    assert_eq!(asks_for(&question), NEXT);
    assert_eq!(transmitted(&mut node, 3), None);
    node.handle(at(4), arp(NEXT, ME, Operation::Reply, Heard::ForMe));
    let request = transmitted(&mut node, 5).expect("it can go");
    assert_eq!((request.to, request.packet.tag.number), (Receiver::Node(NEXT), 1));
    // The address is never forgotten.
    node.handle(at(1_000_000_000), message(OUTWARD, 2));
    assert_eq!(transmitted(&mut node, 1_000_000_000).map(|one| one.packet.tag.number), Some(2));
}

#[test]
fn a_second_packet_takes_the_place_of_the_first_and_the_fourth_is_a_link_failure() {
    let (script, mut node) = asking();
    for number in 1..4 {
        node.handle(at(1), message(OUTWARD, number));
        assert!(transmitted(&mut node, 2).is_some(), "every packet asks");
    }
    let replaced = ["drop 1 of n1->n3: address_unknown", "drop 2 of n1->n3: address_unknown"];
    let drops: Vec<String> =
        outputs(&mut node).into_iter().filter(|line| line.starts_with("drop")).collect();
    assert_eq!(drops, replaced);
    assert_eq!(node.backlog(), 1);
    script.told();
    node.handle(at(3), message(OUTWARD, 4));
    let told = ["routing lost 3 on the way to n2", "routing lost 4 on the way to n2"];
    assert_eq!(script.told(), told, "the one that waited first");
    assert_eq!(node.backlog(), 0);
    assert_eq!(transmitted(&mut node, 3), None);
    // The count begins anew.
    node.handle(at(4), message(OUTWARD, 5));
    assert!(transmitted(&mut node, 4).is_some());
}

#[test]
fn who_is_asked_answers_and_knows_who_asked() {
    let (script, mut node) = asking();
    node.handle(at(1), arp(NEXT, ME, Operation::Request, Heard::Broadcast));
    let answer = transmitted(&mut node, 2).expect("it answers");
    assert_eq!(answer.to, Receiver::Node(NEXT));
    assert_eq!(Operation::of(&answer.packet), Some(Operation::Reply));
    assert_eq!(answer.packet.flow, FlowId::between(ME, NEXT));
    script.told();
    node.handle(at(3), message(OUTWARD, 1));
    assert_eq!(script.told(), ["enqueue 1 ttl 64 to n2"]);
}

#[test]
fn who_hears_a_question_to_another_learns_and_says_nothing() {
    let (_, mut node) = asking();
    node.handle(at(1), message(OUTWARD, 1));
    transmitted(&mut node, 1);
    node.handle(at(2), arp(NEXT, NodeId(9), Operation::Request, Heard::Broadcast));
    let request = transmitted(&mut node, 3).expect("what was held can go");
    assert_eq!(request.packet.tag.number, 1);
    assert_eq!(transmitted(&mut node, 4), None, "no answer");
    // What is overheard of an exchange between others says nothing, as in ns-2.
    node.handle(at(5), arp(NodeId(7), NodeId(8), Operation::Reply, Heard::Overheard));
    assert!(outputs(&mut node).iter().all(|line| !line.starts_with("drop")));
}

#[test]
fn routing_s_own_packets_wait_too_and_their_failure_is_no_link_failure() {
    let (script, mut node) = asking();
    let send = |node: &mut Node, us| {
        let packet = routing_packet();
        let step = RoutingStep::Transmit(packet.clone(), Receiver::Node(NEXT));
        script.steps.lock().expect("nobody panicked").push(step);
        let air_time = Duration::from_micros(300);
        let heard = Heard::Broadcast;
        node.handle(
            at(us),
            Input::Heard(Rx {
                rate: Rate(1_000_000),
                signal: None,
                from: NodeId(0),
                heard,
                air_time,
                packet,
            }),
        );
    };
    for us in 1..4 {
        send(&mut node, us);
        assert_eq!(asks_for(&transmitted(&mut node, us).expect("asks")), NEXT);
    }
    assert_eq!(node.backlog(), 0, "the books are of the scheme's packets");
    send(&mut node, 4);
    assert!(script.told().iter().all(|line| !line.contains("lost")));
    send(&mut node, 5);
    node.handle(at(6), arp(NEXT, ME, Operation::Reply, Heard::ForMe));
    let kinds: Vec<Protocol> = std::iter::from_fn(|| transmitted(&mut node, 7))
        .map(|request| request.packet.protocol())
        .collect();
    assert_eq!(kinds, [Protocol::Routing, Protocol::Arp]);
}

#[test]
fn an_answer_that_cannot_be_delivered_is_dropped_and_breaks_no_link() {
    let (script, mut node) = asking();
    node.handle(at(1), arp(NEXT, ME, Operation::Request, Heard::Broadcast));
    node.handle(at(1), Input::Deadline);
    let answer = node.poll_transmit(at(2)).expect("it answers");
    script.told();
    node.handle(at(3), ended(answer.packet, Outcome::Failed));
    assert!(script.told().iter().all(|line| !line.contains("routing lost")));
}

#[test]
fn an_answer_that_waits_for_a_lost_neighbour_waits_on() {
    let (script, mut node) = asking();
    node.handle(at(1), arp(NEXT, ME, Operation::Request, Heard::Broadcast));
    script.steps.lock().expect("nobody panicked").push(RoutingStep::LinkBroken(NEXT));
    node.handle(at(2), message(OUTWARD, 1));
    let answer = transmitted(&mut node, 3).expect("it answers");
    assert_eq!(Operation::of(&answer.packet), Some(Operation::Reply));
}

#[test]
fn what_cannot_be_read_is_ignored() {
    let (_, mut node) = asking();
    let odd =
        Packet { tag: tag(1), ..Packet::message(FlowId::between(NEXT, ME), NextHeader::ARP, []) };
    let air_time = Duration::from_micros(300);
    node.handle(
        at(1),
        Input::Heard(Rx {
            rate: Rate(1_000_000),
            signal: None,
            from: NEXT,
            heard: Heard::ForMe,
            air_time,
            packet: odd,
        }),
    );
    assert_eq!(super::all_outputs(&mut node), ["trace malformed 1"]);
    node.handle(at(2), message(OUTWARD, 1));
    assert!(transmitted(&mut node, 3).is_some_and(|request| asks_for(&request) == NEXT));
}

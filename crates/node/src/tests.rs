//! The rules by which hop protocol, routing and transports are put together.

mod arp;
mod ends;
mod flows;
mod groups;
mod relay;
mod script;
mod several;
mod source_routes;
mod steps;

use multihop_core::{
    AirTime, Duration, FlowId, Heard, Message, NextHeader, NodeId, Outcome, Packet, Payload,
    Protocol, Rate, Receiver, Route, RoutingStep, Rx, Tag, Time, TxRequest, Verdict,
};

use crate::{Input, Node, Output};
use script::Script;

const ME: NodeId = NodeId(1);
const NEXT: NodeId = NodeId(2);
/// A flow that passes through, one that ends here, and one that starts here.
const THROUGH: FlowId = FlowId::between(NodeId(0), NodeId(3));
const INWARD: FlowId = FlowId::between(NodeId(0), ME);
const OUTWARD: FlowId = FlowId::between(ME, NodeId(3));

fn at(us: u64) -> Time {
    Time::ZERO + Duration::from_micros(us)
}

fn tag(number: u32) -> Tag {
    Tag { source: 0, number }
}

fn packet(flow: FlowId, number: u32) -> Packet {
    Packet::new(flow, Payload::Virtual(100), tag(number))
}

fn heard(heard: Heard, packet: Packet) -> Input {
    Input::Heard(Rx {
        rate: Rate(1_000_000),
        signal: None,
        from: NodeId(0),
        heard,
        air_time: Duration::from_micros(300),
        packet,
    })
}

fn message(flow: FlowId, number: u32) -> Input {
    Input::Message { flow, message: Message { payload: Payload::Virtual(100), tag: tag(number) } }
}

fn done(packet: Packet) -> Input {
    ended(packet, Outcome::Acknowledged)
}

fn ended(packet: Packet, outcome: Outcome) -> Input {
    let request = TxRequest::new(Receiver::Node(NEXT), packet);
    Input::TxDone(request.done(outcome, Rate(1_000_000)))
}

/// The outputs that wait, in words.
fn all_outputs(node: &mut Node) -> Vec<String> {
    std::iter::from_fn(|| node.poll_output().cloned())
        .map(|output| match output {
            Output::Accept(tag) => format!("accept {}", tag.number),
            Output::Deliver(packet) => format!("deliver {}", packet.tag.number),
            Output::Drop(packet, cause) => {
                format!("drop {} of {}: {}", packet.tag.number, packet.flow, cause.name())
            }
            Output::Release(tag) => format!("release {}", tag.number),
            Output::Withdraw(frame) => format!("withdraw {}", frame.0),
            Output::Mark(frame) => format!("mark {}", frame.0),
            Output::Decline => "decline".to_owned(),
            Output::LinkBroken(next) => format!("link to {next} broken"),
            Output::Gauge(flow, gauge) => format!("gauge {flow} {gauge:?}"),
            Output::Estimate(estimate) => format!("estimate {estimate:?}"),
            Output::Trace(event, tag) => format!("trace {} {}", event.kind.name(), tag.number),
        })
        .collect()
}

/// The same without trace events.
fn outputs(node: &mut Node) -> Vec<String> {
    all_outputs(node).into_iter().filter(|output| !output.starts_with("trace")).collect()
}

#[test]
fn a_packet_on_its_way_is_forwarded_with_one_hop_less() {
    let script = Script::new();
    let mut node = script.node();
    let start = packet(THROUGH, 5);
    let left = start.ttl - 1;
    node.handle(at(1), heard(Heard::ForMe, start));
    assert_eq!(outputs(&mut node), ["accept 5"]);
    let told = ["routing heard 5", "heard 5 from n0", &format!("enqueue 5 ttl {left} to n2")];
    assert_eq!(script.told(), told);
    let request = node.poll_transmit(at(2)).expect("the packet waits");
    assert_eq!((request.to, request.packet.tag), (Receiver::Node(NEXT), tag(5)));
}

#[test]
fn a_packet_whose_time_is_over_is_dropped() {
    for ttl in [0, 1] {
        let script = Script::new();
        let mut node = script.node();
        let old = Packet { ttl, ..packet(THROUGH, 5) };
        node.handle(at(1), heard(Heard::ForMe, old));
        let expected = ["accept 5", "drop 5 of n0->n3: ttl_expired"];
        assert_eq!(outputs(&mut node), expected);
        assert_eq!(node.poll_transmit(at(2)), None);
    }
}

#[test]
fn the_last_hop_may_use_up_the_time_to_live() {
    let mut node = Script::new().node();
    let old = Packet { ttl: 1, ..packet(INWARD, 5) };
    node.handle(at(1), heard(Heard::ForMe, old));
    assert_eq!(outputs(&mut node), ["accept 5", "deliver 5"]);
}

#[test]
fn without_a_route_a_packet_is_dropped() {
    let script = Script { route: Route::Unreachable, ..Script::new() };
    let mut node = script.node();
    node.handle(at(1), heard(Heard::ForMe, packet(THROUGH, 5)));
    let expected = ["accept 5", "drop 5 of n0->n3: no_route"];
    assert_eq!(outputs(&mut node), expected);
    node.handle(at(2), message(OUTWARD, 6));
    assert_eq!(outputs(&mut node), ["drop 6 of n1->n3: no_route"]);
}

#[test]
fn a_flow_that_is_not_known_here_is_dropped() {
    let mut node = Script::new().node();
    let stranger = FlowId { label: 9, ..INWARD };
    node.handle(at(1), heard(Heard::ForMe, packet(stranger, 5)));
    let expected = ["accept 5", "drop 5 of n0->n1#9: unknown_flow"];
    assert_eq!(outputs(&mut node), expected);
    node.handle(at(2), message(THROUGH, 6));
    assert_eq!(outputs(&mut node), ["drop 6 of n0->n3: unknown_flow"]);
    node.handle(at(3), Input::Sink { flow: stranger, ready: false });
    assert!(outputs(&mut node).is_empty());
}

#[test]
fn at_most_one_frame_waits_below() {
    let script = Script::new();
    let mut node = script.node();
    for number in 0..3 {
        node.handle(at(1), message(OUTWARD, number));
    }
    let first = node.poll_transmit(at(2)).expect("three packets wait");
    assert_eq!(node.poll_transmit(at(3)), None);
    node.handle(at(4), heard(Heard::Overheard, packet(THROUGH, 9)));
    assert_eq!(node.poll_transmit(at(5)), None);
    node.handle(at(6), done(first.packet));
    assert_eq!(node.poll_transmit(at(7)).expect("two packets wait").packet.tag, tag(1));
    assert_eq!(node.poll_transmit(at(8)), None);
}

#[test]
fn an_empty_queue_leaves_room_below() {
    let mut node = Script::new().node();
    assert_eq!(node.poll_transmit(at(1)), None);
    node.handle(at(2), message(OUTWARD, 0));
    assert!(node.poll_transmit(at(3)).is_some());
}

#[test]
fn the_source_is_pulled_while_the_hop_admits() {
    let script = Script { admits: 2, ..Script::new() };
    let mut node = script.node();
    for number in 0..4 {
        node.handle(at(1), message(OUTWARD, number));
    }
    let enqueued = |told: Vec<String>| told.iter().filter(|x| x.starts_with("enqueue")).count();
    assert_eq!(enqueued(script.told()), 2);
    assert_eq!(node.backlog(), 4);
    let request = node.poll_transmit(at(2)).expect("two packets wait");
    // There is room again, and the next thing that happens fills it.
    node.handle(at(3), done(request.packet));
    assert_eq!(enqueued(script.told()), 1);
    assert_eq!(node.backlog(), 3);
}

#[test]
fn a_sink_that_is_not_ready_holds_packets_and_their_acknowledgments() {
    let script = Script::new();
    let mut node = script.node();
    node.handle(at(1), Input::Sink { flow: INWARD, ready: false });
    for number in 0..3 {
        node.handle(at(2), heard(Heard::ForMe, packet(INWARD, number)));
        assert_eq!(outputs(&mut node), [format!("accept {number}")]);
    }
    assert!(!script.told().iter().any(|line| line.contains("consumed")));
    assert_eq!(node.backlog(), 3);

    node.handle(at(3), Input::Sink { flow: INWARD, ready: true });
    assert_eq!(outputs(&mut node), ["deliver 0", "deliver 1", "deliver 2"]);
    let told = [0, 1, 2].map(|n| [format!("consumed {n} from n0"), format!("n0->n1 gets {n}")]);
    assert_eq!(script.told(), told.concat());
    assert_eq!(node.backlog(), 0);
    node.handle(at(4), heard(Heard::ForMe, packet(INWARD, 3)));
    assert_eq!(outputs(&mut node).len(), 2);
}

#[test]
fn outputs_come_in_the_order_of_what_happened() {
    let mut node = Script::new().node();
    node.handle(at(1), heard(Heard::ForMe, packet(INWARD, 5)));
    let order = [
        "trace implicit_acknowledgment 5",
        "accept 5",
        "trace explicit_acknowledgment 5",
        "deliver 5",
    ];
    assert_eq!(all_outputs(&mut node), order, "books know of a packet before its fate is told");
}

#[test]
fn what_is_for_the_node_or_for_everyone_is_taken() {
    for (how, taken) in [(Heard::Overheard, false), (Heard::Broadcast, true), (Heard::ForMe, true)]
    {
        let script = Script::new();
        let mut node = script.node();
        node.handle(at(1), heard(how, packet(THROUGH, 5)));
        let expected: &[&str] = if taken { &["accept 5"] } else { &[] };
        assert_eq!(outputs(&mut node), expected, "{how:?}");
        assert!(script.told().len() >= 2, "routing and hop hear it in any case");
    }
    let script = Script { verdict: Verdict::Done, ..Script::new() };
    let mut node = script.node();
    node.handle(at(1), heard(Heard::ForMe, packet(THROUGH, 5)));
    assert!(outputs(&mut node).is_empty());
}

/// The host says it before everything else; nothing but that comes of it.
#[test]
fn the_hop_protocol_knows_what_the_radio_has_done_with_its_time() {
    let script = Script::new();
    let mut node = script.node();
    let air = AirTime { sending: Duration::from_micros(7), ..AirTime::default() };
    node.handle(at(1000), Input::Air(air));
    assert!(script.told().is_empty() && outputs(&mut node).is_empty());
    node.handle(at(1000), heard(Heard::Overheard, packet(THROUGH, 1)));
    assert_eq!(*script.air.lock().expect("nobody panicked"), air);
}

#[test]
fn the_deadline_is_the_earliest_and_wakes_only_who_asked() {
    let all = [at(30), at(20), at(10)];
    let told = [
        (at(10), vec!["routing timeout"]),
        (at(20), vec!["routing timeout", "n1->n3 timeout"]),
        (at(30), vec!["routing timeout", "n1->n3 timeout", "hop timeout"]),
    ];
    let script = Script { deadlines: all, ..Script::new() };
    let mut node = script.node();
    assert_eq!(node.deadline(), at(10));
    for (now, expected) in told {
        node.handle(now, Input::Deadline);
        assert_eq!(script.told(), expected);
    }
    assert_eq!(Script::new().node().deadline(), Time::NEVER);
}

#[test]
fn routing_holds_what_has_no_route_yet_and_forwards_it_later() {
    let script = Script { route: Route::Discovering, ..Script::new() };
    let mut node = script.node();
    node.handle(at(1), message(OUTWARD, 6));
    assert_eq!(script.told(), ["routing holds 6"]);
    assert_eq!(node.poll_transmit(at(2)), None);
    let step = RoutingStep::Forward(packet(OUTWARD, 6), NEXT);
    script.steps.lock().expect("nobody panicked").push(step);
    node.handle(at(3), heard(Heard::Broadcast, routing_packet()));
    let request = node.poll_transmit(at(4)).expect("routing has forwarded it");
    assert_eq!((request.to, request.packet.tag), (Receiver::Node(NEXT), tag(6)));
}

fn routing_packet() -> Packet {
    let flow = FlowId::between(NodeId(0), NodeId::BROADCAST);
    Packet::message(flow, NextHeader::ROUTING, [0; 24])
}

#[test]
fn routing_packets_go_first_and_concern_no_hop_protocol() {
    let script = Script::new();
    let mut node = script.node();
    node.handle(at(1), message(OUTWARD, 1));
    let step = RoutingStep::Transmit(routing_packet(), Receiver::Broadcast);
    script.steps.lock().expect("nobody panicked").push(step);
    script.told();
    node.handle(at(2), heard(Heard::Broadcast, routing_packet()));
    assert_eq!(script.told(), [format!("routing heard {}", Tag::NONE.number)]);
    let first = node.poll_transmit(at(3)).expect("two packets wait");
    assert_eq!(first.to, Receiver::Broadcast);
    assert_eq!(first.packet.protocol(), Protocol::Routing);
    outputs(&mut node);
    node.handle(at(4), ended(first.packet, Outcome::Sent));
    assert!(script.told().is_empty(), "the hop protocol has not sent it");
    assert_eq!(node.poll_transmit(at(5)).expect("one packet waits").packet.tag, tag(1));
}

#[test]
fn a_packet_that_the_hop_gives_up_is_routing_s() {
    let script = Script::new();
    let mut node = script.node();
    node.handle(at(1), message(OUTWARD, 1));
    node.handle(at(1), message(OUTWARD, 2));
    let first = node.poll_transmit(at(2)).expect("two packets wait");
    script.steps.lock().expect("nobody panicked").push(RoutingStep::LinkBroken(NEXT));
    script.told();
    node.handle(at(3), ended(first.packet, Outcome::Failed));
    assert_eq!(script.told(), ["done Failed", "routing lost 1 on the way to n2"]);
    let expected =
        ["drop 1 of n1->n3: retries_spent", "link to n2 broken", "drop 2 of n1->n3: route_broken"];
    assert_eq!(outputs(&mut node), expected);
}

#[test]
fn packets_against_the_data_reach_the_source_s_transport() {
    let script = Script::new();
    let mut node = script.node();
    node.handle(at(1), heard(Heard::ForMe, packet(OUTWARD.reverse(), 3)));
    assert!(script.told().contains(&format!("{OUTWARD} gets 3")));
}

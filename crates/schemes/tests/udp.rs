//! The parts of UDP over 802.11: the datagram transport and the drop-tail queue.

use multihop_core::{
    Bytes, Cx, DropCause, Effect, Failed, FlowId, Heard, Hop, NodeId, Outcome, Packet, Params,
    Payload, Rate, Receiver, Transport, Value, Verdict,
};
use multihop_schemes::parts::datagram::{Datagram, SOURCE_BUFFER};
use multihop_schemes::parts::fifo::Fifo;
use multihop_schemes::tcp::newreno;
use multihop_schemes::udp;
use multihop_testkit::{Desk, done, message};

fn with_cx<R>(handler: impl FnOnce(&mut Cx) -> R) -> (R, Vec<Effect>) {
    let mut desk = Desk::new(NodeId(0));
    let result = handler(&mut desk.cx);
    (result, desk.cx.effects)
}

fn flow() -> FlowId {
    FlowId::between(NodeId(0), NodeId(2))
}

fn packet(number: u32) -> Packet {
    multihop_testkit::packet(flow(), number)
}

fn queue(limit: f64) -> Fifo {
    let given = [("queue_limit".to_owned(), Value::Number(limit))];
    Fifo::new(&Params::new(&udp::SCHEME, &given, Rate(1_000_000)).expect("valid"))
}

fn acknowledgment(number: u32) -> Packet {
    Packet { flow: flow().reverse(), payload: Payload::Virtual(0), ..packet(number) }
}

#[test]
fn acknowledgments_that_go_first_and_data_take_no_places_from_each_other() {
    let offered =
        [packet(0), packet(1), acknowledgment(2), packet(3), acknowledgment(4), acknowledgment(5)];
    for (first, lost) in [(true, vec![3, 5]), (false, vec![2, 3, 4, 5])] {
        let given = [
            ("queue_limit".to_owned(), Value::Number(2.0)),
            ("acknowledgments_first".to_owned(), Value::Switch(first)),
        ];
        let params = Params::new(&newreno::SCHEME, &given, Rate(1_000_000)).expect("valid");
        let mut queue = Fifo::new(&params);
        let ((), effects) = with_cx(|cx| {
            for packet in &offered {
                queue.on_enqueue(cx, packet.clone(), NodeId(1));
            }
            assert!(!queue.has_room(flow()) && !queue.has_room(flow().reverse()));
            // An acknowledgment if they go first, data if not.
            assert!(queue.poll_transmit(cx).is_some());
            assert_eq!(queue.has_room(flow()), !first);
            assert!(queue.has_room(flow().reverse()));
        });
        let full = |at: usize| Effect::Drop(offered[at].clone(), DropCause::QueueFull);
        assert_eq!(effects, lost.into_iter().map(full).collect::<Vec<_>>());
    }
}

#[test]
fn acknowledgments_overtake_data_and_not_each_other_if_they_go_first() {
    for (first, expected) in [(true, [1, 3, 0, 2]), (false, [0, 1, 2, 3])] {
        let given = [("acknowledgments_first".to_owned(), Value::Switch(first))];
        let params = Params::new(&newreno::SCHEME, &given, Rate(1_000_000)).expect("valid");
        let mut queue = Fifo::new(&params);
        with_cx(|cx| {
            for offered in [packet(0), acknowledgment(1), packet(2), acknowledgment(3)] {
                queue.on_enqueue(cx, offered, NodeId(1));
            }
            let mut next = |cx: &mut Cx| {
                let request = queue.poll_transmit(cx).expect("packets wait");
                let back = queue.on_tx_done(cx, &done(request.clone(), Outcome::Acknowledged));
                assert_eq!(back, None);
                request.packet.tag.number
            };
            assert_eq!([0; 4].map(|_| next(cx)), expected);
        });
    }
}

fn expedited(number: u32) -> Packet {
    Packet { flow: flow().expedited(), ..packet(number) }
}

#[test]
fn packets_of_expedited_flows_go_ahead_of_others_which_have_every_fourth_turn() {
    let mut queue = queue(49.0);
    with_cx(|cx| {
        for number in 0..3 {
            queue.on_enqueue(cx, packet(number), NodeId(1));
        }
        for number in 10..18 {
            queue.on_enqueue(cx, expedited(number), NodeId(1));
        }
        let mut next = |cx: &mut Cx, outcome| {
            let request = queue.poll_transmit(cx).expect("packets wait");
            assert_eq!(queue.on_tx_done(cx, &done(request.clone(), outcome)), None);
            request.packet.tag.number
        };
        assert_eq!(next(cx, Outcome::Withdrawn), 10);
        let order = [0; 11].map(|_| next(cx, Outcome::Acknowledged));
        // in each flow in the order in which they came
        assert_eq!(order, [10, 11, 0, 12, 13, 14, 1, 15, 16, 17, 2]);
    });
    assert_eq!(queue.backlog(), 0);
}

#[test]
fn expedited_flows_and_others_take_no_places_from_each_other() {
    let mut queue = queue(2.0);
    let offered = [packet(0), packet(1), packet(2), expedited(3), expedited(4), expedited(5)];
    let ((), effects) = with_cx(|cx| {
        for packet in &offered {
            queue.on_enqueue(cx, packet.clone(), NodeId(1));
        }
        assert!(!queue.has_room(flow()) && !queue.has_room(flow().expedited()));
        assert_eq!(queue.on_neighbour_lost(cx, NodeId(1)).len(), 4);
        assert!(queue.has_room(flow()) && queue.has_room(flow().expedited()));
    });
    let full = |at: usize| Effect::Drop(offered[at].clone(), DropCause::QueueFull);
    assert_eq!(effects, [full(2), full(5)]);
}

#[test]
fn the_source_buffer_holds_fifty_messages_in_order() {
    let mut transport = Datagram::new(flow());
    let ((), effects) = with_cx(|cx| {
        for number in 0..SOURCE_BUFFER as u32 + 2 {
            transport.on_message(cx, message(0, number));
        }
    });
    let lost = |number| Effect::Drop(packet(number), DropCause::SourceBufferFull);
    assert_eq!(effects, [lost(50), lost(51)]);
    assert_eq!(transport.backlog(), 50);
    for number in 0..50 {
        assert_eq!(with_cx(|cx| transport.poll_send(cx)).0, Some(packet(number)));
    }
    assert_eq!(with_cx(|cx| transport.poll_send(cx)).0, None);
}

#[test]
fn a_datagram_is_delivered_as_it_comes() {
    let ((), effects) = with_cx(|cx| Datagram::new(flow()).on_packet(cx, packet(3)));
    assert_eq!(effects, [Effect::Deliver(packet(3))]);
}

#[test]
fn the_default_limit_is_that_of_ns_2() {
    let mut queue = Fifo::new(&Params::new(&udp::SCHEME, &[], Rate(1_000_000)).expect("valid"));
    let ((), effects) = with_cx(|cx| {
        queue.on_enqueue(cx, packet(0), NodeId(1));
        assert!(queue.poll_transmit(cx).is_some());
        (1..51).for_each(|number| queue.on_enqueue(cx, packet(number), NodeId(1)));
    });
    assert_eq!(effects, [Effect::Drop(packet(50), DropCause::QueueFull)]);
    assert_eq!(queue.backlog(), 50, "49 wait, and one is in the MAC");
}

#[test]
fn the_head_goes_first_and_asks_for_a_link_acknowledgment() {
    let mut queue = queue(10.0);
    let outcomes = [
        (Outcome::Withdrawn, 0, None),
        (Outcome::Acknowledged, 0, Some(Effect::Release(packet(0).tag))),
        (Outcome::Failed, 1, None),
        (Outcome::Sent, 2, Some(Effect::Release(packet(2).tag))),
    ];
    with_cx(|cx| (0..3).for_each(|number| queue.on_enqueue(cx, packet(number), NodeId(1))));
    for (outcome, number, expected) in outcomes {
        let ((), effects) = with_cx(|cx| {
            let request = queue.poll_transmit(cx).expect("packets wait");
            assert_eq!(request.to, Receiver::Node(NodeId(1)));
            assert_eq!(request.packet, packet(number));
            assert_eq!(queue.poll_transmit(cx), None, "one frame at a time");
            let back = (outcome == Outcome::Failed).then(|| Failed::GivenUp(packet(number)));
            assert_eq!(
                queue.on_tx_done(cx, &done(request, outcome)),
                back,
                "routing gets what the MAC gave up"
            );
        });
        assert_eq!(effects, Vec::from_iter(expected));
    }
    assert_eq!(queue.backlog(), 0);
}

#[test]
fn only_what_is_for_this_node_is_accepted() {
    let mut queue = queue(10.0);
    let cases = [
        (Heard::ForMe, Verdict::Accept),
        (Heard::Overheard, Verdict::Done),
        (Heard::Broadcast, Verdict::Done),
    ];
    for (heard, verdict) in cases {
        let rx = multihop_testkit::heard(NodeId(1), heard, packet(0));
        assert_eq!(with_cx(|cx| queue.on_heard(cx, &rx)).0, verdict);
    }
}

/// A batch takes the packets for its neighbour, whatever stands between them, and one that is repeated in part gives
/// way to a packet for another.
#[test]
fn a_batch_takes_what_waits_for_its_neighbour() {
    let mut queue = queue(3.0);
    let (near, far) = (NodeId(1), NodeId(2));
    with_cx(|cx| {
        for (number, to) in [(0, near), (1, far), (2, near)] {
            queue.on_enqueue(cx, packet(number), to);
        }
        let first = queue.poll_transmit(cx).expect("it waits");
        let long = packet(2).len();
        assert_eq!(queue.poll_more(cx, near, Bytes(long.0 - 1)), None, "it has no room");
        let second = queue.poll_more(cx, near, long).expect("it waits");
        assert_eq!((second.packet.tag.number, queue.poll_more(cx, near, long)), (2, None));
        assert_eq!(queue.backlog(), 3);
        // Of three places two are taken, by what waits and by what goes with the first.
        queue.on_enqueue(cx, packet(3), near);
        queue.on_enqueue(cx, packet(4), near);
        assert_eq!(queue.backlog(), 4, "the last was dropped");
        assert_eq!(queue.poll_transmit(cx), None, "the MAC has some");
        assert_eq!(queue.on_tx_done(cx, &done(first, Outcome::Acknowledged)), None);
        assert_eq!(queue.poll_more(cx, near, long), None, "the packet for the other is next");
        assert_eq!(queue.on_tx_done(cx, &done(second, Outcome::Acknowledged)), None);
        let other = queue.poll_transmit(cx).expect("it waits");
        assert_eq!(other.to, Receiver::Node(far));
    });
}

//! The cases of sections 3.1 and 3.2.

use multihop_core::{
    Capability, DropCause, Duration, EventKind, FlowId, Heard, Hop, NodeId, Outcome, Packet,
    Params, Payload, Rate, Receiver, Rx, Tag, Time, TxRequest, Value, Verdict,
};
use multihop_testkit::{HopDesk, heard};

use super::header::{self, Name};
use super::words::SUPPRESSED;
use super::{Flooding, SCHEME};

const SOURCE: NodeId = NodeId(0);
const ME: NodeId = NodeId(1);
const EVERYONE: FlowId = FlowId::between(SOURCE, NodeId::BROADCAST);

struct Bench(HopDesk<Flooding>);

impl Bench {
    fn new(given: &[(&str, Value)]) -> Self {
        let given = given.iter().map(|(key, value)| ((*key).to_owned(), value.clone()));
        let params = Params::new(&SCHEME, &given.collect::<Vec<_>>(), Rate(1_000_000));
        Bench(HopDesk::new(ME, Box::new(Flooding::new(&params.expect("they are valid")))))
    }

    /// A copy of packet `number` of `flow` is heard from `from`.
    fn hear(&mut self, flow: FlowId, number: u32, from: u32) -> Verdict {
        self.0.hear(&copy(flow, number, from))
    }

    /// It is heard for the first time, and the node passes it on.
    fn pass_on(&mut self, flow: FlowId, number: u32) {
        assert_eq!(self.hear(flow, number, 0), Verdict::Accept);
        let mut packet = copy(flow, number, 0).packet;
        packet.ttl -= 1;
        self.0.enqueue(packet, NodeId::BROADCAST);
    }
}

fn copy(flow: FlowId, number: u32, from: u32) -> Rx {
    let mut packet = Packet::new(flow, Payload::Virtual(64), Tag { source: 0, number });
    header::write(&mut packet, number);
    heard(NodeId(from), Heard::Broadcast, packet)
}

/// No wait, so that packets are ready at once.
fn at_once() -> (&'static str, Value) {
    ("delay", Value::Span(Duration::ZERO))
}

fn name(request: &TxRequest) -> Name {
    header::name(&request.packet).expect("every packet has a number")
}

/// Section 2.2: "A straight-forward approach to perform broadcast is by flooding. A host, on receiving a broadcast
/// message for the first time, has the obligation to rebroadcast the message."
#[test]
fn plain_flooding_passes_every_packet_on_once() {
    let mut bench = Bench::new(&[at_once()]);
    for number in 0..5 {
        bench.pass_on(EVERYONE, number);
    }
    for number in 0..5 {
        assert_eq!(bench.hear(EVERYONE, number, 2), Verdict::Done);
        assert!(bench.0.traced(EventKind::DuplicateIgnored));
    }
    for number in 0..5 {
        let request = bench.0.poll().expect("it waits");
        assert_eq!((request.to, name(&request)), (Receiver::Broadcast, (SOURCE, number)));
        assert_eq!(bench.0.poll(), None, "the MAC has one");
        bench.0.done(request, Outcome::Sent);
        assert_eq!(bench.0.released(), [number]);
    }
    assert_eq!((bench.0.poll(), bench.0.hop.backlog()), (None, 0));
}

#[test]
fn a_node_numbers_its_own_packets_and_sends_them_at_once() {
    let mut bench = Bench::new(&[]);
    for number in 0..3 {
        let flow = FlowId::between(ME, NodeId::BROADCAST);
        let packet = Packet::new(flow, Payload::Virtual(64), Tag { source: 0, number });
        bench.0.enqueue(packet, NodeId::BROADCAST);
        let request = bench.0.poll().expect("it does not wait");
        assert_eq!(name(&request), (ME, number));
        let rx = heard(NodeId(4), Heard::Broadcast, request.packet.clone());
        bench.0.done(request, Outcome::Sent);
        assert_eq!(bench.0.hear(&rx), Verdict::Done, "somebody passes it on");
    }
    let mut other = Bench::new(&[]);
    other.0.cx.incarnation = 1;
    let packet = Packet::new(EVERYONE, Payload::Virtual(64), Tag::default());
    other.0.enqueue(packet, NodeId::BROADCAST);
    let (_, number) = name(&other.0.poll().expect("it does not wait"));
    assert_eq!(number, 1 << 16, "another incarnation has other numbers");
}

/// Section 3.1: "on receiving a broadcast message for the first time, a host will rebroadcast it with probability P".
#[test]
fn a_share_of_the_nodes_passes_a_packet_on() {
    for probability in [0.0, 0.3, 1.0] {
        let mut bench = Bench::new(&[("probability", Value::Number(probability))]);
        let mut passed = 0;
        for number in 0..2_000u32 {
            match bench.hear(EVERYONE, number, 0) {
                Verdict::Accept => passed += 1,
                Verdict::Deliver => assert!(bench.0.traced(EventKind::from(&SUPPRESSED))),
                other => panic!("{other:?}"),
            }
        }
        // The standard error of 600 in 2000 draws is 20.
        let expected = probability * 2_000.0;
        assert!((f64::from(passed) - expected).abs() < 100.0, "{passed} at {probability}");
        assert!(probability > 0.0 || passed == 0);
        assert!(probability < 1.0 || passed == 2_000);
    }
}

/// Section 3.2: c is 1 when the packet is heard first; with every copy it grows, and at C the host is inhibited.
#[test]
fn enough_copies_keep_a_node_silent_while_it_waits() {
    for enough in 2..5 {
        let mut bench = Bench::new(&[("copies", Value::Count(enough))]);
        bench.pass_on(EVERYONE, 7);
        for copies in 2..=enough {
            assert_eq!(bench.0.hop.backlog(), 1, "{copies} of {enough}");
            assert_eq!(bench.hear(EVERYONE, 7, copies), Verdict::Done);
        }
        assert_eq!(bench.0.dropped(), [DropCause::from(&SUPPRESSED)]);
        bench.0.wait(Duration::from_millis(1));
        assert_eq!((bench.0.poll(), bench.0.hop.backlog()), (None, 0));
    }
}

/// S4 of section 3.2: "cancel the transmission of msg if it was submitted".
#[test]
fn enough_copies_take_a_frame_back_from_the_mac_once() {
    let mut bench = Bench::new(&[at_once(), ("copies", Value::Count(2))]);
    bench.pass_on(EVERYONE, 7);
    let request = bench.0.poll().expect("it is ready");
    bench.hear(EVERYONE, 7, 2);
    assert_eq!(bench.0.withdrawals(), 1);
    bench.hear(EVERYONE, 7, 3);
    assert_eq!(bench.0.withdrawals(), 0, "it was asked for");
    bench.0.done(request, Outcome::Withdrawn);
    assert_eq!(bench.0.dropped(), [DropCause::from(&SUPPRESSED)]);
    assert_eq!((bench.0.poll(), bench.0.hop.backlog()), (None, 0));
}

#[test]
fn a_copy_that_was_on_the_air_already_is_gone() {
    let mut bench = Bench::new(&[at_once(), ("copies", Value::Count(2))]);
    bench.pass_on(EVERYONE, 7);
    let request = bench.0.poll().expect("it is ready");
    bench.hear(EVERYONE, 7, 2);
    bench.0.done(request, Outcome::Sent);
    assert_eq!((bench.0.released(), bench.0.dropped()), (vec![7], Vec::new()));
}

/// A MAC gives back what it cannot keep, as when a radio is switched off.
#[test]
fn what_comes_back_unasked_is_the_next_again() {
    let mut bench = Bench::new(&[at_once(), ("copies", Value::Count(3))]);
    bench.pass_on(EVERYONE, 7);
    bench.pass_on(EVERYONE, 8);
    let request = bench.0.poll().expect("it is ready");
    bench.hear(EVERYONE, 7, 2);
    bench.0.done(request, Outcome::Withdrawn);
    assert_eq!(bench.0.dropped(), []);
    bench.hear(EVERYONE, 7, 3);
    assert_eq!(bench.0.dropped(), [DropCause::from(&SUPPRESSED)], "its copies were kept in mind");
    let next = bench.0.poll().expect("the other one waits");
    assert_eq!(name(&next), (SOURCE, 8));
}

/// Section 4.1: the wait is uniform in 0 to 31 slots of 20 us.
#[test]
fn a_node_waits_up_to_the_delay_and_sends_in_the_order_of_times() {
    let mut bench = Bench::new(&[]);
    for number in 0..40 {
        bench.pass_on(EVERYONE, number);
    }
    let mut times = Vec::new();
    while bench.0.hop.deadline() < Time::NEVER {
        let due = bench.0.hop.deadline();
        bench.0.wait(due.since(bench.0.now));
        while let Some(request) = bench.0.poll() {
            times.push(due.since(Time::ZERO).seconds() * 1e6);
            bench.0.done(request, Outcome::Sent);
        }
    }
    assert_eq!(times.len(), 40);
    assert!(times.is_sorted() && times[0] > 0.0 && times[39] < 620.0, "{times:?}");
    // The mean of 40 uniform times has a standard error of 28 us.
    let mean = times.iter().sum::<f64>() / 40.0;
    assert!((mean - 310.0).abs() < 100.0, "{mean}");
}

/// A packet for one node ends there, whatever the draw says.
#[test]
fn a_packet_for_one_node_is_passed_on_by_others_only() {
    let mut silent = Bench::new(&[("probability", Value::Number(0.0))]);
    assert_eq!(silent.hear(FlowId::between(SOURCE, ME), 1, 0), Verdict::Accept);
    assert_eq!(silent.hear(FlowId::between(SOURCE, NodeId(9)), 2, 0), Verdict::Deliver);
    let mut bench = Bench::new(&[at_once()]);
    bench.pass_on(FlowId::between(SOURCE, NodeId(9)), 3);
    assert!(bench.0.poll().is_some());
}

#[test]
fn a_full_queue_and_a_packet_without_a_number_are_drops_and_no_panic() {
    let mut bench = Bench::new(&[("queue_limit", Value::Count(2))]);
    bench.pass_on(EVERYONE, 1);
    bench.pass_on(EVERYONE, 2);
    bench.pass_on(EVERYONE, 3);
    assert_eq!(bench.0.dropped(), [DropCause::QueueFull]);
    assert!(!bench.0.hop.has_room(EVERYONE));
    let bare = Packet::new(EVERYONE, Payload::Virtual(64), Tag::default());
    assert_eq!(bench.0.hear(&heard(SOURCE, Heard::Broadcast, bare)), Verdict::Done);
    assert!(bench.0.traced(EventKind::Malformed));
}

#[test]
fn it_runs_over_every_mac_with_or_without_link_acknowledgments() {
    assert_eq!(SCHEME.doubles(|_| true), None);
    let params = Params::new(&SCHEME, &[], Rate(1_000_000)).expect("the defaults are valid");
    assert_eq!(SCHEME.lacks(&params, |_| false), None::<Capability>);
}

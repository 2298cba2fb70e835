//! Each change to CXCC, one node called by hand.

use multihop_core::{
    Duration, EventKind, FlowId, Headers, Heard, Hop, NextHeader, NodeId, Outcome, Packet, Params,
    Payload, Rate, Value, Verdict,
};

use super::{SCHEME, hop};
use crate::cxcc::echoes::{Echo, hash};
use crate::cxcc::header::{Header, Kind};
use crate::cxcc::tests::bench::{A, Bench, C, describe, frame, inward, outward, through};
use crate::cxcc::words::{ECHO_HELD, ECHOED};

fn bench(given: &[(&str, Value)]) -> Bench {
    let given: Vec<_> =
        given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let params = Params::new(&SCHEME, &given, Rate(1_000)).expect("valid parameters");
    Bench::of(hop(&params))
}

/// A frame of C's own that names packet `sequence` of A.
fn naming(sequence: u32, passed_on: bool) -> Packet {
    let packet = frame(FlowId::between(C, NodeId(8)), Kind::Data, 70);
    with_echo(packet, echo(A, sequence, passed_on))
}

fn with_echo(mut packet: Packet, echo: Echo) -> Packet {
    Header::of(&packet).expect("a CXCC frame").write_with(&[echo], &mut packet);
    packet
}

fn echo(source: NodeId, sequence: u32, passed_on: bool) -> Echo {
    Echo { hash: hash(source, sequence), passed_on }
}

/// What the next frame of the bench is, and what it names; it is on the air.
fn transmit(b: &mut Bench) -> ((NodeId, Kind, u32), Vec<Echo>) {
    let request = b.poll().expect("something is to be sent");
    let said = (describe(&request), Header::echoes_of(&request.packet).expect("it can be read"));
    b.done(request, Outcome::Sent);
    said
}

#[test]
fn a_later_frame_of_the_next_hop_acknowledges_what_it_names() {
    let mut b = bench(&[]);
    b.hear_a(through(), Kind::Data, 5);
    b.transmit();
    b.hear(NodeId(9), Heard::Overheard, naming(5, true));
    b.hear(C, Heard::Overheard, naming(4, true));
    assert_eq!(b.released(), Vec::<u32>::new(), "another neighbour, another packet");
    b.hear(C, Heard::Overheard, naming(5, true));
    assert!(b.traced(EventKind::Declared(&ECHOED)));
    assert_eq!((b.released(), b.hop.queues.len()), (vec![5], 0));
}

#[test]
fn who_hears_that_its_packet_waits_repeats_nothing() {
    let mut b = bench(&[]);
    b.hear_a(through(), Kind::Data, 5);
    b.transmit();
    let timeout = b.hop.deadline();
    b.time_out();
    assert!(timeout <= b.now);
    let request = b.poll().expect("a request");
    assert_eq!(describe(&request), (C, Kind::Rfa, 5));
    b.hear(C, Heard::Overheard, naming(5, false));
    assert!(b.traced(EventKind::Declared(&ECHO_HELD)));
    b.done(request, Outcome::Withdrawn);
    assert_eq!(b.poll(), None, "it waits again");
    assert!(b.hop.deadline() > b.now && b.hop.backlog() == 1);
    b.time_out();
    assert_eq!(b.poll_header(), Some((C, Kind::Rfa, 5)), "but not for ever");
}

#[test]
fn an_answer_rides_in_a_frame_that_goes_anyway() {
    let mut b = bench(&[]);
    b.offer();
    b.hear_a(inward(), Kind::Data, 0);
    b.consume(0);
    assert_eq!(transmit(&mut b), ((C, Kind::Data, 0), vec![echo(A, 0, true)]));
    assert_eq!(b.poll(), None, "no ACK besides");
    b.hear_a(inward(), Kind::Data, 0);
    assert_eq!(b.transmit(), (A, Kind::Ack, 0), "A has not overheard it");
}

#[test]
fn without_another_frame_an_answer_is_one() {
    let mut b = bench(&[]);
    b.hear_a(inward(), Kind::Data, 0);
    b.consume(0);
    assert_eq!(transmit(&mut b), ((A, Kind::Ack, 0), vec![]));
}

#[test]
fn frames_name_what_waits_always_and_what_was_passed_on_twice() {
    let mut b = bench(&[("spacing", Value::Number(0.0))]);
    b.hear_a(through(), Kind::Data, 5);
    b.transmit();
    b.hear_a(through(), Kind::Data, 6);
    b.offer();
    assert_eq!(transmit(&mut b), ((C, Kind::Data, 0), vec![echo(A, 6, false)]));
    let other = |label| FlowId { label, ..outward() };
    for label in 1..4 {
        let mut packet = frame(other(label), Kind::Data, 0);
        packet.headers = Headers::none(NextHeader::DATA);
        b.enqueue(packet, C);
        assert_eq!(transmit(&mut b).1, [echo(A, 6, false)], "while it waits");
    }
    b.hear_c(Heard::Overheard, Kind::Data, 5);
    assert_eq!(transmit(&mut b), ((C, Kind::Data, 6), vec![]), "a packet is its own echo");
    for (label, named) in [(4, 1), (5, 1), (6, 0)] {
        let mut packet = frame(other(label), Kind::Data, 0);
        packet.headers = Headers::none(NextHeader::DATA);
        b.enqueue(packet, C);
        assert_eq!(transmit(&mut b).1, vec![echo(A, 6, true); named]);
    }
}

#[test]
fn a_relay_takes_the_echoes_of_others_out() {
    let mut b = bench(&[]);
    let packet = with_echo(frame(through(), Kind::Data, 5), echo(A, 3, true));
    assert_eq!(Header::echoes_of(&packet).as_deref(), Ok(&[echo(A, 3, true)][..]));
    assert_eq!(b.hear(A, Heard::ForMe, packet.clone()), Verdict::Accept);
    b.enqueue(packet, C);
    assert_eq!(transmit(&mut b), ((C, Kind::Data, 5), vec![]));
}

/// A packet of `len` bytes at B, sent and not acknowledged in time: what is sent next.
fn after_timeout(given: &[(&str, Value)], len: u32) -> Kind {
    let mut b = bench(given);
    let mut packet = frame(through(), Kind::Data, 5);
    packet.payload = Payload::Virtual(len);
    Header { kind: Kind::Data, payload_len: len as u16, sequence: 5 }.write(&mut packet);
    assert_eq!(b.hear(A, Heard::ForMe, packet.clone()), Verdict::Accept);
    b.enqueue(packet, C);
    b.transmit();
    b.time_out();
    b.poll_header().expect("it is sent again, or asked about").1
}

/// Request and answer have 28 B each, the packet 28 B and its payload.
#[test]
fn a_request_is_sent_where_it_costs_less_than_the_packet() {
    let ask = |at| [("ask", Value::Choice(at))];
    assert_eq!([28, 29].map(|len| after_timeout(&[], len)), [Kind::Data, Kind::Rfa]);
    assert_eq!(after_timeout(&ask(1), 1), Kind::Rfa);
    assert_eq!(after_timeout(&ask(2), 512), Kind::Data);
}

#[test]
fn without_echoes_frames_name_nothing() {
    let mut b = bench(&[("echoes", Value::Count(0))]);
    b.hear_a(through(), Kind::Data, 5);
    b.offer();
    b.hear_a(inward(), Kind::Data, 0);
    b.consume(0);
    assert_eq!(transmit(&mut b), ((A, Kind::Ack, 0), vec![]), "before all data");
    assert_eq!([transmit(&mut b).1, transmit(&mut b).1], [vec![], vec![]]);
}

#[test]
fn a_timeout_grows_until_an_echo_comes() {
    let mut b = bench(&[("timeout_jitter", Value::Number(0.0))]);
    b.hear_a(through(), Kind::Data, 5);
    b.transmit();
    let span = |b: &Bench| b.hop.deadline().since(b.now);
    let first = span(&b);
    assert_eq!(first, Duration::from_millis(12 * 540 * 8));
    b.time_out();
    b.transmit();
    assert_eq!(span(&b), first.scaled(1.5));
    b.hear(C, Heard::Overheard, naming(5, false));
    assert_eq!(span(&b), first);
}

/// What a packet of 28 B in its headers takes on the bench's medium, with an idle one before it.
const HOP: Duration = Duration::from_millis(540 * 8);

#[test]
fn a_flow_keeps_clear_of_the_packet_that_was_passed_on() {
    let mut b = bench(&[("spacing", Value::Number(1.5))]);
    b.hear_a(through(), Kind::Data, 5);
    b.transmit();
    b.hear_a(through(), Kind::Data, 6);
    b.hear_c(Heard::Overheard, Kind::Data, 5);
    assert_eq!(b.released(), [5]);
    assert_eq!(b.poll(), None, "C's neighbour passes it on");
    assert_eq!(b.hop.deadline(), b.now + HOP.scaled(1.5));
    b.offer();
    assert_eq!(b.transmit(), (C, Kind::Data, 0), "another flow need not wait");
    b.time_out();
    assert_eq!(b.transmit(), (C, Kind::Data, 6));
}

#[test]
fn a_relay_holds_what_it_has_received_and_a_source_does_not() {
    let mut b = bench(&[("hold", Value::Number(0.5))]);
    b.offer();
    assert_eq!(b.transmit(), (C, Kind::Data, 0));
    b.hear_a(through(), Kind::Data, 5);
    assert_eq!(b.poll(), None);
    assert_eq!(b.hop.deadline(), b.now + HOP.scaled(0.5));
    b.time_out();
    assert_eq!(b.transmit(), (C, Kind::Data, 5));
}

#[test]
fn what_the_destination_gets_next_is_neither_held_nor_spaced() {
    let mut b = bench(&[("spacing", Value::Number(9.0)), ("hold", Value::Number(9.0))]);
    let last = FlowId::between(A, C);
    b.hear_a(last, Kind::Data, 5);
    assert_eq!(b.transmit(), (C, Kind::Data, 5));
    b.hear(C, Heard::ForMe, frame(last, Kind::Ack, 5));
    b.hear_a(last, Kind::Data, 6);
    assert_eq!(b.poll_header(), Some((C, Kind::Data, 6)));
}

//! Single rules, by section.

use multihop_core::{
    DropCause, Duration, EventKind, FlowId, FrameClass, Headers, Heard, Hop, NextHeader, NodeId,
    Outcome, Time, Value, Verdict,
};

use super::bench::{A, B, Bench, C, describe, frame, inward, outward, through};
use super::{basic, params};
use crate::cxcc::words;
use crate::cxcc::{CXCC, Kind};

fn bench() -> Bench {
    Bench::new(&params(&[]))
}

/// `3 T_P` of a packet of 512 B with its headers.
fn timeout() -> Duration {
    Duration::from_micros(3 * (512 + 8 + 20) * 8)
}

#[test]
fn section_3_2_no_second_packet_before_the_first_is_overheard() {
    let mut b = bench();
    assert!(b.hop.admits(outward()));
    b.offer();
    assert!(!b.hop.admits(outward()), "the first packet has not been sent");
    assert_eq!(b.transmit(), (C, Kind::Data, 0));
    assert!(b.hop.admits(outward()), "one packet may wait behind the forwarded one");
    b.offer();
    assert!(!b.hop.admits(outward()));
    assert_eq!(b.poll(), None, "blocked");
    assert_eq!(b.hop.waits().collect::<Vec<_>>(), [(outward(), C)]);
    b.hear(C, Heard::Overheard, frame(outward(), Kind::Data, 0));
    assert!(b.traced(EventKind::ImplicitAcknowledgment));
    assert_eq!(b.transmit(), (C, Kind::Data, 1));
}

#[test]
fn section_3_2_only_the_next_hop_and_the_same_flow_acknowledge() {
    let mut b = bench();
    b.hear_a(through(), Kind::Data, 5);
    b.transmit();
    b.hear(NodeId(9), Heard::Overheard, frame(through(), Kind::Data, 5));
    b.hear(C, Heard::Overheard, frame(FlowId { label: 1, ..through() }, Kind::Data, 5));
    b.hear_c(Heard::Overheard, Kind::Ack, 5);
    b.hear_c(Heard::Overheard, Kind::Data, 4);
    b.hear(A, Heard::ForMe, frame(through(), Kind::Ack, 5));
    b.hear_c(Heard::ForMe, Kind::Ack, 4);
    assert_eq!(b.hop.backlog(), 1);
    b.hear_c(Heard::ForMe, Kind::Ack, 5);
    assert!(b.traced(EventKind::ExplicitAcknowledgment));
    assert_eq!(b.released(), [5]);
    assert_eq!(b.hop.backlog(), 0);
}

#[test]
fn a_later_packet_acknowledges_nothing() {
    let mut b = bench();
    b.hear_a(through(), Kind::Data, 5);
    b.transmit();
    // Where routes change, it may have come to the next hop by another way.
    b.hear_c(Heard::Overheard, Kind::Data, 6);
    assert_eq!(b.hop.backlog(), 1);
    b.hear_c(Heard::Overheard, Kind::Data, 5);
    assert_eq!(b.released(), [5]);
}

#[test]
fn section_4_2_answers_go_before_data() {
    let mut b = bench();
    b.offer();
    b.hear_a(inward(), Kind::Data, 0);
    b.consume(0);
    assert_eq!(b.transmit(), (A, Kind::Ack, 0));
    assert_eq!(b.transmit(), (C, Kind::Data, 0));
}

#[test]
fn section_4_2_queues_are_chosen_evenly() {
    let mut counts = [0; 3];
    let mut b = bench();
    let flow = |label: u16| FlowId { label, ..outward() };
    for label in 0..3u16 {
        let mut packet = frame(flow(label), Kind::Data, 0);
        packet.headers = Headers::none(NextHeader::DATA);
        b.enqueue(packet, C);
    }
    for _ in 0..3000 {
        let request = b.poll().expect("three queues are eligible");
        counts[usize::from(request.packet.flow.label)] += 1;
        b.done(request, Outcome::Withdrawn);
    }
    assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
}

#[test]
fn section_4_2_empty_queues_and_old_memories_are_removed() {
    let mut b = bench();
    b.hear_a(through(), Kind::Data, 5);
    b.transmit();
    b.hear_c(Heard::Overheard, Kind::Data, 5);
    assert!(b.hop.queues.is_empty());
    let forgotten = b.now + Duration::from_millis(30_000);
    assert_eq!(b.hop.deadline(), forgotten);
    b.wait(Duration::from_millis(1_000));
    b.hear_a(through(), Kind::Rfa, 5);
    assert_eq!(b.hop.deadline(), forgotten + Duration::from_millis(1_000), "refreshed");
    b.time_out();
    assert_eq!(b.hop.deadline(), Time::NEVER);
    assert_eq!(b.hear_a(through(), Kind::Data, 5), Verdict::Accept);
}

#[test]
fn a_packet_that_is_here_is_never_forgotten() {
    let mut b = bench();
    b.hear_a(inward(), Kind::Data, 5);
    assert_eq!(b.hop.deadline(), Time::NEVER, "the application may take its time");
}

#[test]
fn a_packet_without_a_route_is_forgotten_although_it_is_asked_for() {
    let mut b = bench();
    assert_eq!(b.hear(A, Heard::ForMe, frame(through(), Kind::Data, 5)), Verdict::Accept);
    b.wait(Duration::from_millis(20_000));
    b.hear_a(through(), Kind::Rfa, 5);
    assert_eq!(b.poll(), None);
    assert_eq!(b.hear(A, Heard::ForMe, frame(through(), Kind::Data, 6)), Verdict::Done);
    assert_eq!(b.hop.refused(), 1, "the host still has packet 5");
    b.wait(Duration::from_millis(10_000));
    assert_eq!(b.hop.deadline(), b.now);
    b.time_out();
    b.hear_a(through(), Kind::Rfa, 5);
    assert_eq!(b.transmit(), (A, Kind::Nack, 5));
}

#[test]
fn who_sent_a_packet_without_a_route_learns_that_it_need_not_wait() {
    let mut b = bench();
    let packet = frame(through(), Kind::Data, 5);
    assert_eq!(b.hear(A, Heard::ForMe, packet.clone()), Verdict::Accept);
    b.find_no_route(packet);
    b.hear_a(through(), Kind::Rfa, 5);
    assert_eq!(b.transmit(), (A, Kind::Ack, 5));
    assert_eq!(b.hear_a(through(), Kind::Data, 6), Verdict::Accept, "the flow goes on");
}

#[test]
fn section_4_3_the_timeout_is_three_packet_times_with_jitter() {
    let (mut least, mut most) = (Duration::from_millis(1_000), Duration::ZERO);
    let mut b = bench();
    for sequence in 0..500 {
        b.hear_a(through(), Kind::Data, sequence);
        b.transmit();
        let span = b.hop.deadline().since(b.now);
        (least, most) = (least.min(span), most.max(span));
        b.hear_c(Heard::Overheard, Kind::Data, sequence);
    }
    let jitter = timeout().scaled(0.1 / 3.0);
    assert!(least >= timeout() - jitter && least <= timeout() - jitter.scaled(0.9));
    assert!(most <= timeout() + jitter && most >= timeout() + jitter.scaled(0.9));
}

#[test]
fn section_4_3_a_packet_may_be_acknowledged_after_its_timeout() {
    let mut b = bench();
    b.hear_a(through(), Kind::Data, 5);
    b.transmit();
    b.time_out();
    assert!(b.traced(EventKind::Timeout));
    assert_eq!(b.hop.waits().count(), 0, "not blocked any more");
    b.hear_c(Heard::Overheard, Kind::Data, 5);
    assert_eq!(b.released(), [5]);
    assert_eq!(b.poll(), None);
}

#[test]
fn section_5_2_rfa_timers_are_those_of_the_data_packet() {
    let mut b = bench();
    b.hear_a(through(), Kind::Data, 5);
    b.transmit();
    for _ in 0..3 {
        b.time_out();
        assert_eq!(b.transmit(), (C, Kind::Rfa, 5));
        assert!(b.traced(EventKind::Retransmission));
        assert!(b.hop.deadline().since(b.now) > timeout().scaled(0.9));
    }
}

#[test]
fn requests_back_off_until_they_are_answered() {
    let mut b = Bench::new(&params(&[
        ("timeout_growth", Value::Number(2.0)),
        ("timeout_jitter", Value::Number(0.0)),
    ]));
    let span = |b: &Bench| b.hop.deadline().since(b.now);
    b.hear_a(through(), Kind::Data, 5);
    b.transmit();
    assert_eq!(span(&b), timeout());
    for growth in (1..=10).chain([10, 10]) {
        b.time_out();
        assert_eq!(b.transmit(), (C, Kind::Rfa, 5));
        assert_eq!(span(&b), timeout() * (1 << growth));
    }
    b.hear_c(Heard::ForMe, Kind::Nack, 5);
    assert_eq!(b.transmit(), (C, Kind::Data, 5));
    assert_eq!(span(&b), timeout() * 2, "the NACK is an answer");
    b.hear_c(Heard::Overheard, Kind::Data, 5);
    b.hear_a(through(), Kind::Data, 6);
    b.transmit();
    assert_eq!(span(&b), timeout(), "another packet");
}

#[test]
fn a_timer_that_does_not_count_deaf_time_is_extended() {
    let mut b = Bench::new(&params(&[
        ("count_deaf_time", Value::Switch(false)),
        ("timeout_jitter", Value::Number(0.0)),
    ]));
    b.air.sending = Duration::from_millis(70);
    b.hear_a(through(), Kind::Data, 5);
    b.transmit();
    b.air.receiving += Duration::from_millis(4);
    b.time_out();
    assert!(!b.traced(EventKind::Timeout));
    assert_eq!(b.hop.deadline(), b.now + Duration::from_millis(4));
    b.time_out();
    assert!(b.traced(EventKind::Timeout));
}

#[test]
fn section_6_a_needless_frame_is_withdrawn_once() {
    for kind in [Kind::Data, Kind::Rfa] {
        let mut b = Bench::new(&if kind == Kind::Data { basic() } else { params(&[]) });
        b.hear_a(through(), Kind::Data, 5);
        b.transmit();
        b.time_out();
        let request = b.poll().expect("the timeout permits it");
        assert_eq!(describe(&request), (C, kind, 5));
        b.hear_c(Heard::Overheard, Kind::Data, 5);
        assert_eq!((b.withdrawals(), b.released()), (1, vec![5]));
        b.hear_c(Heard::ForMe, Kind::Ack, 5);
        assert_eq!(b.withdrawals(), 0);
        b.done(request, Outcome::Withdrawn);
        assert!(b.traced(EventKind::Declared(&words::WITHDRAWN)));
        assert_eq!(b.poll(), None);
    }
}

#[test]
fn section_6_a_frame_that_was_on_the_air_already_is_sent_all_the_same() {
    let mut b = bench();
    b.hear_a(through(), Kind::Data, 5);
    b.transmit();
    b.hear_a(through(), Kind::Data, 6);
    b.time_out();
    let request = b.poll().expect("an RFA");
    b.hear_c(Heard::Overheard, Kind::Data, 5);
    assert_eq!(b.withdrawals(), 1);
    b.done(request, Outcome::Sent);
    assert!(
        b.traced(EventKind::Retransmission) && !b.traced(EventKind::Declared(&words::WITHDRAWN))
    );
    assert_eq!(b.transmit(), (C, Kind::Data, 6), "packet 6 is not blocked by it");
}

#[test]
fn section_6_a_frame_that_yields_may_become_needless_too() {
    for outcome in [Outcome::Withdrawn, Outcome::Sent] {
        let mut b = bench();
        b.hear_a(through(), Kind::Data, 5);
        b.transmit();
        b.time_out();
        let request = b.poll().expect("an RFA");
        b.hear_a(inward(), Kind::Data, 0);
        b.consume(0);
        assert_eq!(b.withdrawals(), 1);
        b.hear_c(Heard::ForMe, Kind::Ack, 5);
        assert_eq!(b.withdrawals(), 0, "it was asked for already");
        b.done(request, outcome);
        assert_eq!(b.traced(EventKind::Declared(&words::WITHDRAWN)), outcome == Outcome::Withdrawn);
        assert_eq!(b.transmit(), (A, Kind::Ack, 0));
        assert_eq!(b.poll(), None);
    }
}

#[test]
fn section_6_data_yields_to_an_answer_and_comes_back() {
    let mut b = bench();
    b.offer();
    let data = b.poll().expect("data");
    b.hear_a(inward(), Kind::Data, 0);
    b.consume(0);
    assert_eq!(b.withdrawals(), 1);
    b.done(data, Outcome::Withdrawn);
    assert!(!b.traced(EventKind::Declared(&words::WITHDRAWN)), "it is not needless");
    assert_eq!(b.transmit(), (A, Kind::Ack, 0));
    assert_eq!(b.transmit(), (C, Kind::Data, 0));
}

#[test]
fn section_5_2_a_nack_replaces_the_waiting_rfa_by_the_packet() {
    for outcome in [Outcome::Withdrawn, Outcome::Sent] {
        let mut b = bench();
        b.hear_a(through(), Kind::Data, 5);
        b.transmit();
        b.time_out();
        let request = b.poll().expect("an RFA");
        b.hear_c(Heard::ForMe, Kind::Nack, 5);
        assert_eq!(b.withdrawals(), 1);
        b.done(request, outcome);
        assert_eq!(b.transmit(), (C, Kind::Data, 5), "after {outcome:?}");
    }
}

#[test]
fn an_answer_that_the_host_takes_back_is_sent_later() {
    let mut b = bench();
    b.hear_a(inward(), Kind::Data, 0);
    b.consume(0);
    let request = b.poll().expect("an ACK");
    b.done(request, Outcome::Withdrawn);
    assert_eq!(b.transmit(), (A, Kind::Ack, 0));
}

#[test]
fn the_next_packet_cancels_the_answer_about_the_last() {
    let mut b = bench();
    b.hear_a(inward(), Kind::Data, 0);
    b.consume(0);
    b.hear_a(inward(), Kind::Data, 1);
    assert_eq!(b.poll(), None);
    b.consume(1);
    let request = b.poll().expect("an ACK");
    b.hear_a(inward(), Kind::Rfa, 1);
    assert_eq!(b.withdrawals(), 0, "the same answer is below already");
    b.hear_a(inward(), Kind::Data, 2);
    assert_eq!(b.withdrawals(), 1);
    b.done(request, Outcome::Withdrawn);
    assert_eq!(b.poll(), None);
}

#[test]
fn one_answer_waits_per_flow_and_neighbour() {
    let mut b = bench();
    b.offer();
    for _ in 0..3 {
        b.hear_a(through(), Kind::Rfa, 7);
    }
    assert_eq!(b.transmit(), (A, Kind::Nack, 7));
    assert_eq!(b.transmit(), (C, Kind::Data, 0));
    b.hear_a(through(), Kind::Rfa, 7);
    b.hear_a(through(), Kind::Data, 7);
    assert_eq!(b.transmit(), (C, Kind::Data, 7), "the packet came: no NACK");
}

#[test]
fn the_newest_answer_stands() {
    let mut b = bench();
    b.hear_a(inward(), Kind::Data, 0);
    b.consume(0);
    b.hear_a(inward(), Kind::Rfa, 1);
    assert_eq!(b.transmit(), (A, Kind::Nack, 1));
    assert_eq!(b.poll(), None);
}

#[test]
fn a_packet_without_space_is_refused_and_not_asked_for() {
    let mut b = bench();
    b.hear_a(through(), Kind::Data, 5);
    assert_eq!(b.hear_a(through(), Kind::Data, 6), Verdict::Done);
    assert_eq!(b.hear_a(inward(), Kind::Data, 0), Verdict::Accept);
    assert_eq!(b.hear_a(inward(), Kind::Data, 1), Verdict::Done, "0 has not been consumed");
    assert_eq!(b.hop.refused(), 2);
    b.hear_a(through(), Kind::Rfa, 6);
    b.hear_a(inward(), Kind::Rfa, 1);
    assert_eq!(b.transmit(), (C, Kind::Data, 5), "no NACK");
    assert_eq!(b.hear_a(through(), Kind::Data, 6), Verdict::Accept);
}

#[test]
fn what_the_host_should_not_enqueue_is_dropped() {
    let mut b = bench();
    b.offer();
    b.offer();
    assert_eq!(b.dropped(), [DropCause::QueueFull]);
    let mut packet = frame(through(), Kind::Data, 0);
    packet.headers = Headers::none(NextHeader::DATA);
    b.enqueue(packet, C);
    assert_eq!(b.dropped(), [DropCause::Malformed]);
    assert_eq!(b.hop.backlog(), 1);
}

#[test]
fn garbage_is_traced() {
    let mut b = bench();
    let mut packet = frame(through(), Kind::Data, 0);
    packet.headers.set(CXCC, &[1, 2, 3]);
    assert_eq!(b.hear(A, Heard::ForMe, packet), Verdict::Done);
    assert!(b.traced(EventKind::Malformed));
}

#[test]
fn control_frames_are_headers_of_the_flow() {
    let mut b = bench();
    b.hear_a(through(), Kind::Rfa, 7);
    let request = b.poll().expect("a NACK");
    assert_eq!(request.packet.flow, through());
    assert_eq!(request.packet.len().0, 20 + 8);
    assert_eq!(request.packet.tag, frame(through(), Kind::Data, 7).tag);
    assert_eq!(b.hop.frame_class(&request.packet), FrameClass::NegativeAcknowledgment);
    assert_eq!(b.poll_header(), None, "one frame at a time");
    assert_ne!(A, B);
}

//! Sender and receiver, over a path that does what it is told.

use multihop_core::{
    DropCause, End, EventKind, NodeId, Packet, Payload, RouteNews, Tag, Time, Value,
};
use multihop_schemes::parts::reliable::{Block, Header, Kind, PathHeader};

use crate::pipe::{Fate, flow};
use crate::{DELAY, Path, at, header};

const LOST: RouteNews = RouteNews::Lost(NodeId(1));

#[test]
fn quick_start_asks_the_path_for_a_rate() {
    let mut path = Path::new(10_000, &[]);
    assert_eq!(path.kinds(99), [(Kind::Probe, 0)]);
    // The answer comes after 100 ms; then a packet every 10 ms.
    let sent = path.kinds(149);
    assert_eq!(sent, (0..5).map(|n| (Kind::Data, n)).collect::<Vec<_>>());
    assert_eq!(path.pipe.round_trips.len(), 1);
    let round_trip = path.pipe.round_trips[0].seconds();
    assert!((round_trip - 2.0 * DELAY.seconds()).abs() < 1e-6, "{round_trip}");
}

/// 1,044 bytes take 4.176 ms at 2 Mbit/s.
#[test]
fn packets_never_go_faster_than_the_radio() {
    let mut path = Path::new(1, &[]);
    path.run(99);
    assert_eq!(path.kinds(149).len(), 12);
}

#[test]
fn an_unanswered_probe_goes_out_again_every_interval() {
    let mut path = Path::new(10_000, &[("probe_interval", Value::Number(0.5))]);
    path.cut.set(true);
    assert_eq!(path.kinds(2_400), [(Kind::Probe, 0); 5]);
    path.cut.set(false);
    assert_eq!(path.kinds(2_599), [(Kind::Probe, 0)]);
    assert_eq!(path.kinds(2_605), [(Kind::Data, 0)]);
}

#[test]
fn a_path_that_does_not_know_its_delay_is_probed_twice() {
    let mut path = Path::new(0, &[]);
    path.run(50);
    path.delay_us.set(20_000);
    // The second probe primes nothing here, but a router knows its own delay by now.
    assert_eq!(path.kinds(199), [(Kind::Probe, 0)]);
    assert_eq!(path.kinds(239).len(), 2, "a packet every 20 ms");
    // Where no router ever stamps, the rate is one packet per round trip.
    let mut silent = Path::new(0, &[]);
    assert_eq!(silent.kinds(199), [(Kind::Probe, 0); 2]);
    assert_eq!(silent.kinds(999).len(), 8);
}

#[test]
fn the_receiver_reports_its_mean_once_per_epoch_while_something_arrives() {
    let mut path = Path::new(10_000, &[]);
    path.pipe.messages = 150;
    path.run(660);
    path.delay_us.set(20_000);
    path.run(10_000);
    let reports = path.reports.take();
    let kinds: Vec<Kind> = reports.iter().map(|report| report.kind).collect();
    // Data arrives from 0.15 s to 1.65 s.
    assert_eq!(kinds, [Kind::Answer, Kind::Feedback, Kind::Feedback]);
    assert_eq!(reports[0].interval_us, 10_000);
    // Half of the first epoch's packets were stamped 20 ms: 0.75^n of the difference is left.
    assert!(reports[1].interval_us.abs_diff(20_000) < 10, "{}", reports[1].interval_us);
    assert_eq!(reports[2].sequence, 150);
    assert_eq!(path.pipe.sender.deadline(), Time::NEVER);
    assert_eq!(path.pipe.sink.deadline(), Time::NEVER);
}

#[test]
fn the_mean_forgets_with_kappa() {
    for (kappa, expected) in [(0.75, 12_500), (0.25, 17_500)] {
        let mut path = Path::new(10_000, &[("kappa", Value::Number(kappa))]);
        path.pipe.messages = 10;
        path.pipe.data_path = {
            let mut stamp = crate::stamping(&path.delay_us);
            let delay_us = path.delay_us.clone();
            Box::new(move |n, packet| {
                // The probe, nine packets, and the last one.
                delay_us.set(if n < 10 { 10_000 } else { 20_000 });
                stamp(packet);
                Fate::Arrives
            })
        };
        path.run(2_000);
        let reports = path.reports.take();
        assert_eq!(reports[1].interval_us, expected);
    }
}

#[test]
fn the_rate_follows_the_feedback() {
    let per_second = |path: &mut Path, second: u64| path.run(1_000 * second).len();
    let mut path = Path::new(10_000, &[]);
    path.run(1_200);
    assert_eq!(per_second(&mut path, 3), 180);
    path.delay_us.set(20_000);
    per_second(&mut path, 5);
    assert_eq!(per_second(&mut path, 6), 50, "down at once");
    path.delay_us.set(10_000);
    // 50 and a fifth of the difference to 100, and so on; the epoch's border lies within.
    per_second(&mut path, 7);
    let counts: Vec<usize> = (8..12).map(|second| per_second(&mut path, second)).collect();
    assert!(counts.is_sorted() && counts[0] >= 55 && counts[3] <= 85, "{counts:?}");
    let last = (12..30).map(|second| per_second(&mut path, second)).last();
    // Within a quarter of its own the rate is left as it is.
    assert!((80..90).contains(&last.expect("seconds")), "{last:?}");
}

#[test]
fn missing_feedback_halves_the_rate_and_then_means_a_new_path() {
    let mut path = Path::new(10_000, &[]);
    let reports = path.reports.clone();
    path.pipe.ack_path = Box::new(move |n, packet| {
        reports.borrow_mut().push(header(packet));
        // The answer, and two feedbacks.
        if n < 3 { Fate::Arrives } else { Fate::IsLost }
    });
    // Feedback comes at 1.2 s and 2.2 s, and is missed at 3.7, 4.7 and 5.7 s.
    path.run(2_700);
    assert_eq!(path.run(3_700).len(), 100);
    // The first packet still comes at the old pace.
    assert_eq!(path.run(4_700).len(), 51);
    assert_eq!(path.run(5_690).len(), 25);
    assert_eq!(path.kinds(5_710).last().map(|(kind, _)| *kind), Some(Kind::Probe));
    assert_eq!(path.pipe.count(EventKind::RetransmissionTimeout), 3);
    path.pipe.ack_path = Box::new(|_, _| Fate::Arrives);
    // The answer comes at 5.8 s, and the rate is the path's.
    assert_eq!(path.run(5_799), []);
    assert_eq!(path.run(6_799).len(), 100);
    assert_eq!(path.pipe.count(EventKind::SegmentRetransmission), 0, "nothing was lost");
}

#[test]
fn holes_are_filled_first_and_each_once() {
    let mut path = Path::new(10_000, &[]);
    let log = path.sent.clone();
    let mut stamp = crate::stamping(&path.delay_us);
    path.pipe.data_path = Box::new(move |n, packet| {
        stamp(packet);
        log.borrow_mut().push(header(packet));
        // Transmission n is packet n - 1.
        if [11, 12, 15].contains(&n) { Fate::IsLost } else { Fate::Arrives }
    });
    path.run(1_150);
    // The feedback of the first epoch comes after 1.2 s.
    let sent: Vec<u32> = path.kinds(1_260).iter().map(|(_, sequence)| *sequence).collect();
    let holes = sent.iter().position(|sequence| *sequence == 10).expect("a hole is filled");
    assert_eq!(sent[holes..holes + 3], [10, 11, 14]);
    assert_eq!(sent[holes + 3], sent[holes - 1] + 1, "and then what is new");
    path.run(10_000);
    assert_eq!(path.pipe.count(EventKind::SegmentRetransmission), 3);
    assert!(path.pipe.delivered.iter().copied().eq(0..path.pipe.delivered.len() as u32));
}

#[test]
fn what_a_full_list_of_blocks_does_not_tell_is_not_taken_for_lost() {
    let mut path = Path::new(10_000, &[("sack_blocks", Value::Number(1.0))]);
    let log = path.sent.clone();
    let mut stamp = crate::stamping(&path.delay_us);
    path.pipe.data_path = Box::new(move |n, packet| {
        stamp(packet);
        log.borrow_mut().push(header(packet));
        if [11, 15].contains(&n) { Fate::IsLost } else { Fate::Arrives }
    });
    let again = |path: &Path| path.pipe.count(EventKind::SegmentRetransmission);
    path.run(2_100);
    assert_eq!(again(&path), 1, "one hole per epoch");
    path.run(3_100);
    assert_eq!(again(&path), 2);
    path.run(10_000);
    assert_eq!(again(&path), 2);
    assert!(path.pipe.delivered.len() > 900);
}

#[test]
fn a_broken_route_stops_the_sender_until_a_probe_is_answered() {
    let mut path = Path::new(10_000, &[]);
    path.run(1_500);
    path.cut.set(true);
    path.run(1_600);
    path.pipe.tell(RouteNews::Found { destination: NodeId(1), hops: 1 });
    assert!(path.run(1_700).iter().all(|header| header.kind == Kind::Data), "not lost");
    path.pipe.tell(LOST);
    let sent = path.kinds(6_650);
    assert_eq!(sent.len(), 5);
    assert!(sent.iter().all(|(kind, _)| *kind == Kind::Probe), "{sent:?}");
    path.cut.set(false);
    path.delay_us.set(5_000);
    // The probe of 6.7 s finds a better path.
    path.run(6_799);
    let sent = path.run(6_999);
    assert_eq!(sent.len(), 40, "the rate of the new path at once");
    assert_eq!(sent[0].sequence, path.reports.borrow().last().expect("an answer").sequence);
    path.run(20_000);
    // What was sent from 1.5 s to 1.7 s, and nothing else, is sent twice.
    assert_eq!(path.pipe.count(EventKind::SegmentRetransmission), 20);
    assert!(path.pipe.delivered.iter().copied().eq(0..path.pipe.delivered.len() as u32));
}

#[test]
fn an_old_answer_does_not_end_a_new_quick_start() {
    let mut path = Path::new(10_000, &[]);
    path.run(1_500);
    path.cut.set(true);
    path.pipe.tell(LOST);
    path.run(1_600);
    let mut packet = Packet::new(flow().reverse(), Payload::Virtual(0), Tag::NONE);
    let answer = Header {
        kind: Kind::Answer,
        room: 100,
        ..*path.reports.borrow().last().expect("a report")
    };
    answer.write(&mut packet, &[]);
    path.pipe.hand(End::Source, packet);
    let sent = path.kinds(3_600);
    assert_eq!(sent.len(), 2);
    assert!(sent.iter().all(|(kind, _)| *kind == Kind::Probe), "{sent:?}");
}

#[test]
fn a_feedback_does_not_end_quick_start() {
    let mut path = Path::new(10_000, &[]);
    path.run(1_500);
    // The first answer from now on is lost; the feedback of the epoch that ends at 2.15 s is not.
    path.pipe.ack_path = Box::new(|n, _| if n == 2 { Fate::IsLost } else { Fate::Arrives });
    path.pipe.tell(LOST);
    let sent = path.kinds(2_490);
    assert_eq!(sent.len(), 1, "{sent:?}");
    assert_eq!(path.kinds(2_599).len(), 1);
    assert_eq!(path.kinds(2_699).len(), 10);
}

#[test]
fn an_old_report_changes_nothing() {
    let mut path = Path::new(10_000, &[]);
    path.run(3_000);
    let report = *path.reports.borrow().last().expect("a report");
    let mut hand = |old: Header| {
        let mut packet = Packet::new(flow().reverse(), Payload::Virtual(0), Tag::NONE);
        Header { interval_us: 500_000, ..old }.write(&mut packet, &[]);
        path.pipe.hand(End::Source, packet);
    };
    hand(Header { serial: report.serial - 1, ..report });
    hand(Header { sequence: report.sequence - 1, ..report });
    assert_eq!(path.run(4_000).len(), 100);
}

#[test]
fn a_report_names_the_highest_transmission_that_has_arrived() {
    let mut path = Path::new(10_000, &[]);
    path.pipe.messages = 50;
    path.run(1_000);
    let mut late = Packet::new(flow(), Payload::Virtual(1_000), Tag { source: 0, number: 3 });
    PathHeader::default().write(&mut late);
    Header::outward(Kind::Data, 3, 4).write(&mut late, &[]);
    path.pipe.made += 1;
    path.pipe.hand(End::Destination, late);
    assert_eq!(path.pipe.drops, [DropCause::Duplicate]);
    path.run(1_300);
    let reports = path.reports.borrow();
    // Transmission 0 is the probe, n + 1 is packet n.
    assert_eq!((reports[1].sequence, reports[1].serial), (50, 50));
}

#[test]
fn after_a_pause_the_rate_is_asked_for_again() {
    for (pause, probes) in [(2_000, 1), (5_000, 2)] {
        let mut path = Path::new(10_000, &[]);
        path.pipe.messages = 50;
        path.run(2_000);
        assert_eq!(path.pipe.sender.backlog(), 0);
        path.pipe.tell(RouteNews::Found { destination: NodeId(1), hops: 1 });
        path.pipe.run(at(1_000 + pause));
        path.pipe.messages = 60;
        path.delay_us.set(40_000);
        path.pipe.run(at(9_000));
        let sent = path.sent.take();
        // All but the first probe have gone in the second half.
        let probes_sent = 1 + sent.iter().filter(|header| header.kind == Kind::Probe).count();
        assert_eq!(probes_sent, probes, "after {pause} ms");
        let intervals: Vec<u32> =
            path.reports.borrow().iter().map(|report| report.interval_us).collect();
        let last = intervals[intervals.len() - 1];
        // Ten packets: the old path's share is 0.75^10 of the difference of 30 ms, or none.
        let expected = if probes == 2 { 40_000 } else { 38_310 };
        assert!(last.abs_diff(expected) < 10, "{intervals:?}");
        assert_eq!(path.pipe.delivered.len(), 60);
    }
}

#[test]
fn nothing_is_sent_beyond_the_receivers_room() {
    let mut path = Path::new(1_000, &[("receive_buffer", Value::Number(64.0))]);
    let log = path.sent.clone();
    let mut stamp = crate::stamping(&path.delay_us);
    path.pipe.data_path = Box::new(move |n, packet| {
        stamp(packet);
        log.borrow_mut().push(header(packet));
        if n == 1 { Fate::IsLost } else { Fate::Arrives }
    });
    let sent = path.run(1_190);
    assert!(sent.iter().all(|header| header.sequence < 64));
    assert_eq!(path.pipe.sink.backlog(), 63);
    path.run(20_000);
    assert!(path.pipe.drops.is_empty());
    assert!(path.pipe.delivered.iter().copied().eq(0..path.pipe.delivered.len() as u32));
    assert!(path.pipe.delivered.len() > 64 * 15);
}

#[test]
fn what_cannot_be_is_refused() {
    let mut path = Path::new(10_000, &[]);
    path.run(500);
    let good = Header { kind: Kind::Feedback, room: 9, sequence: 1, serial: 3, interval_us: 1 };
    let mut refused = 0;
    let mut report = |path: &mut Path, header: Header, blocks: &[Block]| {
        let mut packet = Packet::new(flow().reverse(), Payload::Virtual(0), Tag::NONE);
        header.write(&mut packet, blocks);
        path.pipe.hand(End::Source, packet);
        refused += 1;
        assert_eq!(path.pipe.drops, vec![DropCause::Malformed; refused]);
    };
    report(&mut path, Header { sequence: 5_000, ..good }, &[]);
    report(&mut path, Header { serial: 1_000_000, ..good }, &[]);
    report(&mut path, Header::outward(Kind::Data, 0, 0), &[]);
    report(&mut path, good, &[Block { distance: 0, len: 1 }]);
    // The receiver: beyond all room, a report, and without a path header.
    for (sequence, kind, hop) in
        [(60_000, Kind::Data, true), (0, Kind::Feedback, true), (40, Kind::Data, false)]
    {
        let mut packet = Packet::new(flow(), Payload::Virtual(9), Tag { source: 0, number: 7 });
        Header::outward(kind, sequence, 0).write(&mut packet, &[]);
        if hop {
            PathHeader::default().write(&mut packet);
        }
        path.pipe.made += 1;
        path.pipe.hand(End::Destination, packet);
        refused += 1;
        assert_eq!(path.pipe.drops, vec![DropCause::Malformed; refused]);
    }
}

#[test]
fn a_block_of_what_was_never_sent_is_not_believed() {
    let mut path = Path::new(10_000, &[]);
    path.run(500);
    let mut packet = Packet::new(flow().reverse(), Payload::Virtual(0), Tag::NONE);
    let report = Header { kind: Kind::Feedback, room: 9, sequence: 1, serial: 0, interval_us: 0 };
    report.write(&mut packet, &[Block { distance: u16::MAX, len: u16::MAX }]);
    path.pipe.hand(End::Source, packet);
    path.run(20_000);
    assert!(path.pipe.delivered.iter().copied().eq(0..path.pipe.delivered.len() as u32));
    assert!(path.pipe.delivered.len() > 1_800);
}

#[test]
fn a_steady_source_fills_a_bounded_buffer() {
    let mut path = Path::new(10_000, &[]);
    path.cut.set(true);
    path.pipe.messages = 0;
    (0..60).for_each(|_| path.pipe.write());
    assert_eq!(path.pipe.drops, vec![DropCause::SourceBufferFull; 10]);
}

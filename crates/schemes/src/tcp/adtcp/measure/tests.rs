use multihop_core::{Duration, Time};

use super::{Measures, Meter, Segment};
use crate::parts::tcp::timestamp::SentAt;

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

/// Segments as (number, sent, arrived), times in ms; what the last arrival ends.
fn measured(segments: &[(u64, u64, u64)]) -> Option<Measures> {
    let mut meter = Meter::new(Duration::from_millis(100));
    let mut last = None;
    for (sequence, sent, arrived) in segments {
        let segment = Segment { sequence: *sequence, sent: SentAt::now(at(*sent)) };
        last = meter.on_arrival(at(*arrived), segment);
    }
    last
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

#[test]
fn a_steady_stream_has_no_difference_and_nothing_lost() {
    let steady = measured(&[(1, 0, 50), (2, 50, 100), (3, 100, 150)]).expect("100 ms are over");
    assert!(close(steady.delay_difference, 0.0) && close(steady.throughput, 30.0), "{steady:?}");
    assert!(close(steady.out_of_order, 0.0) && close(steady.lost, 0.0), "{steady:?}");
    assert_eq!(measured(&[(1, 0, 50), (2, 50, 100)]), None, "50 ms are not");
}

#[test]
fn growing_queues_are_a_difference() {
    let growing = measured(&[(1, 0, 50), (2, 20, 100), (3, 40, 150)]).expect("an interval");
    assert!(close(growing.delay_difference, 0.030), "{growing:?}");
}

#[test]
fn a_hole_is_a_loss_and_what_fills_it_later_is_no_reordering() {
    let hole = measured(&[(1, 0, 50), (3, 20, 70), (2, 110, 160)]).expect("an interval");
    assert!(close(hole.lost, 0.25), "one of four: {hole:?}");
    assert!(close(hole.out_of_order, 0.0), "sent again after 3: {hole:?}");
}

#[test]
fn what_was_sent_before_and_comes_after_is_out_of_order() {
    let late = measured(&[(1, 0, 50), (3, 20, 70), (2, 10, 160)]).expect("an interval");
    assert!(close(late.out_of_order, 1.0 / 3.0), "{late:?}");
}

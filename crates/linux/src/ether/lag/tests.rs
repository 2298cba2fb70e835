//! Lags that are known.

use super::*;

#[test]
fn shares_are_bounds_of_classes_and_the_worst_is_exact() {
    let (mut lag, allowed) = (Lag::default(), Duration::from_millis(1));
    for micros in 1..=1_000 {
        assert!(lag.count(Duration::from_micros(micros), allowed), "{micros} us is in time");
    }
    assert!(!lag.count(Duration::from_micros(1_001), allowed));
    let summary = lag.summary();
    assert_eq!((summary.events, summary.late), (1_001, 1));
    let micros =
        [summary.median_s, summary.p99_s, summary.worst_s].map(|s| (s * 1e6).round() as u64);
    assert_eq!(micros, [512, 1_001, 1_001]);
    assert_eq!((lag.take_unsaid(), lag.take_unsaid(), lag.late()), (1, 0, 1));
}

#[test]
fn nothing_is_never_late_and_hours_have_a_class() {
    let mut lag = Lag::default();
    assert_eq!(lag.summary().p99_s.to_bits(), 0.0f64.to_bits());
    lag.count(Duration::from_seconds(1e6), Duration::ZERO);
    lag.count(Duration::ZERO, Duration::ZERO);
    assert_eq!((lag.summary().events, lag.late()), (2, 1));
}

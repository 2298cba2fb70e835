//! A clock whose machine's clock is told.

use super::*;

#[test]
fn a_machine_whose_clock_jumps_back_does_not_move_it_back() {
    let mut clock = Clock { origin: 1_000, ..Clock::new(1.0) };
    assert_eq!(clock.at(1_500), Time::from_nanos(500));
    assert_eq!(clock.at(100), Time::from_nanos(500));
    assert_eq!(clock.at(1_400), Time::from_nanos(500), "until the machine has caught up");
    assert_eq!(clock.at(1_600), Time::from_nanos(600));
    assert_eq!(clock.at(1_000 + 86_400 * SECOND), Time::from_nanos(86_400 * SECOND), "and on");
}

#[test]
fn a_slower_clock_waits_longer() {
    let mut clock = Clock { origin: 0, ..Clock::new(10.0) };
    assert_eq!(clock.at(5_000), Time::from_nanos(500));
    let wait = |clock: &Clock, until| clock.wait(Time::from_nanos(500), Time::from_nanos(until));
    let span = |nanos: i64| {
        Some(Timespec { tv_sec: nanos / 1_000_000_000, tv_nsec: nanos % 1_000_000_000 })
    };
    assert_eq!(wait(&clock, 700), span(2_000));
    assert_eq!(wait(&clock, 400), span(0), "it is late already");
    assert_eq!(wait(&clock, 300_000_000_500), span(3_000_000_000_000));
    assert_eq!(clock.wait(Time::ZERO, Time::NEVER), None);
}

#[test]
fn another_scale_counts_from_now_on() {
    let mut clock = Clock::new(1.0);
    let before = clock.now();
    clock.set_scale(1e6);
    let after = clock.now();
    assert!(after >= before && after.since(before) < Duration::from_millis(1_000), "{after}");
    assert_eq!(clock.scale().to_bits(), 1e6f64.to_bits());
}

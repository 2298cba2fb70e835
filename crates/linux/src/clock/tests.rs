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

/// The date is ahead of the monotonic clock by `ahead` seconds.
fn aged(dates: &mut Dates, ahead: u64, machine: u64, stamp: i128) -> u64 {
    dates.age_at(i128::from(ahead * SECOND + machine), machine, stamp).nanos()
}

#[test]
fn a_date_that_is_set_makes_no_message_older() {
    // a machine without a clock of its own learns the date after its start; later it is set back for an hour
    let (start, right, back) = (100, 1_000_000_000, 999_996_400);
    let stamp = |ahead: u64, machine: u64| i128::from(ahead * SECOND + machine);
    let mut dates = Dates { ahead: stamp(start, 0), before: None };
    assert_eq!(aged(&mut dates, start, 2_000, stamp(start, 1_500)), 500);
    for (old, new, at) in [(start, right, 10 * SECOND), (right, back, 500 * SECOND)] {
        assert_eq!(aged(&mut dates, new, at, stamp(old, at - 700)), 700, "sent before it was set");
        assert_eq!(aged(&mut dates, new, at + 900, stamp(old, at - 700)), 1_600, "read later");
        assert_eq!(aged(&mut dates, new, at + 900, stamp(new, at + 800)), 100, "sent after it");
        let later = at + LATEST + 900;
        assert_eq!(aged(&mut dates, new, later, stamp(new, later - 300)), 300);
    }
}

#[test]
fn a_pause_between_two_readings_counts_as_age() {
    let mut dates = Dates { ahead: 0, before: None };
    // the date was read 3 ms before the monotonic clock
    assert_eq!(dates.age_at(10_000_000, 13_000_000, 9_000_000).nanos(), 1_000_000);
    assert_eq!(dates.age_at(20_000_000, 20_000_000, 12_000_000).nanos(), 8_000_000);
    assert_eq!(dates.age_at(30_000_000, 30_000_000, 31_000_000), Duration::ZERO, "still to come");
}

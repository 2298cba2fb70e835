//! A pacer by hand.

use super::*;

fn ms(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

#[test]
fn packets_are_a_pace_apart_and_only_who_asks_is_woken() {
    let mut pacer = Pacer::default();
    assert!(pacer.permits(ms(5)), "the first goes at once");
    pacer.on_sent(ms(5), Duration::from_millis(10));
    assert_eq!(pacer.deadline(), Time::NEVER, "nobody waits");
    assert!(!pacer.permits(ms(6)));
    assert_eq!(pacer.deadline(), ms(15));
    assert!(!pacer.on_deadline(ms(14)));
    assert!(pacer.on_deadline(ms(15)));
    assert_eq!(pacer.deadline(), Time::NEVER);
    assert!(pacer.permits(ms(15)));
}

#[test]
fn without_a_pace_nobody_waits() {
    let mut pacer = Pacer::default();
    pacer.on_sent(ms(5), Allowance::window(3).pace);
    assert!(pacer.permits(ms(5)));
}

#[test]
fn a_restarted_pacer_waits_for_nothing() {
    let mut pacer = Pacer::default();
    pacer.on_sent(ms(5), Duration::from_millis(10));
    assert!(!pacer.permits(ms(6)));
    pacer.restart();
    assert_eq!(pacer.deadline(), Time::NEVER);
    assert!(pacer.permits(ms(6)));
}

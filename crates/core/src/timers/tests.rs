use super::*;
use crate::{AirTime, NodeId, Purpose, Rng};

const SPAN: Duration = Duration::from_micros(64);

/// At `us`, after a radio has sent for `sending` and received for `receiving` µs.
fn context(us: u64, sending: u64, receiving: u64) -> Cx {
    let mut cx = Cx::new(NodeId(1), Rng::stream(1, NodeId(1), Purpose::Protocol));
    cx.now = at(us);
    let (sending, receiving) = (Duration::from_micros(sending), Duration::from_micros(receiving));
    cx.air = AirTime { sending, receiving, ..AirTime::default() };
    cx
}

fn at(us: u64) -> Time {
    Time::ZERO + Duration::from_micros(us)
}

#[test]
fn time_in_which_the_radio_was_deaf_does_not_count() {
    let timer = OverhearTimer::start(&context(100, 7, 5), SPAN);
    assert_eq!(timer.look_at(&context(100, 7, 5)), at(164));
    assert_eq!(timer.look_at(&context(130, 10, 5)), at(167), "it has sent for 3 µs since");
    assert_eq!(timer.look_at(&context(130, 10, 9)), at(171), "and received for 4 µs");
    assert_eq!(timer.look_at(&context(171, 10, 9)), at(171), "it has run out");
    assert_eq!(timer.look_at(&context(200, 10, 9)), at(171), "it had run out before");
}

#[test]
fn what_keeps_the_radio_from_sending_only_counts() {
    let timer = OverhearTimer::start(&context(0, 0, 0), SPAN);
    let mut cx = context(10, 0, 0);
    cx.air.sensed = Duration::from_micros(4);
    cx.air.reserved = Duration::from_micros(5);
    assert_eq!(timer.look_at(&cx), at(64));
}

#[test]
fn it_is_looked_at_once_in_a_grain_at_most() {
    let timer = OverhearTimer::start(&context(0, 0, 0), SPAN);
    let soon = Time::from_nanos(63_500);
    let cx = Cx { now: soon, ..context(0, 0, 0) };
    assert_eq!(timer.look_at(&cx), soon + Duration::from_micros(1), "a 64th of 64 µs later");
}

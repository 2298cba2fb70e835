//! A frame that comes late, and one that is marked while it waits.

use multihop_core::{Duration, Time};

use crate::dcf::{FrameKind, Job};
use crate::tests::air::{Air, Call, job, micros};

const JOB: Job = job(1);

#[test]
fn a_frame_that_comes_late_backs_off_later() {
    let first = |lag: Duration| {
        let mut air = Air::chain(2, "", 3);
        let start = air.now + lag;
        air.call(0, &Call::Offer(JOB, start));
        air.run(Time::from_nanos(20_000_000));
        air.sent(0, FrameKind::Data)[0]
    };
    assert_eq!(first(micros(50)).since(first(Duration::ZERO)), micros(50));
}

#[test]
fn a_mark_shows_from_the_next_attempt_on() {
    let mut air = Air::chain(1, "", 1);
    air.offer(0, 1);
    while air.transmissions(0).is_empty() {
        air.run(air.now + micros(20));
    }
    air.call(0, &Call::Mark);
    air.run(Time::from_nanos(50_000_000));
    let marks: Vec<bool> = air.transmissions(0).iter().map(|(_, frame)| frame.marked).collect();
    assert!(!marks[0] && marks.len() > 2 && marks[1..].iter().all(|mark| *mark), "{marks:?}");
}

#[test]
fn a_mark_without_a_frame_is_nothing() {
    let mut air = Air::chain(2, "", 1);
    air.call(0, &Call::Mark);
    air.offer(0, 1);
    air.run(Time::from_nanos(20_000_000));
    assert!(!air.received(1)[0].marked);
}

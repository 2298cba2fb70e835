//! When a frame may go.

use multihop_core::{Defaults, Values};

use super::*;

const THERE: NodeId = NodeId(7);

fn probing(defaults: Defaults) -> Probing {
    let values = Values::with(defaults, &[PARAM], &[]).expect("it has a default");
    let longest = values.get(LONGEST_PROBE);
    Probing { longest, neighbours: Vec::new() }
}

fn at(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

fn first() -> Probe {
    Probe { to: THERE, since: None }
}

/// When frames go to a neighbour that never answers, of a node that would send one every 10 ms, in the first `seconds`.
fn sent(probing: &mut Probing, seconds: u64) -> Vec<u64> {
    let mut sent = Vec::new();
    for ms in (0..seconds * 1_000).step_by(10) {
        if probing.opens(at(ms), first()) <= at(ms) {
            probing.on_sent(at(ms), first());
            sent.push(ms);
        }
    }
    sent
}

#[test]
fn a_silent_neighbour_is_tried_ever_more_rarely_and_then_every_two_seconds() {
    let sent = sent(&mut probing(Defaults::Field), 60);
    assert_eq!(sent.iter().filter(|ms| **ms < 1_000).count(), 100, "for a second as ever");
    let pauses: Vec<u64> = sent.windows(2).map(|pair| pair[1] - pair[0]).skip(100).collect();
    assert!(pauses.is_sorted(), "{pauses:?}");
    assert_eq!((pauses[0], pauses.last()), (250, Some(&2_000)), "{pauses:?}");
    assert!(pauses.len() < 45, "{pauses:?}");
}

#[test]
fn in_a_paper_nobody_vanishes() {
    assert_eq!(sent(&mut probing(Defaults::Paper), 60).len(), 6_000);
}

#[test]
fn who_is_heard_is_there_again() {
    let mut probing = probing(Defaults::Field);
    sent(&mut probing, 60);
    assert!(probing.opens(at(60_000), first()) > at(60_000));
    probing.on_heard(THERE);
    assert_eq!(probing.opens(at(60_000), first()), Time::ZERO);
    probing.on_sent(at(60_000), first());
    assert_eq!(probing.opens(at(60_000), first()), Time::ZERO, "one frame says nothing");
}

#[test]
fn few_frames_in_a_long_time_say_nothing() {
    let mut probing = probing(Defaults::Field);
    for round in 0..9 {
        probing.on_sent(at(10_000 * round), first());
        assert_eq!(probing.opens(at(10_000 * round), first()), Time::ZERO);
    }
}

#[test]
fn what_is_old_shares_two_repetitions_in_a_second_also_where_the_neighbour_is_heard() {
    let mut probing = probing(Defaults::Field);
    let old = Probe { to: THERE, since: Some(at(0)) };
    let mut count = 0;
    for ms in 2_000..7_000 {
        probing.on_heard(THERE);
        if probing.opens(at(ms), old) <= at(ms) {
            probing.on_sent(at(ms), old);
            count += 1;
        }
        assert_eq!(probing.opens(at(ms), first()), Time::ZERO, "what is new goes at once");
    }
    assert_eq!(count, 10);
    assert_eq!(probing.pause(Duration::from_millis(999)), Duration::ZERO);
    assert_eq!(probing.pause(Duration::from_millis(2_000)), Duration::from_millis(500));
    assert_eq!(probing.pause(Duration::from_millis(60_000)), Duration::from_millis(2_000));
}

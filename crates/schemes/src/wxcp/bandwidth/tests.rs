//! Equation 2, and what it is a mean of.

use multihop_core::{Rate, Value};

use super::*;
use crate::wxcp::SCHEME;

const NEAR: NodeId = NodeId(1);
const FAR: NodeId = NodeId(2);

fn ms(ms: u64) -> Time {
    Time::ZERO + Duration::from_millis(ms)
}

fn links(given: &[(&str, Value)]) -> LinkThroughput {
    let given: Vec<_> =
        given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    LinkThroughput::new(&Params::new(&SCHEME, &given, Rate(2_000_000)).expect("valid"))
}

/// A packet of so many bytes, which took so many milliseconds.
fn add(links: &mut LinkThroughput, to: NodeId, bytes: u32, took: u64) {
    links.add(ms(0), to, Bytes(bytes), Duration::from_millis(took));
}

/// bw after an interval.
fn mean(links: &mut LinkThroughput, at: u64) -> Option<u32> {
    links.close(ms(at));
    links.mean()
}

#[test]
fn an_interval_has_the_mean_of_its_samples() {
    let mut links = links(&[]);
    assert_eq!((links.of(NEAR), mean(&mut links, 0)), (None, None));
    add(&mut links, NEAR, 1_000, 10);
    assert_eq!(links.of(NEAR), None, "the interval is not over");
    add(&mut links, NEAR, 1_000, 50);
    assert_eq!((mean(&mut links, 0), links.of(NEAR)), (Some(60_000), Some(60_000)));
    add(&mut links, NEAR, 1_000, 10);
    assert_eq!(mean(&mut links, 0), Some(100_000), "nothing is left of the one before");
    assert_eq!(mean(&mut links, 0), Some(100_000), "but without a sample it stays");
}

#[test]
fn memory_is_the_weight_of_the_intervals_before() {
    let mut links = links(&[("bandwidth_memory", Value::Number(0.875))]);
    for (took, expected) in [(10, 100_000), (50, 90_000), (50, 81_250)] {
        add(&mut links, NEAR, 1_000, took);
        assert_eq!(mean(&mut links, 0), Some(expected));
    }
}

#[test]
fn bw_is_a_mean_of_neighbours_or_of_packets_or_of_bytes() {
    // three samples of 100 kB/s and one of 20 kB/s: 80 in the mean of packets; 3,100 bytes in 35 ms
    for (which, expected) in [(0, 60_000), (1, 80_000), (2, 88_571)] {
        let mut links = links(&[("bandwidth_mean", Value::Choice(which))]);
        for _ in 0..3 {
            add(&mut links, NEAR, 1_000, 10);
        }
        add(&mut links, FAR, 100, 5);
        assert_eq!(mean(&mut links, 0), Some(expected), "{which}");
        assert_eq!((links.of(NEAR), links.of(FAR)), (Some(100_000), Some(20_000)));
    }
}

#[test]
fn a_link_that_is_lost_or_not_used_any_more_does_not_count() {
    let mut links = links(&[]);
    add(&mut links, NEAR, 1_000, 10);
    add(&mut links, FAR, 100, 5);
    links.on_lost(NEAR);
    assert_eq!((mean(&mut links, 0), links.of(NEAR)), (Some(20_000), None));
    links.add(ms(9_000), NEAR, Bytes(1_000), Duration::from_millis(10));
    assert_eq!(mean(&mut links, 10_000), Some(60_000));
    assert_eq!(mean(&mut links, 10_001), Some(100_000), "the far one is forgotten after 10 s");
    links.clear();
    assert_eq!(mean(&mut links, 10_001), None);
}

/// A route leads over another neighbour now: the old one's mean goes with the first whole interval in which
/// it is not used, and a neighbour that is still used keeps its own.
#[test]
fn a_route_that_changes_leaves_no_mean_behind() {
    let mut links = links(&[]);
    let (old, kept, new) = (NodeId(1), NodeId(2), NodeId(3));
    add(&mut links, old, 1_000, 10);
    add(&mut links, kept, 1_000, 10);
    mean(&mut links, 50);
    links.on_route(ms(60));
    links.add(ms(70), kept, Bytes(1_000), Duration::from_millis(10));
    mean(&mut links, 100);
    assert!(links.of(old).is_some(), "it may be used yet");
    links.add(ms(120), new, Bytes(1_000), Duration::from_millis(5));
    mean(&mut links, 150);
    assert_eq!(
        (links.of(old), links.of(kept), links.of(new)),
        (None, Some(100_000), Some(200_000))
    );
    assert_eq!(links.mean(), Some(150_000));
}

#[test]
fn what_took_no_time_says_nothing() {
    let mut links = links(&[]);
    add(&mut links, NEAR, 1_000, 0);
    assert_eq!(mean(&mut links, 0), None);
    links.add(ms(0), NEAR, Bytes(u32::MAX), Duration::from_nanos(1));
    assert_eq!(mean(&mut links, 0), Some(u32::MAX));
}

#[test]
fn of_too_many_neighbours_the_oldest_make_room() {
    let mut links = links(&[]);
    for number in 0..2 * MOST_LINKS as u32 {
        let time = ms(number.into());
        links.add(time, NodeId(number), Bytes(1_000), Duration::from_millis(10));
        links.add(time, NEAR, Bytes(1_000), Duration::from_millis(10));
    }
    assert_eq!(links.count(), MOST_LINKS);
    links.close(ms(600));
    assert_eq!(links.of(NEAR), Some(100_000), "it is still in use");
    assert_eq!((links.of(FAR), links.of(NodeId(511))), (None, Some(100_000)));
}

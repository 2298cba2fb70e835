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
    let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    LinkThroughput::new(&Params::new(&SCHEME, &given, Rate(2_000_000)).expect("valid"))
}

/// A packet of so many bytes, which took so many milliseconds.
fn add(links: &mut LinkThroughput, to: NodeId, bytes: u32, took: u64) {
    links.add(ms(0), to, Bytes(bytes), Duration::from_millis(took));
}

#[test]
fn the_first_sample_is_the_mean_and_a_new_one_weighs_an_eighth() {
    let mut links = links(&[]);
    assert_eq!((links.of(NEAR), links.mean(ms(0))), (None, None));
    add(&mut links, NEAR, 1_000, 10);
    assert_eq!(links.of(NEAR), Some(100_000));
    add(&mut links, NEAR, 1_000, 50);
    assert_eq!(links.of(NEAR), Some(90_000), "7/8 of 100,000 and 1/8 of 20,000");
}

#[test]
fn bw_is_a_mean_of_neighbours_or_of_packets_or_of_bytes() {
    // three samples of 100 kB/s and one of 20 kB/s in the mean of packets: 90; of bytes: 1,000 and then
    // 100 B, 10 and then 5 ms
    for (which, expected) in [(0, 60_000), (1, 90_000), (2, 94_666)] {
        let mut links = links(&[("bandwidth_mean", Value::Choice(which))]);
        (0..3).for_each(|_| add(&mut links, NEAR, 1_000, 10));
        add(&mut links, FAR, 100, 5);
        assert_eq!(links.mean(ms(0)), Some(expected), "{which}");
        assert_eq!((links.of(NEAR), links.of(FAR)), (Some(100_000), Some(20_000)));
    }
}

#[test]
fn a_link_that_is_lost_or_not_used_any_more_does_not_count() {
    let mut links = links(&[]);
    add(&mut links, NEAR, 1_000, 10);
    add(&mut links, FAR, 100, 5);
    links.on_lost(NEAR);
    assert_eq!((links.of(NEAR), links.mean(ms(0))), (None, Some(20_000)));
    links.add(ms(9_000), NEAR, Bytes(1_000), Duration::from_millis(10));
    assert_eq!(links.mean(ms(10_000)), Some(60_000));
    assert_eq!(links.mean(ms(10_001)), Some(100_000), "the far one is forgotten after 10 s");
    links.clear();
    assert_eq!(links.mean(ms(10_001)), None);
}

#[test]
fn what_took_no_time_says_nothing() {
    let mut links = links(&[]);
    add(&mut links, NEAR, 1_000, 0);
    assert_eq!(links.mean(ms(0)), None);
    links.add(ms(0), NEAR, Bytes(u32::MAX), Duration::from_nanos(1));
    assert_eq!(links.of(NEAR), Some(u32::MAX));
}

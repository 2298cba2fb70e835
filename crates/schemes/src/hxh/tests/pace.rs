//! HxH 5.1.2: the rate-limited version.

use multihop_core::{Hop, Outcome, Value};

use super::bench::{Bench, D, data, millis, outward};

/// A source that always has packets, with the rate limit.
fn limited() -> Bench {
    let mut bench = Bench::new(&[("rate_limit", Value::Switch(true))]);
    fill(&mut bench, 0);
    bench
}

fn fill(bench: &mut Bench, from: u32) {
    for sequence in from..from + 10 {
        bench.enqueue(outward(), data(sequence), D);
    }
}

/// The next packet leaves after this many milliseconds and takes one in the MAC.
fn transmit(bench: &mut Bench, retries: u32) -> u64 {
    let start = bench.now;
    while bench.poll_is_closed() {
        bench.now = bench.hop.deadline();
        bench.wait(millis(0));
    }
    let waited = bench.now.since(start).nanos() / 1_000;
    let request = bench.poll().expect("the rate permits it now");
    bench.now += millis(1);
    bench.done(request, Outcome::Acknowledged, retries);
    waited
}

#[test]
fn without_retries_nothing_waits() {
    let mut bench = limited();
    let waits: Vec<u64> = (0..10).map(|_| transmit(&mut bench, 0)).collect();
    assert_eq!(waits, [0; 10]);
}

#[test]
fn a_retry_lowers_the_rate_by_an_eighth_and_successes_raise_it_again() {
    let mut bench = limited();
    // Only now the least time is known: a millisecond.
    let waits: Vec<u64> = [1, 1, 0, 0].map(|retries| transmit(&mut bench, retries)).into();
    // The rate falls to 7/8, then to 49/64 of one packet per millisecond.
    assert_eq!(waits, [0, 0, 142, 306]);
    let after_two = waits[3];
    let later = (0..4).map(|_| transmit(&mut bench, 0)).last().expect("four");
    assert!(later < after_two, "{later}");
}

#[test]
fn the_rate_has_a_lower_bound() {
    let mut bench = limited();
    let mut waits = Vec::new();
    for round in 0..10 {
        waits.extend((0..10).map(|_| transmit(&mut bench, 3)));
        fill(&mut bench, 10 + round * 10);
    }
    assert_eq!(waits.last(), Some(&99_000), "one packet per hundred least times");
}

//! When sources send.

use multihop_core::{Bytes, Duration, FlowId, NodeId, Time};
use multihop_scenario::setup::{self, CarriedBy, Traffic};

use crate::traffic::Source;

/// When source number `index` of the run with `seed` sends its first `count` packets.
fn times(index: u32, jitter: f64, seed: u64, count: usize) -> Vec<Time> {
    let source = setup::Source {
        name: "a->b".to_owned(),
        flow: FlowId::between(NodeId(0), NodeId(1)),
        way: Vec::new(),
        traffic: Traffic::Cbr { payload: Bytes(512), interval: INTERVAL, jitter },
        carried_by: CarriedBy::Scheme,
        start: Time::ZERO,
        start_jitter: Duration::from_millis(500),
        stop: Time::NEVER,
    };
    let mut source = Source::new(index, &source, seed);
    let mut next = || {
        let at = source.next;
        source.on_time().expect("a source of a constant rate sends by itself");
        at
    };
    (0..count).map(|_| next()).collect()
}

const INTERVAL: Duration = Duration::from_millis(100);

fn intervals(index: u32, jitter: f64, seed: u64) -> Vec<f64> {
    let times = times(index, jitter, seed, 4001);
    times.windows(2).map(|pair| pair[1].since(pair[0]).seconds() / INTERVAL.seconds()).collect()
}

#[test]
fn intervals_are_periodic_without_jitter() {
    let times = times(0, 0.0, 1, 4001);
    assert!(times.windows(2).all(|pair| pair[1].since(pair[0]) == INTERVAL));
}

#[test]
fn jitter_is_uniform_around_the_interval() {
    for jitter in [0.5, 1.0] {
        let intervals = intervals(0, jitter, 1);
        let count = intervals.len() as f64;
        let mean = intervals.iter().sum::<f64>() / count;
        let square = intervals.iter().map(|one| (one - mean) * (one - mean)).sum::<f64>() / count;
        let (low, high) = (1.0 - jitter, 1.0 + jitter);
        assert!(intervals.iter().all(|one| (low..=high).contains(one)), "{jitter}");
        // uniform over 2 jitter: its deviation is that over the root of twelve, its mean stays;
        // both within four standard errors of 4000 draws
        let deviation = 2.0 * jitter / 12f64.sqrt();
        assert!((mean - 1.0).abs() < 4.0 * deviation / count.sqrt(), "{jitter}: {mean}");
        assert!((square.sqrt() / deviation - 1.0).abs() < 0.03, "{jitter}: {}", square.sqrt());
        for end in [low, high] {
            let near = intervals.iter().filter(|one| (*one - end).abs() < 0.1 * jitter).count();
            assert!((150..250).contains(&near), "{jitter}: {near} of 4000 near {end}");
        }
    }
}

#[test]
fn jitter_has_a_stream_of_its_own() {
    let first = |jitter| times(0, jitter, 1, 1)[0];
    assert_eq!(first(0.5), first(0.0), "the start is drawn from another stream");
    assert_eq!(intervals(0, 0.5, 1), intervals(0, 0.5, 1));
    assert_ne!(intervals(0, 0.5, 1), intervals(1, 0.5, 1), "sources differ");
    assert_ne!(intervals(0, 0.5, 1), intervals(0, 0.5, 2), "seeds differ");
}

//! When sources send.

use multihop_core::{Bytes, Duration, FlowId, NodeId, Time};
use multihop_setup::{self as setup, Bulk, CarriedBy, Cbr, SourceQueue};

use crate::traffic::Source;

/// A source of a constant rate.
fn periodic(jitter: f64) -> setup::Source {
    setup::Source {
        name: "a->b".to_owned(),
        flow: FlowId::between(NodeId(0), NodeId(1)),
        way: Vec::new(),
        traffic: Cbr { payload: Bytes(512), interval: INTERVAL, jitter }.traffic(),
        carried_by: CarriedBy::Scheme,
        queue: SourceQueue::Transport,
        start: Time::ZERO,
        start_jitter: Duration::from_millis(500),
        lead: None,
        stop: Time::NEVER,
    }
}

/// When source number `index` of the run with `seed` sends its first `count` packets.
fn times(index: u32, jitter: f64, seed: u64, count: usize) -> Vec<Time> {
    let mut source = Source::new(index, &periodic(jitter), seed);
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

#[test]
fn single_packets_go_ahead_of_the_load_which_starts_as_without_them() {
    let start = Time::ZERO + Duration::from_millis(9000);
    let plain = setup::Source { start, ..periodic(0.0) };
    let led = setup::Source { lead: Some(Duration::from_millis(8500)), ..plain.clone() };
    let sent = |source: &setup::Source| {
        let mut source = Source::new(0, source, 1);
        let mut next = || {
            let at = source.next;
            (at, source.on_time().is_some(), source.next)
        };
        [(); 5].map(|()| next())
    };
    let load = sent(&plain)[0].0;
    let first = Time::ZERO + load.since(Time::ZERO + Duration::from_millis(8500));
    let half = Duration::from_millis(500);
    let times = sent(&led).map(|(at, ..)| at);
    assert_eq!(times, [first, first + half, first + half * 2, load, load + INTERVAL]);
    let bulk = Bulk { packets: None }.traffic(Bytes(512));
    let sent = sent(&setup::Source { traffic: bulk, ..led });
    assert_eq!(sent.map(|(at, ..)| at)[..4], times[..4]);
    assert_eq!(sent.map(|(_, by_itself, _)| by_itself), [true, true, true, false, false]);
    assert_eq!(sent[3].2, Time::NEVER, "from then on the transport asks");
}

//! Equations 1 and 3, by hand and at their ends.

use multihop_core::Rate;
use proptest::prelude::*;

use super::*;
use crate::wxcp::SCHEME;

fn gains() -> Gains {
    Gains::new(&Params::new(&SCHEME, &[], Rate(2_000_000)).expect("valid"))
}

/// 100 ms, of which the medium was free for 40; 150 kB/s; two neighbours; 2,120 bytes wait; five packets
/// needed two retries.
fn metrics() -> Metrics {
    Metrics {
        interval: Duration::from_millis(100),
        free: Duration::from_millis(40),
        bandwidth: 150_000,
        neighbours: 2,
        queue: Bytes(2_120),
        retries: 2,
        delivered: 5,
    }
}

#[test]
fn equations_1_and_3_by_hand() {
    // B = 0.4 · 150 kB/s
    assert_eq!(metrics().available(), 60_000);
    // 0.20 · 6,000 / 3 − 0.11 · 2,120 − 67 · 0.4 = 400 − 233.2 − 26.8
    assert_eq!(metrics().aggregate(gains()), 140_000_000);
    // one neighbour more, and it is 300 − 260
    assert_eq!(Metrics { neighbours: 3, ..metrics() }.aggregate(gains()), 40_000_000);
    let alone = Metrics { neighbours: 0, queue: Bytes(0), retries: 0, ..metrics() };
    assert_eq!(alone.aggregate(gains()), 1_200_000_000);
}

#[test]
fn an_empty_interval_divides_nothing_by_nothing() {
    assert_eq!(Metrics::default().aggregate(gains()), 0);
    assert_eq!(Metrics::default().available(), 0);
    let undelivered = Metrics { retries: 9, delivered: 0, ..Metrics::default() };
    assert_eq!(undelivered.aggregate(gains()), 0, "only packets that were delivered count");
}

proptest! {
    #[test]
    fn the_aggregate_saturates_and_falls_with_what_is_bad(
        interval: u64, free: u64, bandwidth: u32, neighbours: u32, queue: u32,
        retries in 0..=u64::MAX / 2, delivered: u64,
    ) {
        let metrics = Metrics {
            interval: Duration::from_nanos(interval),
            free: Duration::from_nanos(free),
            bandwidth,
            neighbours,
            queue: Bytes(queue),
            retries,
            delivered,
        };
        prop_assert!(metrics.available() <= u64::from(bandwidth));
        let aggregate = metrics.aggregate(gains());
        for worse in [
            Metrics { neighbours: neighbours.saturating_add(1), ..metrics },
            Metrics { queue: Bytes(queue.saturating_add(1)), ..metrics },
            Metrics { retries: retries * 2, ..metrics },
            Metrics { free: Duration::from_nanos(free / 2), ..metrics },
        ] {
            prop_assert!(worse.aggregate(gains()) <= aggregate);
        }
    }
}

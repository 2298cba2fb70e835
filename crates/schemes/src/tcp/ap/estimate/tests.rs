use multihop_core::{Bytes, Given, Params, Rate, Value};

use super::Estimate;
use crate::tcp::ap::SCHEME;

const PAYLOAD: Bytes = Bytes(512);
/// A hop at 1 Mbit/s without any waiting: 624 B there and 112 B back.
const DATA: f64 = 4.992e-3;
const HOP: f64 = DATA + 0.896e-3;

fn estimate(given: &[(&str, Value)]) -> Estimate {
    let given: Vec<Given> =
        given.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
    Estimate::new(&Params::new(&SCHEME, &given, Rate(1_000_000)).expect("valid"))
}

/// The pace in ms after these round trips over so many hops.
fn pace(mut estimate: Estimate, hops: u8, round_trips: impl IntoIterator<Item = f64>) -> f64 {
    for round_trip in round_trips {
        estimate.sample(round_trip, hops, PAYLOAD);
    }
    estimate.interval().expect("a sample") * 1e3
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

const ONE: (&str, Value) = ("near", Value::Choice(1));
const ESTIMATES: (&str, Value) = ("variation", Value::Choice(1));

#[test]
fn an_idle_route_is_paced_by_the_air_time_of_four_hops() {
    for hops in [4, 5, 10] {
        let paced = pace(estimate(&[]), hops, [f64::from(hops) * HOP]);
        assert!(close(paced, 4.0 * DATA * 1e3), "{hops} hops: {paced} ms");
    }
}

#[test]
fn waiting_in_queues_counts_for_half_of_either_way() {
    let paced = pace(estimate(&[]), 8, [8.0 * (HOP + 0.010)]);
    assert!(close(paced, 4.0 * (DATA + 0.005) * 1e3), "{paced} ms");
}

#[test]
fn both_readings_of_fewer_than_four_hops() {
    for hops in [1, 2, 3] {
        let round_trip = f64::from(hops) * HOP;
        let paced = pace(estimate(&[]), hops, [round_trip]);
        assert!(close(paced, f64::from(hops) * DATA * 1e3), "all the way: {paced} ms");
        let paced = pace(estimate(&[ONE]), hops, [round_trip]);
        assert!(close(paced, DATA * 1e3), "one hop: {paced} ms");
    }
    assert!(close(pace(estimate(&[ONE]), 4, [4.0 * HOP]), 4.0 * DATA * 1e3), "four are enough");
}

#[test]
fn round_trips_that_vary_make_it_slower() {
    // Two values in turn, 10 % below and above their mean: a coefficient of variation of 0.1.
    let turns = (0..200).map(|n| if n % 2 == 0 { 0.09 } else { 0.11 });
    let (calm, varied) =
        (pace(estimate(&[]), 10, [0.1; 200]), pace(estimate(&[]), 10, turns.clone()));
    assert!((varied / calm - 1.2).abs() < 0.03, "{calm} {varied}");
    let by_estimates = pace(estimate(&[ESTIMATES]), 10, turns);
    assert!((by_estimates / calm - 1.142).abs() < 0.03, "0.5 of 7.05 ms: {by_estimates}");
}

#[test]
fn only_the_last_samples_vary() {
    let given = [("history", Value::Number(5.0))];
    let trips = (0..60).map(|n| if n < 10 { 0.3 } else { 0.1 });
    let paced = pace(estimate(&given), 10, trips);
    let calm = pace(estimate(&given), 10, [0.1; 60]);
    assert!(close(paced, calm), "{paced} {calm}");
}

#[test]
fn what_lies_above_the_bound_does_not_count() {
    let mut estimate = estimate(&[]);
    estimate.sample(4.1, 4, PAYLOAD);
    let ahead = estimate.interval().expect("a queueing delay of 0.5 s counts as the mean");
    assert!(close(ahead * 1e3, 4.0 * DATA * 1e3), "{ahead}");
    estimate.sample(1.2, 4, PAYLOAD);
    assert!((estimate.interval().expect("it stays") - ahead).abs() < 1e-12, "0.6 s for 4 hops");
}

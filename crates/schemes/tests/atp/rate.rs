//! The three phases of the rate.

use multihop_core::{Duration, Value};
use multihop_schemes::atp::SCHEME;
use multihop_schemes::parts::reliable::{Phase, Rate, Settings};

use crate::pipe::params;

fn rate(given: &[(&str, Value)], packets_per_second: u64) -> Rate {
    let mut rate = Rate::new(&Settings::new(&params(&SCHEME, given)));
    rate.start(interval(packets_per_second));
    rate
}

fn interval(packets_per_second: u64) -> Duration {
    Duration::from_nanos(1_000_000_000 / packets_per_second)
}

fn close(rate: &Rate, expected: f64) {
    assert!((rate.current() - expected).abs() < 1e-6 * expected, "{}", rate.current());
}

#[test]
fn a_rate_well_above_raises_it_by_a_fifth_of_the_difference() {
    let mut rate = rate(&[], 100);
    assert_eq!(rate.on_feedback(interval(200)), Phase::Increase);
    close(&rate, 120.0);
    assert_eq!(rate.on_feedback(interval(200)), Phase::Increase);
    close(&rate, 136.0);
}

#[test]
fn a_rate_just_above_leaves_it() {
    let mut rate = rate(&[], 100);
    for advertised in [100, 110, 124, 125] {
        assert_eq!(rate.on_feedback(interval(advertised)), Phase::Maintain, "{advertised}");
        close(&rate, 100.0);
    }
    assert_eq!(rate.on_feedback(interval(126)), Phase::Increase);
}

#[test]
fn a_rate_below_is_taken_at_once() {
    let mut rate = rate(&[], 100);
    assert_eq!(rate.on_feedback(interval(80)), Phase::Decrease);
    close(&rate, 80.0);
}

#[test]
fn silence_halves_it_down_to_one_packet_per_epoch() {
    let mut rate = rate(&[], 6);
    for expected in [3.0, 1.5, 1.0, 1.0] {
        rate.on_silence();
        close(&rate, expected);
    }
    rate.on_feedback(Duration::from_millis(3_600_000));
    close(&rate, 1.0);
}

#[test]
fn every_constant_is_a_parameter() {
    let given = [
        ("phi", Value::Number(0.5)),
        ("increase_divisor", Value::Number(2.0)),
        ("silence_factor", Value::Number(0.1)),
        ("epoch", Value::Number(10.0)),
    ];
    let mut rate = rate(&given, 100);
    assert_eq!(rate.on_feedback(interval(140)), Phase::Maintain);
    assert_eq!(rate.on_feedback(interval(200)), Phase::Increase);
    close(&rate, 150.0);
    rate.on_silence();
    close(&rate, 15.0);
    rate.on_feedback(Duration::from_millis(3_600_000));
    close(&rate, 0.1);
}

#[test]
fn the_pace_is_the_inverse_of_the_rate() {
    assert_eq!(rate(&[], 100).pace(), Duration::from_millis(10));
}

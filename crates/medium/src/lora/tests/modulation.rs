//! Time on air: 140 exact values, and what follows from the formula.

use multihop_core::{Bytes, Duration, Fill, LinkTiming, NETWORK_HEADER_LEN, Rate};
use proptest::prelude::*;

use super::settings;
use crate::lora::modulation::{LONGEST_FRAME, Modulation};

const AIR_TIMES: &str = include_str!("air_times.csv");

/// A row of the table: the modulation, and how long a frame of so many bytes takes.
fn row(line: &str) -> (Modulation, Bytes, Duration) {
    let fields: Vec<&str> = line.split(',').collect();
    let number = |at: usize| fields[at].parse::<u32>().expect("a whole number");
    let (spreading_factor, bandwidth) = (number(1), number(2));
    let coding_rate = fields[3].trim_start_matches("4/").parse().expect("a whole number");
    let is_slow = Modulation::has_long_symbols(spreading_factor, bandwidth);
    let modulation =
        Modulation { spreading_factor, bandwidth, coding_rate, preamble: number(4), is_slow };
    let ms: f64 = fields[6].parse().expect("a number");
    (modulation, Bytes(number(5)), Duration::from_seconds(ms / 1e3))
}

#[test]
fn times_on_air_are_exact() {
    let rows: Vec<_> = AIR_TIMES.lines().skip(1).map(row).collect();
    assert_eq!(rows.len(), 140);
    for (modulation, bytes, expected) in rows {
        assert_eq!(modulation.air_time(bytes), expected, "{modulation:?} with {bytes}");
    }
}

#[test]
fn a_preset_is_what_its_table_says() {
    for (preset, setting) in [
        ("long-fast", "LONG_FAST"),
        ("long-turbo", "LONG_TURBO"),
        ("long-moderate", "LONG_MODERATE"),
        ("long-slow", "LONG_SLOW"),
        ("very-long-slow", "VERY_LONG_SLOW"),
        ("medium-turbo", "MEDIUM_TURBO"),
        ("medium-fast", "MEDIUM_FAST"),
        ("medium-slow", "MEDIUM_SLOW"),
        ("short-turbo", "SHORT_TURBO"),
        ("short-fast", "SHORT_FAST"),
        ("short-slow", "SHORT_SLOW"),
        ("meshcore-sf7", "MeshCore SF7 62.5 CR5"),
        ("meshcore-sf8", "MeshCore SF8 62.5 CR8"),
    ] {
        let line = AIR_TIMES.lines().find(|line| line.split(',').next() == Some(setting));
        let (expected, ..) = row(line.expect("it is in the table"));
        let found = settings(&format!("preset = \"{preset}\"")).modulation;
        assert_eq!(found, expected, "{preset}");
    }
}

#[test]
fn single_keys_take_the_place_of_the_preset_s() {
    let keys = "preset = \"short-fast\"\nspreading_factor = 12\nbandwidth = \"125 kHz\"\ncoding_rate = \"4/7\"\npreamble = 8";
    let found = settings(keys).modulation;
    let expected = Modulation {
        spreading_factor: 12,
        bandwidth: 125_000,
        coding_rate: 7,
        preamble: 8,
        is_slow: true,
    };
    assert_eq!(found, expected);
    assert!(!settings(&format!("{keys}\nlow_data_rate = \"off\"")).modulation.is_slow);
}

#[test]
fn a_bandwidth_that_divides_no_second_is_rounded_once() {
    // 41.67 kHz: 128 chips last 3.071766 ms, and 100.25 symbols 0.307944564 s.
    let modulation = Modulation {
        spreading_factor: 7,
        bandwidth: 41_670,
        coding_rate: 5,
        preamble: 8,
        is_slow: false,
    };
    let symbols = |time: Duration| time.seconds() * 41_670.0 / 128.0;
    for bytes in 0..=LONGEST_FRAME.0 {
        let exact = symbols(modulation.air_time(Bytes(bytes)));
        assert!((exact * 4.0 - (exact * 4.0).round()).abs() < 1e-4, "{bytes}: {exact}");
    }
}

#[test]
fn sensitivities_are_those_of_noise_and_spreading_factor() {
    // -174 dBm/Hz, 54 dB of bandwidth, a noise figure of 6 dB, and -17.5 dB at spreading factor 11
    assert!((settings("").sensitivity + 131.52).abs() < 0.01);
    let keys = "preset = \"meshcore-sf8\"\nnoise_figure = \"5 dB\"";
    assert!((settings(keys).sensitivity + 131.04).abs() < 0.01);
    let given = settings("sensitivity = \"-120 dBm\"");
    assert_eq!((given.floors().receive, given.floors().sense), (-120.0, -123.0));
}

fn any_modulation() -> impl Strategy<Value = Modulation> {
    let bandwidths = prop::sample::select(vec![31_250, 62_500, 125_000, 250_000, 500_000]);
    (7..=12_u32, bandwidths, 5..=8_u32, 6..40_u32, any::<bool>()).prop_map(
        |(spreading_factor, bandwidth, coding_rate, preamble, is_slow)| Modulation {
            spreading_factor,
            bandwidth,
            coding_rate,
            preamble,
            is_slow,
        },
    )
}

proptest! {
    /// What schemes are told of a packet's air time is what the frame takes.
    #[test]
    fn schemes_know_the_time_on_air(modulation in any_modulation(), header in 0..40_u32, packet in 20..215_u32) {
        let network = NETWORK_HEADER_LEN as u32;
        let fill = modulation.fill(header.cast_signed() - network.cast_signed());
        prop_assert!(matches!(fill, Fill::Blocks { bits: 20.., .. }), "{fill:?}");
        let link = LinkTiming { fill, overhead: modulation.around(), ..LinkTiming::of_rate(Rate(1)) };
        let frame = Bytes(header + packet - network);
        prop_assert_eq!(link.exchange_time(Bytes(packet)), modulation.air_time(frame));
    }

    #[test]
    fn a_longer_frame_or_symbol_takes_no_less_time(modulation in any_modulation(), bytes in 0..255_u32) {
        let time = modulation.air_time(Bytes(bytes));
        prop_assert!(time > Duration::ZERO);
        prop_assert!(modulation.air_time(Bytes(bytes + 1)) >= time);
        let slower = Modulation { bandwidth: modulation.bandwidth / 2, ..modulation };
        prop_assert_eq!(slower.air_time(Bytes(bytes)), time * 2);
    }
}

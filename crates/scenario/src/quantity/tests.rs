//! Quantities: what is read, what is refused, and in which words.

use super::*;

fn refusal<M: Measure>(text: &str) -> String {
    match Quantity::<M>::parse(text) {
        Ok(quantity) => panic!("{text:?} was read as {}", quantity.value()),
        Err(message) => message,
    }
}

#[test]
fn every_unit_is_exact() {
    let nanos = |text: &str| Span::parse(text).expect("a time").duration().nanos();
    assert_eq!(nanos("10 s"), 10_000_000_000);
    assert_eq!(nanos("500 ms"), 500_000_000);
    assert_eq!(nanos("20 us"), 20_000);
    assert_eq!(nanos("0.1 us"), 100);
    assert_eq!(nanos("7 ns"), 7);
    assert_eq!(nanos("1.5 min"), 90_000_000_000);
    let rate = |text: &str| BitRate::parse(text).expect("a rate").rate().0;
    assert_eq!(rate("64 bit/s"), 64);
    assert_eq!(rate("100 kbit/s"), 100_000);
    assert_eq!(rate("2.3 Mbit/s"), 2_300_000);
    assert_eq!(rate("1e-3 Gbit/s"), 1_000_000);
    let size = |text: &str| Size::parse(text).expect("a size").bytes().0;
    assert_eq!(size("512 B"), 512);
    assert_eq!(size("1 kB"), 1000);
    for (text, value) in [("200 m", 200.0), ("1.5 km", 1500.0), ("150 cm", 1.5), ("  3m ", 3.0)] {
        assert!((Length::parse(text).expect("a length").value() - value).abs() < 1e-12, "{text}");
    }
    assert!((measure(Measured::Frequency, "914 MHz").expect("a frequency") - 914e6).abs() < 1e-3);
    assert!((Coordinate::parse("-3 m").expect("a coordinate").value() + 3.0).abs() < 1e-12);
}

#[test]
fn refusals_name_what_was_given_and_what_is_wanted() {
    assert_eq!(
        refusal::<InTime>("60 m"),
        "\"60 m\" is a length; a time wants ns, us, ms, s, min or h"
    );
    assert_eq!(refusal::<InLength>("60 ms"), "\"60 ms\" is a time; a length wants cm, m or km");
    assert_eq!(
        refusal::<InRate>("1 Mbps"),
        "\"1 Mbps\" has the unknown unit 'Mbps'; a rate wants bit/s, kbit/s, Mbit/s or Gbit/s; did \
         you mean Mbit/s?"
    );
    assert_eq!(refusal::<InTime>("60"), "\"60\" has no unit; a time wants ns, us, ms, s, min or h");
    assert_eq!(refusal::<InSize>("large"), "\"large\" is not a size; write for example \"512 B\"");
    assert_eq!(refusal::<InTime>("-5 s"), "\"-5 s\" is negative; a time cannot be");
    assert_eq!(refusal::<InSize>("1.5 B"), "\"1.5 B\" is not a whole number of B");
    assert_eq!(refusal::<InTime>("1e30 s"), "\"1e30 s\" is too large; a time may be at most 5e8 s");
}

#[test]
fn a_limit_is_said_in_the_unit_that_was_given() {
    let limits = ["1e9 s", "1e9 min", "1e20 ns"].map(refusal::<InTime>);
    let said = limits.map(|text| text.rsplit("at most ").next().unwrap_or_default().to_owned());
    assert_eq!(said, ["5e8 s", "8.3e6 min", "5e17 ns"]);
    let rate = refusal::<InRate>("1e12 Mbit/s");
    assert!(rate.ends_with("at most 1e9 Mbit/s"), "{rate}");
}

#[test]
fn a_decimal_comma_is_told_apart_from_an_unknown_unit() {
    assert_eq!(
        refusal::<InRate>("10,5 kbit/s"),
        "\"10,5 kbit/s\" has a comma; the decimal mark is a point, and nothing groups digits: \
         \"10.5 kbit/s\" or \"105 kbit/s\""
    );
    let other = refusal::<InRate>("10 kbit,s");
    assert!(other.contains("unknown unit"), "{other}");
}

#[test]
fn values_are_alike_by_what_they_mean() {
    let same = |one, other| in_base_units(one) == in_base_units(other);
    assert!(same("100 kbit/s", "0.1 Mbit/s") && same("1 min", "60 s") && same("2.5 m", "250cm"));
    assert!(!same("100 kbit/s", "100 kB") && !same("1 s", "1 m"));
    assert_eq!(in_base_units("udp"), None);
    assert_eq!(in_base_units("3"), None);
}

#[test]
fn other_ways_to_write_a_unit_are_understood_but_refused() {
    fn meant<M: Measure>(unit: &str) -> String {
        let message = refusal::<M>(&format!("1 {unit}"));
        message.split_once("; did you mean ").unwrap_or_else(|| panic!("{message}")).1.to_owned()
    }
    for unit in ["kbps", "Kbps", "kb/s", "kbit", "KBit/s"] {
        assert_eq!(meant::<InRate>(unit), "kbit/s?", "{unit}");
    }
    assert_eq!(meant::<InRate>("bps"), "bit/s?");
    assert_eq!(meant::<InRate>("Gbps"), "Gbit/s?");
    assert_eq!(meant::<InRate>("KB/s"), "kbit/s, of which 8 are 1 KB/s?");
    assert_eq!(meant::<InTime>("sec"), "s?");
    assert_eq!(meant::<InTime>("\u{b5}s"), "us?");
    assert_eq!(meant::<InTime>("MS"), "ms?");
    assert_eq!(meant::<InSize>("bytes"), "B?");
    assert_eq!(meant::<InSize>("KB"), "kB?");
    assert_eq!(meant::<InLength>("meters"), "m?");
    assert_eq!(meant::<InSpeed>("kmh"), "km/h?");
    assert_eq!(meant::<InPower>("watts"), "W?");
    assert_eq!(meant::<InLevel>("db"), "dB?");
    assert_eq!(meant::<InFrequency>("mhz"), "MHz?");
    assert!(!refusal::<InTime>("1 furlong").contains("mean"));
    for (names, unit) in OTHER_NAMES {
        assert!(DIMENSIONS.iter().any(|dimension| dimension.factor(unit).is_some()), "{unit}");
        assert!(names.iter().all(|name| *name == name.to_lowercase()), "{names:?}");
    }
}

#[test]
fn nothing_that_is_not_a_finite_number_passes() {
    let broken =
        ["", " ", "s", "nan s", "NaN s", "inf s", "-inf s", "1e999 s", "- s", "1..2 s", "1 s s"];
    for text in broken {
        refusal::<InTime>(text);
        refusal::<InPlace>(text);
    }
}

#[test]
fn the_base_unit_counts_once_and_the_example_is_right() {
    for dimension in DIMENSIONS {
        assert!(dimension.parse(dimension.example).is_ok(), "{}", dimension.noun);
        assert_eq!(dimension.factor(dimension.base).map(f64::to_bits), Some(1f64.to_bits()));
    }
}

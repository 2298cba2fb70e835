//! Quantities: a number and a unit, as `"200 m"` or `"1 Mbit/s"`.
//!
//! A scenario file gives every quantity as text with its unit, so that nobody has to remember
//! which key is in seconds and which in milliseconds. The text is kept as it was written.

use core::fmt;
use core::marker::PhantomData;
use std::borrow::Cow;

use multihop_core::{Bytes, Dimension as Measured, Duration, Rate};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::alternatives;

/// A kind of quantity.
pub(crate) struct Dimension {
    /// With its article.
    noun: &'static str,
    /// Names, and factors to the base unit.
    units: &'static [(&'static str, f64)],
    base: &'static str,
    example: &'static str,
    /// In base units; beyond it, sums in the simulator could overflow.
    max: f64,
    /// Whether only whole base units exist.
    whole: bool,
    /// Whether negative values make sense.
    signed: bool,
}

/// A type-level name of a [`Dimension`].
pub(crate) trait Measure {
    /// Which one.
    const DIMENSION: &'static Dimension;
}

/// Other ways to write units, in small letters, and what they are here.
const OTHER_NAMES: &[(&[&str], &str)] = &[
    (&["bps", "b/s", "bit", "bits/s", "bit/sec"], "bit/s"),
    (&["kbps", "kb/s", "kbit", "kbits/s", "kbit/sec"], "kbit/s"),
    (&["mbps", "mb/s", "mbit", "mbits/s", "mbit/sec"], "Mbit/s"),
    (&["gbps", "gb/s", "gbit", "gbits/s", "gbit/sec"], "Gbit/s"),
    (&["byte", "bytes", "octets"], "B"),
    (&["kib", "kbyte", "kbytes"], "kB"),
    (&["mib", "mbyte", "mbytes"], "MB"),
    (&["nsec", "nanoseconds"], "ns"),
    (&["\u{b5}s", "\u{3bc}s", "usec", "microseconds"], "us"),
    (&["msec", "millis", "milliseconds"], "ms"),
    (&["sec", "secs", "second", "seconds"], "s"),
    (&["mins", "minute", "minutes"], "min"),
    (&["hr", "hrs", "hour", "hours"], "h"),
    (&["meter", "metre", "meters", "metres"], "m"),
    (&["mps", "m/sec"], "m/s"),
    (&["kmh", "kph"], "km/h"),
    (&["watt", "watts"], "W"),
];

const METRES: &[(&str, f64)] = &[("cm", 0.01), ("m", 1.0), ("km", 1e3)];

/// Declares the dimensions and their marker types.
macro_rules! dimensions {
    ($($marker:ident $about:literal $dimension:expr;)*) => {
        $(
            #[doc = concat!("Marker of ", $about, ".")]
            #[derive(Clone, Debug)]
            pub(crate) enum $marker {}
            impl Measure for $marker {
                const DIMENSION: &'static Dimension = &$dimension;
            }
        )*
        const DIMENSIONS: &[&Dimension] = &[$(<$marker as Measure>::DIMENSION),*];
    };
}

dimensions! {
    InTime "time in ns" Dimension {
        noun: "a time",
        units: &[("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9), ("min", 6e10), ("h", 3.6e12)],
        base: "ns", example: "10 s", max: 5e17, whole: false, signed: false,
    };
    InLength "length in m" Dimension {
        noun: "a length", units: METRES,
        base: "m", example: "200 m", max: 1e9, whole: false, signed: false,
    };
    InPlace "coordinate in m" Dimension {
        noun: "a coordinate", units: METRES,
        base: "m", example: "200 m", max: 1e9, whole: false, signed: true,
    };
    InSpeed "speed in m/s" Dimension {
        noun: "a speed", units: &[("m/s", 1.0), ("km/h", 1.0 / 3.6)],
        base: "m/s", example: "5 m/s", max: 3e8, whole: false, signed: false,
    };
    InRate "rate in bit/s" Dimension {
        noun: "a rate",
        units: &[("bit/s", 1.0), ("kbit/s", 1e3), ("Mbit/s", 1e6), ("Gbit/s", 1e9)],
        base: "bit/s", example: "1 Mbit/s", max: 1e15, whole: true, signed: false,
    };
    InSize "size in B" Dimension {
        noun: "a size", units: &[("B", 1.0), ("kB", 1e3), ("MB", 1e6)],
        base: "B", example: "512 B", max: 4e9, whole: true, signed: false,
    };
    InPower "power in W" Dimension {
        noun: "a power", units: &[("mW", 1e-3), ("W", 1.0)],
        base: "W", example: "0.28 W", max: 1e9, whole: false, signed: false,
    };
    InLevel "level in dB" Dimension {
        noun: "a level", units: &[("dB", 1.0)],
        base: "dB", example: "4 dB", max: 1e3, whole: false, signed: false,
    };
    InSignal "signal in dBm" Dimension {
        noun: "a signal", units: &[("dBm", 1.0)],
        base: "dBm", example: "-70 dBm", max: 300.0, whole: false, signed: true,
    };
    InGain "gain in dBi" Dimension {
        noun: "a gain", units: &[("dBi", 1.0)],
        base: "dBi", example: "3 dBi", max: 100.0, whole: false, signed: true,
    };
    InShare "share in %" Dimension {
        noun: "a share", units: &[("%", 1.0)],
        base: "%", example: "10 %", max: 100.0, whole: false, signed: false,
    };
    InFrequency "frequency in Hz" Dimension {
        noun: "a frequency", units: &[("Hz", 1.0), ("kHz", 1e3), ("MHz", 1e6), ("GHz", 1e9)],
        base: "Hz", example: "914 MHz", max: 1e15, whole: false, signed: false,
    };
}

/// A quantity: time in ns.
pub(crate) type Span = Quantity<InTime>;

/// A quantity: length in m.
pub(crate) type Length = Quantity<InLength>;

/// A quantity: coordinate in m.
pub(crate) type Coordinate = Quantity<InPlace>;

/// A quantity: speed in m/s.
pub(crate) type Speed = Quantity<InSpeed>;

/// A quantity: rate in bit/s.
pub(crate) type BitRate = Quantity<InRate>;

/// A quantity: size in B.
pub(crate) type Size = Quantity<InSize>;

/// A quantity: power in W.
pub(crate) type Power = Quantity<InPower>;

/// A quantity: gain in dBi.
pub(crate) type Gain = Quantity<InGain>;

/// A quantity: share in %.
pub(crate) type Share = Quantity<InShare>;

/// A quantity: level in dB.
pub(crate) type Level = Quantity<InLevel>;

/// A quantity: signal in dBm.
pub(crate) type Signal = Quantity<InSignal>;

impl Dimension {
    /// `a time wants ns, us, ms, s, min or h`.
    fn wants(&self) -> String {
        let names: Vec<&str> = self.units.iter().map(|(name, _)| *name).collect();
        format!("{} wants {}", self.noun, alternatives(&names))
    }

    /// What `unit` probably means, if it is another way to write a unit of this kind.
    fn hint(&self, unit: &str) -> String {
        let known = |name: &str| {
            let names = self.units.iter().map(|(name, _)| *name);
            names.into_iter().find(|known| known.eq_ignore_ascii_case(name))
        };
        let lower = unit.to_lowercase();
        let mut others = OTHER_NAMES.iter().filter(|(names, _)| names.contains(&lower.as_str()));
        match known(unit).or_else(|| others.find_map(|(_, name)| known(name))) {
            Some(bits) if bits.ends_with("bit/s") && unit.ends_with("B/s") => {
                format!("; did you mean {bits}, of which 8 are 1 {unit}?")
            }
            Some(meant) => format!("; did you mean {meant}?"),
            None => String::new(),
        }
    }

    fn factor(&self, unit: &str) -> Option<f64> {
        self.units.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor)
    }

    /// The value of `text` in base units.
    fn parse(&self, text: &str) -> Result<f64, String> {
        let trimmed = text.trim();
        let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-' | 'e' | 'E');
        let end = trimmed.find(|c| !is_number(c)).unwrap_or(trimmed.len());
        let (number, unit) = (&trimmed[..end], trimmed[end..].trim());
        if let Some(after) = trimmed[end..].strip_prefix(',')
            && after.starts_with(|c: char| c.is_ascii_digit())
        {
            return Err(format!(
                "\"{text}\" has a comma; the decimal mark is a point, and nothing groups digits: \
                 \"{}\" or \"{}\"",
                trimmed.replacen(',', ".", 1),
                trimmed.replace(',', "")
            ));
        }
        let Ok(number) = number.parse::<f64>() else {
            let (noun, example) = (self.noun, self.example);
            return Err(format!("\"{text}\" is not {noun}; write for example \"{example}\""));
        };
        if unit.is_empty() {
            return Err(format!("\"{text}\" has no unit; {}", self.wants()));
        }
        let Some(factor) = self.factor(unit) else {
            let other = DIMENSIONS.iter().find(|other| other.factor(unit).is_some());
            let found = other.map_or_else(
                || format!("has the unknown unit '{unit}'"),
                |other| format!("is {}", other.noun),
            );
            let hint = match (self.base, unit) {
                ("W", "dBm") => format!("; \"{text}\" is \"{} mW\"", in_milliwatts(number)),
                _ => self.hint(unit),
            };
            return Err(format!("\"{text}\" {found}; {}{hint}", self.wants()));
        };
        let value = number * factor;
        let Dimension { noun, base, max, .. } = self;
        let most = in_few_digits(max / factor);
        // 2.3 * 1e6 is 2299999.9999999995: the factor's rounding does not make it a broken number
        let nearest = libm::round(value);
        let whole = (value - nearest).abs() <= 1e-12 * nearest.abs();
        if value < 0.0 && !self.signed {
            Err(format!("\"{text}\" is negative; {noun} cannot be"))
        } else if value.abs() > *max {
            Err(format!("\"{text}\" is too large; {noun} may be at most {most} {unit}"))
        } else if self.whole && !whole {
            Err(format!("\"{text}\" is not a whole number of {base}"))
        } else {
            Ok(if self.whole { nearest } else { value })
        }
    }
}

/// A bound in a unit of the reader's: `5e8`, and `8.3e6` for what has no end.
fn in_few_digits(number: f64) -> String {
    let exact = format!("{number:e}");
    if exact.len() <= 8 { exact } else { format!("{number:.1e}") }
}

/// A power of `dbm` in mW, in six digits.
fn in_milliwatts(dbm: f64) -> f64 {
    let exact = libm::pow(10.0, dbm / 10.0);
    format!("{exact:.5e}").parse().unwrap_or(exact)
}

/// The value of `text` in the unit of this dimension.
pub(crate) fn measure(dimension: Measured, text: &str) -> Result<f64, String> {
    of(dimension).parse(text)
}

/// What is wrong with a bare `number` of this dimension.
pub(crate) fn measure_without_unit(dimension: Measured, number: impl fmt::Display) -> String {
    of(dimension).without_unit(number)
}

/// The schema of text of this dimension.
pub(crate) fn measure_schema(dimension: Measured) -> Schema {
    of(dimension).schema()
}

/// A level of a parameter, whose bounds say whether it may be negative, as a signal-to-noise ratio may.
static BETWEEN_BOUNDS: Dimension = Dimension { signed: true, ..*InLevel::DIMENSION };

fn of(dimension: Measured) -> &'static Dimension {
    match dimension {
        Measured::Power => InPower::DIMENSION,
        Measured::Frequency => InFrequency::DIMENSION,
        Measured::Level => &BETWEEN_BOUNDS,
        Measured::Signal => InSignal::DIMENSION,
        Measured::Speed => InSpeed::DIMENSION,
    }
}

/// What `text` is in base units, and which these are, as `0.1 Mbit/s` is 100000 bit/s; `None` if it
/// is no quantity.
pub fn in_base_units(text: &str) -> Option<(f64, &'static str)> {
    let all = DIMENSIONS.iter();
    all.into_iter().find_map(|one| Some((one.parse(text).ok()?, one.base)))
}

/// A number with its unit: the text as it was written, and its value in base units.
pub(crate) struct Quantity<M> {
    text: String,
    value: f64,
    measure: PhantomData<fn() -> M>,
}

impl<M: Measure> Quantity<M> {
    /// Reads `text`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let value = M::DIMENSION.parse(text)?;
        Ok(Quantity { text: text.to_owned(), value, measure: PhantomData })
    }

    /// What is wrong with a bare `number`.
    pub(crate) fn without_unit(number: impl fmt::Display) -> String {
        M::DIMENSION.without_unit(number)
    }

    /// In base units.
    pub(crate) fn value(&self) -> f64 {
        self.value
    }
}

impl Span {
    pub(crate) fn duration(&self) -> Duration {
        Duration::from_nanos(libm::round(self.value) as u64)
    }
}

impl BitRate {
    pub(crate) fn rate(&self) -> Rate {
        Rate(self.value as u64)
    }
}

impl Signal {
    pub(crate) fn watts(&self) -> f64 {
        libm::pow(10.0, (self.value - 30.0) / 10.0)
    }
}

impl Gain {
    /// How many times more the antenna sends and receives than one that has no direction.
    pub(crate) fn factor(&self) -> f64 {
        libm::pow(10.0, self.value / 10.0)
    }
}

impl Share {
    /// How many of one.
    pub(crate) fn part(&self) -> f64 {
        self.value / 100.0
    }
}

impl Size {
    pub(crate) fn bytes(&self) -> Bytes {
        Bytes(self.value as u32)
    }
}

impl<M> Clone for Quantity<M> {
    fn clone(&self) -> Self {
        Quantity { text: self.text.clone(), value: self.value, measure: PhantomData }
    }
}

impl<M> fmt::Debug for Quantity<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text)
    }
}

impl<M> fmt::Display for Quantity<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.text)
    }
}

impl<M> Serialize for Quantity<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

struct QuantityVisitor<M>(PhantomData<fn() -> M>);

impl<M: Measure> Visitor<'_> for QuantityVisitor<M> {
    type Value = Quantity<M>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} such as \"{}\"", M::DIMENSION.noun, M::DIMENSION.example)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Quantity::parse(text).map_err(E::custom)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        Err(E::custom(Quantity::<M>::without_unit(number)))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Err(E::custom(Quantity::<M>::without_unit(number)))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        Err(E::custom(Quantity::<M>::without_unit(number)))
    }
}

impl<'de, M: Measure> Deserialize<'de> for Quantity<M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // not deserialize_str: serde_json would refuse a number before the visitor can say why
        deserializer.deserialize_any(QuantityVisitor(PhantomData))
    }
}

impl<M: Measure> Quantity<M> {
    /// The schema of text with a unit.
    pub(crate) fn schema() -> Schema {
        M::DIMENSION.schema()
    }
}

impl Dimension {
    /// What is wrong with a bare `number`.
    fn without_unit(&self, number: impl fmt::Display) -> String {
        let (wants, example) = (self.wants(), self.example);
        format!("{number} has no unit; {wants}, as in \"{example}\"")
    }

    fn schema(&self) -> Schema {
        let Dimension { units, example, signed, .. } = self;
        let names: Vec<&str> = units.iter().map(|(name, _)| *name).collect();
        let sign = if *signed { "[+-]?" } else { "[+]?" };
        let pattern = format!("^\\s*{sign}[0-9.]+([eE][+-]?[0-9]+)?\\s*({})\\s*$", names.join("|"));
        json_schema!({
            "type": "string",
            "pattern": pattern,
            "examples": [example],
            "x-units": names,
        })
    }
}

impl<M: Measure> JsonSchema for Quantity<M> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        M::DIMENSION.noun.trim_start_matches("a ").to_owned().into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Self::schema()
    }
}

/// A plain number: neither NaN nor infinite.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Number(pub(crate) f64);

impl Number {
    pub(crate) fn finite<E: Error>(number: f64) -> Result<Self, E> {
        if number.is_finite() {
            Ok(Number(number))
        } else {
            Err(E::custom(format!("{number} cannot be used; expected a finite number")))
        }
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a plain number")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Number, E> {
        Ok(Number(number as f64))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Number, E> {
        Ok(Number(number as f64))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Number, E> {
        Number::finite(number)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

impl JsonSchema for Number {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "number".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number" })
    }
}

#[cfg(test)]
mod tests;

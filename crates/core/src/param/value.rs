//! The value of a parameter of any kind.

use core::fmt;
use std::sync::Arc;

use super::Dimension;
use crate::{Bytes, Duration, Rate};

/// A parameter's value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// On or off.
    Switch(bool),
    /// A whole number, in the parameter's unit.
    Count(u32),
    /// A number, in the parameter's unit.
    Number(f64),
    /// A time.
    Span(Duration),
    /// A length in metres.
    Length(f64),
    /// A data rate.
    BitRate(Rate),
    /// A size.
    Size(Bytes),
    /// A power, a frequency, a level or a signal, in the unit of its dimension.
    Measure(f64, Dimension),
    /// What fixes random numbers.
    Seed(u64),
    /// Which alternative.
    Choice(usize),
    /// Numbers, in the parameter's unit, of which the first belongs to 1; `None` if they are computed.
    Table(Option<Arc<[f64]>>),
    /// Whole numbers.
    Numbers(Arc<[u32]>),
    /// Text.
    Text(Arc<Content>),
}

/// Text, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The text.
    pub text: String,
    /// The file that it was read from, for messages; `None` if the scenario has it itself.
    pub read_from: Option<String>,
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Content { text: text.to_owned(), read_from: None }
    }
}

impl Value {
    /// Whether it lies between two values of its kind.
    pub(super) fn is_within(&self, min: &Value, max: &Value) -> bool {
        if let (Value::Span(min), Value::Span(max), Value::Span(span)) = (min, max, self) {
            return (min..=max).contains(&span);
        }
        if let (Value::BitRate(min), Value::BitRate(max), Value::BitRate(rate)) = (min, max, self) {
            return (min..=max).contains(&rate);
        }
        match (min.number(), max.number(), self.number()) {
            (Some(min), Some(max), Some(number)) => {
                number.is_finite() && (min..=max).contains(&number)
            }
            _ => false,
        }
    }

    /// Whether it is the largest of its kind: a bound that nobody reaches.
    pub fn is_unbounded(&self) -> bool {
        match self {
            Value::Count(count) => *count == u32::MAX,
            Value::Number(number) | Value::Length(number) | Value::Measure(number, _) => {
                number.is_infinite()
            }
            Value::BitRate(rate) => rate.0 == u64::MAX,
            Value::Size(size) => size.0 == u32::MAX,
            _ => false,
        }
    }

    /// The number that it is, without its unit; `None` where it is no number.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Value::Count(count) => Some(f64::from(*count)),
            Value::Number(number) | Value::Length(number) | Value::Measure(number, _) => {
                Some(*number)
            }
            Value::Size(size) => Some(f64::from(size.0)),
            _ => None,
        }
    }
}

/// As a file has it, but choices.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Switch(on) => write!(f, "{on}"),
            Value::Count(count) => write!(f, "{count}"),
            Value::Number(number) => write!(f, "{number}"),
            Value::Span(span) => in_whole_units(f, span.nanos(), &TIMES),
            Value::Length(length) if *length > 0.0 && *length < 1.0 => {
                write!(f, "{} cm", length * 100.0)
            }
            Value::Length(length) => write!(f, "{length} m"),
            Value::BitRate(Rate(0)) => f.write_str("0 bit/s"),
            Value::BitRate(rate) => in_whole_units(f, rate.0, &RATES),
            Value::Size(size) => write!(f, "{size}"),
            Value::Measure(value, dimension) => write!(f, "{value} {}", dimension.unit()),
            Value::Seed(seed) => write!(f, "{seed}"),
            Value::Choice(at) => write!(f, "{at}"),
            Value::Text(content) => f.write_str(&content.text),
            Value::Numbers(numbers) => write!(f, "{numbers:?}"),
            Value::Table(None) => f.write_str("none"),
            Value::Table(Some(numbers)) => write!(f, "{numbers:?}"),
        }
    }
}

/// Units from the largest to the smallest, with their size in the smallest.
type Units = [(&'static str, u64); 4];

const TIMES: Units = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1)];

const RATES: Units =
    [("Gbit/s", 1_000_000_000), ("Mbit/s", 1_000_000), ("kbit/s", 1_000), ("bit/s", 1)];

/// `200 ms` and not `0.2 s`.
fn in_whole_units(f: &mut fmt::Formatter<'_>, value: u64, units: &Units) -> fmt::Result {
    let whole = units.iter().find(|(_, unit)| value.is_multiple_of(*unit));
    let (name, unit) = whole.unwrap_or(&units[3]);
    write!(f, "{} {name}", value / unit)
}

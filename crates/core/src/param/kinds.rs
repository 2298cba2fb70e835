//! The kinds of parameters, each with the Rust type in which its value is read.

use std::sync::Arc;

use super::{Content, Dimension, Param, ParamKind, Value};
use crate::{Bytes, Duration, Rate};

/// A parameter as a typed constant, with which its value is read.
pub trait Key: Copy {
    /// The type of its value.
    type Value;

    /// Its key in scenario files.
    fn name(&self) -> &'static str;

    /// Its value unless the file says otherwise.
    fn default(&self) -> Self::Value;

    /// The value in its own type; `None` if it is of another kind.
    fn read(&self, value: &Value) -> Option<Self::Value>;
}

/// Describes a kind for tools, and says how it is read.
macro_rules! key {
    ($kind:ident, $type:ty, |$key:ident| $unit:expr, $described:expr) => {
        impl $kind {
            /// Its description for tools.
            pub const fn param(self) -> Param {
                let $key = self;
                Param::new($key.name, $unit, $key.about, $described)
            }
        }

        impl Key for $kind {
            type Value = $type;

            fn name(&self) -> &'static str {
                self.name
            }

            fn default(&self) -> $type {
                self.default
            }

            fn read(&self, value: &Value) -> Option<$type> {
                if let Value::$kind(value) = value { Some(*value) } else { None }
            }
        }
    };
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Switch {
    /// Its key in scenario files.
    pub name: &'static str,
    /// What it does, with the place in the paper.
    pub about: &'static str,
    /// The value unless the file says otherwise.
    pub default: bool,
}

key!(Switch, bool, |key| "", ParamKind::Switch(key.default));

/// A whole number with its lower and upper bound: of packets, bytes, blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Count {
    /// Its key in scenario files.
    pub name: &'static str,
    /// What it does, with the place in the paper.
    pub about: &'static str,
    /// Its unit; empty for a plain count.
    pub unit: &'static str,
    /// The value unless the file says otherwise.
    pub default: u32,
    /// The smallest allowed value.
    pub min: u32,
    /// The largest allowed value; `u32::MAX` for none.
    pub max: u32,
}

key!(
    Count,
    u32,
    |key| key.unit,
    ParamKind::Count { default: key.default, min: key.min, max: key.max }
);

/// A number with its lower and upper bound: a share, a factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// Its key in scenario files.
    pub name: &'static str,
    /// What it does, with the place in the paper.
    pub about: &'static str,
    /// Its unit; empty for a plain number.
    pub unit: &'static str,
    /// The value unless the file says otherwise.
    pub default: f64,
    /// The smallest allowed value.
    pub min: f64,
    /// The largest allowed value; infinite for none.
    pub max: f64,
}

key!(
    Number,
    f64,
    |key| key.unit,
    ParamKind::Number { default: key.default, min: key.min, max: key.max }
);

/// A time with its lower and upper bound. In a file it is text with a unit, as in `"200 ms"`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Its key in scenario files.
    pub name: &'static str,
    /// What it does, with the place in the paper.
    pub about: &'static str,
    /// The unit of a bare number, `"s"` or `"ms"`; empty where a file has to give one.
    pub bare_unit: &'static str,
    /// The value unless the file says otherwise.
    pub default: Duration,
    /// The shortest allowed time.
    pub min: Duration,
    /// The longest allowed time.
    pub max: Duration,
}

key!(
    Span,
    Duration,
    |key| key.bare_unit,
    ParamKind::Span { default: key.default, min: key.min, max: key.max }
);

/// A length in metres with its lower and upper bound. In a file it is text with a unit, as in
/// `"200 m"`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Length {
    /// Its key in scenario files.
    pub name: &'static str,
    /// What it does, with the place in the paper.
    pub about: &'static str,
    /// The value unless the file says otherwise.
    pub default: f64,
    /// The shortest allowed length.
    pub min: f64,
    /// The longest allowed length; infinite for none.
    pub max: f64,
}

key!(
    Length,
    f64,
    |key| "m",
    ParamKind::Length { default: key.default, min: key.min, max: key.max }
);

/// A data rate with its lower and upper bound. In a file it is text with a unit, as in `"2 Mbit/s"`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BitRate {
    /// Its key in scenario files.
    pub name: &'static str,
    /// What it does, with the place in the paper.
    pub about: &'static str,
    /// The value unless the file says otherwise.
    pub default: Rate,
    /// The lowest allowed rate.
    pub min: Rate,
    /// The highest allowed rate; `Rate(u64::MAX)` for none.
    pub max: Rate,
}

key!(
    BitRate,
    Rate,
    |key| "bit/s",
    ParamKind::BitRate { default: key.default, min: key.min, max: key.max }
);

/// A power, a frequency, a level or a signal with its lower and upper bound. In a file it is text with a unit, as in
/// `"914 MHz"`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// Its key in scenario files.
    pub name: &'static str,
    /// What it does, with the place in the paper.
    pub about: &'static str,
    /// What it is measured in.
    pub dimension: Dimension,
    /// The value unless the file says otherwise, in the unit of the dimension.
    pub default: f64,
    /// The smallest allowed value.
    pub min: f64,
    /// The largest allowed value; infinite for none.
    pub max: f64,
}

impl Measure {
    /// Its description for tools.
    pub const fn param(self) -> Param {
        let Measure { name, about, dimension, default, min, max } = self;
        Param::new(
            name,
            dimension.unit(),
            about,
            ParamKind::Measure { dimension, default, min, max },
        )
    }
}

impl Key for Measure {
    type Value = f64;

    fn name(&self) -> &'static str {
        self.name
    }

    fn default(&self) -> f64 {
        self.default
    }

    fn read(&self, value: &Value) -> Option<f64> {
        match value {
            Value::Measure(value, dimension) if *dimension == self.dimension => Some(*value),
            _ => None,
        }
    }
}

/// A size in bytes with its lower and upper bound. In a file it is text with a unit, as in `"512 B"`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Its key in scenario files.
    pub name: &'static str,
    /// What it does, with the place in the paper.
    pub about: &'static str,
    /// The value unless the file says otherwise.
    pub default: Bytes,
    /// The smallest allowed size.
    pub min: Bytes,
    /// The largest allowed size; `Bytes(u32::MAX)` for none.
    pub max: Bytes,
}

key!(Size, Bytes, |key| "B", ParamKind::Size { default: key.default, min: key.min, max: key.max });

/// What fixes random numbers. It has no default of its own: see [`Param::or`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seed {
    /// Its key in scenario files.
    pub name: &'static str,
    /// What it fixes.
    pub about: &'static str,
    /// An example.
    pub default: u64,
}

key!(Seed, u64, |key| "", ParamKind::Seed);

/// One of the values of a [`Choice`], for tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// What stands in scenario files.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
}

/// One of several values, each with a name. The first is the default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice<T: 'static> {
    /// Its key in scenario files.
    pub name: &'static str,
    /// What is chosen.
    pub about: &'static str,
    /// The names of the values.
    pub among: &'static [Alternative],
    /// The values, one for each name.
    pub values: &'static [T],
}

impl<T> Choice<T> {
    /// Its description for tools.
    ///
    /// # Panics
    /// At compile time, if there is no value, or not one for each name.
    pub const fn param(&self) -> Param {
        assert!(!self.values.is_empty() && self.values.len() == self.among.len(), "a value a name");
        Param::new(self.name, "", self.about, ParamKind::Choice(self.among))
    }
}

impl<T: Copy> Key for Choice<T> {
    type Value = T;

    fn name(&self) -> &'static str {
        self.name
    }

    fn default(&self) -> T {
        self.values[0]
    }

    fn read(&self, value: &Value) -> Option<T> {
        if let Value::Choice(at) = value { self.values.get(*at).copied() } else { None }
    }
}

/// Whole numbers from 0 on, in any order; in a file an array. By default there are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// Its key in scenario files.
    pub name: &'static str,
    /// What they are.
    pub about: &'static str,
    /// The largest allowed number.
    pub max: u32,
}

impl Numbers {
    /// Its description for tools.
    pub const fn param(self) -> Param {
        Param::new(self.name, "", self.about, ParamKind::Numbers(self.max))
    }
}

impl Key for Numbers {
    type Value = Arc<[u32]>;

    fn name(&self) -> &'static str {
        self.name
    }

    fn default(&self) -> Arc<[u32]> {
        Arc::default()
    }

    fn read(&self, value: &Value) -> Option<Arc<[u32]>> {
        if let Value::Numbers(numbers) = value { Some(Arc::clone(numbers)) } else { None }
    }
}

/// Numbers by a count, of which the first belongs to 1: rates by the length of a route. In a file they
/// are an array, or a table file that says for which link they were measured; by default they are
/// computed, for which a file has a word.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Table {
    /// Its key in scenario files.
    pub name: &'static str,
    /// What the numbers are, with the place in the paper.
    pub about: &'static str,
    /// Their unit.
    pub unit: &'static str,
    /// What stands in scenario files for numbers that are computed.
    pub computed: &'static str,
    /// The smallest allowed number.
    pub min: f64,
    /// The largest allowed number.
    pub max: f64,
}

impl Table {
    /// Its description for tools.
    pub const fn param(&'static self) -> Param {
        Param::new(self.name, self.unit, self.about, ParamKind::Table(self))
    }
}

impl Key for Table {
    type Value = Option<Arc<[f64]>>;

    fn name(&self) -> &'static str {
        self.name
    }

    fn default(&self) -> Option<Arc<[f64]>> {
        None
    }

    fn read(&self, value: &Value) -> Option<Option<Arc<[f64]>>> {
        if let Value::Table(numbers) = value { Some(numbers.clone()) } else { None }
    }
}

/// Text that a file holds, or the name of that file. It has no default of its own: see [`Param::or`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    /// Its key in scenario files.
    pub name: &'static str,
    /// What it says.
    pub about: &'static str,
    /// An example.
    pub default: &'static str,
}

impl Text {
    /// Its description for tools.
    pub const fn param(&self) -> Param {
        Param::new(self.name, "", self.about, ParamKind::Text(self.default))
    }
}

impl Key for Text {
    type Value = Arc<Content>;

    fn name(&self) -> &'static str {
        self.name
    }

    fn default(&self) -> Arc<Content> {
        Arc::new(Content::from(self.default))
    }

    fn read(&self, value: &Value) -> Option<Arc<Content>> {
        if let Value::Text(content) = value { Some(Arc::clone(content)) } else { None }
    }
}

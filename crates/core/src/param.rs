//! Parameters: what can be set, with its default and its bounds, and the values that hold.
//!
//! A parameter is a constant of one of the kinds [`Switch`], [`Count`], [`Number`], [`Span`],
//! [`Length`], [`BitRate`], [`Size`], [`Seed`], [`Choice`], [`Numbers`], [`Table`] and [`Text`]. Its description for tools is [`Param`]; its value is read
//! with the constant itself, in the Rust type of its kind:
//!
//! ```
//! use multihop_core::{Count, Given, Value, Values};
//!
//! const WINDOW: Count = Count {
//!     name: "window",
//!     unit: "packets",
//!     about: "So many packets are on their way at most",
//!     default: 20,
//!     min: 1,
//!     max: 1_000,
//! };
//! let given: [Given; 1] = [("window".to_owned(), Value::Count(7))];
//! let values = Values::new(&[WINDOW.param()], &given).expect("7 is allowed");
//! let window: u32 = values.get(WINDOW);
//! assert_eq!(window, 7);
//! ```

mod bare_unit;
mod by_link;
mod dimension;
mod error;
mod kinds;
mod value;

pub use bare_unit::BareUnit;
pub use by_link::ByLink;
pub use dimension::Dimension;
pub use error::ParamError;
pub use kinds::{
    Alternative, BitRate, Choice, Count, Key, Length, Measure, Number, Numbers, Seed, Size, Span,
    Switch, Table, Text,
};
pub use value::{Content, Value};

use std::sync::Arc;

use serde::Deserialize;

use crate::{Bytes, Capability, Duration, Rate};

/// One parameter, as tools see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Its key in scenario files.
    pub name: &'static str,
    /// Its unit; empty for a plain number, a plain count or a switch.
    pub unit: &'static str,
    /// What it does, with the place in the paper.
    pub about: &'static str,
    /// Its type, default and bounds.
    pub kind: ParamKind,
    /// What holds where a file does not give it.
    pub otherwise: Otherwise,
    /// What its scheme needs of the MAC while it is on, or off, beyond what it needs in any case.
    pub needs: Option<(bool, Capability)>,
    /// What holds instead in the field; see [`Defaults::Field`].
    pub field: Option<Preset>,
    /// The keys of a scenario whose place it takes, as in `mac.cw_min`.
    pub replaces: &'static [&'static str],
    /// When it has an effect.
    pub heeded: Heeded,
    /// The parameter of the same kind that it must not exceed.
    pub at_most: Option<&'static str>,
    /// What it is over a link, where it is not given.
    pub by_link: Option<ByLink>,
}

/// Which values hold where a file gives none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Defaults {
    /// Those of the paper, or of the simulator that it used: for runs that are compared with them.
    #[default]
    Paper,
    /// Those of networks that run for days and whose nodes may vanish: a host outside a simulator has them.
    Field,
}

/// A default in the field, of the kind of its parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Preset {
    /// Of a [`Switch`].
    Switch(bool),
    /// Of a [`Count`].
    Count(u32),
    /// Of a [`Number`].
    Number(f64),
    /// Of a [`Span`].
    Span(Duration),
}

impl From<Preset> for Value {
    fn from(preset: Preset) -> Value {
        match preset {
            Preset::Switch(on) => Value::Switch(on),
            Preset::Count(count) => Value::Count(count),
            Preset::Number(number) => Value::Number(number),
            Preset::Span(span) => Value::Span(span),
        }
    }
}

/// When a parameter has an effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Heeded {
    /// Where its part has one.
    Always,
    /// While this other parameter is like that.
    While(&'static str, While),
    /// Where a frame carries several packets ([`LinkTiming::batch`](crate::LinkTiming::batch)).
    InBatches,
    /// Never in this part, which has it in common with others; why, as in "which marks no packet".
    Never(&'static str),
}

/// The value of a parameter without which another one has no effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum While {
    /// The switch is on, or off.
    Switch(bool),
    /// The choice is the alternative of this name.
    Choice(&'static str),
    /// The choice is another alternative than this.
    Other(&'static str),
    /// The number or count is greater than this.
    Above(f64),
    /// The table's numbers are computed.
    Computed,
    /// It is given, of those that have no default.
    Given,
}

/// The type, default and bounds of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamKind {
    /// On or off: a [`Switch`] and its default.
    Switch(bool),
    /// A [`Count`].
    Count {
        /// The value unless the file says otherwise.
        default: u32,
        /// The smallest allowed value.
        min: u32,
        /// The largest allowed value.
        max: u32,
    },
    /// A [`Number`].
    Number {
        /// The value unless the file says otherwise.
        default: f64,
        /// The smallest allowed value.
        min: f64,
        /// The largest allowed value.
        max: f64,
    },
    /// A [`Span`] of time.
    Span {
        /// The value unless the file says otherwise.
        default: Duration,
        /// The shortest allowed time.
        min: Duration,
        /// The longest allowed time.
        max: Duration,
    },
    /// A [`Length`] in metres.
    Length {
        /// The value unless the file says otherwise.
        default: f64,
        /// The shortest allowed length.
        min: f64,
        /// The longest allowed length.
        max: f64,
    },
    /// A [`BitRate`].
    BitRate {
        /// The value unless the file says otherwise.
        default: Rate,
        /// The lowest allowed rate.
        min: Rate,
        /// The highest allowed rate.
        max: Rate,
    },
    /// A [`Size`].
    Size {
        /// The value unless the file says otherwise.
        default: Bytes,
        /// The smallest allowed size.
        min: Bytes,
        /// The largest allowed size.
        max: Bytes,
    },
    /// A [`Measure`].
    Measure {
        /// What it is measured in.
        dimension: Dimension,
        /// The value unless the file says otherwise.
        default: f64,
        /// The smallest allowed value.
        min: f64,
        /// The largest allowed value.
        max: f64,
    },
    /// A [`Seed`].
    Seed,
    /// A [`Choice`] among these; the first is the default.
    Choice(&'static [Alternative]),
    /// [`Numbers`], and the largest allowed one.
    Numbers(u32),
    /// A [`Table`] of numbers.
    Table(&'static Table),
    /// A [`Text`], and an example of it.
    Text(&'static str),
}

impl ParamKind {
    /// Its name for tools.
    pub fn name(self) -> &'static str {
        match self {
            ParamKind::Switch(_) => "switch",
            ParamKind::Count { .. } => "count",
            ParamKind::Number { .. } => "number",
            ParamKind::Span { .. } => "time",
            ParamKind::Length { .. } => "length",
            ParamKind::BitRate { .. } => "rate",
            ParamKind::Size { .. } => "size",
            ParamKind::Measure { .. } => "measure",
            ParamKind::Seed => "seed",
            ParamKind::Choice(_) => "choice",
            ParamKind::Numbers(_) => "numbers",
            ParamKind::Table(_) => "table",
            ParamKind::Text(_) => "text",
        }
    }
}

/// What holds where a file does not give a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// Its default.
    Default,
    /// Nothing: it has to be given, and its default is an example.
    Required,
    /// Something that is no value of it, in words; its default is an example.
    Means(&'static str),
}

impl Param {
    /// A parameter with a default, on which nothing else depends.
    pub const fn new(
        name: &'static str,
        unit: &'static str,
        about: &'static str,
        kind: ParamKind,
    ) -> Param {
        let otherwise = Otherwise::Default;
        Param {
            name,
            unit,
            about,
            kind,
            otherwise,
            needs: None,
            field: None,
            replaces: &[],
            heeded: Heeded::Always,
            at_most: None,
            by_link: None,
        }
    }

    /// The same parameter, which takes the place of these keys of the scenario, as `mac.cw_min`.
    #[must_use]
    pub const fn replacing(self, replaces: &'static [&'static str]) -> Param {
        Param { replaces, ..self }
    }

    /// The same parameter, which has an effect only while the parameter `other` is like this.
    #[must_use]
    pub const fn only_while(self, other: &'static str, is: While) -> Param {
        Param { heeded: Heeded::While(other, is), ..self }
    }

    /// The same parameter, which has an effect only where a frame carries several packets.
    #[must_use]
    pub const fn in_batches(self) -> Param {
        Param { heeded: Heeded::InBatches, ..self }
    }

    /// The same parameter, which must not exceed the parameter `other`, of the same kind.
    #[must_use]
    pub const fn at_most(self, other: &'static str) -> Param {
        Param { at_most: Some(other), ..self }
    }

    /// The same parameter, but it has to be given.
    #[must_use]
    pub const fn required(self) -> Param {
        Param { otherwise: Otherwise::Required, ..self }
    }

    /// The same parameter, a switch, but while it is `on` its scheme needs `capability` of the MAC.
    #[must_use]
    pub const fn needing(self, on: bool, capability: Capability) -> Param {
        Param { needs: Some((on, capability)), ..self }
    }

    /// The same parameter, but without it holds what `means` says. It is read with
    /// [`Values::given`].
    #[must_use]
    pub const fn or(self, means: &'static str) -> Param {
        Param { otherwise: Otherwise::Means(means), ..self }
    }

    /// The same parameter, with another default [in the field](Defaults::Field).
    #[must_use]
    pub const fn in_the_field(self, preset: Preset) -> Param {
        Param { field: Some(preset), ..self }
    }

    /// What holds where a file does not give it; nothing if it has to be given, or has no default.
    fn unless_given(&self, defaults: Defaults) -> Option<Value> {
        match (defaults, self.field) {
            (Defaults::Field, Some(preset)) => Some(preset.into()),
            _ => (self.otherwise == Otherwise::Default).then(|| self.default()),
        }
    }

    /// Its default, or the example where there is none.
    pub fn default(&self) -> Value {
        match self.kind {
            ParamKind::Switch(on) => Value::Switch(on),
            ParamKind::Count { default, .. } => Value::Count(default),
            ParamKind::Number { default, .. } => Value::Number(default),
            ParamKind::Span { default, .. } => Value::Span(default),
            ParamKind::Length { default, .. } => Value::Length(default),
            ParamKind::BitRate { default, .. } => Value::BitRate(default),
            ParamKind::Size { default, .. } => Value::Size(default),
            ParamKind::Measure { dimension, default, .. } => Value::Measure(default, dimension),
            ParamKind::Seed => Value::Seed(1),
            ParamKind::Choice(_) => Value::Choice(0),
            ParamKind::Numbers(_) => Value::Numbers(Arc::default()),
            ParamKind::Table(_) => Value::Table(None),
            ParamKind::Text(example) => Value::Text(Arc::new(Content::from(example))),
        }
    }

    /// The smallest and the largest allowed value, of kinds that have them.
    pub fn bounds(&self) -> Option<(Value, Value)> {
        match self.kind {
            ParamKind::Count { min, max, .. } => Some((Value::Count(min), Value::Count(max))),
            ParamKind::Number { min, max, .. } => Some((Value::Number(min), Value::Number(max))),
            ParamKind::Span { min, max, .. } => Some((Value::Span(min), Value::Span(max))),
            ParamKind::Length { min, max, .. } => Some((Value::Length(min), Value::Length(max))),
            ParamKind::BitRate { min, max, .. } => Some((Value::BitRate(min), Value::BitRate(max))),
            ParamKind::Size { min, max, .. } => Some((Value::Size(min), Value::Size(max))),
            ParamKind::Measure { dimension, min, max, .. } => {
                Some((Value::Measure(min, dimension), Value::Measure(max, dimension)))
            }
            ParamKind::Switch(_)
            | ParamKind::Seed
            | ParamKind::Choice(_)
            | ParamKind::Numbers(_)
            | ParamKind::Table(_)
            | ParamKind::Text(_) => None,
        }
    }

    /// The unit of a bare number, if it may stand for a time. Files should give a unit; bare numbers
    /// are what they gave before times had one.
    pub fn bare_unit(&self) -> Option<BareUnit> {
        match (self.kind, self.unit) {
            (ParamKind::Span { .. }, "s") => Some(BareUnit::Seconds),
            (ParamKind::Span { .. }, "ms") => Some(BareUnit::Milliseconds),
            _ => None,
        }
    }

    /// Why this one has no effect with `values` of `params`, in the section `section`, as in "which has
    /// scheme.coding = false"; `None` where it may have one.
    pub fn idle(&self, section: &str, params: &[Param], values: &Values) -> Option<String> {
        let (other, is) = match self.heeded {
            Heeded::Always | Heeded::InBatches => return None,
            Heeded::Never(why) => return Some(why.to_owned()),
            Heeded::While(other, is) => (other, is),
        };
        let value = values.named(other);
        if is == While::Given {
            return value.is_none().then(|| format!("which has no {section}.{other}"));
        }
        let value = value?;
        let among = |at: usize| {
            let param = params.iter().find(|param| param.name == other)?;
            let ParamKind::Choice(among) = param.kind else { return None };
            among.get(at).map(|one| one.name)
        };
        let (holds, written) = match (is, value) {
            (While::Switch(wanted), Value::Switch(on)) => (*on == wanted, on.to_string()),
            (While::Choice(named) | While::Other(named), Value::Choice(at)) => {
                let name = among(*at)?;
                ((name == named) == matches!(is, While::Choice(_)), format!("\"{name}\""))
            }
            (While::Computed, Value::Table(numbers)) => {
                (numbers.is_none(), "measured ones".to_owned())
            }
            (While::Above(bound), value) => (value.number()? > bound, value.to_string()),
            _ => return None,
        };
        (!holds).then(|| format!("which has {section}.{other} = {written}"))
    }

    /// What it wants, in words.
    pub fn wants(&self) -> &'static str {
        match self.kind {
            ParamKind::Switch(_) => "true or false",
            ParamKind::Count { .. } | ParamKind::Seed => "a whole number",
            ParamKind::Number { .. } => "a number",
            ParamKind::Span { .. } => "a time",
            ParamKind::Length { .. } => "a length",
            ParamKind::BitRate { .. } => "a rate",
            ParamKind::Size { .. } => "a size",
            ParamKind::Measure { dimension, .. } => dimension.noun(),
            ParamKind::Choice(_) => "a name",
            ParamKind::Numbers(_) => "whole numbers in brackets, as [3, 7]",
            ParamKind::Table(_) => "numbers in brackets, or the name of a table file (.toml)",
            ParamKind::Text(_) => "text",
        }
    }

    /// `value` as this parameter has it, if it is of its kind and within its bounds. A file does
    /// not tell counts from numbers.
    fn checked(&self, value: &Value) -> Result<Value, ParamError> {
        let wrong = ParamError::WrongType { param: Box::new(*self) };
        let value = self.in_kind(value).ok_or_else(|| wrong.clone())?;
        let fits = match (self.kind, &value) {
            (ParamKind::Choice(among), Value::Choice(at)) => *at < among.len(),
            (ParamKind::Numbers(max), Value::Numbers(all)) => all.iter().all(|one| *one <= max),
            (ParamKind::Table(table), Value::Table(Some(numbers))) => {
                let within = |number: &f64| (table.min..=table.max).contains(number);
                !numbers.is_empty() && numbers.iter().all(within)
            }
            _ => self.bounds().is_none_or(|(min, max)| value.is_within(&min, &max)),
        };
        match (self.kind, &value) {
            _ if !fits => {
                Err(ParamError::OutOfRange { param: Box::new(*self), value: Box::new(value) })
            }
            (ParamKind::Count { .. }, Value::Number(number)) => {
                // a cast cuts off what is not whole
                let whole = *number as u32;
                if f64::from(whole) < *number { Err(wrong) } else { Ok(Value::Count(whole)) }
            }
            _ => Ok(value),
        }
    }

    /// `value` where it is of this kind, or can be read so.
    fn in_kind(&self, value: &Value) -> Option<Value> {
        match (self.kind, value) {
            (ParamKind::Switch(_), Value::Switch(_))
            | (ParamKind::Count { .. }, Value::Count(_) | Value::Number(_))
            | (ParamKind::Number { .. }, Value::Number(_))
            | (ParamKind::Span { .. }, Value::Span(_))
            | (ParamKind::Length { .. }, Value::Length(_))
            | (ParamKind::BitRate { .. }, Value::BitRate(_))
            | (ParamKind::Size { .. }, Value::Size(_))
            | (ParamKind::Measure { .. }, Value::Measure(..))
            | (ParamKind::Seed, Value::Seed(_))
            | (ParamKind::Choice(_), Value::Choice(_))
            | (ParamKind::Numbers(_), Value::Numbers(_))
            | (ParamKind::Text(_), Value::Text(_))
            | (ParamKind::Table(_), Value::Table(_)) => Some(value.clone()),
            (ParamKind::Number { .. }, Value::Count(count)) => Some(Value::Number((*count).into())),
            (ParamKind::Seed, Value::Count(count)) => Some(Value::Seed((*count).into())),
            (ParamKind::Span { .. }, Value::Count(count)) => {
                self.in_kind(&Value::Number((*count).into()))
            }
            (ParamKind::Span { .. }, Value::Number(number)) => {
                let unit = self.bare_unit()?;
                // no time is negative or endless: for the bounds to refuse
                let possible = *number >= 0.0 && number.is_finite();
                Some(if possible { Value::Span(unit.of(*number)) } else { value.clone() })
            }
            _ => None,
        }
    }
}

/// A value that a file gives, with its key.
pub type Given = (String, Value);

/// The values of some parameters, defaults filled in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    values: Vec<(&'static str, Value)>,
}

impl Values {
    /// The paper's defaults of `params`, with `given` on top.
    ///
    /// # Errors
    /// As [`Values::with`].
    pub fn new(params: &[Param], given: &[Given]) -> Result<Self, ParamError> {
        Values::with(Defaults::Paper, params, given)
    }

    /// The `defaults` of `params`, with `given` on top.
    ///
    /// # Errors
    /// If a given parameter does not exist, has the wrong type, is out of bounds, or contradicts another one, or if a
    /// required one is missing.
    pub fn with(defaults: Defaults, params: &[Param], given: &[Given]) -> Result<Self, ParamError> {
        for (name, _) in given {
            if params.iter().all(|param| param.name != name) {
                let known = params.iter().map(|param| param.name).collect();
                return Err(ParamError::Unknown { name: name.clone(), known });
            }
        }
        let mut values = Vec::with_capacity(params.len());
        for param in params {
            // of several the last holds, as where a file's key is overridden
            let given = given.iter().rev().find(|(name, _)| param.name == name);
            let value = match given {
                Some((_, value)) => Some(param.checked(value)?),
                None if param.otherwise == Otherwise::Required => {
                    return Err(ParamError::Missing { param: Box::new(*param) });
                }
                None => param.unless_given(defaults),
            };
            values.extend(value.map(|value| (param.name, value)));
        }
        let values = Values { values };
        values.agree(params, given).map(|()| values)
    }

    /// Refuses a value that exceeds the one that it must not.
    fn agree(&self, params: &[Param], given: &[Given]) -> Result<(), ParamError> {
        for param in params {
            let Some(other) = param.at_most else { continue };
            let (Some(value), Some(most)) = (self.named(param.name), self.named(other)) else {
                continue;
            };
            if !value.is_within(value, most) {
                let is_given = given.iter().any(|(name, _)| name == param.name);
                let values = Box::new([value.clone(), most.clone()]);
                return Err(ParamError::Contradicts {
                    low: param.name,
                    high: other,
                    is_given,
                    values,
                });
            }
        }
        Ok(())
    }

    /// Those of `params` alone.
    #[must_use]
    pub fn of(&self, params: &[Param]) -> Self {
        self.completed(params, &[])
    }

    /// The same with these values of `params` that have no default and were not given, in the order of `params`.
    #[must_use]
    pub fn completed(&self, params: &[Param], open: &[(&'static str, Value)]) -> Self {
        let held = |param: &Param| {
            let settled = open.iter().find(|(name, _)| *name == param.name);
            self.named(param.name).or(settled.map(|(_, value)| value)).cloned()
        };
        let values = params.iter().filter_map(|param| Some((param.name, held(param)?)));
        Values { values: values.collect() }
    }

    /// The value of `key`; its default if it is not among the parameters, so that nobody could
    /// give it.
    pub fn get<K: Key>(&self, key: K) -> K::Value {
        self.given(key).unwrap_or_else(|| key.default())
    }

    /// The value of `key`; `None` if it has no default and was not given.
    pub fn given<K: Key>(&self, key: K) -> Option<K::Value> {
        let found = self.values.iter().find(|(name, _)| *name == key.name());
        found.and_then(|(_, value)| key.read(value))
    }

    /// The value of the parameter that files call `name`; `None` if there is none, or if it has no
    /// default and was not given.
    pub fn named(&self, name: &str) -> Option<&Value> {
        self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests;

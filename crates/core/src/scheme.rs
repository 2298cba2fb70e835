//! How a scheme describes itself: its paper, its parameters, its place in figures, its parts.

use core::fmt;

use crate::{Counter, End, FlowId, Hop, Rate, Transport};

/// How a scheme uses the MAC unless the scenario says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MacAccess {
    /// 802.11 DCF: link acknowledgments and retries.
    Dcf,
    /// Carrier sense and backoff only (CXCC 6): no link acknowledgment, no retries, no RTS.
    Csma,
}

/// The type and default of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamKind {
    /// On or off.
    Switch(bool),
    /// A whole number with its lower and upper bound: of packets, bytes, blocks.
    Count {
        /// The value unless the scenario says otherwise.
        default: u32,
        /// The smallest allowed value.
        min: u32,
        /// The largest allowed value.
        max: u32,
    },
    /// A number with its lower and upper bound: a share, a factor, or a time in the parameter's
    /// unit.
    Number {
        /// The value unless the scenario says otherwise.
        default: f64,
        /// The smallest allowed value.
        min: f64,
        /// The largest allowed value.
        max: f64,
    },
}

/// One parameter of a scheme.
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
}

/// A parameter's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// On or off.
    Switch(bool),
    /// A whole number, in the parameter's unit.
    Count(u32),
    /// A number, in the parameter's unit.
    Number(f64),
}

/// How a scheme looks in every figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plot {
    /// Colour as `#rrggbb`.
    pub color: &'static str,
    /// Marker in matplotlib's notation.
    pub marker: &'static str,
}

/// A scheme: a hop protocol and a transport, with everything that tools need to know of them.
pub struct Scheme {
    /// Its key in scenario files.
    pub name: &'static str,
    /// Its name in figures.
    pub title: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
    /// How it looks.
    pub plot: Plot,
    /// What is counted in its runs only.
    pub counters: &'static [Counter],
    /// How it uses the MAC.
    pub mac: MacAccess,
    /// Its parameters.
    pub params: &'static [Param],
    /// The hop protocol of one node.
    pub hop: fn(&Params) -> Box<dyn Hop>,
    /// The transport of one flow end.
    pub transport: fn(&Params, FlowId, End) -> Box<dyn Transport>,
}

/// The values of a scheme's parameters, defaults filled in, and what every scheme may know of
/// the link.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    values: Vec<(&'static str, Value)>,
    /// The rate at which data frames are sent.
    pub data_rate: Rate,
}

/// Why a parameter was refused.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamError {
    /// The scheme has no such parameter.
    Unknown {
        /// Which scheme.
        scheme: &'static str,
        /// What was given.
        name: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// The value has another type than the parameter.
    WrongType {
        /// Which parameter.
        name: &'static str,
        /// What it wants.
        expected: &'static str,
    },
    /// The value is out of bounds.
    OutOfRange {
        /// Which parameter.
        name: &'static str,
        /// What was given.
        value: f64,
        /// The smallest allowed value.
        min: f64,
        /// The largest allowed value.
        max: f64,
    },
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamError::Unknown { scheme, name, known } if known.is_empty() => {
                write!(f, "unknown parameter '{name}': scheme '{scheme}' has none")
            }
            ParamError::Unknown { scheme, name, known } => {
                let known = known.join(", ");
                write!(f, "unknown parameter '{name}' of scheme '{scheme}'; known: {known}")
            }
            ParamError::WrongType { name, expected } => {
                write!(f, "parameter '{name}' wants {expected}")
            }
            ParamError::OutOfRange { name, value, min, max } => {
                write!(f, "parameter '{name}' is {value}, but must lie between {min} and {max}")
            }
        }
    }
}

impl core::error::Error for ParamError {}

impl Params {
    /// The defaults of `scheme`, with `given` on top.
    ///
    /// # Errors
    /// If a given parameter does not exist, has the wrong type, or is out of bounds.
    pub fn new(
        scheme: &Scheme,
        given: &[(String, Value)],
        data_rate: Rate,
    ) -> Result<Self, ParamError> {
        let mut values: Vec<_> = scheme
            .params
            .iter()
            .map(|param| {
                let value = match param.kind {
                    ParamKind::Switch(on) => Value::Switch(on),
                    ParamKind::Count { default, .. } => Value::Count(default),
                    ParamKind::Number { default, .. } => Value::Number(default),
                };
                (param.name, value)
            })
            .collect();
        for (name, value) in given {
            let at = scheme.params.iter().position(|param| param.name == name);
            let at = at.ok_or_else(|| ParamError::Unknown {
                scheme: scheme.name,
                name: name.clone(),
                known: scheme.params.iter().map(|param| param.name).collect(),
            })?;
            values[at].1 = scheme.params[at].checked(*value)?;
        }
        Ok(Params { values, data_rate })
    }

    fn get(&self, name: &str) -> Value {
        let found = self.values.iter().find(|(known, _)| *known == name);
        found.expect("a scheme asks only for parameters that it declares").1
    }

    /// The switch `name`.
    ///
    /// # Panics
    /// If the scheme did not declare such a switch.
    pub fn switch(&self, name: &str) -> bool {
        match self.get(name) {
            Value::Switch(on) => on,
            Value::Count(_) | Value::Number(_) => panic!("{name} is not declared as a switch"),
        }
    }

    /// The count `name`.
    ///
    /// # Panics
    /// If the scheme did not declare such a count.
    pub fn count(&self, name: &str) -> u32 {
        match self.get(name) {
            Value::Count(count) => count,
            Value::Switch(_) | Value::Number(_) => panic!("{name} is not declared as a count"),
        }
    }

    /// The number `name`.
    ///
    /// # Panics
    /// If the scheme did not declare such a number.
    pub fn number(&self, name: &str) -> f64 {
        match self.get(name) {
            Value::Number(value) => value,
            Value::Switch(_) | Value::Count(_) => panic!("{name} is not declared as a number"),
        }
    }
}

impl Param {
    /// `value` as this parameter has it, if it is of its kind and within its bounds. A file does
    /// not tell counts from numbers.
    fn checked(&self, value: Value) -> Result<Value, ParamError> {
        let wrong = |expected| Err(ParamError::WrongType { name: self.name, expected });
        let given = match value {
            Value::Switch(_) => None,
            Value::Count(count) => Some(f64::from(count)),
            Value::Number(number) => Some(number),
        };
        match (self.kind, given) {
            (ParamKind::Switch(_), None) => Ok(value),
            (ParamKind::Switch(_), Some(_)) => wrong("true or false"),
            (ParamKind::Count { .. }, None) => wrong("a whole number"),
            (ParamKind::Number { .. }, None) => wrong("a number"),
            (ParamKind::Count { min, max, .. }, Some(number)) => {
                self.within(number, f64::from(min), f64::from(max))?;
                let whole = number as u32;
                // a cast cuts off what is not whole
                if f64::from(whole) < number {
                    wrong("a whole number")
                } else {
                    Ok(Value::Count(whole))
                }
            }
            (ParamKind::Number { min, max, .. }, Some(number)) => {
                self.within(number, min, max)?;
                Ok(Value::Number(number))
            }
        }
    }

    fn within(&self, value: f64, min: f64, max: f64) -> Result<(), ParamError> {
        if value.is_finite() && (min..=max).contains(&value) {
            Ok(())
        } else {
            Err(ParamError::OutOfRange { name: self.name, value, min, max })
        }
    }
}

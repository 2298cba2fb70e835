//! Why a parameter is refused.

use core::fmt;

use super::{Param, ParamKind, Table, Value};

/// Why a parameter was refused.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ParamError {
    /// There is no such parameter.
    Unknown {
        /// What was given.
        name: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// It has to be given, and was not.
    Missing {
        /// Which parameter.
        param: Box<Param>,
    },
    /// The value has another type than the parameter.
    WrongType {
        /// Which parameter.
        param: Box<Param>,
    },
    /// The value is out of bounds.
    OutOfRange {
        /// Which parameter.
        param: Box<Param>,
        /// What was given.
        value: Box<Value>,
    },
    /// It exceeds another parameter that it must not.
    Contradicts {
        /// The parameter that is too large.
        low: &'static str,
        /// The one that it must not exceed.
        high: &'static str,
        /// Whether the first was given: else the other is to blame.
        is_given: bool,
        /// The values of both.
        values: Box<[Value; 2]>,
    },
}

impl ParamError {
    /// The key that is to blame.
    pub fn key(&self) -> &str {
        match self {
            ParamError::Unknown { name, .. } => name,
            ParamError::Missing { param }
            | ParamError::WrongType { param, .. }
            | ParamError::OutOfRange { param, .. } => param.name,
            ParamError::Contradicts { low, high, is_given, .. } => {
                if *is_given {
                    low
                } else {
                    high
                }
            }
        }
    }
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamError::Unknown { .. } => f.write_str(&self.message()),
            _ => write!(f, "parameter '{}' {}", self.key(), self.message()),
        }
    }
}

impl ParamError {
    /// What is wrong, without the name of the parameter.
    pub fn message(&self) -> String {
        match self {
            ParamError::Unknown { name, known } if known.is_empty() => {
                format!("unknown parameter '{name}': there is none")
            }
            ParamError::Unknown { name, known } => {
                format!("unknown parameter '{name}'; known: {}", known.join(", "))
            }
            ParamError::Missing { .. } => "is missing".to_owned(),
            ParamError::WrongType { param } if param.unit.is_empty() => {
                format!("wants {}", param.wants())
            }
            ParamError::WrongType { param } => {
                format!("wants {} (in {})", param.wants(), param.unit)
            }
            ParamError::OutOfRange { param, value } => out_of_range(param, value),
            ParamError::Contradicts { low, high, is_given, values } => {
                let [value, most] = &**values;
                if *is_given {
                    format!("must not exceed {high} ({value} against {most})")
                } else {
                    format!("must not be below {low} ({most} against {value})")
                }
            }
        }
    }
}

fn out_of_range(param: &Param, value: &Value) -> String {
    if let ParamKind::Table(Table { unit, min, max, .. }) = param.kind {
        return format!("needs numbers, each between {min} and {max} {unit} (got {value})");
    }
    if let ParamKind::Numbers(max) = param.kind {
        return format!("needs whole numbers, each at most {max} (got {value})");
    }
    let Some((min, max)) = param.bounds() else {
        return "is none of its alternatives".to_owned();
    };
    let unit = match min {
        // their values say it themselves
        Value::Span(_)
        | Value::Length(_)
        | Value::BitRate(_)
        | Value::Size(_)
        | Value::Measure(..) => String::new(),
        _ if param.unit.is_empty() => String::new(),
        _ => format!(" {}", param.unit),
    };
    if max.is_unbounded() {
        format!("must be at least {min}{unit} (got {value})")
    } else {
        format!("must lie between {min} and {max}{unit} (got {value})")
    }
}

impl core::error::Error for ParamError {}

//! What is wrong with a scenario, where, and what would be right.

use core::fmt;

/// What is wrong with a scenario, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioError {
    /// What is wrong, and what would be right.
    pub message: String,
    /// The line in the text, counted from one, where it is known.
    pub line: Option<usize>,
    /// The key, as in `topology.hops` or `node[0].x`, where it is known.
    pub key: Option<String>,
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if let Some(key) = &self.key {
            write!(f, "{key}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl core::error::Error for ScenarioError {}

/// A mistake whose line is not known yet.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) key: String,
    pub(crate) message: String,
}

impl Fault {
    pub(crate) fn new(key: impl Into<String>, message: impl Into<String>) -> Self {
        Fault { key: key.into(), message: message.into() }
    }

    /// A key that has to be there and is not.
    pub(crate) fn missing(key: impl Into<String>, remedy: &str) -> Self {
        Fault::new(key, format!("is missing; {remedy}"))
    }
}

/// ", did you mean 'x'?" if one of `known` resembles `given`, otherwise nothing.
pub(crate) fn did_you_mean<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    // a third of the letters may differ; more than that is another word
    let limit = (given.chars().count() / 3).max(1);
    let lower = given.to_lowercase();
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&lower, &name.to_lowercase()), name))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map_or(String::new(), |(_, name)| format!(", did you mean '{name}'?"))
}

/// A name that does not exist among those that do.
pub(crate) fn unknown(noun: &str, given: &str, known: &[&str]) -> String {
    let hint = did_you_mean(given, known.iter().copied());
    let hint = if hint.is_empty() { ";".to_owned() } else { hint };
    format!("unknown {noun} '{given}'{hint} known: {}", known.join(", "))
}

/// `a, b or c`.
pub(crate) fn alternatives(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

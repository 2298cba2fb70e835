//! From text to a [`Scenario`], and from a key back to its line.

use serde_json::{Map, Number, Value};
use toml::de::{DeTable, DeValue};

use crate::change::Change;
use crate::error::{Fault, ScenarioError};
use crate::form::Scenario;
use crate::former;
use crate::plain::in_plain_words;

const EMPTY: &str = "the scenario is empty; it needs at least [topology], [scheme] and [traffic]";

/// Reads a scenario in TOML.
///
/// # Errors
/// If the text is not TOML, or if a key is unknown, missing, of the wrong type or without its
/// unit. The meaning is checked by [`Scenario::setup`].
pub fn from_toml(text: &str) -> Result<Scenario, ScenarioError> {
    from_toml_with(text, &[])
}

/// Reads a scenario in JSON.
///
/// # Errors
/// As [`from_toml`]; a line is named only where the JSON itself is broken.
pub fn from_json(text: &str) -> Result<Scenario, ScenarioError> {
    from_json_with(text, &[])
}

/// Reads a scenario in TOML with keys replaced.
///
/// # Errors
/// As [`from_toml`], and if a change leads into something that is not a table.
pub fn from_toml_with(text: &str, changes: &[Change]) -> Result<Scenario, ScenarioError> {
    let table: toml::Table = toml::from_str(text).map_err(|error| toml_syntax(text, &error))?;
    read(table.into_iter().map(|(key, value)| (key, plain(value))).collect(), changes, Some(text))
}

/// Reads a scenario in JSON with keys replaced.
///
/// # Errors
/// As [`from_json`], and if a change leads into something that is not a table.
pub fn from_json_with(text: &str, changes: &[Change]) -> Result<Scenario, ScenarioError> {
    let text = if text.trim().is_empty() { "{}" } else { text };
    let mut tables: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| json_syntax(&error))?;
    // which schema an editor checks the file by
    tables.retain(|key, value| key != "$schema" || !value.is_string());
    read(tables, changes, None)
}

fn read(
    mut tables: Map<String, Value>,
    changes: &[Change],
    text: Option<&str>,
) -> Result<Scenario, ScenarioError> {
    for change in changes {
        change.apply(&mut tables)?;
    }
    if tables.is_empty() {
        return Err(ScenarioError { message: EMPTY.to_owned(), line: None, key: None });
    }
    let read: Result<Scenario, _> = serde_path_to_error::deserialize(Value::Object(tables));
    match read {
        Ok(scenario) => Ok(Scenario { text: text.map(str::to_owned), ..scenario }),
        Err(error) => {
            let path = error.path().to_string();
            Err(misfit(&path, &error.inner().to_string()).placed(text))
        }
    }
}

/// A value of TOML as one of JSON. What JSON cannot say becomes text, which no number accepts.
fn plain(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => Value::Number(number.into()),
        toml::Value::Float(number) => Number::from_f64(number)
            .map_or_else(|| Value::String(number.to_string()), Value::Number),
        toml::Value::Boolean(on) => Value::Bool(on),
        toml::Value::Datetime(time) => Value::String(time.to_string()),
        toml::Value::Array(values) => values.into_iter().map(plain).collect(),
        toml::Value::Table(table) => {
            table.into_iter().map(|(key, value)| (key, plain(value))).collect()
        }
    }
}

/// Text that is not TOML.
fn toml_syntax(text: &str, error: &toml::de::Error) -> ScenarioError {
    let said = error.message().trim_end().replace('\n', ", ");
    let place = error.span().and_then(|span| text.get(span)).map(str::trim);
    let twice = place.filter(|name| said == "duplicate key" && !name.is_empty());
    let message = match twice {
        Some(name) => {
            format!("not valid TOML: '{name}' stands there twice; merge the two, or remove one")
        }
        None => format!("not valid TOML: {said}"),
    };
    let line = error.span().map(|span| line_at(text, span.start));
    ScenarioError { message, line, key: None }
}

/// Text that is not JSON.
fn json_syntax(error: &serde_json::Error) -> ScenarioError {
    ScenarioError {
        message: format!("not valid JSON: {}", without_place(error)),
        line: Some(error.line()),
        key: None,
    }
}

/// `serde_json` ends every message with the place.
fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.rfind(" at line ").map_or(message.clone(), |end| message[..end].to_owned())
}

/// A value that does not fit the form.
pub(crate) fn misfit(path: &str, message: &str) -> Fault {
    let (message, missing) = in_plain_words(message);
    // the path of the whole document is a dot
    let path = if path == "." { "" } else { path };
    let key = match missing {
        Some(name) if path.is_empty() => name,
        Some(name) => format!("{path}.{name}"),
        None => path.to_owned(),
    };
    Fault { key, message }
}

impl Fault {
    /// The error, with the line if there is a TOML text.
    pub(crate) fn placed(self, text: Option<&str>) -> ScenarioError {
        let message = match former::remedy(&self.key) {
            Some(remedy) if self.message.starts_with("unknown key") => {
                format!("this version has no such key: {remedy}")
            }
            _ => self.message,
        };
        ScenarioError {
            line: text.and_then(|text| line_of(text, &self.key)),
            key: Some(self.key).filter(|key| !key.is_empty()),
            message,
        }
    }
}

/// The line of the byte at `offset`, counted from one.
fn line_at(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|&byte| byte == b'\n').count()
}

/// The line of `key`, or of the innermost table around it that is there.
fn line_of(text: &str, key: &str) -> Option<usize> {
    let document = DeTable::parse(text).ok()?.into_inner();
    let (mut table, mut line) = (&document, None);
    for segment in key.split('.') {
        let (name, index) = match segment.split_once('[') {
            Some((name, index)) => (name, index.trim_end_matches(']').parse::<usize>().ok()),
            None => (segment, None),
        };
        let Some((key, mut value)) = table.iter().find(|(key, _)| key.get_ref() == name) else {
            break;
        };
        line = Some(line_at(text, key.span().start));
        if let (Some(index), DeValue::Array(elements)) = (index, value.get_ref()) {
            let Some(element) = elements.get(index) else { break };
            line = Some(line_at(text, element.span().start));
            value = element;
        }
        let DeValue::Table(inner) = value.get_ref() else { break };
        table = inner;
    }
    line
}

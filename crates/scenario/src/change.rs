//! Keys that are replaced in a scenario before anything is checked: the text need not be valid
//! without them.

use serde_json::{Map, Number, Value};

use crate::error::ScenarioError;
use crate::form::Scenario;
use crate::read::{json_syntax, misfit, toml_syntax};

/// A key that is given beside the text of a scenario.
#[derive(Clone, Debug)]
pub struct Change {
    /// The key; a dot leads into a table, as in `traffic.load`.
    pub key: String,
    /// What it becomes; `None` takes it away.
    pub value: Option<Value>,
}

/// Reads a scenario in TOML with keys replaced.
///
/// # Errors
/// As [`crate::from_toml`], and if a change leads into something that is not a table.
pub fn from_toml_with(text: &str, changes: &[Change]) -> Result<Scenario, ScenarioError> {
    let table: toml::Table = toml::from_str(text).map_err(|error| toml_syntax(text, &error))?;
    read(table.into_iter().map(|(key, value)| (key, plain(value))).collect(), changes, Some(text))
}

/// Reads a scenario in JSON with keys replaced.
///
/// # Errors
/// As [`crate::from_json`], and if a change leads into something that is not a table.
pub fn from_json_with(text: &str, changes: &[Change]) -> Result<Scenario, ScenarioError> {
    let tables = serde_json::from_str(text).map_err(|error| json_syntax(&error))?;
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
    let read: Result<Scenario, _> = serde_path_to_error::deserialize(Value::Object(tables));
    match read {
        Ok(scenario) => Ok(Scenario { text: text.map(str::to_owned), ..scenario }),
        Err(error) => {
            let path = error.path().to_string();
            Err(misfit(&path, &error.inner().to_string()).placed(text))
        }
    }
}

impl Change {
    fn apply(&self, tables: &mut Map<String, Value>) -> Result<(), ScenarioError> {
        let (path, last) = self.key.rsplit_once('.').unwrap_or(("", &self.key));
        let mut table = tables;
        for part in path.split('.').filter(|part| !part.is_empty()) {
            let below = table.entry(part).or_insert_with(|| Value::Object(Map::new()));
            let Value::Object(below) = below else {
                return Err(ScenarioError {
                    message: format!("cannot be set: '{part}' is not a table"),
                    line: None,
                    key: Some(self.key.clone()),
                });
            };
            table = below;
        }
        if self.key == "mobility.file" {
            // the text of the file before it
            table.remove("movements");
        }
        match &self.value {
            Some(value) => drop(table.insert(last.to_owned(), value.clone())),
            None => drop(table.remove(last)),
        }
        Ok(())
    }

    /// Whether `key` is what is changed, or stands within it.
    pub fn covers(&self, key: &str) -> bool {
        key.strip_prefix(self.key.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
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

//! Keys that are replaced in a scenario before anything is checked: the text need not be valid
//! without them.

use serde_json::{Map, Value};

use crate::error::ScenarioError;

/// A key that is given beside the text of a scenario.
#[derive(Clone, Debug)]
pub struct Change {
    /// The key; a dot leads into a table, as in `traffic.load`.
    pub key: String,
    /// What it becomes; `None` takes it away.
    pub value: Option<Value>,
}

impl Change {
    /// Replaces the key in `tables`.
    pub(crate) fn apply(&self, tables: &mut Map<String, Value>) -> Result<(), ScenarioError> {
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
